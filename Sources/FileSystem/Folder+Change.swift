internal import CFileSystem
package import SystemPackage

extension Folder {
    /// Brings the folder's names down to the medium.
    package func sync() throws(FileSystemError) { try succeed(calls.sync(descriptor), "sync the directory", path) }

    /// Brings everything beneath the folder down to the medium: by one call for its whole disk where the system has one
    /// (syncfs(2), which tells of failures since Linux 5.8), else each file and directory by itself. For many new files
    /// the first takes a small part of the time.
    package func syncTree() throws(FileSystemError) {
        let result = calls.syncFileSystem(descriptor)
        guard [.notSupported, .notSupportedOnSocket, .noFunction].contains(Errno(rawValue: -result)) else {
            try succeed(result, "sync the disk of", path)
            return
        }
        try visit("") { entry throws(FileSystemError) in
            switch entry.status.kind {
            case .file: try entry.open().sync()
            case .directory: try entry.folder.folder(noFollow: entry.name).sync()
            default: break
            }
            return true
        }
        try sync()
    }

    /// Makes a new file in this folder; `permissions` less the umask. `Errno.fileExists` if the name is taken.
    package func create(_ path: FilePath, permissions: UInt32) throws(FileSystemError) -> OpenFile {
        let (folder, name) = try locate(path)
        let how = CFS_READ | CFS_WRITE | CFS_CREATE_NEW | CFS_NO_FOLLOW
        let result = name.withPlatformString { calls.open(folder.descriptor, $0, how, permissions) }
        try succeed(result, "make the file", path)
        return OpenFile(descriptor: result, path: path, calls: calls)
    }

    /// Makes a directory and those above it that are missing, and brings each new name down to the medium. New
    /// directories get `permissions` less the umask.
    ///
    /// - Returns: Whether any was made.
    @discardableResult
    package func makeFolder(_ path: FilePath, permissions: UInt32 = 0o777) throws(FileSystemError) -> Bool {
        guard !path.isAbsolute else { throw FileSystemError("make the directory", path, .improperLink) }
        // It is there, as a rule; if it is not, the steps below tell what is wrong on the way.
        if (try? status(path))?.kind == .directory { return false }
        var made = FilePath()
        var hasMade = false
        for component in path.components {
            made.append(component)
            // The way there may hold links; only what is missing is made.
            let found = try statusIfPresent(made)?.kind
            if found == .directory { continue }
            let (parent, name) = try locate(made)
            let result = name.withPlatformString { calls.makeDirectory(parent.descriptor, $0, permissions) }
            if result == -Errno.fileExists.rawValue {
                _ = try folder(made)
                // Someone else was first just now, and may not have come as far as the next step.
                if found == nil { try parent.sync() }
                continue
            }
            try succeed(result, "make the directory", made)
            do throws(FileSystemError) { try parent.sync() } catch {
                // Left, it would be taken for one that lasts by whoever tries again.
                _ = name.withPlatformString { calls.remove(parent.descriptor, $0, true) }
                throw error
            }
            hasMade = true
        }
        return hasMade
    }

    /// Removes an entry and, if it is a directory, all that is in it. Links are removed, not followed.
    ///
    /// Stopped part-way, some of the tree is gone and the rest is whole.
    package func remove(_ path: FilePath) throws(FileSystemError) {
        let (parent, name) = try locate(path)
        // Depth first with an open folder a level; deeper than this is no one's container.
        try parent.removeEntry(name, path, depth: 0)
        try parent.sync()
    }

    /// Removes entries of this folder's own as `remove` does, and brings that down to the medium once for all of them.
    package func remove(_ names: [FilePath]) throws(FileSystemError) {
        for name in names { try removeEntry(name, name, depth: 0) }
        try sync()
    }

    private func removeEntry(_ name: FilePath, _ path: FilePath, depth: Int) throws(FileSystemError) {
        let isDirectory = try status(name).kind == .directory
        if isDirectory {
            guard depth < 256 else { throw FileSystemError("remove so deep a tree as", path, .tooManyOpenFiles) }
            let folder = try self.folder(noFollow: name)
            for entry in try folder.names() {
                try folder.removeEntry(entry, path.appending(entry.components), depth: depth + 1)
            }
        }
        try succeed(name.withPlatformString { calls.remove(descriptor, $0, isDirectory) }, "remove", path)
    }

    /// Opens a directory in this one, which must not be a link to one.
    package func folder(noFollow name: FilePath) throws(FileSystemError) -> Folder {
        let how = CFS_READ | CFS_AS_DIRECTORY | CFS_NO_FOLLOW | CFS_QUIETLY
        let result = name.withPlatformString { calls.open(descriptor, $0, how, 0) }
        try succeed(result, "open the directory", name)
        return Folder(descriptor: result, path: name, calls: calls, resolution: resolution)
    }

