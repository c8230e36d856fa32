internal import CFileSystem

/// Turns at names: in this process, whoever changes a name waits for those who asked before.
///
/// A save reads the old file's attributes and then takes its name; without a turn, a flag set in between would
/// be lost. The monitor guards every stored property; that is what makes the class safe to share.
package final class PathQueue: @unchecked Sendable {
    /// A name as the process knows it: the disk and inode of a directory, and the path from there.
    package struct Key: Sendable, Hashable, Comparable {
        package let device: UInt64
        package let inode: UInt64
        package let path: [UInt8]

        package init(device: UInt64, inode: UInt64, path: [UInt8]) {
            self.device = device
            self.inode = inode
            self.path = path
        }

        package static func < (left: Key, right: Key) -> Bool {
            if (left.device, left.inode) != (right.device, right.inode) {
                return (left.device, left.inode) < (right.device, right.inode)
            }
            return left.path.lexicographicallyPrecedes(right.path)
        }
    }

    /// The process's own.
    package static let shared = PathQueue()

    private let monitor = cfs_monitor_make()
    private struct Turn {
        var served = 0
        var given = 0
        /// Whose turn it is.
        var thread: UInt64?
    }
    private var turns: [Key: Turn] = [:]

    init() {}
    deinit { cfs_monitor_free(monitor) }

    /// Runs `body` when it is this caller's turn at every one of `keys`. Where the caller's own thread has the turn at
    /// one already (an app's coder that saves, called by a save), it is not waited for.
    package func withTurn<Result, Failure>(
        at keys: [Key], _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // All callers go through their keys in one order, so that no two wait for each other.
        let keys = (keys.count == 1 ? keys : Set(keys).sorted()).filter { wait(for: $0) }
        defer { for key in keys { finish(key) } }
        return try body()
    }

    /// False where this thread has the turn already.
    private func wait(for key: Key) -> Bool {
        let thread = cfs_thread()
        cfs_monitor_lock(monitor)
        defer { cfs_monitor_unlock(monitor) }
        if turns[key]?.thread == thread { return false }
        let ticket = turns[key]?.given ?? 0
        turns[key, default: Turn()].given += 1
        while turns[key]?.served != ticket { cfs_monitor_wait(monitor) }
        turns[key]?.thread = thread
        return true
    }

    private func finish(_ key: Key) {
        cfs_monitor_lock(monitor)
        defer { cfs_monitor_unlock(monitor) }
        guard var turn = turns[key] else { return }
        turn.served += 1
        turn.thread = nil
        turns[key] = turn.served == turn.given ? nil : turn
        cfs_monitor_wake_all(monitor)
    }
}
