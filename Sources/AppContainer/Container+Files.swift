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

    /// Copies a file or a whole directory; flags, attributes, modes and times stay.
    ///
    /// - Throws: `alreadyExists` if the new name is taken, `notFound`, `notAFile` for a special file or a directory
    ///   into itself, `leavesContainer`, `noIdentifier`, `permissionDenied`, `noSpace`, `failed`.
    public func copy(_ place: ContainerPath, to target: ContainerPath) throws(ContainerError) {
        let (path, newPath) = (try relative(place), try relative(target))
        do throws(FileSystemError) {
            _ = try folder.status(path)
            try folder.makeFolder(newPath.removingLastComponent())
            try folder.copy(path, to: newPath, in: folder)
        } catch {
            throw ContainerError(error, onDisk: "The original is untouched; a copied directory may be incomplete.")
        }
    }

    /// Gives a file or directory another place; it keeps all it has.
    ///
    /// - Throws: `alreadyExists` if the new name is taken, `notFound`, `leavesContainer`, `noIdentifier`,
    ///   `permissionDenied`, `failed`.
    public func move(_ place: ContainerPath, to target: ContainerPath) throws(ContainerError) {
        let (path, newPath) = (try relative(place), try relative(target))
        do throws(FileSystemError) {
            _ = try folder.status(path)
            try folder.makeFolder(newPath.removingLastComponent())
            try folder.move(path, to: newPath, in: folder)
        } catch { throw ContainerError(error, onDisk: "It lies under its old name or its new one, whole.") }
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
        do throws(FileSystemError) { try folder.remove(path) } catch {
            throw ContainerError(error, onDisk: "Of a directory, some of what was in it may be gone.")
        }
    }
}
