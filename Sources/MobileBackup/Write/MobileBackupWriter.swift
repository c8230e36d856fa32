internal import Crypto
package import FileSystem
internal import PropertyLists
internal import SystemPackage

/// Makes a backup in Apple's layout: `<root>/<identifier of the device>/`.
///
/// Until `finish` has returned there is no folder of that name: all is written to `<identifier>.unfinished` beside it,
/// brought to the medium, and renamed in one step. Dropped before that, the writer takes it away; what a killed process
/// left is taken away by the next writer of the same device.
package final class MobileBackupWriter {
    private let root: Folder
    private let device: BackedUpDevice
    private let name: FilePath
    private let staging: FilePath
    private let folder: Folder
    private let lock: Lock
    private let manifest: ManifestWriter
    private var isFinished = false

    /// Begins a backup beneath an open folder.
    ///
    /// - Throws: `deviceInvalid`, `exists`, `beingWritten`, `failed`.
    package init(in root: Folder, of device: BackedUpDevice) throws(MobileBackupError) {
        guard device.isNamed else {
            throw MobileBackupError(
                .deviceInvalid, "The device's identifier is not made of at most 64 letters, digits and hyphens.")
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
                _ = try folder.create("Manifest.db", permissions: 0o600)
                return try folder.absolutePath().appending("Manifest.db")
            }
            manifest = try ManifestWriter(path: path.string)
        } catch {
            // What has not begun has no end, either.
            try? root.remove(staging)
            throw error
        }
    }

    deinit {
        guard !isFinished else { return }
        try? root.remove(staging)
    }

    /// Adds an entry. Entries come in any order; a directory that is not among them, above one that is, is added by
    /// `finish`.
    ///
    /// - Parameters:
    ///   - entry: What it is.
    ///   - content: Gives a file's bytes to the payload; called for files alone. What it throws is thrown on, and the
    ///     entry is not in the backup then.
    /// - Returns: How many bytes its payload has.
    /// - Throws: `taken` where another entry has its identifier; `failed`.
    @discardableResult
    package func add(_ entry: BackupEntry, content: (Payload) throws -> Void = { _ in }) throws -> UInt64 {
        let identifier = FileIdentifier(of: entry.domain, entry.path)
        guard entry.kind == .file else {
            try add(entry, identifier, size: 0, digest: nil)
            return 0
        }
        let payload = try Payload(identifier, in: folder)
        do {
            try content(payload)
            let digest = try payload.close()
            try add(entry, identifier, size: payload.size, digest: digest)
        } catch {
            try? folder.remove(identifier.payload)
            throw error
        }
        return payload.size
    }

    private func add(
        _ entry: BackupEntry, _ identifier: FileIdentifier, size: UInt64, digest: [UInt8]?
    ) throws(MobileBackupError) {
        let record: [UInt8]
        do throws(PropertyListError) { record = try entry.record(size: size, digest: digest) } catch {
            throw MobileBackupError(.failed, "A record cannot be written: \(error). No backup has been made.")
        }
        guard try manifest.add(entry, identifier, record: record) else { throw Self.taken(identifier) }
    }

    /// Adds the directories that are lacking, writes the manifest and the property lists, brings all of it to the
    /// medium and gives the folder its name. Nothing can be added after that.
    ///
    /// - Parameter check: Asked right before the folder gets its name, which may be long after; what it throws is thrown
    ///   on.
    /// - Throws: `notADirectory`, `taken`, `exists`, `failed`; there is no backup then, and the writer is of no more use.
    package func finish(before check: () throws -> Void = {}) throws {
        try addParents()
        let domains = try manifest.domains()
        try manifest.finish()
        try write(device.manifest(domains), as: "Manifest.plist")
        try write(device.information(domains), as: "Info.plist")
        let (root, folder, name, staging) = (root, folder, name, staging)
        try writing { () throws(FileSystemError) in try folder.syncTree() }
        // Last: a backup without it is not taken for one.
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
                .failed, "\(error). The backup is there and whole, but its name may not survive a power cut.")
        }
    }

    /// Adds each directory that an entry lies in and that no one has added.
    private func addParents() throws(MobileBackupError) {
        let device = device
        try manifest.eachParent { domain, path, row throws(MobileBackupError) in
            switch row {
            case .directory: return
            case .other:
                throw MobileBackupError(
                    .notADirectory,
                    "An entry of \(domain.name) lies in what is no directory. No backup has been made.")
            case .none:
                let facts = BackupEntry.Facts(
                    permissions: 0o755, modified: device.date, changed: device.date, birth: device.date)
                try add(
                    BackupEntry(read: domain, path, .directory, facts, []), FileIdentifier(of: domain, path), size: 0,
                    digest: nil)
            }
        }
    }

    private func write(_ list: PropertyList, as name: FilePath) throws(MobileBackupError) {
        let bytes: [UInt8]
        do throws(PropertyListError) { bytes = try list.binary() } catch {
            throw MobileBackupError(.failed, "\(name) cannot be written: \(error). No backup has been made.")
        }
        let folder = folder
        try writing { () throws(FileSystemError) in
            let file = try folder.create(name, permissions: 0o600)
            try file.write(bytes)
            try file.close()
        }
    }

    private static func exists(_ device: BackedUpDevice) -> MobileBackupError {
        MobileBackupError(
            .exists,
            "There is something of the name \(device.identifier) already, and it is as it was. Move it away, or choose "
                + "another folder.")
    }

    static func taken(_ identifier: FileIdentifier) -> MobileBackupError {
        MobileBackupError(
            .taken,
            "Two entries have the identifier \(identifier.text): one path twice, or two domains and paths that read the "
                + "same when they are joined. The second has not been added.")
    }
}

