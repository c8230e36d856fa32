internal import FileSystem
internal import PropertyLists
internal import SystemPackage

/// What the files beside the payloads say of a backup, before it is opened.
struct BackupFacts {
    private let folder: Folder

    init(_ folder: Folder) { self.folder = folder }

    /// Whether there is a file of that name, and no link to one.
    func isFile(_ name: FilePath) throws(MobileBackupError) -> Bool {
        try reading { folder throws(FileSystemError) in try folder.statusIfPresent(name)?.kind == .file }
    }

    /// A file's first 4,096 bytes.
    func head(of name: FilePath) throws(MobileBackupError) -> [UInt8] {
        try reading { folder throws(FileSystemError) in
            try folder.open(name, followingLinks: false).read(upTo: 4096)
        }
    }

    /// A property list of at most 64 MiB (apps' icons are in some); nil where there is none of that name.
    ///
    /// - Throws: `damaged` for a file that is none.
    func list(_ name: FilePath) throws(MobileBackupError) -> PropertyListGraph? {
        guard try isFile(name) else { return nil }
        let bytes = try reading { folder throws(FileSystemError) in
            try folder.open(name, followingLinks: false).contents(limit: 64 << 20)
        }
        do throws(PropertyListError) { return try PropertyListGraph(parsing: bytes) } catch {
            throw MobileBackupError(.damaged, "\(name) is no property list: \(error). Nothing has been changed.")
        }
    }

    /// Whether a file that is no database may be an encrypted one: whole blocks of AES, and bytes of all values, as
    /// hardly any damage leaves them.
    func looksEncrypted(_ name: FilePath, _ head: [UInt8]) throws(MobileBackupError) -> Bool {
        let size = try reading { folder throws(FileSystemError) in try folder.status(name).size }
        return size % 16 == 0 && head.count == 4096 && Set(head).count >= 240
    }

    private func reading<Result>(
        _ body: (Folder) throws(FileSystemError) -> Result
    ) throws(MobileBackupError) -> Result {
        do throws(FileSystemError) { return try body(folder) } catch { throw MobileBackupError(reading: error) }
    }
}