    /// Makes one directory, whose parent is there. `Errno.fileExists` if the name is taken.
    package func makeDirectory(_ path: FilePath, permissions: UInt32 = 0o777) throws(FileSystemError) {
        let (parent, name) = try locate(path)
        let made = name.withPlatformString { calls.makeDirectory(parent.descriptor, $0, permissions) }
        try succeed(made, "make the directory", path)
    }

    /// Removes a directory that holds nothing. `Errno.directoryNotEmpty` if it does.
    package func removeEmptyDirectory(_ path: FilePath) throws(FileSystemError) {
        let (parent, name) = try locate(path)
        try succeed(name.withPlatformString { calls.remove(parent.descriptor, $0, true) }, "remove", path)
    }

    /// Gives an entry another name on the same disk, which it must not find taken: one step of the kernel's, by which
    /// nothing of the entry changes. It is not brought down to the medium. `Errno.improperLink` for another disk.
    package func rename(_ path: FilePath, to newPath: FilePath, in target: Folder) throws(FileSystemError) {
        try rename(path, newPath, in: target, by: calls.renameNew)
    }

    /// Gives a file another name on the same disk, where it takes the place of a file or link that has that name: one
    /// step of the kernel's. It is not brought down to the medium. `Errno.isDirectory` for the name of a directory.
    package func rename(_ path: FilePath, over newPath: FilePath, in target: Folder) throws(FileSystemError) {
        try rename(path, newPath, in: target, by: calls.rename)
    }

    private func rename(
        _ path: FilePath, _ newPath: FilePath, in target: Folder,
        by call: (Int32, Syscalls.Path, Int32, Syscalls.Path) -> Int32
    ) throws(FileSystemError) {
        let (from, oldName) = try locate(path)
        let (to, newName) = try target.locate(newPath)
        let result = oldName.withPlatformString { old in
            newName.withPlatformString { call(from.descriptor, old, to.descriptor, $0) }
        }
        try succeed(result, "move", path)
    }

    /// Gives a file beneath this folder a second name, which must not be taken: beneath `target`, or this folder.
    package func addName(
        to path: FilePath, at newPath: FilePath, in target: Folder? = nil
    ) throws(FileSystemError) {
        let (from, oldName) = try locate(path)
        let (to, newName) = try (target ?? self).locate(newPath)
        let result = oldName.withPlatformString { old in
            newName.withPlatformString { calls.addName(from.descriptor, old, to.descriptor, $0) }
        }
        try succeed(result, "give another name to", path)
    }

    /// Makes a symbolic link that says `target`.
    package func makeLink(_ path: FilePath, to target: FilePath) throws(FileSystemError) {
        try makeLink(path, to: target.bytes)
    }

    /// Makes a symbolic link that says these bytes. `Errno.invalidArgument` for bytes that no link can say.
    package func makeLink(_ path: FilePath, to target: [UInt8]) throws(FileSystemError) {
        guard !target.contains(0) else { throw FileSystemError("make the link", path, .invalidArgument) }
        let (parent, name) = try locate(path)
        let text = target.map { CChar(bitPattern: $0) } + [0]
        let result = name.withPlatformString { calls.makeLink(parent.descriptor, $0, text) }
        try succeed(result, "make the link", path)
    }

    /// Makes a named pipe.
    package func makeFIFO(_ path: FilePath) throws(FileSystemError) {
        let (parent, name) = try locate(path)
        try succeed(
            name.withPlatformString { cfs_make_fifo(parent.descriptor, $0, 0o600) }, "make the pipe", path)
    }

    /// Gives a link the owner that was kept of another, as far as this process may.
    package func takeOwner(_ path: FilePath, of kept: FileStatus) throws(FileSystemError) {
        let (parent, name) = try locate(path)
        let result = name.withPlatformString {
            calls.setLinkOwner(parent.descriptor, $0, kept.owner.user, kept.owner.group)
        }
        // A user namespace has no number for some owners: EINVAL.
        if result == -Errno.notPermitted.rawValue || result == -Errno.invalidArgument.rawValue { return }
        try succeed(result, "set the owner of", path)
    }

    /// Sets when an entry itself, which may be a link, was last read and changed.
    package func setTimes(_ path: FilePath, accessed: Timestamp, modified: Timestamp) throws(FileSystemError) {
        let (parent, name) = try locate(path)
        let result = name.withPlatformString {
            calls.setLinkTimes(parent.descriptor, $0, accessed.time, modified.time)
        }
        try succeed(result, "set the times of", path)
    }
}
