internal import Crypto
package import FileSystem
internal import PropertyLists
internal import SystemPackage

/// A writer for a backup in Apple's layout: `<root>/<identifier of the device>/`.
///
/// Until `finish` returns, no directory with that name exists: everything is written to `<identifier>.unfinished`,
/// flushed to disk and renamed atomically. A writer that is released before removes that directory; the next writer for
/// the device removes the leftover of a killed process.
package final class MobileBackupWriter {
    private let root: Folder
    private let device: BackedUpDevice
    private let name: FilePath
    private let staging: FilePath
    private let folder: Folder
    private let lock: Lock
    private let manifest: ManifestWriter
    private var isFinished = false

    /// Starts a backup beneath a directory.
    ///
    /// - Throws: `deviceInvalid`, `exists`, `beingWritten`, `failed`.
    package init(in root: Folder, of device: BackedUpDevice) throws(MobileBackupError) {
        guard device.isNamed else {
            throw MobileBackupError(
                .deviceInvalid, description: "The device identifier must have at most 64 letters, digits and hyphens.")
        }
        (self.root, self.device) = (root, device)
        (name, staging) = (FilePath(device.identifier), FilePath(device.identifier + ".unfinished"))
        let name = name
        guard try writing({ () throws(FileSystemError) in try root.statusIfPresent(name) }) == nil else {
            throw Self.exists(device)
        }
        let (folder, lock) = try Self.claim(staging, in: root)
        (self.folder, self.lock) = (folder, lock)
        do throws(MobileBackupError) {
            let path = try writing { () throws(FileSystemError) in
                _ = try folder.createFile("Manifest.db", permissions: 0o600)
                return try folder.absolutePath().appending("Manifest.db")
            }
            manifest = try ManifestWriter(path: path.string)
        } catch {
            // Nothing was created, so there is nothing to remove.
            try? root.remove(staging)
            throw error
        }
    }

    deinit {
        guard !isFinished else { return }
        try? root.remove(staging)
    }

    /// Adds an entry. Entries may come in any order; `finish` adds missing parent directories.
    ///
    /// - Parameters: + entry: The entry. + content: Writes the content of a file to its payload; called only for files.
    ///   If it throws, the entry is not added.
    /// - Returns: The size of the payload.
    /// - Throws: `taken` if another entry has the identifier; `failed`; errors of `content`.
    @discardableResult
    package func add(_ entry: BackupEntry, content: (Payload) throws -> Void = { _ in }) throws -> UInt64 {
        let identifier = FileIdentifier(of: entry.domain, entry.path)
        guard entry.kind == .file else {
            try add(entry, identifier: identifier, size: 0, digest: nil)
            return 0
        }
        let payload = try Payload(identifier, in: folder)
        do {
            try content(payload)
            let digest = try payload.close()
            try add(entry, identifier: identifier, size: payload.size, digest: digest)
        } catch {
            try? folder.remove(identifier.payload)
            throw error
        }
        return payload.size
    }

    private func add(
        _ entry: BackupEntry, identifier: FileIdentifier, size: UInt64, digest: [UInt8]?
    ) throws(MobileBackupError) {
        let record: [UInt8]
        do throws(PropertyListError) { record = try entry.record(size: size, digest: digest) } catch {
            throw MobileBackupError(.failed, description: "A record cannot be written: \(error). No backup was made.")
        }
        guard try manifest.add(entry, identifier: identifier, record: record) else { throw Self.taken(identifier) }
    }

    /// Adds missing directories, writes the manifest and the property lists, flushes everything to disk and renames the
    /// directory. Nothing can be added afterwards.
    ///
    /// - Parameter check: Called directly before the rename; its errors are rethrown.
    /// - Throws: `notADirectory`, `taken`, `exists`, `failed`. Then no backup exists, and the writer cannot be used
    ///   further.
    package func finish(before check: () throws -> Void = {}) throws {
        try addParents()
        let domains = try manifest.domains()
        try manifest.finish()
        try write(device.manifest(domains), as: "Manifest.plist")
        try write(device.information(domains), as: "Info.plist")
        let (root, folder, name, staging) = (root, folder, name, staging)
        try writing { () throws(FileSystemError) in try folder.syncTree() }
        // Written last: without it the directory is not a backup.
        try write(device.status, as: "Status.plist")
        try writing { () throws(FileSystemError) in
            try folder.open("Status.plist").sync()
            try folder.sync()
        }
        try check()
        do throws(FileSystemError) { try root.rename(staging, to: name, in: root) } catch {
            throw error.errno == .fileExists ? Self.exists(device) : MobileBackupError(writing: error)
        }
        isFinished = true
        lock.release()
        do throws(FileSystemError) { try root.sync() } catch {
            throw MobileBackupError(
                .failed, description: "\(error). The backup is complete, but its name may not survive a power loss.")
        }
    }

    /// Adds the parent directories that are missing.
    private func addParents() throws(MobileBackupError) {
        let device = device
        try manifest.eachParent { domain, path, row throws(MobileBackupError) in
            switch row {
            case .directory: return
            case .other:
                throw MobileBackupError(
                    .notADirectory,
                    description: "An entry of \(domain.name) has a parent that is not a directory. No backup was made.")
            case .none:
                let facts = BackupEntry.Facts(
                    permissions: 0o755, modified: device.date, changed: device.date, birth: device.date)
                try add(
                    BackupEntry(read: domain, path, kind: .directory, facts: facts, attributes: []),
                    identifier: FileIdentifier(of: domain, path), size: 0,
                    digest: nil)
            }
        }
    }

    private func write(_ list: PropertyList, as name: FilePath) throws(MobileBackupError) {
        let bytes: [UInt8]
        do throws(PropertyListError) { bytes = try list.binary() } catch {
            throw MobileBackupError(.failed, description: "\(name) cannot be written: \(error). No backup was made.")
        }
        let folder = folder
        try writing { () throws(FileSystemError) in
            let file = try folder.createFile(name, permissions: 0o600)
            try file.write(bytes)
            try file.close()
        }
    }

    private static func exists(_ device: BackedUpDevice) -> MobileBackupError {
        MobileBackupError(
            .exists,
            description: "\(device.identifier) exists already and was not changed. Move it, or choose "
                + "another directory.")
    }

    static func taken(_ identifier: FileIdentifier) -> MobileBackupError {
        MobileBackupError(
            .taken,
            description:
                "Two entries have the identifier \(identifier.text): one path twice, or two domains and paths that are "
                + "equal when joined. The second was not added.")
    }
}

