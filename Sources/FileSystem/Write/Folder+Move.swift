internal import CFileSystem
package import SystemPackage

extension Folder {
    /// Gives an entry a name beneath `target`, which it must not find taken (`Errno.fileExists`).
    ///
    /// Where that lies on another disk, the entry is copied with all it has, and taken away only when the copy is
    /// on the medium under its new name.
    package func move(_ path: FilePath, to newPath: FilePath, in target: Folder) throws(FileSystemError) {
        let (from, oldName) = try locate(path)
        let (to, newName) = try target.locate(newPath)
        let result = oldName.withPlatformString { old in
            newName.withPlatformString { calls.renameNew(from.descriptor, old, to.descriptor, $0) }
        }
        if result == -Errno.improperLink.rawValue {
            try copy(path, to: newPath, in: target)
            return try remove(path)
        }
        try succeed(result, "move “\(path)” to", newPath)
        // The new name first: a cut between the two leaves both names, not none.
        try to.sync()
        try from.sync()
    }

    /// Lets an entry take the place of another of its kind, whose attributes, owner and mode it takes over.
    ///
    /// A file takes the name in one step. Two directories change names in one step, and the old one is then
    /// removed under the other's name.
    package func replace(_ path: FilePath, with newPath: FilePath) throws(FileSystemError) {
        let (folder, name) = try locate(path)
        let (other, newName) = try locate(newPath)
        let (old, new) = (try folder.status(name), try other.status(newName))
        guard old.kind == new.kind, old.kind == .file || old.kind == .directory else {
            throw FileSystemError("put “\(newPath)”, which is of another kind, in place of", path, .invalidArgument)
        }
        let source = try other.open(newName, followingLinks: false)
        try source.takeMetadata(of: try folder.open(name, followingLinks: false), times: false)
        try source.sync()
        let call = old.kind == .file ? calls.rename : calls.exchange
        let result = newName.withPlatformString { new in
            name.withPlatformString { call(other.descriptor, new, folder.descriptor, $0) }
        }
        try succeed(result, "put “\(newPath)” in place of", path)
        try folder.sync()
        if old.kind == .directory { try other.remove(newName) } else { try other.sync() }
    }
}
