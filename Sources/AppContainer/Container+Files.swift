internal import FileSystem
internal import SystemPackage

extension Container {
    /// Creates a directory and its missing parents. Does nothing if the directory exists.
    ///
    /// - Throws: `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `noSpace`, `failed`.
    public func createDirectory(_ item: ContainerPath) throws(ContainerError) {
        let path = try relative(item)
        do throws(FileSystemError) { try folder.createDirectories(path) } catch {
            throw ContainerError(error, onDisk: "Parent directories may have been created.")
        }
    }

    /// Copies a file, a symbolic link or a directory, with its backup exclusion, attributes, mode and times.
    ///
    /// After a crash the copy is complete or missing.
    ///
    /// - Parameters:
    ///   - item: The item to copy. A symbolic link is not followed.
    ///   - target: The path of the copy. Missing parent directories are created.
    ///   - container: The container of the copy. Nil for this one.
    /// - Throws: `alreadyExists` if the name is taken, `notFound`, `notAFile` for a special file or a copy of a
    ///   directory into itself, `leavesContainer`, `noIdentifier`, `permissionDenied`, `noSpace`, `noAttributes`,
    ///   `durabilityUnknown`, `failed`.
    public func copy(
        _ item: ContainerPath, to target: ContainerPath, in container: Container? = nil
    ) throws(ContainerError) {
        try transfer(item, to: target, in: container ?? self) { path, newPath, other throws(AtomicWriteError) in
            try folder.copy(path, to: newPath, in: other)
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
    /// - Throws: `alreadyExists` if the name is taken, `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`,
    ///   `permissionDenied`, `noSpace`, `noAttributes`, `durabilityUnknown`, `failed`.
    public func move(
        _ item: ContainerPath, to target: ContainerPath, in container: Container? = nil
    ) throws(ContainerError) {
        try transfer(item, to: target, in: container ?? self) { path, newPath, other throws(AtomicWriteError) in
            try folder.move(path, to: newPath, in: other)
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
        let (path, newPath) = (try relative(item), try relative(replacement))
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
        let path = try relative(item)
        guard !path.isEmpty else {
            throw ContainerError(
                .invalidPath, path, "The container itself cannot be removed. Give the path of an item in it.")
        }
        do throws(FileSystemError) {
            try withPathLock(at: path) { () throws(FileSystemError) in try folder.remove(path) }
        } catch {
            throw ContainerError(
                error, onDisk: "If the item is a directory, a part of its content may have been removed.")
        }
    }

    private func transfer(
        _ item: ContainerPath, to target: ContainerPath, in other: Container,
        how: (FilePath, FilePath, Folder) throws(AtomicWriteError) -> Void
    ) throws(ContainerError) {
        let (path, newPath) = (try relative(item), try other.relative(target))
        let isDirectory: Bool
        do throws(FileSystemError) { isDirectory = try folder.status(path).kind == .directory } catch {
            throw ContainerError(error)
        }
        // A path with a trailing slash is the path of a directory.
        if !isDirectory { _ = try other.relativeFile(target) }
        try other.createParent(of: newPath)
        try PathLocks.shared.withLocks(at: [lockKey(path), other.lockKey(newPath)]) { () throws(ContainerError) in
            do throws(AtomicWriteError) { try how(path, newPath, other.folder) } catch { throw ContainerError(error) }
        }
    }
}
