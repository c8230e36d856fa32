internal import CFileSystem
package import SystemPackage

extension Folder {
    /// Removes a directory of this folder with everything in it, whatever its depth and the modes of its directories.
    /// For directories of our own, such as extracted archives. Does not flush to disk.
    ///
    /// Only two levels are open at a time: directories further down are moved up first.
    ///
    /// - Parameters:
    ///   - name: The name of the directory.
    ///   - deadline: The time of `Host.uptime` at which the removal ends, with a part of the directory left.
    /// - Returns: False if the removal ended at the deadline.
    /// - Throws: `FileSystemError` for an item that cannot be removed.
    @discardableResult package func removeTree(
        _ name: FilePath, until deadline: UInt64 = .max
    ) throws(FileSystemError) -> Bool {
        let root = try openOwnFolder(name)
        var moved = 0
        var names = try root.names()
        while !names.isEmpty {
            for name in names where try !root.removeIfEmpty(name) {
                let directory = try root.openOwnFolder(name)
                for child in try directory.names() {
                    guard Host.uptime < deadline else { return false }
                    if try directory.removeIfEmpty(child) { continue }
                    // A directory that is moved is written: its entry `..` changes.
                    directory.makeAccessible(child)
                    try directory.moveUp(child, to: root, moved: &moved)
                }
                try root.removeEmptyDirectory(name)
            }
            names = try root.names()
        }
        try removeEmptyDirectory(name)
        return true
    }

    /// Removes a file or an empty directory. Returns false for any other directory.
    private func removeIfEmpty(_ name: FilePath) throws(FileSystemError) -> Bool {
        let failure: FileSystemError
        do throws(FileSystemError) {
            try removeFile(name)
            return true
        } catch {
            // POSIX names the second one for a directory, and Apple's systems return it.
            guard error.errno == .isDirectory || error.errno == .notPermitted else { throw error }
            failure = error
        }
        do throws(FileSystemError) {
            try removeEmptyDirectory(name)
            return true
        } catch {
            if error.errno == .directoryNotEmpty || error.errno == .fileExists { return false }
            throw error.errno == .notDirectory ? failure : error
        }
    }

    /// Opens a directory and gives this user all rights to it.
    private func openOwnFolder(_ name: FilePath) throws(FileSystemError) -> Folder {
        makeAccessible(name)
        return try openFolder(noFollow: name)
    }

    /// Failures are those of the operation that needs the rights.
    private func makeAccessible(_ name: FilePath) {
        _ = name.withPlatformString { cfs_set_permissions_of_directory(descriptor, $0, 0o700) }
    }

    private func moveUp(_ name: FilePath, to root: Folder, moved: inout Int) throws(FileSystemError) {
        while true {
            moved += 1
            do throws(FileSystemError) {
                return try rename(name, to: FilePath("removed-\(moved)"), in: root)
            } catch {
                guard error.errno == .fileExists else { throw error }
            }
        }
    }
}
