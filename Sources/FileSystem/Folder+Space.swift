internal import CFileSystem

/// Bytes of a disk.
package struct Space: Sendable, Hashable {
    /// All of it.
    package let total: UInt64
    /// Free, also for the superuser.
    package let free: UInt64
    /// Free for this user.
    package let available: UInt64
}

extension Folder {
    /// The room on the disk that holds the folder.
    package func space() throws(FileSystemError) -> Space {
        var space = cfs_space()
        try succeed(calls.space(descriptor, &space), "ask for the room on the disk of", path)
        return Space(total: space.total, free: space.free, available: space.available)
    }
}
