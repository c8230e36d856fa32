internal import Crypto
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
    private let keys: BackupKeys?
    private let allowsPartial: Bool
    /// True if another tool has decrypted the manifest, and possibly payloads.
    private let isDecrypted: Bool
    /// The parts of the backup that are missing or damaged, but not needed: empty for a complete backup.
    package let incidents: [BackupProblem]

    /// True if the device made an encrypted backup.
    package var isEncrypted: Bool { keys != nil || isDecrypted }

    /// Opens the backup in the directory with the name of the device.
    ///
    /// - Parameters: + folder: The directory. + allowsPartial: True to open a copy without `Status.plist` or
    ///   `Manifest.plist`, or with a truncated manifest; what is missing is listed in `incidents`. + password: Returns
    ///   the password of an encrypted backup, or nil without one. Called at most once, and only if it is needed.
    /// - Throws: `notABackup`, `tooOld`, `encrypted` without a password, `wrongPassword`, `keybagInvalid`, `unfinished`,
    ///   `truncated`, `damaged`, `tooLarge`, `noCopy`, `tooSlow`, `failed`; errors of `password`.
    package init(
        in folder: Folder, allowsPartial: Bool = false, password: () throws -> String? = { nil }
    ) throws {
        self.folder = folder
        self.allowsPartial = allowsPartial
        var opening = try BackupOpening(folder, allowsPartial: allowsPartial)
        keys = try opening.keys(password)
        manifest = try opening.manifest(keys)
        isDecrypted = opening.isDecrypted
        // A damaged manifest is reported by the calls that read it.
        let stray = (try? manifest.rowsWithoutDomain()) ?? nil
        incidents = opening.incidents + (stray.map { [$0] } ?? [])
    }

    /// Returns the damage that SQLite finds in the manifest. Damaged indexes are not used. The first call reads the whole
    /// manifest.
    ///
    /// - Throws: `tooSlow`, `damaged`.
    package func manifestFaults() throws(MobileBackupError) -> [String] { try manifest.faults() }

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
            let (entry, problems) = judge(row)
            if let entry { return try body(.success(entry)) }
            for problem in problems { try body(.failure(problem)) }
        }
    }

    /// Returns the entry of a row, if it is usable, and its problems. Only an encrypted backup, or a partial copy that
    /// may be of one, has keys in its records.
    func judge(_ row: ManifestRow) -> (entry: StoredEntry?, problems: [BackupProblem]) {
        let (entry, problems) = row.judged(sha1: FileIdentifier.sha1)
        guard let entry, entry.key != nil, keys == nil, !allowsPartial else { return (entry, problems) }
        return (nil, [entry.problem(.encrypted)] + problems)
    }

    /// Opens the content of a file.
    ///
    /// In an encrypted or partial backup, a content of another size than in the record can be read, and its `problem`
    /// states the sizes.
    ///
    /// - Throws: A problem whose kind starts with `payload`: missing, not a file, unreadable, not to be decrypted, of
    ///   another size than in the record, or larger than 1 TiB; or one whose kind starts with `key`.
    package func content(of entry: StoredEntry) throws(BackupProblem) -> PayloadContent {
        let (file, size) = try payload(of: entry)
        if let key = entry.key, let keys, !(isDecrypted && entry.size == size) {
            let opened: SymmetricKey
            do throws(BackupKeys.Fault) { opened = try keys.open(key) } catch {
                let kind: BackupProblem.Kind =
                    switch error {
                    case .unknownClass: .keyClassUnknown
                    case .lockedClass: .keyClassLocked
                    case .damaged: .keyInvalid
                    }
                throw entry.problem(kind, "class \(key.classNumber)")
            }
            return try PayloadContent(encrypted: file, size: size, with: opened, of: entry)
        }
        guard entry.size ?? size != size else { return PayloadContent(plain: file, size: size, problem: nil) }
        let problem = PayloadContent.otherSize(size, entry: entry)
        // Without keys, the size shows an encrypted payload.
        if entry.key != nil, keys == nil, let content = entry.size, PayloadCipher.encryptedSize(of: content) == size {
            throw entry.problem(.encrypted)
        }
        guard keys != nil || allowsPartial else { throw problem }
        return PayloadContent(plain: file, size: size, problem: problem)
    }

    private func payload(of entry: StoredEntry) throws(BackupProblem) -> (file: OpenFile, size: UInt64) {
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
        // Before the limit, because a size that the record does not have is the more precise problem.
        if entry.key == nil, let size = entry.size, size != status.size, keys == nil, !allowsPartial {
            throw PayloadContent.otherSize(status.size, entry: entry)
        }
        guard status.size <= Self.maximumPayload else {
            throw entry.problem(.payloadTooLarge, "\(status.size) bytes")
        }
        return (file, status.size)
    }
}

extension MobileBackup {
    /// Returns the date of the backup in `Status.plist`, in seconds since 1970-01-01T00:00:00Z; nil without a date, or
    /// if its year does not have four digits.
    ///
    /// - Throws: `damaged` if the file was damaged since the backup was opened, `failed`.
    package func date() throws(MobileBackupError) -> Int64? {
        guard !incidents.contains(where: { $0.kind == .statusMissing }) else { return nil }
        return BackupFacts.date(try BackupFacts(folder).list("Status.plist")?.root["Date"])
    }
}
