internal import FileSystem

/// Room on the disk that holds a container, in bytes.
public struct Capacity: Sendable, Hashable {
    /// Of the whole disk.
    public let total: UInt64
    /// Free, also for the superuser.
    public let free: UInt64
    /// Free for this user.
    public let available: UInt64
}

extension Container {
    /// The room on the disk that holds the container, at this moment.
    ///
    /// - Throws: `failed`.
    public func capacity() throws(ContainerError) -> Capacity {
        do throws(FileSystemError) {
            let space = try folder.space()
            return Capacity(total: space.total, free: space.free, available: space.available)
        } catch { throw ContainerError(error) }
    }
}
