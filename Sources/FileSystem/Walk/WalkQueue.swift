internal import CFileSystem

/// The directories that a walk has found and not yet read. Last in, first out, which keeps the queue short.
///
/// The monitor guards every stored property, so the class is safe to share.
final class WalkQueue<Directory: Sendable>: @unchecked Sendable {
    struct Pending: Sendable {
        let path: [UInt8]
        let depth: Int
        let directory: Directory
    }

    private let monitor = cfs_monitor_make()
    private var waiting: [Pending]
    private var unfinished = 1
    private var idle = 0

    init(first: Pending) { waiting = [first] }

    deinit { cfs_monitor_free(monitor) }

    var count: Int {
        cfs_monitor_lock(monitor)
        defer { cfs_monitor_unlock(monitor) }
        return waiting.count
    }

    func add(_ pending: Pending) {
        cfs_monitor_lock(monitor)
        waiting.append(pending)
        unfinished += 1
        if idle > 0 { cfs_monitor_wake_all(monitor) }
        cfs_monitor_unlock(monitor)
    }

    /// Returns the next directory to read, or nil if all have been read. Waits while other threads may add some.
    func next() -> Pending? {
        cfs_monitor_lock(monitor)
        defer { cfs_monitor_unlock(monitor) }
        while waiting.isEmpty {
            if unfinished == 0 { return nil }
            idle += 1
            cfs_monitor_wait(monitor)
            idle -= 1
        }
        return waiting.removeLast()
    }

    /// Marks a directory as read.
    func finished() {
        cfs_monitor_lock(monitor)
        unfinished -= 1
        if unfinished == 0 { cfs_monitor_wake_all(monitor) }
        cfs_monitor_unlock(monitor)
    }
}
