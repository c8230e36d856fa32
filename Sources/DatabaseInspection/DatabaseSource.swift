package import FileSystem
internal import SystemPackage

/// A file of an SQLite database. The shared memory file (`-shm`) is not included, because SQLite creates it again.
package enum DatabaseFile: String, Sendable, CaseIterable {
    case main = ""
    case log = "-wal"
    case journal = "-journal"
}

/// The source of a database's files. It is only read.
package protocol DatabaseSource {
    /// Returns the current status of a file, or nil if it does not exist.
    func status(of file: DatabaseFile) -> FileStatus?
    /// Returns at most `count` bytes from `offset`, or nil if they cannot be read.
    func bytes(_ count: Int, at offset: UInt64, of file: DatabaseFile) -> [UInt8]?
    /// Returns the offset of the next data at or after `offset`, or nil if only a hole follows.
    func nextData(from offset: UInt64, of file: DatabaseFile) -> UInt64?
}

extension DatabaseSource {
    /// Returns `offset`, for a source without holes.
    package func nextData(from offset: UInt64, of file: DatabaseFile) -> UInt64? { offset }

    /// True if the write-ahead log is large enough for a transaction.
    package var hasLog: Bool { status(of: .log)?.size ?? 0 > DatabaseLog.headerSize }
}

/// The names of the files of a SQLite database.
package enum DatabaseFileNames {
    /// The endings of the names of companion files.
    package static let suffixes = ["-wal", "-journal", "-shm"]
    private static let endings = suffixes.map { Array($0.utf8) }

    /// Returns true if a name ends like that of a companion file.
    package static func isCompanion(_ name: ArraySlice<UInt8>) -> Bool {
        // Few names end with one of these letters, so most need no comparison.
        guard let last = name.last, endings.contains(where: { $0.last == last }) else { return false }
        return endings.contains { name.suffix($0.count).elementsEqual($0) }
    }

    /// Returns the possible main files of a companion file: its path without SQLite's suffix.
    package static func mains(ofCompanion path: [UInt8]) -> [[UInt8]] {
        endings.filter { path.suffix($0.count).elementsEqual($0) }.map { Array(path.dropLast($0.count)) }
    }

    /// Returns the paths of a main file and its companions.
    package static func all(of main: [UInt8]) -> [[UInt8]] { [main] + endings.map { main + $0 } }
}

/// A database in a folder.
package struct FolderDatabase: DatabaseSource {
    let folder: Folder
    let name: [UInt8]

    /// Creates a source for the database with this name and the files beside it.
    package init(_ name: [UInt8], in folder: Folder) {
        self.folder = folder
        self.name = name
    }

    /// Creates a source for the database at a path beneath `root`; nil if its directory cannot be opened.
    package init?(at path: [UInt8], in root: Folder) {
        let parent = FilePath(bytes: path).removingLastComponent()
        guard let folder = try? parent.isEmpty ? root : root.openFolder(parent) else { return nil }
        self.init(Array(path[((path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...]), in: folder)
    }

    package func status(of file: DatabaseFile) -> FileStatus? { try? folder.statusIfPresent(path(of: file)) }

    package func bytes(_ count: Int, at offset: UInt64, of file: DatabaseFile) -> [UInt8]? {
        try? open(file).read(upTo: count, from: offset)
    }

    package func nextData(from offset: UInt64, of file: DatabaseFile) -> UInt64? {
        guard let file = try? open(file) else { return offset }
        return file.nextData(from: offset)
    }

    /// Opens a file, which must not be a link.
    func open(_ file: DatabaseFile) throws(FileSystemError) -> OpenFile {
        try folder.open(path(of: file), followingLinks: false)
    }

    private func path(of file: DatabaseFile) -> FilePath { FilePath(bytes: name + Array(file.rawValue.utf8)) }
}

/// The header of an SQLite database: its first 100 bytes, read without SQLite. Changes in a write-ahead log are not
/// included.
///
/// Source: sqlite.org/fileformat.html, “The Database Header”.
package struct DatabaseHeader: Sendable, Hashable {
    /// The handling of unused pages.
    package enum Vacuum: Sendable, Hashable { case none, full, incremental }

    /// The page size in bytes: a power of two from 512 to 65,536.
    package let pageSize: Int
    /// True if changes are written to a write-ahead log.
    package let writesAhead: Bool
    /// The number of pages in the header. 0 for a database that was written by SQLite before 3.7.
    package let pages: UInt64
    /// The number of unused pages.
    package let freePages: UInt64
    package let vacuum: Vacuum
    /// The number of a change: at least one change later, it is higher.
    let changeCounter: UInt32
    /// The number of the schema, which each change of the schema sets to the next number.
    let schemaCookie: UInt32
    /// False if the bytes are those of page 1 and show that the database has no table; true also if they are too few.
    let hasSchema: Bool

    /// The size of the header in bytes.
    package static let size = 100
    /// The bytes at the start of a database.
    package static let magic = Array("SQLite format 3\0".utf8)

    /// Returns nil if the bytes are not a header: a different start, too few bytes, an invalid page size, or more free
    /// pages than pages.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else { return nil }
        let size = Int(bytes[16]) << 8 | Int(bytes[17])
        pageSize = size == 1 ? 65_536 : size
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
        writesAhead = bytes[19] == 2
        // The count is valid only if the version that wrote it also made the last change.
        changeCounter = bytes.number(at: 24)
        pages = changeCounter == bytes.number(at: 92) ? UInt64(bytes.number(at: 28)) : 0
        freePages = UInt64(bytes.number(at: 36))
        guard pages == 0 || freePages <= pages else { return nil }
        schemaCookie = bytes.number(at: 40)
        vacuum = bytes.number(at: 52) == 0 ? .none : bytes.number(at: 64) == 0 ? .full : .incremental
        // Page 1 is a leaf (13) without cells.
        hasSchema = bytes.count < 105 || bytes[100] != 13 || bytes[103] != 0 || bytes[104] != 0
    }
}

extension [UInt8] {
    /// Returns the big-endian number at an offset. The array must have its four bytes.
    func number(at offset: Int) -> UInt32 { self[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
}
