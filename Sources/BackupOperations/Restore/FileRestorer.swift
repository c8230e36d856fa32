internal import BackupPlan
internal import BackupRepository
internal import ContainerTree
internal import FileSystem
internal import SystemPackage

/// A restorer for the files and links of a snapshot. Not thread-safe.
final class FileRestorer {
    private let overwrite: OverwritePolicy
    private let preservesSetIDBits: Bool
    /// True if only this restore uses the target, so that files are created under their names.
    private let isTargetPrivate: Bool
    private let result: RestoreResult.Accumulator
    private let reader: ObjectReader
    private let comparison: TargetComparison
    private let staging: FilePath
    /// The temporary name in the directory of the previous item.
    private var stagingInFolder: TemporaryFileRegistry.Name?
    /// The status of a new file in the directory of the previous item, if the target is private.
    private var newFileInFolder: (folder: Folder, status: FileStatus)?

    /// The maximum number of restorers that work on one target at the same time.
    static let most = 8
    private static let stagingPrefix = Array(".sandboxbackup-staging-".utf8)

    init(
        _ repository: Repository, result: RestoreResult.Accumulator, overwrite: OverwritePolicy,
        preservesSetIDBits: Bool, isTargetPrivate: Bool
    ) throws(BackupError) {
        self.overwrite = overwrite
        self.isTargetPrivate = isTargetPrivate
        self.preservesSetIDBits = preservesSetIDBits
        self.result = result
        reader = try ObjectReader(repository)
        comparison = TargetComparison(
            repository, reader: reader, preservesSetIDBits: preservesSetIDBits, readsContent: overwrite != .ifChanged)
        // The name is unique, also among other processes.
        let number = String(UInt64.random(in: 0 ... .max), radix: 16)
        staging = FilePath(bytes: Self.stagingPrefix + number.utf8)
    }

    /// Returns true for the name of a temporary file.
    static func isStaging(_ name: [UInt8]) -> Bool { name.starts(with: stagingPrefix) }

    /// Removes the temporary files of an interrupted restore from a directory.
    static func removeLeftovers(in folder: Folder) throws(FileSystemError) {
        for name in try folder.names(where: { $0.starts(with: stagingPrefix) }) {
            // Restores create no temporary directories, so this one belongs to the user.
            guard let kind = try folder.statusIfPresent(name)?.kind, kind != .directory else { continue }
            try folder.remove(name)
        }
    }

    /// Restores a file or link, or records an incident. `isNew` states that this restore has created the directory, so
    /// that it has no item of this name.
    ///
    /// - Returns: True if the item exists now.
    /// - Throws: `full`, `failed`: errors that affect all other items too.
    @discardableResult
    func restore(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder, isNew: Bool = false
    ) throws(BackupError) -> Bool {
        try recordingIncident(path) {
            let name = FilePath(bytes: entry.name)
            let there = try isNew ? nil : folder.statusIfPresent(name)
            if let there, !isForeign(there, entry: entry),
                try comparison.isSame(entry, there: there, name: name, in: folder)
            {
                result.add {
                    $0.same += 1
                    if entry.kind == .file { $0.sameBytes.addClamped(there.size) }
                }
                if entry.kind == .file, !preservesSetIDBits, entry.permissions & SnapshotEntry.setIDBits != 0 {
                    result.record(path, reason: "set-id-bits-dropped")
                }
            } else if let there, overwrite.keeps(there, for: entry) {
                result.add { $0.kept += 1 }
            } else {
                switch entry.kind {
                case .file:
                    try prepare(name, there: there, in: folder)
                    try restoreFile(entry, at: path, name: name, in: folder)
                case .symbolicLink:
                    try prepare(name, there: there, in: folder)
                    try restoreLink(entry, at: path, name: name, in: folder)
                default: result.record(path, reason: "not-kept")
                }
            }
            if entry.state == .unstable { result.remark(path, reason: "unstable") }
        }
    }

    /// Adds a further name to a file that was restored beneath `target`.
    func createHardLink(
        to first: FilePath, for entry: SnapshotEntry, at path: [UInt8], in folder: Folder, of target: Folder
    ) throws(BackupError) -> Bool {
        try recordingIncident(path) {
            let name = FilePath(bytes: entry.name)
            let there = try folder.statusIfPresent(name)
            if let there, there.identity == (try target.status(first)).identity {
                return result.add { $0.same += 1 }
            }
            if let there, overwrite.keeps(there, for: entry) { return result.add { $0.kept += 1 } }
            try prepare(name, there: there, in: folder)
            try stage(name, in: folder) { try target.createHardLink(to: first, at: $0, in: folder) }
            result.add { $0.files += 1 }
        }
    }

