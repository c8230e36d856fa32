internal import FileSystem
public import Foundation
internal import SystemPackage

extension Container {
    /// Creates a directory and its missing parents. Does nothing if the directory exists.
    ///
    /// - Parameters:
    ///   - item: The directory.
    ///   - protection: The data protection of the directory, which new files in it inherit on Apple's systems. Nil for
    ///     that of its parent.
    /// - Throws: `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `noSpace`, `failed`.
    public func createDirectory(
        _ item: ContainerPath, protection: FileProtection? = nil
    ) throws(ContainerError) {
        let path = try relative(item)
        try refuseTemporaryName(in: path)
        do throws(FileSystemError) { try folder.createDirectories(path) } catch {
            throw ContainerError(error, onDisk: "Parent directories may have been created.")
        }
        if let protection { try setProtection(protection, of: item) }
    }

    /// Copies a file, a symbolic link or a directory, with its backup exclusion, attributes, mode and times.
    ///
    /// After a crash the copy is complete or missing.
    ///
    /// - Parameters:
    ///   - item: The item to copy. A symbolic link is not followed.
    ///   - target: The path of the copy. Missing parent directories are created.
    ///   - container: The container of the copy. Nil for this one.
    ///   - overwrite: The policy for an existing item at `target`. Only a file replaces an item, and never a directory.
    ///     The copy is excluded from backup if the original or the replaced file is.
    /// - Throws: `alreadyExists` if the name is taken, `notFound`, `notAFile` for a special file or a copy of a
    ///   directory into itself, `leavesContainer`, `noIdentifier`, `permissionDenied`, `noSpace`, `noAttributes`,
    ///   `durabilityUnknown`, `failed`.
    public func copy(
        _ item: ContainerPath, to target: ContainerPath, in container: Container? = nil, overwrite: Overwrite = .never
    ) throws(ContainerError) {
        try transfer(item, to: target, in: container ?? self, overwrite: overwrite) {
            path, newPath, other, write throws(AtomicWriteError) in
            guard let write else { return try folder.copy(path, to: newPath, in: other) }
            try folder.copyFile(path, over: newPath, in: other, by: write)
        }
    }

    /// Moves a file, a symbolic link or a directory, with all its metadata.
    ///
    /// To another file system, the item is copied, and removed when the copy is on disk.
    ///
    /// - Parameters:
    ///   - item: The item to move. A symbolic link is not followed.
    ///   - target: The new path. Missing parent directories are created.
    ///   - container: The container of the new path. Nil for this one.
    ///   - overwrite: The policy for an existing item at `target`. Only a file replaces an item, and never a directory.
    ///     The file is excluded from backup if it or the replaced file was.
    /// - Throws: `alreadyExists` if the name is taken, `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`,
    ///   `permissionDenied`, `noSpace`, `noAttributes`, `durabilityUnknown`, `failed`.
    public func move(
        _ item: ContainerPath, to target: ContainerPath, in container: Container? = nil, overwrite: Overwrite = .never
    ) throws(ContainerError) {
        try refuseMetadata(try relative(item))
        try transfer(item, to: target, in: container ?? self, overwrite: overwrite) {
            path, newPath, other, write throws(AtomicWriteError) in
            guard let write else { return try folder.move(path, to: newPath, in: other) }
            try folder.moveFile(path, over: newPath, in: other, by: write)
        }
    }

    /// Replaces a file or directory with another one, which is moved to its path and gets its backup exclusion,
    /// attributes, owner and mode.
    ///
    /// After a crash the path has the old item or the new one, complete.
    ///
    /// - Parameters:
    ///   - item: The file or directory to replace.
    ///   - replacement: The new item, of the same kind.
    /// - Throws: `notFound`, `notAFile` if the two differ in kind, are the same item, or are links, `leavesContainer`,
    ///   `noIdentifier`, `permissionDenied`, `noSpace`, `noAttributes`, `durabilityUnknown`, `failed`.
    public func replace(_ item: ContainerPath, with replacement: ContainerPath) throws(ContainerError) {
        let (path, newPath) = (try relativeItem(item), try relativeItem(replacement))
        try refuseMetadata(path)
        try refuseMetadata(newPath)
        do throws(AtomicWriteError) {
            try withPathLock(at: path, newPath) { () throws(AtomicWriteError) in try folder.replace(path, with: newPath)
            }
        } catch { throw ContainerError(error) }
    }

    /// Removes a file, or a directory and its content. A link is removed, not followed.
    ///
    /// - Throws: `notFound`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `failed`; `invalidPath` for the
    ///   container itself.
    public func remove(_ item: ContainerPath) throws(ContainerError) {
        let path = try relativeItem(item)
        try refuseMetadata(path)
        do throws(FileSystemError) {
            try withPathLock(at: path) { () throws(FileSystemError) in try folder.remove(path) }
        } catch {
            throw ContainerError(
                error, onDisk: "If the item is a directory, a part of its content may have been removed.")
        }
    }

