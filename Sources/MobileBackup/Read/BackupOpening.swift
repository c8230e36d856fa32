internal import Crypto
internal import DatabaseInspection
internal import FileSystem
internal import Foundation
internal import PropertyLists
internal import SystemPackage

/// The steps that open a backup: the property lists, the keys and the manifest.
struct BackupOpening {
    private let facts: BackupFacts
    private let allowsPartial: Bool
    private let head: [UInt8]
    private let size: UInt64
    /// The declaration of the backup (`Manifest.plist`).
    private let declaration: PropertyListGraph?
    private(set) var incidents: [BackupProblem] = []

    /// True if the manifest is encrypted.
    private var isLocked: Bool { !head.starts(with: DatabaseHeader.magic) }
    private var isDeclaredEncrypted: Bool { declaration?.root["IsEncrypted"]?.node == .boolean(true) }
    /// True if the backup is encrypted, but another tool has decrypted its manifest.
    var isDecrypted: Bool { isDeclaredEncrypted && !isLocked }

    /// Reads the files beside the manifest, and refuses what is not a finished backup.
    init(_ folder: Folder, allowsPartial: Bool) throws(MobileBackupError) {
        self.allowsPartial = allowsPartial
        facts = BackupFacts(folder)
        guard try facts.isFile("Manifest.db") else { throw try Self.isNoBackup(facts) }
        head = try facts.head(of: "Manifest.db")
        size = try facts.size(of: "Manifest.db")
        declaration = try Self.list(
            "Manifest.plist", kind: .declarationMissing, facts: facts, allowsPartial: allowsPartial,
            incidents: &incidents)
        guard !isLocked || isDeclaredEncrypted || BackupFacts.looksEncrypted(head) else {
            throw MobileBackupError(
                .damaged,
                description: "Manifest.db is not a SQLite database. Make a new backup, or restore the manifest.")
        }
        let status = try Self.list(
            "Status.plist", kind: .statusMissing, facts: facts, allowsPartial: allowsPartial, incidents: &incidents)
        if let status, status.root["SnapshotState"]?.string != "finished" {
            throw MobileBackupError(
                .unfinished, description: "Status.plist does not mark the backup as finished. Let the device finish it."
            )
        }
        guard allowsPartial else {
            if status == nil { throw Self.incomplete("Status.plist", what: "the backup was finished") }
            if declaration == nil { throw Self.incomplete("Manifest.plist", what: "the backup is encrypted") }
            return
        }
    }

    private static func incomplete(_ name: String, what: String) -> MobileBackupError {
        MobileBackupError(
            .incomplete,
            description:
                "\(name) is missing, so it is unknown whether \(what). Copy the whole backup, or read it as a partial copy "
                + "(--partial).")
    }

    /// Returns a property list. In a partial copy, one that is missing or damaged is an incident.
    private static func list(
        _ name: FilePath, kind: BackupProblem.Kind, facts: BackupFacts, allowsPartial: Bool,
        incidents: inout [BackupProblem]
    ) throws(MobileBackupError) -> PropertyListGraph? {
        do throws(MobileBackupError) {
            if let list = try facts.list(name) { return list }
            if allowsPartial { incidents.append(BackupProblem(kind, path: name.bytes)) }
        } catch {
            guard allowsPartial, error.code == .damaged else { throw error }
            incidents.append(BackupProblem(kind, path: name.bytes, "not a property list"))
        }
        return nil
    }

