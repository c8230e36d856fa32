internal import CFileSystem
package import SystemPackage

extension Folder {
    /// Calls `body` with the name and the status of each regular file of the folder. Otherwise like `forEachEntry`.
    package func forEachFile(
        _ body: (UnsafeRawBufferPointer, FileStatus) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        try forEachEntry { name, status throws(FileSystemError) in if status.isFile { try body(name, status) } }
    }

    /// Calls `body` with the name, which a NUL follows, and the status of each entry of the folder, in the order of the
    /// file system. Skips entries that disappear meanwhile. Memory does not grow with the number of entries.
    package func forEachEntry(
        _ body: (UnsafeRawBufferPointer, FileStatus) throws(FileSystemError) -> Void
    ) throws(FileSystemError) {
        // A second descriptor, because reading moves the position of the first one.
        let copy = calls.open(descriptor, ".", CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY, 0)
        try succeed(copy, operation: "open the directory", path)
        guard let directory = cfs_directory_take(copy) else {
            throw FileSystemError("list", path: path, errno: .noMemory)
        }
        defer { cfs_directory_close(directory) }
        var entry = cfs_entry()
        while try succeed(calls.nextEntry(directory, &entry), operation: "list", path) > 0 {
            guard let name = entry.name else { continue }
            var raw = cfs_status()
            let result = calls.status(descriptor, name, &raw)
            if result == -Errno.noSuchFileOrDirectory.rawValue { continue }
            try succeed(result, operation: "examine", FilePath(platformString: name))
            try body(UnsafeRawBufferPointer(start: name, count: entry.length), FileStatus(raw))
        }
    }

    /// Returns the names of the extended attributes of an entry. Does not follow a link.
    package func attributeNames(
        ofEntry name: UnsafePointer<CChar>, path: @autoclosure () -> FilePath
    ) throws(FileSystemError) -> [String] {
        try ExtendedAttributes.list(in: descriptor, entry: name, path: path(), call: calls.listAttributes)
    }

    /// Opens a regular file of the folder by its name for reading. Returns nil for a missing file and for an
    /// item of another kind.
    package func openFile(named name: UnsafePointer<CChar>) throws(FileSystemError) -> (OpenFile, FileStatus)? {
        let descriptor = calls.open(descriptor, name, CFS_READ | CFS_NO_FOLLOW | CFS_QUIETLY, 0)
        if [-Errno.noSuchFileOrDirectory.rawValue, -Errno.tooManySymbolicLinkLevels.rawValue].contains(descriptor) {
            return nil
        }
        let path = FilePath(platformString: name)
        try succeed(descriptor, operation: "open", path)
        let file = OpenFile(descriptor: descriptor, path: path, calls: calls)
        let status = try file.status()
        return status.isFile ? (file, status) : nil
    }

    /// Removes a file by its name, without a flush of the directory. Returns nil if it does not exist.
    package func removeIfPresent(_ name: FilePath) throws(FileSystemError) -> Bool? {
        let result = name.withPlatformString { calls.remove(descriptor, $0, false) }
        if result == -Errno.noSuchFileOrDirectory.rawValue { return nil }
        try succeed(result, operation: "remove", name)
        return true
    }
}
