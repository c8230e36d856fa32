internal import CFileSystem

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
        try succeed(calls.space(descriptor, &space), "ask for the room on the disk of", path)
        return Space(total: space.total, free: space.free, available: space.available)
    }
}
