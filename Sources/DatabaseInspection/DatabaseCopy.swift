internal import FileSystem
internal import Foundation
package import GRDB
internal import GRDBSQLite

/// A private copy of an SQLite database as it was at one moment, opened by SQLite.
///
/// SQLite never opens the original. Even reading a database changes files beside it: SQLite creates a shared memory
/// file, checkpoints and deletes a write-ahead log, and rolls back a hot journal. All of that happens to the copy. A small
/// copy is in memory, and the files of another one are unlinked as soon as SQLite has opened them. Only a process that is
/// killed during the copy leaves temporary files, readable by the user only.
///
/// A write-ahead log that provably belongs to another database is not applied.
package final class DatabaseCopy: Sendable {
    let queue: DatabaseQueue
    let limits: DatabaseLimits
    /// The proof that the log beside the database does not belong to it, as a clause about the log (“it”). Nil if there
    /// is no proof or no log.
    package let foreignLog: String?
    private let watch: Watch
    /// True if a column uses a collation that only the app has.
    var hasForeignOrder: Bool { watch.hasForeignOrder }

    /// Copies a database and opens the copy.
    ///
    /// - Parameters:
    ///   - source: The source of the database's files.
    ///   - limits: The limits for copying and reading.
    ///   - ignoresLog: True to open the database without its log.
    /// - Throws: `unreadable`, `tooLarge`, `changing`, `noCopy`, `undecided`, `tooSlow`, `damaged`, `notUnderstood`.
    package convenience init(
        of source: some DatabaseSource, limits: DatabaseLimits = DatabaseLimits(), ignoringLog ignoresLog: Bool = false
    ) throws(DatabaseReadError) {
        #if os(Linux)
        if let image = DatabaseImage(of: source, limit: limits.bytes) {
            try self.init(opening: ":memory:", limits: limits) { try image.open(in: $0) }
            return
        }
        #endif
        let scratch = try DatabaseScratch()
        defer { scratch.remove() }
        try scratch.copy(source, limit: limits.bytes)
        let foreignLog = scratch.foreignLog()
        if ignoresLog || foreignLog != nil { scratch.remove(.log) }
        try self.init(opening: scratch.path(of: .main), limits: limits, foreignLog: foreignLog)
    }

    /// Opens a copy that `write` creates at a path in a private directory, which is removed afterwards.
    ///
    /// - Throws: The errors of copying; `write`'s as far as they are SQLite's.
    package convenience init(
        limits: DatabaseLimits = DatabaseLimits(), writtenBy write: (String) throws -> Void
    ) throws(DatabaseReadError) {
        let scratch = try DatabaseScratch()
        defer { scratch.remove() }
        do { try write(scratch.path(of: .main)) } catch { throw DatabaseReadError(error) }
        try self.init(opening: scratch.path(of: .main), limits: limits)
    }

    /// Opens a private copy, whose files may then be unlinked, and runs `prepare` on it.
    init(
        opening path: String, limits: DatabaseLimits, foreignLog: String? = nil,
        prepare: (Database) throws -> Void = { _ in }
    ) throws(DatabaseReadError) {
        self.limits = limits
        self.foreignLog = foreignLog
        let watch = Watch(seconds: limits.seconds)
        self.watch = watch
        watch.start()
        defer { watch.stop() }
        do {
            queue = try DatabaseQueue(path: path, configuration: Self.configuration(watch))
            try queue.inDatabase { try prepare($0) }
        } catch { throw DatabaseReadError(error) }
    }

    /// Runs a query on the copy. Only the time in `body` counts for the time limit.
    package func read<Value>(_ body: (Database) throws -> Value) throws(DatabaseReadError) -> Value {
        do {
            return try queue.inDatabase { database in
                watch.start()
                defer { watch.stop() }
                return try body(database)
            }
        } catch { throw DatabaseReadError(error) }
    }

    /// Runs a query that may evaluate expressions of the schema, as a view does. It has the time of one query, and its
    /// memory and the size of each value are limited too, because a function such as `instr` over two long texts runs
    /// for hours without a check of the time.
    ///
    /// - Parameters:
    ///   - length: The maximum size of a value in bytes.
    ///   - body: The query.
    /// - Returns: The value of `body`.
    /// - Throws: The errors of `read`.
    func readUntrusted<Value>(
        valuesUpTo length: CInt = 1 << 18, _ body: (Database) throws -> Value
    ) throws(DatabaseReadError) -> Value {
        try read { database in
            guard let connection = database.sqliteConnection else { return try body(database) }
            watch.restrict(seconds: limits.querySeconds, memory: limits.queryMemory)
            watch.attach(to: connection, steps: 10)
            let before = sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, length)
            defer {
                sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, before)
                watch.attach(to: connection)
                watch.restrict(seconds: nil, memory: .max)
            }
            return try body(database)
        }
    }

    private static func configuration(_ watch: Watch) -> Configuration {
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.acceptsDoubleQuotedStringLiterals = true
        configuration.prepareDatabase { database in
            guard let connection = database.sqliteConnection else { return }
            watch.attach(to: connection)
            // A hostile schema can call functions and create values; the limits restrict both.
            sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 64 << 20)
            sqlite3_limit(connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100)
            sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
            for pragma in [
                // In this mode the index of a write-ahead log is in memory instead of a file.
                "locking_mode = EXCLUSIVE", "temp_store = MEMORY", "mmap_size = 0", "trusted_schema = OFF",
                "cell_size_check = ON", "ignore_check_constraints = ON", "query_only = ON",
            ] {
                try database.execute(sql: "PRAGMA \(pragma)")
            }
        }
        return configuration
    }
}

