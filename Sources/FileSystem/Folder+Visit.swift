internal import CFileSystem
package import SystemPackage

extension Folder {
    /// An entry during a visit.
    package struct Entry {
        /// The directory that contains the entry.
        package let folder: Folder
        /// The name in the directory.
        package let name: FilePath
        /// The path relative to the visited folder.
        package let path: FilePath
        package let status: FileStatus

        /// Opens the entry. Does not follow a link.
        package func open() throws(FileSystemError) -> OpenFile {
            do throws(FileSystemError) { return try folder.open(name, followingLinks: false) } catch {
                throw FileSystemError(error.operation, path: path, errno: error.errno)
            }
        }

        /// Removes the entry and its content.
        package func remove() throws(FileSystemError) {
            do throws(FileSystemError) { try folder.remove(name) } catch {
                throw FileSystemError(error.operation, path: path, errno: error.errno)
            }
        }
    }

    /// Visits everything beneath the directory at `path`, sorted by bytes, each directory before its content. `body`
    /// returns true to enter a directory. Links are visited, not followed.
    ///
    /// Skips entries that disappear during the visit. Only one directory is open at a time.
    package func visit(
        _ path: FilePath, _ body: (Entry) throws(FileSystemError) -> Bool
    ) throws(FileSystemError) {
        var pending = try visitEntries(in: path, body)
        while let path = pending.popLast() {
            do throws(FileSystemError) { pending += try visitEntries(in: path, body) } catch {
                guard error.errno == .noSuchFileOrDirectory, error.path == path else { throw error }
            }
        }
    }

    /// Visits the entries of one directory and returns the directories to enter, the last one first.
    private func visitEntries(
        in path: FilePath, _ body: (Entry) throws(FileSystemError) -> Bool
    ) throws(FileSystemError) -> [FilePath] {
        let folder = try openFolder(noLinks: path)
        var entered: [FilePath] = []
        for name in try folder.names() {
            guard let status = try folder.statusIfPresent(name) else { continue }
            let entry = Entry(folder: folder, name: name, path: path.appending(name.components), status: status)
            do throws(FileSystemError) {
                if try body(entry), status.kind == .directory { entered.append(entry.path) }
            } catch {
                // The entry has disappeared, as the temporary files of concurrent saves do.
                guard error.errno == .noSuchFileOrDirectory, error.path == entry.path else { throw error }
            }
        }
        return entered.reversed()
    }

    /// Opens a directory beneath this one. No component of the path may be a link.
    package func openFolder(noLinks path: FilePath) throws(FileSystemError) -> Folder {
        let descriptor = resolve(path, how: CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY | CFS_NO_LINKS | CFS_NO_FOLLOW)
        try succeed(descriptor, operation: "open the directory", path)
        return Folder(descriptor: descriptor, path: path, calls: calls, resolution: resolution)
    }
}

extension Folder {
    private static let mostPending = 100_000

    /// Counts the entries beneath the folder by their names alone, which takes a fraction of the time of a walk. Skips
    /// unreadable directories.
    ///
    /// - Returns: The number of entries, or nil if the tree is too wide or `isCalledOff` returns true.
    package func countEntries(unless isCalledOff: () -> Bool) -> Int? {
        var count = 0
        var pending: [FilePath] = [""]
        while let path = pending.popLast() {
            if isCalledOff() || pending.count > Self.mostPending { return nil }
            let descriptor = resolve(
                path, how: CFS_READ | CFS_AS_DIRECTORY | CFS_QUIETLY | CFS_NO_LINKS | CFS_NO_FOLLOW)
            guard descriptor >= 0, let stream = cfs_directory_take(descriptor) else { continue }
            defer { cfs_directory_close(stream) }
            var entry = cfs_entry()
            while cfs_directory_next(stream, &entry) > 0 {
                count += 1
                guard entry.kind == UInt8(CFS_DIRECTORY) else { continue }
                let name = UnsafeRawBufferPointer(start: entry.name, count: entry.length)
                pending.append(FilePath(bytes: path.bytes + (path.isEmpty ? [] : [UInt8(ascii: "/")]) + name))
            }
        }
        return count
    }
}

/// The capacity of a file system in bytes.
package struct Space: Sendable, Hashable {
    /// The total capacity.
    package let total: UInt64
    /// The free space, including the part reserved for the superuser.
    package let free: UInt64
    /// The free space for this user.
    package let available: UInt64
}

extension Folder {
    /// Returns the capacity of the file system of the folder.
    package func space() throws(FileSystemError) -> Space {
        var space = cfs_space()
        try succeed(calls.space(descriptor, &space), operation: "ask for the room on the disk of", path)
        return Space(total: space.total, free: space.free, available: space.available)
    }
}
