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
    private var turns: [Key: (served: Int, given: Int)] = [:]

    init() {}
    deinit { cfs_monitor_free(monitor) }

    /// Runs `body` when it is this caller's turn at every one of `keys`. It must not ask for one of them again.
    package func withTurn<Result, Failure>(
        at keys: [Key], _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // All callers go through their keys in one order, so that no two wait for each other.
        let keys = keys.count == 1 ? keys : Set(keys).sorted()
        for key in keys { wait(for: key) }
        defer { for key in keys { finish(key) } }
        return try body()
    }

    private func wait(for key: Key) {
        cfs_monitor_lock(monitor)
        defer { cfs_monitor_unlock(monitor) }
        let ticket = turns[key]?.given ?? 0
        turns[key, default: (0, 0)].given += 1
        while turns[key]?.served != ticket { cfs_monitor_wait(monitor) }
    }

    private func finish(_ key: Key) {
        cfs_monitor_lock(monitor)
        defer { cfs_monitor_unlock(monitor) }
        guard var turn = turns[key] else { return }
        turn.served += 1
        turns[key] = turn.served == turn.given ? nil : turn
        cfs_monitor_wake_all(monitor)
    }
}
