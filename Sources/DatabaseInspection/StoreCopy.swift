internal import FileSystem
internal import Foundation
package import GRDB
internal import GRDBSQLite
internal import Synchronization

/// An SQLite store as it was at one moment: a private copy of its files, which SQLite has opened.
///
/// SQLite never sees the store itself. Opening a database changes what lies beside it even to read it: a shared
/// memory file is made, a write-ahead log is folded in and deleted, a hot journal is rolled back. All of that happens
/// to the copy, whose files have no names any more once SQLite has them open. Only a process that is ended while it
/// copies leaves something behind, among the temporary files and readable by its user alone.
package final class StoreCopy: Sendable {
    let queue: DatabaseQueue
    let limits: StoreLimits
    private let watch: Watch
    /// Whether a column is sorted by an order that only the app knows.
    var hasForeignOrder: Bool { watch.hasForeignOrder.load(ordering: .relaxed) }

    /// Copies a store and opens the copy.
    ///
    /// - Parameters:
    ///   - source: Where the store's files are read from.
    ///   - limits: How much is copied and looked at.
    /// - Throws: `unreadable`, `tooLarge`, `changing`, `noCopy`, `undecided`, `tooSlow`, `damaged`, `notUnderstood`.
    package convenience init(
        of source: some StoreSource, limits: StoreLimits = StoreLimits()
    ) throws(StoreError) {
        let scratch = try StoreScratch()
        defer { scratch.remove() }
        try scratch.copy(source, limit: limits.bytes)
        try self.init(opening: scratch.path(of: .main), limits: limits)
    }

    /// Opens a private copy, whose names may go then.
    init(opening path: String, limits: StoreLimits) throws(StoreError) {
        self.limits = limits
        let watch = Watch(seconds: limits.seconds)
        self.watch = watch
        watch.start()
        defer { watch.stop() }
        do { queue = try DatabaseQueue(path: path, configuration: Self.configuration(watch)) } catch {
            throw StoreError(error)
        }
    }

    /// Asks the copy something. What the caller does between two questions is not counted as SQLite's time.
    package func read<Value>(_ body: (Database) throws -> Value) throws(StoreError) -> Value {
        do {
            return try queue.inDatabase { database in
                watch.start()
                defer { watch.stop() }
                return try body(database)
            }
        } catch { throw StoreError(error) }
    }

    private static func configuration(_ watch: Watch) -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.acceptsDoubleQuotedStringLiterals = true
        configuration.prepareDatabase { database in
            guard let connection = database.sqliteConnection else { return }
            watch.attach(to: connection)
            // A hostile schema can name functions and make values; what it may do with either is little.
            sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 64 << 20)
            sqlite3_limit(connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100)
            sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
            for pragma in [
                // In this mode the index of a write-ahead log is kept in memory, not in a file.
                "locking_mode = EXCLUSIVE", "temp_store = MEMORY", "mmap_size = 0", "trusted_schema = OFF",
                "cell_size_check = ON", "ignore_check_constraints = ON", "query_only = ON",
            ] {
                try database.execute(sql: "PRAGMA \(pragma)")
            }
        }
        return configuration
    }
}

/// Ends what takes too long, and stands in for orders that only the app knows.
private final class Watch: Sendable {
    /// Nanoseconds that are left when it is stopped.
    private let left: Atomic<UInt64>
    /// When they are over, while it runs.
    private let end = Atomic(UInt64.max)
    let hasForeignOrder = Atomic(false)

    init(seconds: Double) { left = Atomic(UInt64(max(0, seconds) * 1e9)) }

    func start() { end.store(Host.uptime + left.load(ordering: .relaxed), ordering: .relaxed) }

    func stop() {
        let (now, end) = (Host.uptime, end.load(ordering: .relaxed))
        left.store(end > now ? end - now : 0, ordering: .relaxed)
    }

    private var isPast: Bool { Host.uptime > end.load(ordering: .relaxed) }

    /// The connection must not outlive the watch.
    func attach(to connection: SQLiteConnection) {
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        let isPast: @convention(c) (UnsafeMutableRawPointer?) -> CInt = { pointer in
            guard let pointer else { return 0 }
            return Unmanaged<Watch>.fromOpaque(pointer).takeUnretainedValue().isPast ? 1 : 0
        }
        sqlite3_progress_handler(connection, 1_000, isPast, pointer)
        sqlite3_collation_needed(connection, pointer) { pointer, connection, encoding, name in
            if let pointer {
                Unmanaged<Watch>.fromOpaque(pointer).takeUnretainedValue().hasForeignOrder
                    .store(true, ordering: .relaxed)
            }
            sqlite3_create_collation_v2(connection, name, encoding, nil, byBytes, nil)
        }
    }
}

/// Bytes in their own order, the shorter of two beginnings first.
private let byBytes:
    @convention(c) (
        UnsafeMutableRawPointer?, CInt, UnsafeRawPointer?, CInt, UnsafeRawPointer?
    ) -> CInt = { _, leftCount, left, rightCount, right in
        let common = Int(min(leftCount, rightCount))
        if common > 0, let left, let right {
            let order = memcmp(left, right, common)
            if order != 0 { return order }
        }
        return leftCount - rightCount
    }