    /// Returns the keys of an encrypted backup, or nil if it is not encrypted.
    mutating func keys(_ password: () throws -> String?) throws -> BackupKeys? {
        guard isLocked || isDeclaredEncrypted else { return nil }
        guard let declaration else {
            throw MobileBackupError(
                .encrypted,
                description:
                    "The backup is encrypted, judging by its Manifest.db, and Manifest.plist, which contains its keys, is "
                    + "missing. Copy that file too.")
        }
        guard case .data(let bytes)? = declaration.root["BackupKeyBag"]?.node, !bytes.isEmpty else {
            if isDecrypted { return try withoutKeys() }
            throw isDeclaredEncrypted
                ? MobileBackupError(
                    .keybagInvalid,
                    description:
                        "The backup is encrypted, but Manifest.plist contains no keybag. Make a new backup, or restore the file."
                )
                : MobileBackupError(
                    .encrypted,
                    description:
                        "The backup is encrypted, judging by its Manifest.db, although Manifest.plist declares it unencrypted. "
                        + "Make a new backup, or restore both files.")
        }
        let keybag: Keybag
        do throws(Keybag.Fault) { keybag = try Keybag(parsing: bytes) } catch {
            throw error.isTooOld
                ? MobileBackupError(
                    .tooOld,
                    description: "The backup was made before iOS 10.2: \(error). pyiosbackup reads such backups.")
                : MobileBackupError(
                    .keybagInvalid,
                    description:
                        "The keybag in Manifest.plist is invalid: \(error). Make a new backup, or restore the file.")
        }
        guard let password = try password() else {
            if isDecrypted { return try withoutKeys() }
            throw MobileBackupError(
                .encrypted,
                description:
                    "The backup is encrypted. Provide its password: the one that was set in Finder or iTunes for backups of "
                    + "the device.")
        }
        guard let keys = try BackupKeys(keybag, password: password) else {
            throw MobileBackupError(
                .wrongPassword,
                description:
                    "The password does not open the backup. Use the one that was set in Finder or iTunes when the backup was "
                    + "made; it may differ from the current one and from the passcode of the device.")
        }
        return keys
    }

    /// Continues without the keys of a backup whose manifest another tool has decrypted.
    private mutating func withoutKeys() throws(MobileBackupError) -> BackupKeys? {
        guard allowsPartial else {
            throw MobileBackupError(
                .encrypted,
                description:
                    "The backup is encrypted, but its Manifest.db is not: another tool has decrypted it. Provide the password "
                    + "of the backup, or read it as a partial copy (--partial).")
        }
        incidents.append(BackupProblem(.manifestDecrypted, path: Array("Manifest.db".utf8)))
        return nil
    }

    /// Opens the manifest, which is decrypted if necessary.
    mutating func manifest(_ keys: BackupKeys?) throws(MobileBackupError) -> ManifestReader {
        guard isLocked else {
            if let pages = try truncatedPages(head) {
                let copy = ManifestCopy(folder: facts.folder, size: size, pages: pages)
                return try ManifestReader(size: size) { path throws in try copy.write(to: path) }
            }
            return try ManifestReader(of: FolderDatabase(Array("Manifest.db".utf8), in: facts.folder), size: size)
        }
        guard case .data(let bytes)? = declaration?.root["ManifestKey"]?.node, let wrapped = WrappedKey(bytes), let keys
        else {
            throw MobileBackupError(
                .keybagInvalid,
                description:
                    "Manifest.plist contains no valid key of Manifest.db. Make a new backup, or restore the file.")
        }
        let key: SymmetricKey
        do throws(BackupKeys.Fault) { key = try keys.open(wrapped) } catch {
            let problem =
                switch error {
                case .unknownClass: "belongs to class \(wrapped.classNumber), which the keybag does not have"
                case .lockedClass: "belongs to class \(wrapped.classNumber), which the password does not open"
                case .damaged: "is damaged"
                }
            throw MobileBackupError(
                .keybagInvalid,
                description: "The key of Manifest.db \(problem). Make a new backup, or restore Manifest.plist.")
        }
        guard size % UInt64(PayloadCipher.blockSize) == 0, size > 0 else {
            throw Self.truncated("it is encrypted and has \(size) bytes, which is no multiple of 16")
        }
        guard size <= MobileBackup.maximumManifest else { throw MobileBackupError(DatabaseReadError(.tooLarge)) }
        let plain = Array((try? PayloadCipher.decrypt(head.evenBlocks, key: key, after: nil)) ?? Data())
        guard plain.starts(with: DatabaseHeader.magic) else {
            throw MobileBackupError(
                .damaged,
                description:
                    "The decrypted Manifest.db is not a SQLite database. Make a new backup, or restore the manifest.")
        }
        let copy = ManifestCopy(folder: facts.folder, size: size, key: key, pages: try truncatedPages(plain))
        return try ManifestReader(size: size) { path throws in try copy.write(to: path) }
    }

