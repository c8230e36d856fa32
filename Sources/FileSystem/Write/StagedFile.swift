internal import CFileSystem
package import SystemPackage

/// A temporary file beside its target. The steps are: write, `seal`, `publish`, `finishReplacement`.
///
/// If the object is released before `publish`, the temporary file is removed. Until `seal`, a lock on the file shows
/// `sweepLeftovers` that its process is alive.
package final class StagedFile: Sendable {
    /// The temporary file, open for writing.
    package let file: OpenFile
    /// The directory of the temporary file and the target.
    package let parent: Folder
    private let write: AtomicWrite
    private let name: FilePath
    /// The name of the temporary file in `parent`.
    package let staging: FilePath
    /// The path of the target, as the caller passed it.
    private let path: FilePath
    private let isPending = AtomicFlag(true)

    /// Creates an empty temporary file beside `path` beneath `folder`, after a check of the existing entry.
    ///
    /// If the file replaces another file or `isPrivate` is true, only its owner can read it until `seal`.
    package init(
        _ write: AtomicWrite, for path: FilePath, in folder: Folder, isPrivate: Bool = false
    ) throws(AtomicWriteError) {
        do throws(FileSystemError) {
            let (parent, name, old) = try Self.target(path, in: folder, policy: write.conflicts)
            let staging = AtomicWrite.stagingName()
            // Only a regular file passes its mode on.
            let permissions: UInt32 = old?.kind == .file || isPrivate || write.permissions != nil ? 0o600 : 0o666
            (self.parent, self.name, self.staging) = (parent, name, staging)
            (self.path, self.write) = (path, write)
            file = try TemporaryFileRegistry.createFile(staging, in: parent, permissions: permissions)
        } catch {
            throw AtomicWriteError(
                stage: .untouched, cause: FileSystemError(error.operation, path: path, errno: error.errno))
        }
        // On a file system without locks, leftovers are identified by their age alone.
        _ = parent.calls.lock(file.descriptor, true)
        // Before the content is written.
        if let protection = write.protectionClass {
            do throws(FileSystemError) { try file.setProtectionClass(protection) } catch { throw discard(after: error) }
        }
    }

    deinit { if isPending.value { _ = remove() } }

    /// Copies the metadata of the replaced file, or the metadata and times of `model`, to the file, flushes it to disk
    /// if the durability requires it, and closes it.
    package func seal(modelledOn model: OpenFile? = nil) throws(AtomicWriteError) {
        do throws(FileSystemError) {
            if let model {
                try file.copyMetadata(of: model, times: true, adding: write.attributes)
            } else if let old = try openReplacedFile() {
                try file.copyMetadata(of: old, times: false, adding: write.attributes)
            } else {
                try file.apply(write.attributes)
            }
            if let protection = write.protectionClass { try file.setProtectionClass(protection) }
            if let permissions = write.permissions { try file.setPermissions(permissions) }
            if write.durability != .none { try file.sync() }
            try file.close()
        } catch { throw discard(after: error) }
    }

    /// Renames the file to the target.
    package func publish() throws(AtomicWriteError) {
        Host.waitIfTerminating()
        let rename = write.conflicts.any == .replace ? parent.calls.rename : parent.calls.renameNew
        let renamed = staging.withPlatformString { from in
            name.withPlatformString { rename(parent.descriptor, from, parent.descriptor, $0) }
        }
        do throws(FileSystemError) { try succeed(renamed, operation: "put the new file in place of", path) } catch {
            throw discard(after: error)
        }
        isPending.set(false)
        TemporaryFileRegistry.unregister(staging, in: parent)
    }

    /// Flushes the directory to disk if the durability requires it.
    package func finishReplacement() throws(AtomicWriteError) {
        guard write.durability == .full else { return }
        do throws(FileSystemError) { try parent.sync() } catch {
            throw AtomicWriteError(
                stage: .visible, cause: FileSystemError(error.operation, path: path, errno: error.errno))
        }
    }

    /// Removes the file and returns the error of the write.
    package func discard(after error: FileSystemError) -> AtomicWriteError {
        // The caller knows the target, not the temporary file.
        let cause = FileSystemError(error.operation, path: path, errno: error.errno)
        let leftover = path.removingLastComponent().appending(staging.components)
        return AtomicWriteError(stage: remove() ? .untouched : .leftover(leftover), cause: cause)
    }

    /// Removes the file if it still exists.
    package func discard() throws(FileSystemError) {
        guard !remove() else { return }
        throw FileSystemError("remove the temporary file of", path: path, errno: .ioError)
    }

    private func remove() -> Bool {
        guard isPending.exchange(false) else { return true }
        let result = staging.withPlatformString { parent.calls.remove(parent.descriptor, $0, false) }
        TemporaryFileRegistry.unregister(staging, in: parent)
        return result == 0 || result == -Errno.noSuchFileOrDirectory.rawValue  // already swept
    }

    /// Returns the folder and name of the target and the existing entry. Follows links if the policy says so.
    private static func target(
        _ path: FilePath, in folder: Folder, policy: ConflictPolicy
    ) throws(FileSystemError) -> (Folder, FilePath, FileStatus?) {
        var path = path
        for _ in 0..<40 {  // the kernel's limit for links
            let (parent, name) = try folder.locate(path)
            guard let status = try parent.statusIfPresent(name) else { return (parent, name, nil) }
            guard policy.any == .replace else { throw FileSystemError("save", path: path, errno: .fileExists) }
            guard status.kind == .symbolicLink, policy.symbolicLink == .follow else {
                try check(status, path: path, policy: policy)
                return (parent, name, status)
            }
            let target = try parent.readLink(name)
            guard !target.isAbsolute else { throw FileSystemError("follow the link", path: path, errno: .improperLink) }
            path = path.removingLastComponent().appending(target.components)
        }
        throw FileSystemError("follow the link", path: path, errno: .tooManySymbolicLinkLevels)
    }

    /// Checks the existing entry against the policy.
    static func check(
        _ status: FileStatus, path: FilePath, policy: ConflictPolicy
    ) throws(FileSystemError) {
        switch status.kind {
        case .file:
            guard status.links > 1, policy.hardLink == .refuse else { return }
            throw FileSystemError("replace the file with other names (hard links),", path: path, errno: .tooManyLinks)
        case .directory: throw FileSystemError("replace the directory", path: path, errno: .isDirectory)
        case .symbolicLink:
            guard policy.symbolicLink == .refuse else { return }
            throw FileSystemError("replace the symbolic link", path: path, errno: .tooManySymbolicLinkLevels)
        default:
            guard policy.special == .refuse else { return }
            throw FileSystemError("replace the special file", path: path, errno: .invalidArgument)
        }
    }

    /// Opens the file that is replaced. Returns nil if there is no regular file.
    private func openReplacedFile() throws(FileSystemError) -> OpenFile? {
        guard write.conflicts.any == .replace, let status = try parent.statusIfPresent(name) else { return nil }
        try Self.check(status, path: path, policy: write.conflicts)
        return status.kind == .file ? try parent.open(name, followingLinks: false) : nil
    }
}
