package import FileSystem
internal import SystemPackage

/// The lock of a reader of SQLite on the main file of a database (SHARED). While it is held, no program writes to the main
/// file of a database with a rollback journal, in any journal mode.
///
/// A program that has written a part of a transaction holds EXCLUSIVE until the transaction ends. In the journal modes
/// MEMORY and OFF, nothing else on disk shows that the transaction is unfinished. In WAL mode, the lock excludes no one.
///
/// The lock belongs to its open file, so that it excludes SQLite also in this process.
///
/// Source: sqlite.org/lockingv3.html; `unixLock` in os_unix.c.
package final class DatabaseLock: Sendable {
    /// The result of waiting for a lock.
    enum Acquisition {
        case held(DatabaseLock)
        /// Another program has been writing for the whole time.
        case busy
        /// The file cannot be opened or locked.
        case unavailable
    }

    private static let start: UInt64 = 0x4000_0000
    /// The byte of a program that waits for the end of all readers.
    private static let pending = start..<(start + 1)
    private static let shared = (start + 2)..<(start + 512)

    private let file: OpenFile

    private init(on file: OpenFile) { self.file = file }

    /// Acquires the lock, and waits for at most `timeout` while another program writes.
    static func acquire(on database: FolderDatabase, within timeout: Duration) -> Acquisition {
        guard let file = try? database.open(.main) else { return .unavailable }
        let end = Host.uptime + UInt64(max(0, timeout / .nanoseconds(1)))
        var pause = Pause()
        while true {
            do throws(FileSystemError) {
                // As SQLite does, so that readers do not keep a writer waiting for ever.
                try file.lock(pending)
                defer { file.unlock(pending) }
                try file.lock(shared)
                return .held(DatabaseLock(on: file))
            } catch {
                guard error.errno == .resourceTemporarilyUnavailable else { return .unavailable }
            }
            guard Host.uptime < end, !Invocation.current.interruption.isRequested else { return .busy }
            pause.wait()
        }
    }

    /// Returns true if a program is writing to a database, or is in a transaction that will write.
    ///
    /// - Parameter file: Any file. One without the header of a database may be a new or an encrypted one.
    /// - Returns: False also if the file system has no locks.
    package static func isWriting(to file: OpenFile) -> Bool {
        file.isLockedExclusively(start..<(start + 512))
    }

    /// Releases the lock. Deallocation does the same.
    func release() { try? file.close() }
}
