internal import CFileSystem

/// Turns at names: in this process, whoever changes a name waits for those who asked before.
///
/// A save reads the old file's attributes and then takes its name; without a turn, a flag set in between would
/// be lost. The monitor guards every stored property; that is what makes the class safe to share.
package final class PathQueue: @unchecked Sendable {
    /// A name as the process knows it: the disk and inode of a directory, and the path from there.
    package struct Key: Sendable, Hashable {
        package let device: UInt64
        package let inode: UInt64
        package let path: [UInt8]

        package init(device: UInt64, inode: UInt64, path: [UInt8]) {
            self.device = device
            self.inode = inode
            self.path = path
        }
    }

    /// The process's own.
    package static let shared = PathQueue()

    private let monitor = cfs_monitor_make()
    /// The thread whose turn it is.
    private var owners: [Key: UInt64] = [:]
    /// Who waits, in the order in which they came.
    private var waiting: [Key: [Int]] = [:]
    private var nextTicket = 0

    init() {}
    deinit { cfs_monitor_free(monitor) }

    /// Runs `body` when it is this caller's turn at every one of `keys`, which it is at all of them at once: whoever
    /// waits has no turn that others wait for.
    ///
    /// A thread that has a turn already (an app's coder that saves, called by a save) does not wait for that one, and
    /// goes before those who wait for others. Two threads that take each other's names one within the other, in
    /// opposite order, wait for ever, as with any lock.
    package func withTurn<Result, Failure>(
        at keys: [Key], _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let taken = take(keys.count == 1 ? keys : Array(Set(keys)))
        defer { give(taken) }
        return try body()
    }

    /// Waits, and gives the keys at which the thread had no turn before.
    private func take(_ keys: [Key]) -> [Key] {
        let thread = cfs_thread()
        cfs_monitor_lock(monitor)
        defer { cfs_monitor_unlock(monitor) }
        let keys = keys.filter { owners[$0] != thread }
        let isWithin = owners.values.contains(thread)
        let ticket = nextTicket
        nextTicket += 1
        if !isWithin { for key in keys { waiting[key, default: []].append(ticket) } }
        while !keys.allSatisfy({ owners[$0] == nil && (isWithin || waiting[$0]?.first == ticket) }) {
            cfs_monitor_wait(monitor)
        }
        for key in keys {
            if !isWithin, let rest = waiting[key]?.dropFirst() { waiting[key] = rest.isEmpty ? nil : Array(rest) }
            owners[key] = thread
        }
        return keys
    }

    private func give(_ keys: [Key]) {
        cfs_monitor_lock(monitor)
        defer { cfs_monitor_unlock(monitor) }
        for key in keys { owners[key] = nil }
        cfs_monitor_wake_all(monitor)
    }
}
