internal import FileSystem

/// The capacity of the file system of a container, in bytes.
public struct Capacity: Sendable, Hashable {
    /// The total capacity.
    public let total: UInt64
    /// The free space, including the part reserved for the superuser.
    public let free: UInt64
    /// The free space for this user.
    public let available: UInt64
}

extension Container {
    /// Returns the current capacity of the file system of the container.
    ///
    /// - Throws: `failed`.
    public func capacity() throws(ContainerError) -> Capacity {
        do throws(FileSystemError) {
            let space = try folder.space()
            return Capacity(total: space.total, free: space.free, available: space.available)
        } catch { throw ContainerError(error) }
    }
}
