internal import CFileSystem
package import SystemPackage

extension Folder {
    /// Flushes the entries of the folder to disk.
    package func sync() throws(FileSystemError) {
        try succeed(calls.sync(descriptor), operation: "sync the directory", path)
    }

    /// Flushes everything beneath the folder to disk: with one call for the file system where the system has one
    /// (syncfs(2), which reports failures since Linux 5.8), else file by file. For many new files the single call is
    /// much faster.
    package func syncTree() throws(FileSystemError) {
        let result = calls.syncFileSystem(descriptor)
        guard [.notSupported, .notSupportedOnSocket, .noFunction].contains(Errno(rawValue: -result)) else {
            try succeed(result, operation: "sync the disk of", path)
            return
        }
        try visit("") { entry throws(FileSystemError) in
            switch entry.status.kind {
            case .file: try entry.open().sync()
            case .directory: try entry.folder.openFolder(noFollow: entry.name).sync()
            default: break
            }
            return true
        }
        try sync()
    }

    /// Creates a file with `permissions` less the umask. Throws `Errno.fileExists` if the name is taken.
    package func createFile(_ path: FilePath, permissions: UInt32) throws(FileSystemError) -> OpenFile {
        let (folder, name) = try locate(path)
        let how = CFS_READ | CFS_WRITE | CFS_CREATE_NEW | CFS_NO_FOLLOW
        let permissions = Invocation.current.permissions(permissions)
        let result = name.withPlatformString { calls.open(folder.descriptor, $0, how, permissions) }
        try succeed(result, operation: "make the file", path)
        return OpenFile(descriptor: result, path: path, calls: calls)
    }

    /// Creates a directory and its missing parents, and flushes each new entry to disk. New directories get
    /// `permissions` less the umask.
    ///
    /// - Returns: True if a directory was created.
    @discardableResult
    package func createDirectories(_ path: FilePath, permissions: UInt32 = 0o777) throws(FileSystemError) -> Bool {
        guard !path.isAbsolute else { throw FileSystemError("make the directory", path: path, errno: .improperLink) }
        // Usually the directory exists. If not, the steps below find the reason.
        if (try? status(path))?.kind == .directory { return false }
        let names = path.names
        var (parent, hasCreated) = (self, false)
        for (index, name) in names.enumerated() {
            // Only for links and errors: in a debug build, each path is checked as a whole.
            func created() -> FilePath { FilePath(bytes: names[...index].map(\.bytes).joined(separator: [0x2f])) }
            func next() throws(FileSystemError) -> Folder {
                if index == names.count - 1 { return parent }
                if let directory = try? parent.openFolder(noFollow: name) { return directory }
                // A link, which is followed if it stays beneath this folder.
                return try openFolder(created())
            }
            do throws(FileSystemError) {
                let found = try parent.statusIfPresent(name)?.kind
                if found == .directory {
                    parent = try next()
                    continue
                }
                let permissions = Invocation.current.permissions(permissions)
                let result = name.withPlatformString { calls.makeDirectory(parent.descriptor, $0, permissions) }
                if result == -Errno.fileExists.rawValue {
                    let directory = try openFolder(created())
                    // Another process created it just now and may not have flushed it yet.
                    if found == nil { try parent.sync() }
                    parent = directory
                    continue
                }
                try succeed(result, operation: "make the directory", name)
                do throws(FileSystemError) { try parent.sync() } catch {
                    // Otherwise the next attempt would take the directory for a durable one.
                    _ = name.withPlatformString { calls.remove(parent.descriptor, $0, true) }
                    throw error
                }
                hasCreated = true
                parent = try next()
            } catch { throw FileSystemError(error.operation, path: created(), errno: error.errno) }
        }
        return hasCreated
    }

    /// Removes an entry, and its content if it is a directory. Links are removed, not followed.
    ///
    /// After an interruption, a part of the tree is removed and the rest is complete.
    package func remove(_ path: FilePath) throws(FileSystemError) {
        let (parent, name) = try locate(path)
        try parent.removeEntry(name, path: path)
        try parent.sync()
    }

    /// Removes an entry of this folder, and its content if it is a directory. Does not flush to disk.
    package func removeWithoutSync(_ name: FilePath) throws(FileSystemError) {
        try removeEntry(name, path: name)
    }

