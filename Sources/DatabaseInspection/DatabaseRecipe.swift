internal import FileSystem
internal import Foundation
internal import GRDBSQLite

/// A recipe for a database that SQLite creates in the state that an app or a power loss leaves, for examples and tests.
package struct DatabaseRecipe: Sendable {
    /// The statements whose changes are stored in the database itself.
    package var statements: [String]
    /// The statements whose changes are only in the write-ahead log.
    package var logged: [String]
    /// The statements of a transaction that does not end, so that its journal is hot.
    package var unfinished: [String]
    /// The statements of another database, which replaces the main file beneath the log.
    package var replacement: [String]

    package init(
        _ statements: [String], logged: [String] = [], unfinished: [String] = [], replacement: [String] = []
    ) {
        self.statements = statements
        self.logged = logged
        self.unfinished = unfinished
        self.replacement = replacement
    }

    /// Creates the database and returns the content of its files. The statements may be untrusted: they cannot access
    /// other files, and are stopped after `seconds` in total.
    ///
    /// - Throws: The errors of SQLite, `refused`, `tooSlow`, `tooLarge`, `noCopy`.
    package func files(seconds: Double = 20) throws(DatabaseReadError) -> [DatabaseFile: [UInt8]] {
        guard replacement.isEmpty else {
            var files = try DatabaseRecipe(statements, logged: logged, unfinished: unfinished).files(seconds: seconds)
            files[.main] = try DatabaseRecipe(replacement).files(seconds: seconds)[.main]
            return files
        }
        let scratch = try DatabaseScratch()
        defer { scratch.remove() }
        let database = try RecipeConnection(at: scratch.path(of: .main), seconds: seconds)
        defer { database.close() }
        try database.run(statements)
        if !logged.isEmpty {
            try database.run(["PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0"])
            try database.run(logged)
        }
        guard !unfinished.isEmpty else { return try scratch.contents() }
        // With a cache of one page, changed pages are written to the file before the transaction ends.
        try database.run(["PRAGMA cache_size = 1", "PRAGMA cache_spill = 1", "BEGIN"])
        try database.run(unfinished)
        return try scratch.contents()
    }
}

extension DatabaseScratch {
    /// Returns the files that SQLite created. Their total size is limited as for an inspection.
    fileprivate func contents() throws(DatabaseReadError) -> [DatabaseFile: [UInt8]] {
        var contents: [DatabaseFile: [UInt8]] = [:]
        var bytes: UInt64 = 0
        for file in DatabaseFile.allCases {
            guard let size = try? FileManager.default.attributesOfItem(atPath: path(of: file))[.size] as? NSNumber
            else { continue }
            bytes += size.uint64Value
            guard bytes <= DatabaseLimits().bytes else { throw DatabaseReadError(.tooLarge) }
            do { contents[file] = Array(try Data(contentsOf: URL(fileURLWithPath: path(of: file)))) } catch {
                throw DatabaseReadError(.unreadable, "\((error as NSError).code)")
            }
        }
        return contents
    }
}

/// A connection for the statements of a recipe. An authorizer restricts them, because a statement could access any
/// file: databases cannot be attached, extensions cannot be loaded, and only known pragmas and modules are allowed.
///
/// A connection has only one authorizer, which GRDB uses itself, so this type uses SQLite directly.
final class RecipeConnection {
    private var connection: OpaquePointer?
    private let deadline: Deadline

    /// The time limit, by the clock of `Host.uptime`.
    private final class Deadline {
        let end: UInt64
        init(_ end: UInt64) { self.end = end }
    }

    init(at path: String, seconds: Double) throws(DatabaseReadError) {
        deadline = Deadline(Host.uptime + UInt64(max(0, seconds) * 1e9))
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK else {
            let error = failure()
            close()
            throw error
        }
        sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0)
        sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, 32 << 20)
        sqlite3_limit(connection, SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100)
        sqlite3_limit(connection, SQLITE_LIMIT_TRIGGER_DEPTH, 100)
        sqlite3_limit(connection, SQLITE_LIMIT_WORKER_THREADS, 0)
        sqlite3_set_authorizer(connection, authorize, nil)
        let isPast: @convention(c) (UnsafeMutableRawPointer?) -> CInt = { pointer in
            guard let pointer else { return 0 }
            return Host.uptime > Unmanaged<Deadline>.fromOpaque(pointer).takeUnretainedValue().end ? 1 : 0
        }
        sqlite3_progress_handler(connection, 1_000, isPast, Unmanaged.passUnretained(deadline).toOpaque())
    }

    deinit { close() }

    /// Closes the database. An open transaction is rolled back.
    func close() {
        sqlite3_close_v2(connection)
        connection = nil
    }

    /// Runs statements in order.
    ///
    /// - Throws: `refused` for a statement that is not allowed, `tooSlow` after the time limit, and errors of SQLite.
    func run(_ statements: [String]) throws(DatabaseReadError) {
        for statement in statements {
            guard Host.uptime <= deadline.end else { throw DatabaseReadError(.tooSlow) }
            guard sqlite3_exec(connection, statement, nil, nil, nil) == SQLITE_OK else { throw failure() }
        }
    }

    private func failure() -> DatabaseReadError {
        let detail = sqlite3_errmsg(connection).map { String(cString: $0) } ?? ""
        switch sqlite3_errcode(connection) {
        case SQLITE_AUTH: return DatabaseReadError(.refused, detail)
        case SQLITE_INTERRUPT: return DatabaseReadError(.tooSlow)
        case SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN, SQLITE_NOMEM: return DatabaseReadError(.noCopy, detail)
        default: return DatabaseReadError(.notUnderstood, detail)
        }
    }
}

/// The pragmas that only affect the database. Full-text search queries its version.
private let pragmas: Set<String> = [
    "application_id", "auto_vacuum", "cache_size", "cache_spill", "data_version", "encoding", "foreign_keys",
    "ignore_check_constraints", "incremental_vacuum", "integrity_check", "journal_mode", "journal_size_limit",
    "page_size", "quick_check",
    "secure_delete", "synchronous", "user_version", "wal_autocheckpoint", "wal_checkpoint",
]

/// The modules of virtual tables that store their content in the database.
private let modules: Set<String> = ["fts3", "fts4", "fts5", "rtree"]

/// The functions that access other files or take an address.
private let refusedFunctions: Set<String> = ["load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"]

/// The authorizer. Source: sqlite.org/c3ref/set_authorizer.html.
private let authorize:
    @convention(c) (
        UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
        UnsafePointer<CChar>?
    ) -> CInt = { _, action, first, second, _, _ in
        func word(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) }?.lowercased() ?? "" }
        let isAllowed =
            switch action {
            // VACUUM also attaches a file.
            case SQLITE_ATTACH, SQLITE_DETACH: false
            case SQLITE_PRAGMA: pragmas.contains(word(first))
            case SQLITE_FUNCTION: !refusedFunctions.contains(word(second))
            case SQLITE_CREATE_VTABLE, SQLITE_DROP_VTABLE: modules.contains(word(second))
            default: true
            }
        return isAllowed ? SQLITE_OK : SQLITE_DENY
    }