    /// Returns the number of pages of a manifest with fewer pages than its header counts, or nil if it is complete. A log
    /// may contain the others.
    ///
    /// - Throws: `truncated` unless the copy may be partial.
    private mutating func truncatedPages(_ head: [UInt8]) throws(MobileBackupError) -> UInt32? {
        guard let header = DatabaseHeader(head), header.pages * UInt64(header.pageSize) > size,
            try !facts.isFile("Manifest.db-wal"), try !facts.isFile("Manifest.db-journal")
        else { return nil }
        let expected = header.pages * UInt64(header.pageSize)
        guard allowsPartial else { throw Self.truncated("it has \(size) of \(expected) bytes") }
        incidents.append(
            BackupProblem(.manifestTruncated, path: Array("Manifest.db".utf8), "\(size) of \(expected) bytes"))
        return UInt32(clamping: size / UInt64(header.pageSize))
    }

    private static func truncated(_ how: String) -> MobileBackupError {
        MobileBackupError(
            .truncated, description: "Manifest.db is truncated: \(how). Copy the backup again, or make a new one.")
    }

    private static func isNoBackup(_ facts: BackupFacts) throws(MobileBackupError) -> MobileBackupError {
        if try facts.isFile("Manifest.mbdb") {
            return MobileBackupError(
                .tooOld,
                description: "The backup was made before iOS 10.2 (Manifest.mbdb). pyiosbackup reads such backups.")
        }
        let devices = (try? DeviceBackup.backups(in: facts.folder)) ?? []
        guard devices.isEmpty else {
            let names = devices.prefix(10).map { "“\($0.path.string.printable)”" }
            let more = devices.count > 10 ? " and \(devices.count - 10) more" : ""
            return MobileBackupError(
                .notABackup,
                description: "The directory contains no Manifest.db, but directories with backups: "
                    + "\(names.joined(separator: ", "))\(more). Name one of them.")
        }
        return MobileBackupError(
            .notABackup,
            description:
                "The directory contains no Manifest.db, so it is not a device backup. Name the directory with the identifier of "
                + "the device, one level below MobileSync/Backup.")
    }
}

extension [UInt8] {
    /// The whole blocks of the cipher at the start of the bytes.
    fileprivate var evenBlocks: [UInt8] { Array(prefix(count / PayloadCipher.blockSize * PayloadCipher.blockSize)) }
}

/// A copy of `Manifest.db` that is decrypted, or whose header counts the existing pages: SQLite reads no database with fewer
/// pages than its header counts.
private struct ManifestCopy {
    let folder: Folder
    let size: UInt64
    var key: SymmetricKey?
    /// The number of pages to store in the header; nil to keep it.
    var pages: UInt32?

    /// Writes the copy.
    ///
    /// - Throws: `changing` if the manifest changes, `unreadable`, `noCopy`.
    func write(to path: String) throws {
        let location = FilePath(path)
        guard let name = location.lastComponent.map({ FilePath(root: nil, components: $0) }) else { return }
        let source: OpenFile
        let before: FileStatus
        do throws(FileSystemError) {
            source = try folder.open("Manifest.db", followingLinks: false)
            before = try source.status()
        } catch { throw DatabaseReadError(.unreadable, error.errno.description) }
        guard before.kind == .file, before.size == size else { throw DatabaseReadError(.changing) }
        do throws(FileSystemError) {
            let file = try Folder(opening: location.removingLastComponent()).createFile(name, permissions: 0o600)
            try copy(source, to: file)
            if let pages {
                // The count has four bytes at offset 28. Source: sqlite.org/fileformat.html, “The Database Header”.
                try file.write((0..<4).reversed().map { UInt8(truncatingIfNeeded: pages >> ($0 * 8)) }, at: 28)
            }
            try file.close()
        } catch { throw DatabaseReadError(error.operation == "read" ? .unreadable : .noCopy, error.errno.description) }
        let after = try? source.status()
        guard after?.size == before.size, after?.modified == before.modified, after?.changed == before.changed else {
            throw DatabaseReadError(.changing)
        }
    }

    private func copy(_ source: OpenFile, to file: OpenFile) throws(FileSystemError) {
        guard let key else { return try source.copyContent(to: file) }
        let content = PayloadContent(blocks: source, size: size, with: key)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 4096)
        defer { buffer.deallocate() }
        var position: UInt64 = 0
        while position < size {
            let count = try content.read(into: buffer, from: position)
            guard count > 0 else { return }
            try file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
            position += UInt64(count)
        }
    }
}
