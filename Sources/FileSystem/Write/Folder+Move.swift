internal import CFileSystem
package import SystemPackage

extension Folder {
    /// Gives an entry a name beneath `target`, which it must not find taken (`Errno.fileExists`).
    ///
    /// Where that lies on another disk, the entry is copied with all it has, and taken away only when the copy is
    /// on the medium under its new name.
    package func move(_ path: FilePath, to newPath: FilePath, in target: Folder) throws(ReplaceError) {
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
            if result != -Errno.improperLink.rawValue { try succeed(result, "move “\(path)” to", newPath) }
        } catch { throw ReplaceError(stage: .untouched, cause: error) }
        guard result == 0 else {
            try copy(path, to: newPath, in: target)
            do throws(FileSystemError) { return try remove(path) } catch {
                throw ReplaceError(stage: .besideOld(path), cause: error)
            }
        }
        do throws(FileSystemError) {
            // The new name first: a cut between the two leaves both names, not none.
            try to.sync()
            try from.sync()
        } catch {
            throw ReplaceError(stage: .visible, cause: FileSystemError(error.operation, newPath, error.errno))
        }
    }

    /// Lets an entry take the place of another of its kind, whose attributes, owner and mode it takes over.
    ///
    /// A file takes the name in one step. Two directories change names in one step, and the old one is then
    /// removed under the other's name. What is the entry itself, by whatever name, is `Errno.invalidArgument`.
    package func replace(_ path: FilePath, with newPath: FilePath) throws(ReplaceError) {
        let folder: Folder
        let other: Folder
        let newName: FilePath
        let kind: FileKind
        do throws(FileSystemError) {
            let name: FilePath
            (folder, name) = try locate(path)
            (other, newName) = try locate(newPath)
            // Refused before anything is taken over: the kernel would refuse it last.
            if path.starts(with: newPath) || newPath.starts(with: path), path != newPath {
                throw FileSystemError(
                    "put “\(newPath)”, which is within the other, in place of", path, .invalidArgument)
            }
            kind = try folder.status(name).kind
            guard try other.status(newName).kind == kind, kind == .file || kind == .directory else {
                throw FileSystemError("put “\(newPath)”, which is of another kind, in place of", path, .invalidArgument)
            }
            let source = try other.open(newName, followingLinks: false)
            let model = try folder.open(name, followingLinks: false)
            // The kernel would do nothing, and call it done; what is then removed as the old one is the only one.
            guard try source.status().identity != model.status().identity else {
                throw FileSystemError("replace by itself", path, .invalidArgument)
            }
            try source.takeMetadata(of: model, times: false)
            try source.sync()
            let call = kind == .file ? calls.rename : calls.exchange
            let result = newName.withPlatformString { new in
                name.withPlatformString { call(other.descriptor, new, folder.descriptor, $0) }
            }
            try succeed(result, "put “\(newPath)” in place of", path)
        } catch { throw ReplaceError(stage: .untouched, cause: error) }
        do throws(FileSystemError) {
            try folder.sync()
            if kind == .file { return try other.sync() }
        } catch {
            throw ReplaceError(stage: .visible, cause: FileSystemError(error.operation, path, error.errno))
        }
        do throws(FileSystemError) { try other.remove(newName) } catch {
            throw ReplaceError(stage: .besideOld(newPath), cause: error)
        }
    }
}