/// Does what writes, with the error that this means for a backup.
func writing<Result>(
    _ body: () throws(FileSystemError) -> Result
) throws(MobileBackupError) -> Result {
    do throws(FileSystemError) { return try body() } catch { throw MobileBackupError(writing: error) }
}

extension MobileBackupWriter {
    /// Makes the folder that a backup is written to, and locks it; one that a killed process left is emptied.
    static func claim(_ staging: FilePath, in root: Folder) throws(MobileBackupError) -> (Folder, Lock) {
        let folder = try writing { () throws(FileSystemError) in
            do throws(FileSystemError) { try root.makeDirectory(staging, permissions: 0o700) } catch {
                guard error.errno == .fileExists else { throw error }
            }
            return try root.folder(noFollow: staging)
        }
        let lock: Lock
        do throws(FileSystemError) { lock = try Lock(folder, within: .zero) } catch {
            guard error.errno == .resourceTemporarilyUnavailable else { throw MobileBackupError(writing: error) }
            throw beingWritten
        }
        // Whoever had it may have renamed or removed it between the open and the lock.
        let isThere = try writing { () throws(FileSystemError) in
            try root.statusIfPresent(staging)?.identity ?? (0, 0) == folder.status("").identity
        }
        guard isThere else { throw beingWritten }
        try writing { () throws(FileSystemError) in for name in try folder.names() { try folder.remove(name) } }
        return (folder, lock)
    }

    private static var beingWritten: MobileBackupError {
        MobileBackupError(
            .beingWritten, "Another process writes a backup of this device here. Wait for it, or choose another folder."
        )
    }
}

/// A file's content on its way into a backup, piece by piece.
package final class Payload {
    /// How many bytes there are so far.
    package private(set) var size: UInt64 = 0
    private let file: OpenFile
    /// How far the kernel has been asked to write it out.
    private var begun: UInt64 = 0
    private var sum = Insecure.SHA1()

    init(_ identifier: FileIdentifier, in folder: Folder) throws(MobileBackupError) {
        do throws(FileSystemError) { file = try folder.create(identifier.payload, permissions: 0o600) } catch {
            switch error.errno {
            case .fileExists: throw MobileBackupWriter.taken(identifier)
            case .noSuchFileOrDirectory: break
            default: throw MobileBackupError(writing: error)
            }
            file = try writing { () throws(FileSystemError) in
                try folder.makeDirectory(FilePath(identifier.folder), permissions: 0o700)
                return try folder.create(identifier.payload, permissions: 0o600)
            }
        }
    }

    /// Adds bytes.
    ///
    /// - Throws: `failed`, as for a full disk.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(MobileBackupError) {
        let file = file
        try writing { () throws(FileSystemError) in try file.write(bytes) }
        sum.update(bufferPointer: bytes)
        size += UInt64(bytes.count)
        // A large file is written out while the rest of it comes; small ones together, at the end.
        guard size - begun >= 8 << 20 else { return }
        file.startWriting(from: begun, count: size - begun)
        begun = size
    }

    /// Adds the bytes of an array.
    package func write(_ bytes: [UInt8]) throws(MobileBackupError) {
        var failure: MobileBackupError?
        bytes.withUnsafeBytes { buffer in
            do throws(MobileBackupError) { try write(buffer) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    /// Ends it, and gives the SHA-1 of all of it.
    func close() throws(MobileBackupError) -> [UInt8] {
        let file = file
        try writing { () throws(FileSystemError) in try file.close() }
        return Array(sum.finalize())
    }
}