    /// Sets the attributes, the mode and the times of a finished directory, and removes all other attributes.
    func finishDirectory(_ entry: SnapshotEntry, at path: [UInt8], folder: Folder) throws(BackupError) {
        _ = try recordingIncident(path) {
            let opened = try folder.open(".")
            try removeAttributes(besidesThoseOf: entry, from: opened, path)
            try setAttributes(of: entry, on: opened, path)
            try setStatus(of: entry, on: opened, path)
        }
    }

    private func recordingIncident(_ path: [UInt8], _ work: () throws -> Void) throws(BackupError) -> Bool {
        do {
            try work()
            return true
        } catch let error as FileSystemError {
            try result.record(path, error: error)
        } catch let error as BackupError where error.code == .damaged {
            result.record(path, reason: "damaged")
        } catch { throw BackupError(error) }
        return false
    }

    private func restoreFile(_ entry: SnapshotEntry, at path: [UInt8], name: FilePath, in folder: Folder) throws {
        guard let object = entry.object else { throw BackupError(.damaged, what: "a file entry has no content object") }
        let content = try reader.describe(object)
        try stage(name, in: folder) {
            isTargetPrivate
                ? try folder.createFile($0, permissions: 0o600)
                : try TemporaryFileRegistry.createFile(stagingName(in: folder), permissions: 0o600)
        } completing: { file in
            let isLarge = content.form == .parts
            try reader.read(object, description: content) { position, bytes in
                guard isLarge else { return try file.write(bytes) }
                result.reportProgress(unfinished: position)
                try file.writeWithHoles(bytes, at: position)
            }
            if isLarge { try file.setSize(content.size) }
            try setAttributes(of: entry, on: file, path)
            try setStatus(of: entry, on: file, path, newFileStatus(file, in: folder))
            try file.close()
        }
        result.add {
            $0.files += 1
            $0.bytes.addClamped(content.size)
        }
    }

    /// Creates a file or link under its name in a private target, and otherwise under a temporary name, which is then
    /// renamed.
    private func stage<Item>(
        _ name: FilePath, in folder: Folder, _ make: (FilePath) throws -> Item,
        completing complete: (Item) throws -> Void = { _ in }
    ) throws {
        guard !isTargetPrivate else {
            // If the name is taken, the item is of another entry: some file systems ignore the case of names.
            let item = try make(name)
            do { try complete(item) } catch {
                try? folder.remove(name)
                throw error
            }
            return
        }
        let temporary = stagingName(in: folder)
        TemporaryFileRegistry.register(temporary)
        defer { TemporaryFileRegistry.unregister(temporary) }
        do {
            try complete(make(staging))
            try moveStaged(to: name, in: folder)
        } catch {
            try? folder.remove(staging)
            throw error
        }
    }

    /// Returns the status of new files in a directory, without a system call for each file; nil if others may change the
    /// directory.
    private func newFileStatus(_ file: OpenFile, in folder: Folder) throws(FileSystemError) -> FileStatus? {
        guard isTargetPrivate else { return nil }
        if let known = newFileInFolder, known.folder === folder { return known.status }
        let status = try file.status()
        newFileInFolder = (folder, status)
        return status
    }

    /// Returns true if a file in a private target has names that this restore did not create, or may have.
    private func isForeign(_ there: FileStatus, entry: SnapshotEntry) -> Bool {
        isTargetPrivate && there.kind == .file && there.links > 1
    }

    private func stagingName(in folder: Folder) -> TemporaryFileRegistry.Name {
        if let known = stagingInFolder, known.folder === folder { return known }
        let name = TemporaryFileRegistry.Name(staging, in: folder)
        stagingInFolder = name
        return name
    }

    /// Renames the temporary file atomically.
    private func moveStaged(to name: FilePath, in folder: Folder) throws(FileSystemError) {
        do throws(FileSystemError) { try folder.rename(staging, to: name, in: folder) } catch {
            guard error.errno == .fileExists, overwrite != .never else { throw error }
            try folder.rename(staging, over: name, in: folder)
        }
    }

