internal import CFileSystem
internal import Synchronization
package import SystemPackage

/// A file in the making beside its target: written, then sealed, published and settled, in that order.
///
/// Dropped before it is published, it leaves nothing. Until it is sealed, a lock on it tells a sweep that its maker is
/// alive.
package final class StagedFile: Sendable {
    /// Where the new content goes.
    package let file: OpenFile
    /// The directory that holds it and its target.
    package let parent: Folder
    private let replace: Replace
    private let name: FilePath
    private let staging: FilePath
    /// The target as the caller named it.
    private let path: FilePath
    private let isPending = Atomic(true)

    /// Makes an empty file beside `path` beneath `folder`, after a look at what has that name.
    ///
    /// What takes the place of another file, or `isPrivate`, is closed to others until it is sealed.
    package init(
        _ replace: Replace, for path: FilePath, in folder: Folder, isPrivate: Bool = false
    ) throws(ReplaceError) {
        do throws(FileSystemError) {
            let (parent, name, old) = try Self.target(path, in: folder, replace.existing)
            let staging = FilePath(Replace.stagingPrefix + String(cfs_random(), radix: 16))
            // What is no file hands on no mode.
            let permissions: UInt32 = old?.kind == .file || isPrivate ? 0o600 : 0o666
            (self.parent, self.name, self.staging) = (parent, name, staging)
            (self.path, self.replace) = (path, replace)
            file = try UnfinishedFiles.make(staging, in: parent, permissions: permissions)
        } catch { throw ReplaceError(stage: .untouched, cause: FileSystemError(error.operation, path, error.errno)) }
        // Where a file system has no locks, a leftover is known by its age alone.
        _ = parent.calls.lock(file.descriptor, true)
    }

    deinit { if isPending.load(ordering: .relaxed) { _ = remove() } }

    /// Gives the file what the one it replaces has, or `model` has with its times, and brings its content down
    /// to the medium where the durability asks for it. Nothing can be written after that.
    package func seal(modelledOn model: OpenFile? = nil) throws(ReplaceError) {
        do throws(FileSystemError) {
            if let model {
                try file.takeMetadata(of: model, times: true, adding: replace.attributes)
            } else if let old = try openExisting() {
                try file.takeMetadata(of: old, times: false, adding: replace.attributes)
            } else {
                try file.apply(replace.attributes)
            }
            if replace.durability != .none { try file.sync() }
            try file.close()
        } catch { throw discard(after: error) }
    }

    /// Lets the file take its target's name.
    package func publish() throws(ReplaceError) {
        Host.yieldToEnding()
        let rename = replace.existing.any == .replace ? parent.calls.rename : parent.calls.renameNew
        let renamed = staging.withPlatformString { from in
            name.withPlatformString { rename(parent.descriptor, from, parent.descriptor, $0) }
        }
        do throws(FileSystemError) { try succeed(renamed, "put the new file in place of", path) } catch {
            throw discard(after: error)
        }
        isPending.store(false, ordering: .relaxed)
        UnfinishedFiles.forget(staging)
    }

    /// Brings the new name down to the medium where the durability asks for it.
    package func settle() throws(ReplaceError) {
        guard replace.durability == .full else { return }
        do throws(FileSystemError) { try parent.sync() } catch {
            throw ReplaceError(stage: .visible, cause: FileSystemError(error.operation, path, error.errno))
        }
    }

    /// Takes the file away; what `error` then means for whoever asked for the save.
    package func discard(after error: FileSystemError) -> ReplaceError {
        // The caller knows the file's own name, not the staging file's.
        let cause = FileSystemError(error.operation, path, error.errno)
        let leftover = path.removingLastComponent().appending(staging.components)
        return ReplaceError(stage: remove() ? .untouched : .leftover(leftover), cause: cause)
    }

    /// Takes the file away, if that has not been done yet.
    package func discard() throws(FileSystemError) {
        guard !remove() else { return }
        throw FileSystemError("remove the unfinished file of", path, .ioError)
    }

    private func remove() -> Bool {
        guard isPending.exchange(false, ordering: .relaxed) else { return true }
        let result = staging.withPlatformString { parent.calls.remove(parent.descriptor, $0, false) }
        UnfinishedFiles.forget(staging)
        return result == 0 || result == -Errno.noSuchFileOrDirectory.rawValue  // a sweep was here before
    }

    /// The folder and name that a save of `path` goes to, and what is there now; links are followed if that is
    /// the choice.
    private static func target(
        _ path: FilePath, in folder: Folder, _ existing: Existing
    ) throws(FileSystemError) -> (Folder, FilePath, FileStatus?) {
        var path = path
        for _ in 0..<40 {  // as many links as the kernel follows
            let (parent, name) = try folder.locate(path)
            guard let status = try parent.statusIfPresent(name) else { return (parent, name, nil) }
            guard existing.any == .replace else { throw FileSystemError("save", path, .fileExists) }
            guard status.kind == .symbolicLink, existing.symbolicLink == .follow else {
                try allow(status, path, existing)
                return (parent, name, status)
            }
            let target = try parent.readLink(name)
            guard !target.isAbsolute else { throw FileSystemError("follow the link", path, .improperLink) }
            path = path.removingLastComponent().appending(target.components)
        }
        throw FileSystemError("follow the link", path, .tooManySymbolicLinkLevels)
    }

    private static func allow(
        _ status: FileStatus, _ path: FilePath, _ existing: Existing
    ) throws(FileSystemError) {
        switch status.kind {
        case .file:
            guard status.links > 1, existing.hardLink == .refuse else { return }
            throw FileSystemError("replace the file with other names (hard links),", path, .tooManyLinks)
        case .directory: throw FileSystemError("replace the directory", path, .isDirectory)
        case .symbolicLink:
            guard existing.symbolicLink == .refuse else { return }
            throw FileSystemError("replace the symbolic link", path, .tooManySymbolicLinkLevels)
        default:
            guard existing.special == .refuse else { return }
            throw FileSystemError("replace the special file", path, .invalidArgument)
        }
    }

    /// The file that is about to be replaced; nil where there is none or what is there is no file.
    private func openExisting() throws(FileSystemError) -> OpenFile? {
        guard replace.existing.any == .replace, let status = try parent.statusIfPresent(name) else { return nil }
        try Self.allow(status, path, replace.existing)
        return status.kind == .file ? try parent.open(name, followingLinks: false) : nil
    }
}
