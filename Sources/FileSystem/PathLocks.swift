internal import CFileSystem
package import SystemPackage

/// Locks on paths within this process: changes to a path wait for earlier requests.
///
/// A save reads the attributes of the old file and then replaces it. Without a lock, a backup exclusion set in between
/// would be lost. The monitor guards every stored property, so the class is safe to share.
package final class PathLocks: @unchecked Sendable {
    /// The key of a lock: the device and inode of a directory, and a relative path.
    package struct Key: Sendable, Hashable {
        private let device: UInt64
        private let inode: UInt64
        /// The path as bytes. Empty if the volume ignores case.
        private let path: [UInt8]
        /// The form that all spellings of the path share. Empty if the volume distinguishes case.
        private let form: String

        /// Creates a key. On a volume that ignores case, all spellings of a path have one key.
        package init(identity: (device: UInt64, inode: UInt64), path: FilePath, ignoringCase: Bool) {
            (device, inode) = identity
            self.path = ignoringCase ? [] : path.bytes
            form = ignoringCase ? NameSpelling.form(path.string) : ""
        }
    }

    /// The locks of this process.
    package static let shared = PathLocks()

    private let monitor = cfs_monitor_make()
    /// The thread that holds each lock.
    private var owners: [Key: UInt64] = [:]
    /// The tickets of waiting requests, in order of arrival.
    private var waiting: [Key: [Int]] = [:]
    private var nextTicket = 0

    init() {}
    deinit { cfs_monitor_free(monitor) }

    /// Runs `body` while all of `keys` are locked. They are locked at once, so a waiting request holds none of them.
    ///
    /// The locks are reentrant: a thread that holds a lock (an app's encoder that saves, called by a save) acquires it again
    /// without waiting, and precedes waiting requests for other locks. Two threads that nest the same locks in opposite
    /// order deadlock, as with any lock.
    package func withLocks<Result, Failure>(
        at keys: [Key], _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let acquired = acquire(keys.count == 1 ? keys : Array(Set(keys)))
        defer { release(acquired) }
        return try body()
    }

    /// Acquires the locks and returns those that the thread did not hold before.
    private func acquire(_ keys: [Key]) -> [Key] {
        let thread = cfs_thread()
        cfs_monitor_lock(monitor)
        defer { cfs_monitor_unlock(monitor) }
        let keys = keys.filter { owners[$0] != thread }
        let isNested = owners.values.contains(thread)
        let ticket = nextTicket
        nextTicket += 1
        if !isNested { for key in keys { waiting[key, default: []].append(ticket) } }
        while !keys.allSatisfy({ owners[$0] == nil && (isNested || waiting[$0]?.first == ticket) }) {
            cfs_monitor_wait(monitor)
        }
        for key in keys {
            if !isNested, let rest = waiting[key]?.dropFirst() { waiting[key] = rest.isEmpty ? nil : Array(rest) }
            owners[key] = thread
        }
        return keys
    }

    private func release(_ keys: [Key]) {
        cfs_monitor_lock(monitor)
        defer { cfs_monitor_unlock(monitor) }
        for key in keys { owners[key] = nil }
        cfs_monitor_wake_all(monitor)
    }
}