    private func restoreLink(_ entry: SnapshotEntry, at path: [UInt8], name: FilePath, in folder: Folder) throws {
        guard let pointed = entry.target, !pointed.isEmpty, !pointed.contains(0) else {
            throw BackupError(.damaged, what: "a link entry has an invalid target")
        }
        try stage(name, in: folder) { made in
            try folder.createSymbolicLink(made, to: pointed)
            return made
        } completing: { made in
            if try !folder.applyOwner(made, of: Self.status(of: entry)) { result.lose(.owner, path: path) }
            do throws(FileSystemError) {
                try folder.setTimes(made, accessed: entry.modified, modified: entry.modified)
            } catch { result.record(path, reason: "time-not-set") }
        }
        result.add { $0.links += 1 }
    }

    /// Checks whether an existing item may be replaced, before any work, and removes it from a private target.
    private func prepare(_ name: FilePath, there: FileStatus?, in folder: Folder) throws(FileSystemError) {
        guard let there else { return }
        guard overwrite != .never, there.kind != .directory else {
            throw FileSystemError("restore", path: name, errno: .fileExists)
        }
        if isTargetPrivate { try folder.removeFile(name) }
    }

    private func setAttributes(of entry: SnapshotEntry, on file: OpenFile, _ path: [UInt8]) throws {
        for attribute in try comparison.attributes(entry) {
            do throws(FileSystemError) { try file.setAttribute(attribute.name, value: attribute.value) } catch {
                result.record(path, reason: "attribute-not-set")
            }
        }
    }

    /// Removes attributes of an existing directory that the snapshot does not have, such as an obsolete backup
    /// exclusion.
    private func removeAttributes(
        besidesThoseOf entry: SnapshotEntry, from directory: OpenFile, _ path: [UInt8]
    ) throws(BackupError) {
        let kept = try comparison.attributes(entry).map(\.name)
        do throws(FileSystemError) {
            for name in try directory.attributes() where !kept.contains(name) { try directory.removeAttribute(name) }
        } catch {
            // Without support for attributes, nothing is removed.
            if error.errno != .notSupported { result.record(path, reason: "attribute-not-removed") }
        }
    }

    /// Sets owner, mode and times. `now` is the status before, if it is known.
    private func setStatus(
        of entry: SnapshotEntry, on file: OpenFile, _ path: [UInt8], _ now: FileStatus? = nil
    ) throws(FileSystemError) {
        var kept = entry
        if !preservesSetIDBits { kept.permissions &= ~SnapshotEntry.setIDBits }
        let (permissions, isOwnerSet) = try file.applyOwnerAndMode(of: Self.status(of: kept), from: now)
        if !isOwnerSet { result.lose(.owner, path: path) }
        if (permissions ^ kept.permissions) & ~SnapshotEntry.setIDBits != 0 { result.lose(.mode, path: path) }
        // Also bits that would lend the rights of the user who restores.
        if entry.permissions & SnapshotEntry.setIDBits & ~permissions != 0 {
            result.record(path, reason: "set-id-bits-dropped")
        }
        do throws(FileSystemError) {
            try file.setTimes(accessed: entry.modified, modified: entry.modified)
        } catch { result.record(path, reason: "time-not-set") }
    }

    private static func status(of entry: SnapshotEntry) -> FileStatus {
        FileStatus(
            kind: entry.kind, permissions: entry.permissions, links: entry.links, owner: (entry.user, entry.group),
            size: entry.size, identity: (0, entry.inode), modified: entry.modified, changed: entry.changed)
    }
}

extension OpenFile {
    /// Writes the blocks that contain data. Skipped blocks become holes.
    func writeWithHoles(_ bytes: [UInt8], at position: UInt64) throws(FileSystemError) {
        var failure: FileSystemError?
        bytes.withUnsafeBytes { bytes in
            do throws(FileSystemError) {
                var start = 0
                while start < bytes.count {
                    // Skip blocks of zeros, then find the end of the data.
                    while start < bytes.count, Self.isZero(bytes, at: start) { start += Self.block }
                    var end = start
                    while end < bytes.count, !Self.isZero(bytes, at: end) { end += Self.block }
                    guard start < bytes.count else { break }
                    let piece = UnsafeRawBufferPointer(rebasing: bytes[start..<min(end, bytes.count)])
                    try write(piece, at: position + UInt64(start))
                    start = end
                }
            } catch { failure = error }
        }
        if let failure { throw failure }
    }

    private static let block = 4096

    /// Returns true if the block at `start` contains only zeros.
    private static func isZero(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
        UnsafeRawBufferPointer(rebasing: bytes[start..<min(start + block, bytes.count)]).isZero
    }
}
