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

    /// The size of the header in bytes.
    package static let size = 100
    /// The bytes at the start of a database.
    package static let magic = Array("SQLite format 3\0".utf8)

    /// Returns nil if the bytes are not a header: a different start, too few bytes, an invalid page size, or more free
    /// pages than pages.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.size, bytes.starts(with: Self.magic) else { return nil }
        func number(_ offset: Int, _ width: Int) -> UInt64 {
            bytes[offset..<(offset + width)].reduce(0) { $0 << 8 | UInt64($1) }
        }
        let size = number(16, 2)
        pageSize = size == 1 ? 65_536 : Int(size)
        guard pageSize >= 512, pageSize & (pageSize - 1) == 0 else { return nil }
        writesAhead = bytes[19] == 2
        // The count is valid only if the version that wrote it also made the last change.
        pages = number(24, 4) == number(92, 4) ? number(28, 4) : 0
        freePages = number(36, 4)
        guard pages == 0 || freePages <= pages else { return nil }
        vacuum = number(52, 4) == 0 ? .none : number(64, 4) == 0 ? .full : .incremental
    }
}