    /// Removes several entries of this folder and flushes the folder to disk once.
    package func remove(_ names: [FilePath]) throws(FileSystemError) {
        for name in names { try removeEntry(name, path: name) }
        try sync()
    }

    /// Removes an entry depth first, with one open folder per level. The levels are kept in an array, because a thread
    /// may have a small stack.
    private func removeEntry(_ name: FilePath, path: FilePath) throws(FileSystemError) {
        /// A directory whose content is being removed.
        struct Level {
            let parent: Folder
            let name: FilePath
            let path: FilePath
            let folder: Folder
            var rest: ArraySlice<FilePath>
        }
        func removeName(_ name: FilePath, of folder: Folder, path: FilePath, isDirectory: Bool)
            throws(FileSystemError)
        {
            let result = name.withPlatformString { folder.calls.remove(folder.descriptor, $0, isDirectory) }
            try succeed(result, operation: "remove", path)
        }
        var levels: [Level] = []
        func begin(_ name: FilePath, of parent: Folder, path: FilePath) throws(FileSystemError) {
            guard try parent.status(name).kind == .directory else {
                return try removeName(name, of: parent, path: path, isDirectory: false)
            }
            guard levels.count < 256 else {
                throw FileSystemError("remove so deep a tree as", path: path, errno: .tooManyOpenFiles)
            }
            let folder = try parent.openFolder(noFollow: name)
            levels.append(Level(parent: parent, name: name, path: path, folder: folder, rest: try folder.names()[...]))
        }
        try begin(name, of: self, path: path)
        while let last = levels.indices.last {
            let (folder, path) = (levels[last].folder, levels[last].path)
            if let entry = levels[last].rest.popFirst() {
                try begin(entry, of: folder, path: path.appending(entry.components))
            } else {
                let level = levels.removeLast()
                try removeName(level.name, of: level.parent, path: level.path, isDirectory: true)
            }
        }
    }

    /// Opens a directory in this one. Does not follow a link.
    package func openFolder(noFollow name: FilePath) throws(FileSystemError) -> Folder {
        let how = CFS_READ | CFS_AS_DIRECTORY | CFS_NO_FOLLOW | CFS_QUIETLY
        let result = name.withPlatformString { calls.open(descriptor, $0, how, 0) }
        try succeed(result, operation: "open the directory", name)
        return Folder(descriptor: result, path: name, calls: calls, resolution: resolution)
    }

    /// Creates a directory in an existing parent. Throws `Errno.fileExists` if the name is taken.
    package func createDirectory(_ path: FilePath, permissions: UInt32 = 0o777) throws(FileSystemError) {
        let (parent, name) = try locate(path)
        let permissions = Invocation.current.permissions(permissions)
        let result = name.withPlatformString { calls.makeDirectory(parent.descriptor, $0, permissions) }
        try succeed(result, operation: "make the directory", path)
    }

    /// Removes an empty directory. Throws `Errno.directoryNotEmpty` if it is not empty.
    package func removeEmptyDirectory(_ path: FilePath) throws(FileSystemError) {
        let (parent, name) = try locate(path)
        try succeed(name.withPlatformString { calls.remove(parent.descriptor, $0, true) }, operation: "remove", path)
    }

    /// Removes a file, link or special file. Does not flush to disk. Throws an error for a directory.
    package func removeFile(_ path: FilePath) throws(FileSystemError) {
        let (parent, name) = try locate(path)
        try succeed(name.withPlatformString { calls.remove(parent.descriptor, $0, false) }, operation: "remove", path)
    }

    /// Renames an entry atomically on the same file system. Does not flush to disk. Throws `Errno.fileExists` if the
    /// new name is taken and `Errno.improperLink` for another file system.
    package func rename(_ path: FilePath, to newPath: FilePath, in target: Folder) throws(FileSystemError) {
        try rename(path, newPath: newPath, in: target, by: calls.renameNew)
    }

    /// Renames a file atomically on the same file system and replaces a file or link with that name. Does not flush to
    /// disk. Throws `Errno.isDirectory` if the new name is a directory.
    package func rename(_ path: FilePath, over newPath: FilePath, in target: Folder) throws(FileSystemError) {
        try rename(path, newPath: newPath, in: target, by: calls.rename)
    }

