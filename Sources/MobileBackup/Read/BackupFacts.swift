internal import FileSystem
internal import PropertyLists
internal import SystemPackage

/// The properties of a backup before it is opened, from the files beside the payloads.
struct BackupFacts {
    let folder: Folder

    init(_ folder: Folder) { self.folder = folder }

    /// Returns true if a regular file of that name exists.
    func isFile(_ name: FilePath) throws(MobileBackupError) -> Bool {
        try reading { folder throws(FileSystemError) in try folder.statusIfPresent(name)?.kind == .file }
    }

    /// Returns the size of a file.
    func size(of name: FilePath) throws(MobileBackupError) -> UInt64 {
        try reading { folder throws(FileSystemError) in try folder.status(name).size }
    }

    /// Returns the first 4,096 bytes of a file.
    func head(of name: FilePath) throws(MobileBackupError) -> [UInt8] {
        try reading { folder throws(FileSystemError) in
            try folder.open(name, followingLinks: false).read(upTo: 4096)
        }
    }

    /// Returns a property list of at most 64 MiB (some contain the icons of apps), or nil if it does not exist.
    ///
    /// - Throws: `damaged` if the file is not a property list.
    func list(_ name: FilePath) throws(MobileBackupError) -> PropertyListGraph? {
        guard try isFile(name) else { return nil }
        let bytes = try reading { folder throws(FileSystemError) in
            try folder.open(name, followingLinks: false).contents(limit: 64 << 20)
        }
        do throws(PropertyListError) { return try PropertyListGraph(parsing: bytes) } catch {
            throw MobileBackupError(
                .damaged, description: "\(name) is not a property list: \(error). Nothing was changed.")
        }
    }

    /// Returns true if a file that is not a database may be encrypted: bytes of all values at its start, which is
    /// unlikely for damage.
    static func looksEncrypted(_ head: [UInt8]) -> Bool { head.count == 4096 && Set(head).count >= 240 }

    /// Returns a date in seconds since 1970-01-01T00:00:00Z, or nil for another value and for a year that does not have
    /// four digits.
    static func date(_ value: PropertyListValue?) -> Int64? {
        guard case .date(let seconds)? = value?.node else { return nil }
        let time = (seconds + 978_307_200).rounded(.down)
        return (0...253_402_300_799).contains(time) ? Int64(time) : nil
    }

    private func reading<Result>(
        _ body: (Folder) throws(FileSystemError) -> Result
    ) throws(MobileBackupError) -> Result {
        do throws(FileSystemError) { return try body(folder) } catch { throw MobileBackupError(reading: error) }
    }
}
