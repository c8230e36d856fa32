package import SystemPackage

extension Folder {
    /// Copies a file to a path beneath `target` and replaces an existing entry as the policy of `write` allows.
    ///
    /// The copy has the metadata and times of the original and the attribute changes of `write`. After a crash the path
    /// has the old entry or the copy, complete.
    package func copyFile(
        _ path: FilePath, over newPath: FilePath, in target: Folder, by write: AtomicWrite
    ) throws(AtomicWriteError) {
        let original: OpenFile
        do throws(FileSystemError) { original = try openFile(path, toReplace: newPath, in: target) } catch {
            throw AtomicWriteError(stage: .untouched, cause: error)
        }
        try write.write(to: newPath, in: target, modelledOn: original) { file throws(FileSystemError) in
            try original.copyContentKeepingHoles(to: file)
        }
    }

    /// Moves a file to a path beneath `target` and replaces an existing entry as the policy of `write` allows.
    ///
    /// On the same file system, the file is renamed. Otherwise, and if the policy follows a link, it is copied and then
    /// removed.
    package func moveFile(
        _ path: FilePath, over newPath: FilePath, in target: Folder, by write: AtomicWrite
    ) throws(AtomicWriteError) {
        let (from, to): (Folder, Folder)
        var result = -Errno.improperLink.rawValue
        do throws(FileSystemError) {
            let (oldName, newName): (FilePath, FilePath)
            (from, oldName) = try locate(path)
            (to, newName) = try target.locate(newPath)
            let file = try openFile(path, toReplace: newPath, in: target)
            let old = try to.statusIfPresent(newName)
            if let old { try StagedFile.check(old, path: newPath, policy: write.conflicts) }
            let isLink = old?.kind == .symbolicLink && write.conflicts.symbolicLink == .follow
            if !isLink {
                if !write.attributes.isEmpty {
                    try file.apply(write.attributes)
                    try file.sync()
                }
                result = oldName.withPlatformString { old in
                    newName.withPlatformString { calls.rename(from.descriptor, old, to.descriptor, $0) }
                }
            }
            if result != -Errno.improperLink.rawValue { try succeed(result, operation: "move “\(path)” to", newPath) }
        } catch { throw AtomicWriteError(stage: .untouched, cause: error) }
        guard result == 0 else {
            try copyFile(path, over: newPath, in: target, by: write)
            do throws(FileSystemError) { return try remove(path) } catch {
                throw AtomicWriteError(stage: .besideOld(path), cause: error)
            }
        }
        do throws(FileSystemError) {
            try to.sync()
            try from.sync()
        } catch {
            throw AtomicWriteError(
                stage: .visible, cause: FileSystemError(error.operation, path: newPath, errno: error.errno))
        }
    }

    /// Opens a file that is to replace an entry. Throws if it is not a file, or the entry is the same file.
    private func openFile(
        _ path: FilePath, toReplace newPath: FilePath, in target: Folder
    ) throws(FileSystemError) -> OpenFile {
        switch try status(path).kind {
        case .file: break
        case .directory: throw FileSystemError("replace “\(newPath)” by the directory", path: path, errno: .isDirectory)
        default:
            throw FileSystemError(
                "replace “\(newPath)” by the link or special file", path: path, errno: .invalidArgument)
        }
        let file = try open(path, followingLinks: false)
        // The kernel would do nothing for two names of one file, and report success.
        if let other = try target.statusIfPresent(newPath), try file.status().identity == other.identity {
            throw FileSystemError("replace by itself", path: path, errno: .invalidArgument)
        }
        return file
    }
}
