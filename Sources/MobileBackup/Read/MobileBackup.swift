internal import DatabaseInspection
package import FileSystem
internal import PropertyLists
internal import SystemPackage

/// A backup in Apple's layout, written by a device or by `MobileBackupWriter`. It is never changed and not trusted:
/// invalid rows are reported as problems.
package final class MobileBackup: Sendable {
    /// The maximum size of a manifest, which is copied to a private directory first.
    static let maximumManifest: UInt64 = 4 << 30
    /// The maximum size of a payload.
    private static let maximumPayload: UInt64 = 1 << 40

    let folder: Folder
    let manifest: ManifestReader

    /// Opens the backup in the directory with the name of the device.
    ///
    /// - Throws: `notABackup`, `tooOld`, `encrypted`, `unfinished`, `damaged`, `tooLarge`, `noCopy`, `tooSlow`,
    ///   `failed`.
    package init(in folder: Folder) throws(MobileBackupError) {
        self.folder = folder
        let facts = BackupFacts(folder)
        guard try facts.isFile("Manifest.db") else { throw try Self.isNoBackup(facts) }
        let head = try facts.head(of: "Manifest.db")
        let declaration = try facts.list("Manifest.plist")
        if declaration?.root["IsEncrypted"]?.node == .boolean(true) {
            let isOpen = head.starts(with: DatabaseHeader.magic)
            throw Self.encrypted(isOpen ? ", but its Manifest.db is not: another tool has decrypted it" : "")
        }
        guard head.starts(with: DatabaseHeader.magic) else {
            throw try facts.looksEncrypted("Manifest.db", head)
                ? Self.encrypted(", judging by its Manifest.db, although it is not declared")
                : MobileBackupError(
                    .damaged, "Manifest.db is not a SQLite database. Make a new backup, or restore the manifest.")
        }
        guard try facts.list("Status.plist")?.root["SnapshotState"]?.string == "finished" else {
            throw MobileBackupError(
                .unfinished, "Status.plist does not mark the backup as finished. Let the device finish it.")
        }
        guard declaration != nil else {
            throw MobileBackupError(
                .damaged, "Manifest.plist is missing, so it is unknown whether the backup is encrypted.")
        }
        manifest = try ManifestReader(of: FolderDatabase(Array("Manifest.db".utf8), in: folder))
    }

    /// The damage that SQLite finds in the manifest. Damaged indexes are not used.
    package var manifestFaults: [String] { manifest.faults }

    /// Returns the valid domains, sorted by name; `verify` reports invalid ones.
    ///
    /// - Throws: `tooLarge` for more than 100,000, `tooSlow`, `damaged`.
    package func domains() throws(MobileBackupError) -> [BackupDomain] {
        try manifest.domains()
    }

    /// Returns the number of files in domains, according to the manifest.
    ///
    /// - Throws: `tooSlow`, `damaged`.
    package func fileCount(of domains: [BackupDomain]) throws(MobileBackupError) -> Int {
        try manifest.fileCount(of: domains)
    }

    /// Calls `body` for the entries of a domain in the order of insertion: a directory may come after its content.
    /// Memory use does not grow with their number.
    ///
    /// - Parameters: + domain: The domain. + body: Called with each usable entry, or with the problem of an unusable
    ///   row.
    /// - Throws: `tooSlow`, `damaged`; errors of `body`.
    package func entries(of domain: BackupDomain, _ body: (Result<StoredEntry, BackupProblem>) throws -> Void) throws {
        try manifest.rows(of: domain) { row in
            let (entry, problems) = row.judged()
            if let entry { return try body(.success(entry)) }
            for problem in problems { try body(.failure(problem)) }
        }
    }

    /// Opens the payload of a file.
    ///
    /// - Throws: A problem whose kind starts with `payload`: missing, not a file, unreadable, of another size than in
    ///   the record, or larger than 1 TiB.
    package func payload(of entry: StoredEntry) throws(BackupProblem) -> OpenFile {
        let file: OpenFile
        let status: FileStatus
        do throws(FileSystemError) {
            file = try folder.open(entry.identifier.payload, followingLinks: false)
            status = try file.status()
        } catch {
            switch error.errno {
            case .noSuchFileOrDirectory: throw entry.problem(.payloadMissing)
            // A link, a file in place of a directory, or a socket.
            case .tooManySymbolicLinkLevels, .notDirectory, .noSuchAddressOrDevice:
                throw entry.problem(.payloadNotAFile)
            default: throw entry.problem(.payloadUnreadable, error.errno.description)
            }
        }
        guard status.kind == .file else { throw entry.problem(.payloadNotAFile) }
        guard entry.size.map({ $0 == status.size }) ?? true else {
            throw entry.problem(.payloadLength, "\(status.size) bytes instead of \(entry.size ?? 0)")
        }
        guard status.size <= Self.maximumPayload else {
            throw entry.problem(.payloadTooLarge, "\(status.size) bytes")
        }
        return file
    }

    private static func encrypted(_ how: String) -> MobileBackupError {
        MobileBackupError(
            .encrypted,
            "The backup is encrypted\(how). Encrypted backups are not supported yet: turn off encryption for the device and "
                + "make a new one.")
    }

    private static func isNoBackup(_ facts: BackupFacts) throws(MobileBackupError) -> MobileBackupError {
        if try facts.isFile("Manifest.mbdb") {
            return MobileBackupError(
                .tooOld, "The backup was made before iOS 10.2 (Manifest.mbdb). pyiosbackup reads such backups.")
        }
        return MobileBackupError(
            .notABackup,
            "The directory contains no Manifest.db, so it is not a device backup. Name the directory with the identifier of "
                + "the device, one level below MobileSync/Backup.")
    }
}

extension MobileBackup {
    /// Returns the date of the backup in `Status.plist`, in seconds since 1970-01-01T00:00:00Z; nil without a date, or
    /// if its year does not have four digits.
    ///
    /// - Throws: `damaged` if the file was damaged since the backup was opened, `failed`.
    package func date() throws(MobileBackupError) -> Int64? {
        guard case .date(let seconds)? = try BackupFacts(folder).list("Status.plist")?.root["Date"]?.node else {
            return nil
        }
        let time = (seconds + 978_307_200).rounded(.down)
        return (0...253_402_300_799).contains(time) ? Int64(time) : nil
    }
}

/// The properties of a backup before it is opened, from the files beside the payloads.
struct BackupFacts {
    private let folder: Folder

    init(_ folder: Folder) { self.folder = folder }

    /// Returns true if a regular file of that name exists.
    func isFile(_ name: FilePath) throws(MobileBackupError) -> Bool {
        try reading { folder throws(FileSystemError) in try folder.statusIfPresent(name)?.kind == .file }
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
            throw MobileBackupError(.damaged, "\(name) is not a property list: \(error). Nothing was changed.")
        }
    }

    /// Returns true if a file that is not a database may be encrypted: whole AES blocks with bytes of all values, which
    /// is unlikely for damage.
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
