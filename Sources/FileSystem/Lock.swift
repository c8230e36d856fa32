internal import CFileSystem
internal import SystemPackage

/// Growing pauses of a poll, from 1 to 20 milliseconds. The kernel has no wait for a lock with a timeout.
package struct Pause: Sendable {
    private var milliseconds: UInt32 = 1

    package init() {}

    package mutating func wait() {
        cfs_pause(milliseconds)
        milliseconds = min(milliseconds * 2, 20)
    }
}

/// An advisory lock on a directory, held until it is released, deallocated, or its process ends.
///
/// The lock belongs to an open file description, so that two parts of a process exclude each other as two processes do.
/// It leaves nothing on disk, and only affects code that requests the lock too.
package final class Lock: Sendable {
    /// The mode of a lock.
    package enum Mode: Sendable { case shared, exclusive }

    private let held: OpenFile

    /// Acquires the lock and waits for at most `timeout`.
    ///
    /// - Throws: `Errno.resourceTemporarilyUnavailable` if others hold it; a failure to open the directory.
    package init(_ folder: Folder, _ mode: Mode = .exclusive, within timeout: Duration) throws(FileSystemError) {
        // Locks of one open file description do not exclude each other.
        held = try folder.open(".")
        let start = cfs_uptime_nanoseconds()
        // The limit prevents an overflow for a timeout without end.
        let limit = UInt64(min(max(0, timeout / .nanoseconds(1)), 0x1p62))
        var pause = Pause()
        while true {
            let result = folder.calls.lock(held.descriptor, mode == .exclusive)
            if result >= 0 { return }
            if result == -Errno.interrupted.rawValue { continue }
            let isHeld = result == -Errno.resourceTemporarilyUnavailable.rawValue
            guard isHeld, cfs_uptime_nanoseconds() - start < limit else {
                throw FileSystemError("lock the directory", path: folder.path, errno: Errno(rawValue: -result))
            }
            pause.wait()
        }
    }

    /// Returns the ID of a process that holds a lock on this directory, if the system provides it. There may be others.
    ///
    /// - Parameters:
    ///   - folder: The directory.
    ///   - preferred: The process to return if it is one of several; nil for any.
    /// - Returns: The ID of the process.
    package static func holder(of folder: Folder, preferring preferred: Int32? = nil) -> Int32? {
        guard let status = try? folder.status("") else { return nil }
        let process = cfs_lock_holder(status.raw.device, status.raw.inode, preferred ?? 0)
        return process == 0 ? nil : process
    }

    /// Releases the lock. Deallocation does the same.
    package func release() { try? held.close() }
}
