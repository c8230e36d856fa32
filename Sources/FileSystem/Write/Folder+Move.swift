internal import CFileSystem
package import SystemPackage

extension Folder {
    /// Moves an entry to a path beneath `target`. Throws `Errno.fileExists` if the name is taken.
    ///
    /// On another file system, the entry is copied with its metadata and removed only when the copy is on disk under its
    /// new name.
    package func move(_ path: FilePath, to newPath: FilePath, in target: Folder) throws(AtomicWriteError) {
        let from: Folder
        let to: Folder
        let result: Int32
        do throws(FileSystemError) {
            let (oldName, newName): (FilePath, FilePath)
            (from, oldName) = try locate(path)
            (to, newName) = try target.locate(newPath)
            result = oldName.withPlatformString { old in
                newName.withPlatformString { calls.renameNew(from.descriptor, old, to.descriptor, $0) }
            }
            if result != -Errno.improperLink.rawValue { try succeed(result, operation: "move “\(path)” to", newPath) }
        } catch { throw AtomicWriteError(stage: .untouched, cause: error) }
        guard result == 0 else {
            try copy(path, to: newPath, in: target)
            do throws(FileSystemError) { return try remove(path) } catch {
                throw AtomicWriteError(stage: .besideOld(path), cause: error)
            }
        }
        do throws(FileSystemError) {
            // The new name first: a power loss between the two leaves both names, not none.
            try to.sync()
            try from.sync()
        } catch {
            throw AtomicWriteError(
                stage: .visible, cause: FileSystemError(error.operation, path: newPath, errno: error.errno))
        }
    }

    /// Replaces an entry with another entry of the same kind, which gets its attributes, owner and mode.
    ///
    /// A file is renamed atomically. Two directories are exchanged atomically, and the old one is then removed. Throws
    /// `Errno.invalidArgument` if both paths lead to the same entry.
    package func replace(_ path: FilePath, with newPath: FilePath) throws(AtomicWriteError) {
        let folder: Folder
        let other: Folder
        let newName: FilePath
        let kind: FileKind
        do throws(FileSystemError) {
            let name: FilePath
            (folder, name) = try locate(path)
            (other, newName) = try locate(newPath)
            // Checked before any metadata is copied; the kernel would refuse the rename only at the end.
            if path.starts(with: newPath) || newPath.starts(with: path), path != newPath {
                throw FileSystemError(
                    "put “\(newPath)”, which is within the other, in place of", path: path, errno: .invalidArgument)
            }
            kind = try folder.status(name).kind
            guard try other.status(newName).kind == kind, kind == .file || kind == .directory else {
                throw FileSystemError(
                    "put “\(newPath)”, which is of another kind, in place of", path: path, errno: .invalidArgument)
            }
            let source = try other.open(newName, followingLinks: false)
            let model = try folder.open(name, followingLinks: false)
            // The kernel would do nothing and report success, and the next step would remove the only file.
            guard try source.status().identity != model.status().identity else {
                throw FileSystemError("replace by itself", path: path, errno: .invalidArgument)
            }
            try source.copyMetadata(of: model, times: false)
            try source.sync()
            let call = kind == .file ? calls.rename : calls.exchange
            let result = newName.withPlatformString { new in
                name.withPlatformString { call(other.descriptor, new, folder.descriptor, $0) }
            }
            try succeed(result, operation: "put “\(newPath)” in place of", path)
        } catch { throw AtomicWriteError(stage: .untouched, cause: error) }
        do throws(FileSystemError) {
            try folder.sync()
            if kind == .file { return try other.sync() }
        } catch {
            throw AtomicWriteError(
                stage: .visible, cause: FileSystemError(error.operation, path: path, errno: error.errno))
        }
        do throws(FileSystemError) { try other.remove(newName) } catch {
            throw AtomicWriteError(stage: .besideOld(newPath), cause: error)
        }
    }
}
