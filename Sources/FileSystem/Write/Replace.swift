internal import CFileSystem
package import SystemPackage

/// How much a save has done for a file to last when it returns.
package enum Durability: Sendable, Hashable, CaseIterable {
    /// The new content is visible; a power cut may bring back the old file, or lose a new one.
    case none
    /// The content is on the medium before it becomes visible; its name may not be.
    case file
    /// Content and name are on the medium: the save survives a power cut.
    case full
}

/// A durable replace that stopped part-way.
package struct ReplaceError: Error, Sendable, Hashable {
    /// How far it got, which tells what is on disk now.
    package enum Stage: Sendable, Hashable {
        /// The old file, if any, is untouched, and nothing of the new one is left.
        case untouched
        /// The old file is untouched; what was written of the new one is left under this name beside it.
        case leftover(FilePath)
        /// The new file is visible, whole, but a power cut may still undo it.
        case visible
    }
    package let stage: Stage
    package let cause: FileSystemError
}

/// The durable replace: a file is made beside its target and takes the target's name in one step.
///
/// Whoever opens the name finds the old file or the new one, whole, at every moment and after a crash. The
/// new one carries the old one's attributes (and with them a do-not-back-up flag), owner, access list and
/// mode before it is visible. A symbolic link or anything else that is no file is refused, a hard link is
/// parted from its other names. Source: POSIX rename(2), fsync(2); `ARCHITECTURE.md`, "A save".
package struct Replace: Sendable {
    package var durability: Durability
    /// Whether a file of that name may be there already; if not, `Errno.fileExists`.
    package var mayReplace: Bool
    /// Set on the new file, over what it inherits from the old one.
    package var attributes: [(name: String, value: [UInt8])]

    package init(
        durability: Durability = .full, mayReplace: Bool = true, attributes: [(name: String, value: [UInt8])] = []
    ) {
        self.durability = durability
        self.mayReplace = mayReplace
        self.attributes = attributes
    }

    /// What a staging file's name begins with; a sweep knows our leftovers by it.
    package static let stagingPrefix = ".appcontainer-staging-"

    /// Writes `bytes` as `path` beneath `folder`.
    package func write(_ bytes: UnsafeRawBufferPointer, to path: FilePath, in folder: Folder) throws(ReplaceError) {
        try write(to: path, in: folder, modelledOn: nil) { file throws(FileSystemError) in try file.write(bytes) }
    }

    /// Writes what `fill` gives as `path` beneath `folder`. The new file carries the metadata of the one it
    /// replaces, or of `model`, whose times it then has as well: a copy.
    package func write(
        to path: FilePath, in folder: Folder, modelledOn model: OpenFile?,
        fill: (OpenFile) throws(FileSystemError) -> Void
    ) throws(ReplaceError) {
        let calls = folder.calls
        let parent: Folder
        let name: FilePath
        let old: OpenFile?
        let staging = FilePath(Self.stagingPrefix + String(cfs_random(), radix: 16))
        let file: OpenFile
        do throws(FileSystemError) {
            (parent, name) = try folder.locate(path)
            old = try openExisting(name, path, in: parent)
            // What replaces a private file is private from its first byte; a new file gets the umask's mode.
            let permissions: UInt32 = old == nil && model == nil ? 0o666 : 0o600
            file = try parent.create(staging, permissions: permissions)
        } catch { throw ReplaceError(stage: .untouched, cause: error) }

        do throws(FileSystemError) {
            try fill(file)
            try carryMetadata(from: model ?? old, to: file, isCopy: model != nil, calls)
            if durability != .none { try file.sync() }
            try file.close()
            let rename = mayReplace ? calls.rename : calls.renameNew
            let renamed = staging.withPlatformString { from in
                name.withPlatformString { rename(parent.descriptor, from, parent.descriptor, $0) }
            }
            try succeed(renamed, "put the new file in place of", path)
        } catch {
            let isGone = staging.withPlatformString { calls.remove(parent.descriptor, $0, false) } == 0
            let leftover = path.removingLastComponent().appending(staging.components)
            // The caller knows the file's own name, not the staging file's.
            let cause = FileSystemError(error.operation, path, error.errno)
            throw ReplaceError(stage: isGone ? .untouched : .leftover(leftover), cause: cause)
        }
        guard durability == .full else { return }
        do throws(FileSystemError) { try parent.sync() } catch {
            throw ReplaceError(stage: .visible, cause: FileSystemError(error.operation, path, error.errno))
        }
    }

    /// Attributes first, while the file is still private and writable; owner, access list and mode last.
    private func carryMetadata(
        from model: OpenFile?, to file: OpenFile, isCopy: Bool, _ calls: Syscalls
    ) throws(FileSystemError) {
        guard let model else { return try addAttributes(to: file) }
        var hasAccessList = false
        try succeed(
            calls.copyAttributes(model.descriptor, file.descriptor, &hasAccessList), "carry attributes to", file.path)
        try addAttributes(to: file)
        let (status, now) = (try model.status(), try file.status())
        if (status.raw.user, status.raw.group) != (now.raw.user, now.raw.group) {
            // Only root may give a file away; whoever else replaces it, owns it.
            let result = calls.setOwner(file.descriptor, status.raw.user, status.raw.group)
            if result != -Errno.notPermitted.rawValue { try succeed(result, "carry the owner to", file.path) }
        }
        if hasAccessList {
            try succeed(
                calls.copyAccessList(model.descriptor, file.descriptor), "carry the access list to", file.path)
        }
        try succeed(calls.setPermissions(file.descriptor, status.permissions), "carry the mode to", file.path)
        if isCopy {
            try succeed(
                calls.setTimes(file.descriptor, status.raw.accessed, status.raw.modified), "carry the times to",
                file.path)
        }
    }

    private func addAttributes(to file: OpenFile) throws(FileSystemError) {
        for (name, value) in attributes {
            try ExtendedAttributes.write(name, value, to: file.descriptor, path: file.path)
        }
    }

    private func openExisting(
        _ name: FilePath, _ path: FilePath, in parent: Folder
    ) throws(FileSystemError) -> OpenFile? {
        guard let status = try parent.statusIfPresent(name) else { return nil }
        guard mayReplace else { throw FileSystemError("save", path, .fileExists) }
        switch status.kind {
        case .file: return try parent.open(name, followingLinks: false)
        case .symbolicLink: throw FileSystemError("replace the symbolic link", path, .tooManySymbolicLinkLevels)
        case .directory: throw FileSystemError("replace the directory", path, .isDirectory)
        default: throw FileSystemError("replace the special file", path, .invalidArgument)
        }
    }
}
