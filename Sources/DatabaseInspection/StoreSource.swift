package import FileSystem
internal import SystemPackage

/// A file that belongs to an SQLite store. The shared memory (`-shm`) does not: SQLite makes it anew.
package enum StoreFile: String, Sendable, CaseIterable {
    case main = ""
    case log = "-wal"
    case journal = "-journal"
}

/// Where a store's files are read from. Nothing but bytes is asked of it, and nothing is written.
package protocol StoreSource {
    /// What is known of one of the files at this moment; nil where there is none.
    func status(of file: StoreFile) -> FileStatus?
    /// At most `count` bytes from `offset`; nil where they cannot be read.
    func bytes(_ count: Int, at offset: UInt64, of file: StoreFile) -> [UInt8]?
    /// Where the next bytes are, from `offset` on, that lie in no hole; nil where there are none.
    func nextData(from offset: UInt64, of file: StoreFile) -> UInt64?
}

extension StoreSource {
    /// For what knows of no holes.
    package func nextData(from offset: UInt64, of file: StoreFile) -> UInt64? { offset }
}

/// A store in a folder.
package struct FolderStore: StoreSource {
    private let folder: Folder
    private let name: [UInt8]

    /// The store of that name, and what lies beside it.
    package init(_ name: [UInt8], in folder: Folder) {
        self.folder = folder
        self.name = name
    }

    package func status(of file: StoreFile) -> FileStatus? { try? folder.statusIfPresent(path(of: file)) }

    package func bytes(_ count: Int, at offset: UInt64, of file: StoreFile) -> [UInt8]? {
        try? folder.open(path(of: file), followingLinks: false).read(upTo: count, from: offset)
    }

    package func nextData(from offset: UInt64, of file: StoreFile) -> UInt64? {
        guard let file = try? folder.open(path(of: file), followingLinks: false) else { return offset }
        return file.nextData(from: offset)
    }

    private func path(of file: StoreFile) -> FilePath { FilePath(bytes: name + Array(file.rawValue.utf8)) }
}
