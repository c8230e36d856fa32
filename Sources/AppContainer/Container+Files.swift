internal import FileSystem
internal import SystemPackage

extension Container {
    /// Makes a directory and those above it; content if it is there.
    ///
    /// - Throws: `notAFile`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `noSpace`, `failed`.
    public func createDirectory(_ place: ContainerPath) throws(ContainerError) {
        let path = try relative(place)
        do throws(FileSystemError) { try folder.makeFolder(path) } catch {
            throw ContainerError(error, onDisk: "Directories above it may have been made.")
        }
    }

    /// Copies a file, a symbolic link itself or a whole directory; flags, attributes, modes and times stay.
    ///
    /// After a crash the copy is there whole or not at all.
    ///
    /// - Parameters:
    ///   - place: What is copied.
    ///   - target: The copy's place; directories above it are made.
    ///   - container: The container that the copy goes to; nil for this one.
    /// - Throws: `alreadyExists` if the new name is taken, `notFound`, `notAFile` for a special file or a directory
    ///   into itself, `leavesContainer`, `noIdentifier`, `permissionDenied`, `noSpace`, `noAttributes`, `durabilityUnknown`, `failed`.
    public func copy(
        _ place: ContainerPath, to target: ContainerPath, in container: Container? = nil
    ) throws(ContainerError) {
        try transfer(place, to: target, in: container ?? self) { path, newPath, other throws(ReplaceError) in
            try folder.copy(path, to: newPath, in: other)
        }
    }

    /// Gives a file, a symbolic link itself or a directory another place; it keeps all it has.
    ///
    /// To another disk it is copied, and taken away when the copy is there to stay.
    ///
    /// - Parameters:
    ///   - place: What is moved.
    ///   - target: Its new place; directories above it are made.
    ///   - container: The container that it goes to; nil for this one.
    /// - Throws: `alreadyExists` if the new name is taken, `notFound`, `notAFile`, `leavesContainer`, `noIdentifier`,
    ///   `permissionDenied`, `noSpace`, `noAttributes`, `durabilityUnknown`, `failed`.
    public func move(
        _ place: ContainerPath, to target: ContainerPath, in container: Container? = nil
    ) throws(ContainerError) {
        try transfer(place, to: target, in: container ?? self) { path, newPath, other throws(ReplaceError) in
            try folder.move(path, to: newPath, in: other)
        }
    }

    /// Lets a file or directory take the place of another, whose flag, attributes, owner and mode it takes over; its
    /// own name is then gone.
    ///
    /// After a crash the place holds the old one or the new one, whole.
    ///
    /// - Parameters:
    ///   - place: What gives way: a file for a file, a directory for a directory.
    ///   - replacement: What takes its place.
    /// - Throws: `notFound`, `notAFile` where the two are not of one kind, are one and the same, or are links,
    ///   `leavesContainer`, `noIdentifier`, `permissionDenied`, `noSpace`, `noAttributes`, `durabilityUnknown`,
    ///   `failed`.
    public func replace(_ place: ContainerPath, with replacement: ContainerPath) throws(ContainerError) {
        let (path, newPath) = (try relative(place), try relative(replacement))
        do throws(ReplaceError) {
            try withTurn(at: path, newPath) { () throws(ReplaceError) in try folder.replace(path, with: newPath) }
        } catch { throw ContainerError(error) }
    }

    /// Removes a file, or a directory with all that is in it; a link is removed, not followed.
    ///
    /// - Throws: `notFound`, `leavesContainer`, `noIdentifier`, `permissionDenied`, `failed`; `invalidPath` for the
    ///   container itself.
    public func remove(_ place: ContainerPath) throws(ContainerError) {
        let path = try relative(place)
        guard !path.isEmpty else {
            throw ContainerError(.invalidPath, path, "The container itself is not removed. Name what is in it.")
        }
        do throws(FileSystemError) {
            try withTurn(at: path) { () throws(FileSystemError) in try folder.remove(path) }
        } catch { throw ContainerError(error, onDisk: "Of a directory, some of what was in it may be gone.") }
    }

    private func transfer(
        _ place: ContainerPath, to target: ContainerPath, in other: Container,
        how: (FilePath, FilePath, Folder) throws(ReplaceError) -> Void
    ) throws(ContainerError) {
        let (path, newPath) = (try relative(place), try other.relative(target))
        let isDirectory: Bool
        do throws(FileSystemError) { isDirectory = try folder.status(path).kind == .directory } catch {
            throw ContainerError(error)
        }
        // A slash at its end makes the new name a directory's.
        if !isDirectory { _ = try other.relativeFile(target) }
        try other.makeParent(of: newPath)
        try PathQueue.shared.withTurn(at: [turnKey(path), other.turnKey(newPath)]) { () throws(ContainerError) in
            do throws(ReplaceError) { try how(path, newPath, other.folder) } catch { throw ContainerError(error) }
        }
    }
}
