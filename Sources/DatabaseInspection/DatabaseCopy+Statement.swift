internal import GRDB
internal import GRDBSQLite

/// The reason why a statement has no result. The database is unchanged.
package enum DatabaseQueryError: Error, Sendable, Hashable {
    /// The text is not a statement that SQLite understands, with SQLite's message.
    case invalid(String)
    /// The statement would do more than read this database, with SQLite's message.
    case refused(String)
    /// Reading failed.
    case failed(DatabaseReadError)
}

/// The result of a statement.
package struct QueryResult: Sendable, Hashable {
    package let page: RowPage
    /// The names of the columns that the statement reads, whatever names its result gives them.
    package let sources: Set<String>
}

extension DatabaseCopy {
    /// The maximum size of a value in a statement of a user, in bytes. A function over two long values is not interrupted.
    private static let statementLength: CInt = 4 << 20

    /// Runs one statement that reads.
    ///
    /// An authorizer allows reading tables and views, functions without effects on files, and pragmas that describe the
    /// database. Virtual tables of the database are not read, as by `rows(of:)`. Time and memory are limited by
    /// `DatabaseLimits.querySeconds` and `queryMemory`.
    ///
    /// - Parameters:
    ///   - sql: The statement.
    ///   - limit: The maximum number of rows. The page ends earlier at `DatabaseLimits.allBytes`.
    /// - Returns: The rows, and the columns that they come from.
    /// - Throws: `invalid`, `refused`, `failed`.
    package func query(_ sql: String, limit: Int) throws(DatabaseQueryError) -> QueryResult {
        let outcome: Result<QueryResult, DatabaseQueryError>
        do throws(DatabaseReadError) {
            let virtual = try schema().filter { $0.kind == .virtualTable }.map { $0.name.lowercased() }
            outcome = try readUntrusted(valuesUpTo: Self.statementLength) { database in
                guard let connection = database.sqliteConnection else { throw DatabaseReadError(.notUnderstood) }
                let reading = Reading(virtual: Set(virtual))
                return withExtendedLifetime(reading) {
                    sqlite3_set_authorizer(connection, authorizeReading, Unmanaged.passUnretained(reading).toOpaque())
                    defer { sqlite3_set_authorizer(connection, nil, nil) }
                    return Result { () throws(DatabaseQueryError) in
                        try run(sql, limit: limit, on: connection, reading: reading)
                    }
                }
            }
        } catch { throw .failed(error) }
        return try outcome.get()
    }