/// Runs `body` and converts errors of the file system.
func writing<Result>(
    _ body: () throws(FileSystemError) -> Result
) throws(MobileBackupError) -> Result {
    do throws(FileSystemError) { return try body() } catch { throw MobileBackupError(writing: error) }
}

extension MobileBackupWriter {
    /// Creates and locks the directory for an unfinished backup; the leftover of a killed process is emptied.
    static func claim(_ staging: FilePath, in root: Folder) throws(MobileBackupError) -> (Folder, Lock) {
        let folder = try writing { () throws(FileSystemError) in
            do throws(FileSystemError) { try root.createDirectory(staging, permissions: 0o700) } catch {
                guard error.errno == .fileExists else { throw error }
            }
            return try root.openFolder(noFollow: staging)
        }
        let lock: Lock
        do throws(FileSystemError) { lock = try Lock(folder, within: .zero) } catch {
            guard error.errno == .resourceTemporarilyUnavailable else { throw MobileBackupError(writing: error) }
            throw beingWritten
        }
        // The holder may have renamed or removed the directory between open and lock.
        let isThere = try writing { () throws(FileSystemError) in
            try root.statusIfPresent(staging)?.identity ?? (0, 0) == folder.status("").identity
        }
        guard isThere else { throw beingWritten }
        try writing { () throws(FileSystemError) in for name in try folder.names() { try folder.remove(name) } }
        return (folder, lock)
    }

    private static var beingWritten: MobileBackupError {
        MobileBackupError(
            .beingWritten,
            description:
                "Another process is writing a backup of this device here. Wait until it ends, or choose another directory."
        )
    }
}

/// The content of a file, written in pieces.
package final class Payload {
    /// The number of bytes written.
    package private(set) var size: UInt64 = 0
    private let file: OpenFile
    /// The number of bytes whose writing to disk has been started.
    private var begun: UInt64 = 0
    private var sum = Insecure.SHA1()

    init(_ identifier: FileIdentifier, in folder: Folder) throws(MobileBackupError) {
        do throws(FileSystemError) { file = try folder.createFile(identifier.payload, permissions: 0o600) } catch {
            switch error.errno {
            case .fileExists: throw MobileBackupWriter.taken(identifier)
            case .noSuchFileOrDirectory: break
            default: throw MobileBackupError(writing: error)
            }
            file = try writing { () throws(FileSystemError) in
                try folder.createDirectory(FilePath(identifier.folder), permissions: 0o700)
                return try folder.createFile(identifier.payload, permissions: 0o600)
            }
        }
    }

    /// Appends bytes.
    ///
    /// - Throws: `failed`, for instance if the disk is full.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(MobileBackupError) {
        let file = file
        try writing { () throws(FileSystemError) in try file.write(bytes) }
        sum.update(bufferPointer: bytes)
        size += UInt64(bytes.count)
        // Writing a large file to disk starts early; small files are flushed together at the end.
        guard size - begun >= 8 << 20 else { return }
        file.startWriting(from: begun, count: size - begun)
        begun = size
    }

    /// Appends the bytes of an array.
    package func write(_ bytes: [UInt8]) throws(MobileBackupError) {
        var failure: MobileBackupError?
        bytes.withUnsafeBytes { buffer in
            do throws(MobileBackupError) { try write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Closes the payload and returns its SHA-1.
    func close() throws(MobileBackupError) -> [UInt8] {
        let file = file
        try writing { () throws(FileSystemError) in try file.close() }
        return Array(sum.finalize())
    }
}
