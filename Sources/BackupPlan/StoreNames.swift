/// The names of the files that make up a store of SQLite's.
package enum StoreNames {
    private static let endings = ["-wal", "-journal", "-shm"].map { Array($0.utf8) }

    /// The main files that a file may be laid beside: those with its name without SQLite's ending.
    package static func mains(ofCompanion path: [UInt8]) -> [[UInt8]] {
        endings.filter { path.suffix($0.count).elementsEqual($0) }.map { Array(path.dropLast($0.count)) }
    }

    /// All that SQLite may lay beside a main file, and the file.
    package static func all(of main: [UInt8]) -> [[UInt8]] { [main] + endings.map { main + $0 } }
}
