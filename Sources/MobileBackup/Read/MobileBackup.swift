internal import ContainerStores
package import FileSystem
internal import PropertyLists
internal import SystemPackage

/// A backup in Apple's layout, as a device or `MobileBackupWriter` left it. Nothing of it is changed, and nothing that it
/// says is believed: rows that lead out of it, lie about a payload or are garbage are told as such.
package final class MobileBackup: Sendable {
    /// A larger manifest is not looked at: it is copied to a private place first.
    static let maximumManifest: UInt64 = 4 << 30
    /// A larger payload is not read.
    private static let maximumPayload: UInt64 = 1 << 40

    let folder: Folder
    let manifest: ManifestReader

    /// Opens the backup in a folder, the one that is named for the device.
    ///
    /// - Throws: `notABackup`, `tooOld`, `encrypted`, `unfinished`, `damaged`, `tooLarge`, `noCopy`, `tooSlow`, `failed`.
    package init(in folder: Folder) throws(MobileBackupError) {
        self.folder = folder
        let facts = BackupFacts(folder)
        guard try facts.isFile("Manifest.db") else { throw try Self.isNoBackup(facts) }
        let head = try facts.head(of: "Manifest.db")
        let declaration = try facts.list("Manifest.plist")
        if declaration?.root["IsEncrypted"]?.node == .boolean(true) {
            let isOpen = head.starts(with: StoreHeader.magic)
            throw Self.encrypted(isOpen ? ", although its Manifest.db is not: another tool has decrypted that" : "")
        }
        guard head.starts(with: StoreHeader.magic) else {
            throw try facts.looksEncrypted("Manifest.db", head)
                ? Self.encrypted(" by the look of its Manifest.db, although it does not say so")
                : MobileBackupError(
                    .damaged, "Manifest.db is no SQLite database. Make a new backup, or restore this one's manifest.")
        }
        guard try facts.list("Status.plist")?.root["SnapshotState"]?.string == "finished" else {
            throw MobileBackupError(
                .unfinished, "Status.plist does not say that the backup is finished. Let the device finish it.")
        }
        guard declaration != nil else {
            throw MobileBackupError(
                .damaged, "Manifest.plist is missing, so nothing says whether the backup is encrypted.")
        }
        manifest = try ManifestReader(of: FolderStore(Array("Manifest.db".utf8), in: folder))
    }

    /// What SQLite finds fault with in the manifest, indexes included; rows are then looked for without these.
    package var manifestFaults: [String] { manifest.faults }

    /// The domains, sorted by name; names that are none are told by `verify`.
    ///
    /// - Throws: `tooLarge` for more than 100,000, `tooSlow`, `damaged`.
    package func domains() throws(MobileBackupError) -> [BackupDomain] {
        try manifest.domains()
    }

    /// How many files the manifest says that these domains have.
    ///
    /// - Throws: `tooSlow`, `damaged`.
    package func fileCount(of domains: [BackupDomain]) throws(MobileBackupError) -> Int {
        try manifest.fileCount(of: domains)
    }

    /// Goes through the entries of a domain, in the order in which the device added them: a directory need not come
    /// before what is in it. Memory does not grow with their number.
    ///
    /// - Parameters:
    ///   - domain: Whose entries.
    ///   - body: Told each entry that can be used, or what is wrong with a row that cannot.
    /// - Throws: `tooSlow`, `damaged`, and what `body` throws.
    package func entries(of domain: BackupDomain, _ body: (Result<StoredEntry, BackupProblem>) throws -> Void) throws {
        try manifest.rows(of: domain) { row in
            let (entry, problems) = row.judged()
            if let entry { return try body(.success(entry)) }
            for problem in problems { try body(.failure(problem)) }
        }
    }

    /// Opens the payload of a file.
    ///
    /// - Throws: A problem of a kind `payload…`: missing, no file, unreadable, of another length than the record says, or
    ///   larger than 1 TiB.
    package func payload(of entry: StoredEntry) throws(BackupProblem) -> OpenFile {
        let file: OpenFile
        let status: FileStatus
        do throws(FileSystemError) {
            file = try folder.open(entry.identifier.payload, followingLinks: false)
            status = try file.status()
        } catch {
            switch error.errno {
            case .noSuchFileOrDirectory: throw entry.problem(.payloadMissing)
            // A link, a folder that is none, and a socket.
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
            "The backup is encrypted\(how). Encrypted backups are not read yet: turn encryption off for the device and "
                + "make a new one.")
    }

    private static func isNoBackup(_ facts: BackupFacts) throws(MobileBackupError) -> MobileBackupError {
        if try facts.isFile("Manifest.mbdb") {
            return MobileBackupError(
                .tooOld, "The backup was made before iOS 10.2 (Manifest.mbdb). pyiosbackup reads such backups.")
        }
        return MobileBackupError(
            .notABackup,
            "The folder holds no Manifest.db, so it is no backup of a device. Give the folder that is named for the "
                + "device, one level below MobileSync/Backup.")
    }
}

extension MobileBackup {
    /// When the backup was made, as its `Status.plist` says: seconds since 1970-01-01T00:00:00Z; nil where it does not
    /// say so, or a time that no calendar of four digits has.
    ///
    /// - Throws: `damaged` where the list has become none since the backup was opened, `failed`.
    package func date() throws(MobileBackupError) -> Int64? {
        guard case .date(let seconds)? = try BackupFacts(folder).list("Status.plist")?.root["Date"]?.node else {
            return nil
        }
        let time = (seconds + 978_307_200).rounded(.down)
        return (0...253_402_300_799).contains(time) ? Int64(time) : nil
    }
}

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