    private func run(
        _ sql: String, limit: Int, on connection: SQLiteConnection, reading: Reading
    ) throws(DatabaseQueryError) -> QueryResult {
        let statement = try Self.prepare(sql, on: connection)
        defer { sqlite3_finalize(statement) }
        guard sqlite3_stmt_readonly(statement) != 0, sqlite3_column_count(statement) > 0 else {
            throw .refused("it returns no rows")
        }
        let columns = (0..<sqlite3_column_count(statement)).map { index in
            sqlite3_column_name(statement, index).map { String(cString: $0) } ?? ""
        }
        var (rows, bytes, hasMore): ([[StoredValue]], Int, Bool) = ([], 0, false)
        stepping: while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: break
            case SQLITE_DONE: break stepping
            default: throw Self.failure(of: connection)
            }
            guard rows.count < limit else {
                hasMore = true
                break
            }
            let row = columns.indices.map { value(statement, index: CInt($0)) }
            bytes += row.reduce(0) { $0 + $1.memory }
            guard rows.isEmpty || bytes <= limits.allBytes else {
                hasMore = true
                break
            }
            rows.append(row)
        }
        return QueryResult(
            page: RowPage(columns: columns, rows: rows, hasMore: hasMore), sources: reading.columns)
    }

    /// Compiles the only statement of a text.
    private static func prepare(
        _ sql: String, on connection: SQLiteConnection
    ) throws(DatabaseQueryError) -> OpaquePointer {
        let result = sql.withCString { start -> Result<OpaquePointer, DatabaseQueryError> in
            var (first, position): (OpaquePointer?, UnsafePointer<CChar>?) = (nil, start)
            while let here = position, here.pointee != 0 {
                var statement: OpaquePointer?
                guard sqlite3_prepare_v2(connection, here, -1, &statement, &position) == SQLITE_OK else {
                    let error = failure(of: connection)
                    sqlite3_finalize(first)
                    return .failure(error)
                }
                guard let statement else { continue }
                guard first == nil else {
                    sqlite3_finalize(first)
                    sqlite3_finalize(statement)
                    return .failure(.refused("there are several statements"))
                }
                first = statement
            }
            return first.map { .success($0) } ?? .failure(.invalid("there is no statement"))
        }
        return try result.get()
    }

    private static func failure(of connection: SQLiteConnection) -> DatabaseQueryError {
        let message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? ""
        switch sqlite3_errcode(connection) & 0xff {
        case SQLITE_AUTH, SQLITE_READONLY: return .refused(message)
        case SQLITE_INTERRUPT: return .failed(DatabaseReadError(.tooSlow))
        case SQLITE_TOOBIG:
            let most = statementLength >> 20
            return .invalid("a value has more than \(most) MiB; select its length(), or use `sandboxfm db export`")
        case SQLITE_CORRUPT, SQLITE_NOTADB: return .failed(DatabaseReadError(.damaged, message))
        case SQLITE_NOMEM, SQLITE_FULL, SQLITE_IOERR: return .failed(DatabaseReadError(.noCopy, message))
        // A function that is not allowed is an ordinary error.
        default: return message.hasPrefix("not authorized") ? .refused(message) : .invalid(message)
        }
    }

    // MARK: - Export

    /// Passes every row of a table or view to `row`, after the names of the columns to `header`.
    ///
    /// Texts and BLOBs are truncated to `DatabaseLimits.valueBytes`. Generated columns are omitted.
    ///
    /// - Parameters:
    ///   - name: The name of a table or view.
    ///   - header: Receives the names of the columns.
    ///   - row: Receives the values of a row. Returns false to stop.
    /// - Throws: `notUnderstood` for a name that has no columns that can be read, and for a virtual table; `damaged`,
    ///   `tooSlow`, `noCopy`.
    package func eachRow(
        of name: String, header: ([String]) -> Void, row: ([StoredValue]) -> Bool
    ) throws(DatabaseReadError) {
        let isTable = try schema().contains { $0.kind == .table && $0.name.lowercased() == name.lowercased() }
        let columns = try columns(of: name).filter { !$0.isGenerated }.map(\.name)
        guard try read({ try isReadable(name, in: $0) }), !columns.isEmpty else {
            throw DatabaseReadError(.notUnderstood, "no table or view “\(name)” whose rows can be read")
        }
        header(columns)
        let sql = "SELECT \(columns.map(Self.quoted).joined(separator: ", ")) FROM \(Self.quoted(name))"
        let body = { (database: Database) in
            let statement = try database.makeStatement(sql: sql)
            let cursor = try Row.fetchCursor(statement)
            while try cursor.next() != nil {
                guard row(columns.indices.map { self.value(statement.sqliteStatement, index: CInt($0)) }) else {
                    return
                }
            }
        }
        // A table evaluates no expression of the schema.
        if isTable { try read(body) } else { try readUntrusted(body) }
    }
}

/// The columns that a statement reads, and the tables that it may not read.
private final class Reading {
    let virtual: Set<String>
    var columns: Set<String> = []
    private static let most = 10_000

    init(virtual: Set<String>) { self.virtual = virtual }

    func allows(_ table: String, column: String) -> Bool {
        guard !virtual.contains(table.lowercased()), columns.count < Self.most else { return false }
        columns.insert(column)
        return true
    }
}

/// The pragmas that describe the database and take the name of a table or index, or no argument.
private let describingPragmas: Set<String> = [
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo", "foreign_key_list",
    "collation_list",
]

/// The pragmas that return a number or a word, and would set it with an argument.
private let valuePragmas: Set<String> = [
    "application_id", "auto_vacuum", "encoding", "freelist_count", "journal_mode", "page_count", "page_size",
    "schema_version", "user_version",
]

/// The functions that access files or take an address.
private let refusedFunctions: Set<String> = ["load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"]

/// The authorizer of statements that read. Source: sqlite.org/c3ref/set_authorizer.html.
private let authorizeReading:
    @convention(c) (
        UnsafeMutableRawPointer?, CInt, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?,
        UnsafePointer<CChar>?
    ) -> CInt = { context, action, first, second, _, _ in
        func word(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
        guard let context else { return SQLITE_DENY }
        let reading = Unmanaged<Reading>.fromOpaque(context).takeUnretainedValue()
        let isAllowed =
            switch action {
            case SQLITE_SELECT, SQLITE_RECURSIVE: true
            // The declaration of a table-valued function. The connection itself refuses to write (`query_only`).
            case SQLITE_UPDATE: word(first) == "sqlite_master"
            case SQLITE_READ: reading.allows(word(first), column: word(second))
            case SQLITE_FUNCTION: !refusedFunctions.contains(word(second).lowercased())
            case SQLITE_PRAGMA:
                describingPragmas.contains(word(first).lowercased())
                    || second == nil && valuePragmas.contains(word(first).lowercased())
            default: false
            }
        return isAllowed ? SQLITE_OK : SQLITE_DENY
    }
