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
    private let folder: Folder
    private let name: [UInt8]

    /// Creates a source for the database with this name and the files beside it.
    package init(_ name: [UInt8], in folder: Folder) {
        self.folder = folder
        self.name = name
    }

    package func status(of file: DatabaseFile) -> FileStatus? { try? folder.statusIfPresent(path(of: file)) }

    package func bytes(_ count: Int, at offset: UInt64, of file: DatabaseFile) -> [UInt8]? {
        try? folder.open(path(of: file), followingLinks: false).read(upTo: count, from: offset)
    }

    package func nextData(from offset: UInt64, of file: DatabaseFile) -> UInt64? {
        guard let file = try? folder.open(path(of: file), followingLinks: false) else { return offset }
        return file.nextData(from: offset)
    }

    private func path(of file: DatabaseFile) -> FilePath { FilePath(bytes: name + Array(file.rawValue.utf8)) }
}
