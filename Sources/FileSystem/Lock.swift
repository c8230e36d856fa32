internal import CFileSystem
internal import SystemPackage

/// An advisory lock on a directory, held until it is released, dropped, or its process ends.
///
/// It belongs to one open of the directory (an open file description), so that two parts of a process exclude
/// each other as two processes do. It leaves nothing on disk, and binds only those who ask for it too.
package final class Lock: Sendable {
    /// How many may hold it at once.
    package enum Mode: Sendable { case shared, exclusive }

    private let held: OpenFile

    /// Waits for the lock, at most for `timeout`.
    ///
    /// - Throws: `Errno.resourceTemporarilyUnavailable` when others kept it; a failure to open the directory.
    package init(_ folder: Folder, _ mode: Mode = .exclusive, within timeout: Duration) throws(FileSystemError) {
        // Locks of one open do not exclude each other: an open of its own.
        held = try folder.open(".")
        let start = cfs_uptime_nanoseconds()
        // Some longest wait that can be counted stands for “for ever”.
        let limit = UInt64(min(max(0, timeout / .nanoseconds(1)), 0x1p62))
        var pause: UInt32 = 1
        while true {
            let result = folder.calls.lock(held.descriptor, mode == .exclusive)
            if result >= 0 { return }
            if result == -Errno.interrupted.rawValue { continue }
            let isHeld = result == -Errno.resourceTemporarilyUnavailable.rawValue
            guard isHeld, cfs_uptime_nanoseconds() - start < limit else {
                throw FileSystemError("lock the directory", folder.path, Errno(rawValue: -result))
            }
            // The kernel has no wait with an end; short waits that grow are near enough.
            cfs_pause(pause)
            pause = min(pause * 2, 20)
        }
    }

    /// A process that holds a lock on this directory, where the system tells: it need not be the only one.
    package static func holder(of folder: Folder) -> Int32? {
        guard let status = try? folder.status("") else { return nil }
        let process = cfs_lock_holder(status.raw.device, status.raw.inode)
        return process == 0 ? nil : process
    }

    /// Lets the lock go. Dropping the last reference does the same.
    package func release() { try? held.close() }
}