    /// Removes the content of a directory. The directory remains. Does nothing if a standard directory does not exist.
    ///
    ///     try container.removeAll(in: .caches)
    ///
    /// Items that another part of the app removes at the same time are ignored, and temporary files of running saves
    /// remain. A directory into which others write at the same time is tried again, up to 100 times. Links in the
    /// directory are removed, not followed.
    ///
    /// - Throws: `notFound`, `notAFile` for a file or a link in place of the directory, `leavesContainer`,
    ///   `noIdentifier`, `permissionDenied`, `failed`; `invalidPath` for the container itself.
    public func removeAll(in directory: ContainerPath) throws(ContainerError) {
        let path = try relative(directory)
        guard !path.isEmpty else {
            throw ContainerError(
                .invalidPath, path, "The content of the container itself cannot be removed. Give a directory in it.")
        }
        var removed = 0
        do throws(FileSystemError) {
            if directory.isStandardDirectory, try folder.statusIfPresent(path) == nil { return }
            let content = try folder.openDirectory(notFollowing: path)
            for name in try content.names() where !content.isTemporaryFileInUse(name) {
                let isRemoved = try withPathLock(at: path.appending(name.components)) { () throws(FileSystemError) in
                    do throws(FileSystemError) { return try content.removeDespiteWriters(name) } catch {
                        throw FileSystemError(
                            error.operation, path: path.appending(error.path.components), errno: error.errno)
                    }
                }
                if isRemoved { removed += 1 }
            }
            try content.sync()
        } catch { throw ContainerError(error, onDisk: "Items removed before the failure: \(removed).") }
    }

    private func transfer(
        _ item: ContainerPath, to target: ContainerPath, in other: Container, overwrite: Overwrite,
        how: (FilePath, FilePath, Folder, AtomicWrite?) throws(AtomicWriteError) -> Void
    ) throws(ContainerError) {
        let (path, newPath) = (try relativeItem(item), try other.relativeItem(target))
        let isDirectory: Bool
        do throws(FileSystemError) { isDirectory = try folder.status(path).kind == .directory } catch {
            throw ContainerError(error)
        }
        // A path with a trailing slash is the path of a directory.
        if !isDirectory { _ = try other.relativeFile(target) }
        let hasCreated = try other.createParent(of: newPath)
        try PathLocks.shared.withLocks(at: [lockKey(path), other.lockKey(newPath)]) { () throws(ContainerError) in
            let write = try other.replacement(overwrite, at: newPath)
            do throws(AtomicWriteError) { try how(path, newPath, other.folder, write) } catch {
                throw ContainerError(error, createdDirectories: hasCreated)
            }
        }
    }

    /// Returns the write that replaces an existing item. Nil if no item exists or the policy forbids a replacement.
    private func replacement(_ overwrite: Overwrite, at path: FilePath) throws(ContainerError) -> AtomicWrite? {
        guard overwrite.conflicts.any == .replace else { return nil }
        do throws(FileSystemError) {
            guard let status = try folder.statusIfPresent(path) else { return nil }
            var write = AtomicWrite(conflicts: overwrite.conflicts)
            if status.kind == .file {
                // A replaced file may be on a file system without attributes.
                let names = try? folder.open(path, followingLinks: false).attributes()
                if names?.contains(where: { ExclusionMark(attribute: $0)?.isApple == true }) == true {
                    write.attributes = [AttributeChange(ExclusionMark.modern.rawValue, value: ExclusionMark.value)]
                }
            }
            return write
        } catch { throw ContainerError(error) }
    }
}

extension Folder {
    /// Opens a directory. Does not follow a link in the last component.
    fileprivate func openDirectory(notFollowing path: FilePath) throws(FileSystemError) -> Folder {
        let (parent, name) = try locate(path)
        do throws(FileSystemError) { return try parent.openFolder(noFollow: name) } catch {
            throw FileSystemError(error.operation, path: path, errno: error.errno)
        }
    }

    /// Removes an entry and its content, again while others add to it or remove from it. Returns false if it does not
    /// exist.
    fileprivate func removeDespiteWriters(_ name: FilePath) throws(FileSystemError) -> Bool {
        var attempts = 1
        while true {
            do throws(FileSystemError) {
                try removeWithoutSync(name)
                return true
            } catch {
                let isDisturbed = error.errno == .noSuchFileOrDirectory || error.errno == .directoryNotEmpty
                guard isDisturbed, attempts < 100 else { throw error }
                if try statusIfPresent(name) == nil { return attempts > 1 }
                attempts += 1
            }
        }
    }

    /// Returns true if a running save or copy holds the lock of its temporary file or directory with this name.
    fileprivate func isTemporaryFileInUse(_ name: FilePath) -> Bool {
        guard name.bytes.starts(with: AtomicWrite.stagingPrefix.utf8) else { return false }
        return (try? open(name, followingLinks: false))?.tryLock() == false
    }
}