/// A limit on the time and memory of queries, which also provides substitutes for collations of the app.
private final class Watch: Sendable {
    private struct Limits {
        /// The remaining nanoseconds while the watch is stopped.
        var left: UInt64
        /// The end of the time while it runs.
        var end = UInt64.max
        /// The end of the time of one query.
        var queryEnd = UInt64.max
        /// The number of bytes that SQLite may use. Limits the whole process, as SQLite counts all of its connections.
        var memory = Int64.max
    }

    private let limits: LockedValue<Limits>
    private let foreignOrder = AtomicFlag(false)

    init(seconds: Double) { limits = LockedValue(Limits(left: UInt64(max(0, seconds) * 1e9))) }

    /// True if a query has needed a collation of the app.
    var hasForeignOrder: Bool { foreignOrder.value }

    func start() { limits.withLock { $0.end = Host.uptime + $0.left } }

    func stop() {
        let now = Host.uptime
        limits.withLock { $0.left = $0.end > now ? $0.end - now : 0 }
    }

    /// Limits the query that follows. Nil ends the limit.
    func restrict(seconds: Double?, memory bytes: Int64) {
        let end = seconds.map { Host.uptime + UInt64(max(0, $0) * 1e9) } ?? .max
        let (sum, isOver) = sqlite3_memory_used().addingReportingOverflow(bytes)
        limits.withLock { ($0.queryEnd, $0.memory) = (end, isOver ? .max : sum) }
    }

    private var isPast: Bool {
        let (now, used) = (Host.uptime, sqlite3_memory_used())
        return limits.withLock { now > min($0.end, $0.queryEnd) || used > $0.memory }
    }

    /// Attaches the limits to a connection, which must not outlive them.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - steps: The number of steps of SQLite's virtual machine between two checks.
    func attach(to connection: SQLiteConnection, steps: CInt = 1_000) {
        let pointer = Unmanaged.passUnretained(self).toOpaque()
        let isPast: @convention(c) (UnsafeMutableRawPointer?) -> CInt = { pointer in
            guard let pointer else { return 0 }
            return Unmanaged<Watch>.fromOpaque(pointer).takeUnretainedValue().isPast ? 1 : 0
        }
        sqlite3_progress_handler(connection, steps, isPast, pointer)
        sqlite3_collation_needed(connection, pointer) { pointer, connection, encoding, name in
            if let pointer {
                Unmanaged<Watch>.fromOpaque(pointer).takeUnretainedValue().foreignOrder.set(true)
            }
            sqlite3_create_collation_v2(connection, name, encoding, nil, byBytes, nil)
        }
    }
}

/// A collation that compares bytes. A prefix comes first.
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