    /// Exchanges two entries atomically on the same file system. Does not flush to disk. Throws `Errno.invalidArgument` if
    /// the file system cannot do it.
    package func exchange(_ path: FilePath, with other: FilePath, in target: Folder) throws(FileSystemError) {
        try rename(path, newPath: other, in: target, by: calls.exchange)
    }

    private func rename(
        _ path: FilePath, newPath: FilePath, in target: Folder,
        by call: (Int32, Syscalls.Path, Int32, Syscalls.Path) -> Int32
    ) throws(FileSystemError) {
        let (from, oldName) = try locate(path)
        let (to, newName) = try target.locate(newPath)
        let result = oldName.withPlatformString { old in
            newName.withPlatformString { call(from.descriptor, old, to.descriptor, $0) }
        }
        try succeed(result, operation: "move", path)
    }

    /// Creates a hard link to a file beneath this folder. `newPath` is beneath `target` or this folder.
    package func createHardLink(
        to path: FilePath, at newPath: FilePath, in target: Folder? = nil
    ) throws(FileSystemError) {
        let (from, oldName) = try locate(path)
        let (to, newName) = try (target ?? self).locate(newPath)
        let result = oldName.withPlatformString { old in
            newName.withPlatformString { calls.addName(from.descriptor, old, to.descriptor, $0) }
        }
        try succeed(result, operation: "give another name to", path)
    }

    /// Creates a symbolic link to `target`.
    package func createSymbolicLink(_ path: FilePath, to target: FilePath) throws(FileSystemError) {
        try createSymbolicLink(path, to: target.bytes)
    }

    /// Creates a symbolic link to the bytes of a path. Throws `Errno.invalidArgument` if they contain a NUL.
    package func createSymbolicLink(_ path: FilePath, to target: [UInt8]) throws(FileSystemError) {
        guard !target.contains(0) else { throw FileSystemError("make the link", path: path, errno: .invalidArgument) }
        let (parent, name) = try locate(path)
        let text = target.map { CChar(bitPattern: $0) } + [0]
        let result = name.withPlatformString { calls.createSymbolicLink(parent.descriptor, $0, text) }
        try succeed(result, operation: "make the link", path)
    }

    /// Creates a named pipe.
    package func createFIFO(_ path: FilePath) throws(FileSystemError) {
        let (parent, name) = try locate(path)
        try succeed(
            name.withPlatformString { cfs_make_fifo(parent.descriptor, $0, 0o600) }, operation: "make the pipe", path)
    }

    /// Sets the owner of a link to that of a stored status, if the process has the permission. Returns false without
    /// it.
    @discardableResult
    package func applyOwner(_ path: FilePath, of stored: FileStatus) throws(FileSystemError) -> Bool {
        let (parent, name) = try locate(path)
        let result = name.withPlatformString {
            calls.setLinkOwner(parent.descriptor, $0, stored.owner.user, stored.owner.group)
        }
        // A user namespace may have no ID for an owner: EINVAL.
        if result == -Errno.notPermitted.rawValue || result == -Errno.invalidArgument.rawValue { return false }
        try succeed(result, operation: "set the owner of", path)
        return true
    }

    /// Gives the owner all rights in a directory of this folder, which no other process changes.
    package func makeAccessible(_ name: FilePath, status: FileStatus) throws(FileSystemError) {
        guard status.permissions & 0o700 != 0o700 else { return }
        let permissions = status.permissions & 0o7777 | 0o700
        try succeed(
            name.withPlatformString { cfs_set_permissions_at(descriptor, $0, permissions) },
            operation: "set the mode of", name)
    }

    /// Sets the access and modification time of an entry. Does not follow a link.
    package func setTimes(_ path: FilePath, accessed: Timestamp, modified: Timestamp) throws(FileSystemError) {
        let (parent, name) = try locate(path)
        let result = name.withPlatformString {
            calls.setLinkTimes(parent.descriptor, $0, accessed.time, modified.time)
        }
        try succeed(result, operation: "set the times of", path)
    }
}
