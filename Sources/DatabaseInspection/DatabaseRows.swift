internal import GRDB
internal import GRDBSQLite

/// A value of a database. Texts and BLOBs are truncated to `DatabaseLimits.valueBytes`.
package enum StoredValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    /// The text, and its complete size in bytes. Bytes that are not UTF-8 are replaced.
    case text(String, size: Int)
    /// The first bytes, and the complete size.
    case blob([UInt8], size: Int)
}

/// Consecutive rows of a table or view.
package struct RowPage: Sendable, Hashable {
    /// The names of the columns.
    package let columns: [String]
    /// The values of each row, in the order of the columns.
    package let rows: [[StoredValue]]
    /// True if rows follow after the last one.
    package let hasMore: Bool
}

extension DatabaseCopy {
    /// Reads rows of a table or view in the order of SQLite, which for a table is that of its primary key or row number.
    ///
    /// Ends before the first row with which the page exceeds `DatabaseLimits.allBytes`; a single row may exceed it.
    ///
    /// - Parameters:
    ///   - name: The name of a table or view.
    ///   - limit: The maximum number of rows, at most `DatabaseLimits.rows`.
    ///   - offset: The number of rows before the first one.
    /// - Returns: The rows, with the names of their columns.
    /// - Throws: `notUnderstood` for a name that has no columns that can be read, and for a virtual table; `damaged`,
    ///   `tooSlow`, `noCopy`.
    package func rows(of name: String, limit: Int = 100, offset: Int = 0) throws(DatabaseReadError) -> RowPage {
        guard try read({ try isReadable(name, in: $0) }) else {
            throw DatabaseReadError(.notUnderstood, "no table or view “\(name)” whose rows can be read")
        }
        let columns = try columns(of: name).filter { !$0.isGenerated }.map(\.name)
        guard !columns.isEmpty else {
            throw DatabaseReadError(.notUnderstood, "no table or view “\(name)” whose rows can be read")
        }
        let limit = min(max(0, limit), limits.rows)
        let sql =
            "SELECT \(columns.map(Self.quoted).joined(separator: ", ")) FROM \(Self.quoted(name)) LIMIT ? OFFSET ?"
        let isView = try read { database in
            try Bool.fetchOne(
                database,
                sql: "SELECT EXISTS(SELECT * FROM sqlite_master WHERE lower(name) = lower(?) AND type = 'view')",
                arguments: [name]) ?? true
        }
        // A table evaluates no function, so that its values may be long; they are truncated.
        return try readUntrusted(valuesUpTo: isView ? 1 << 18 : 64 << 20) { database in
            let statement = try database.makeStatement(sql: sql)
            let cursor = try Row.fetchCursor(statement, arguments: [limit + 1, max(0, offset)] as StatementArguments)
            var (rows, bytes, hasMore): ([[StoredValue]], Int, Bool) = ([], 0, false)
            while try cursor.next() != nil {
                guard rows.count < limit else {
                    hasMore = true
                    break
                }
                let row = columns.indices.map { value(statement.sqliteStatement, index: CInt($0)) }
                bytes += row.reduce(0) { $0 + $1.memory }
                guard rows.isEmpty || bytes <= limits.allBytes else {
                    hasMore = true
                    break
                }
                rows.append(row)
            }
            return RowPage(columns: columns, rows: rows, hasMore: hasMore)
        }
    }

    /// Returns true for a view and for a table that is not virtual.
    func isReadable(_ name: String, in database: Database) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS(SELECT * FROM sqlite_master WHERE lower(name) = lower(?)
                    AND (type = 'view' OR (type = 'table' AND rootpage > 0)))
                """, arguments: [name]) ?? false
    }

    /// Returns the value of the current row in a column.
    func value(_ statement: SQLiteStatement, index: CInt) -> StoredValue {
        switch sqlite3_column_type(statement, index) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, index))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, index))
        case SQLITE_TEXT:
            guard let text = sqlite3_column_text(statement, index) else { return .null }
            let size = Int(sqlite3_column_bytes(statement, index))
            var bytes = UnsafeBufferPointer(start: text, count: size)
            if size > limits.valueBytes {
                // The truncated text ends with a complete character.
                var end = limits.valueBytes
                while end > 0, text[end] & 0xc0 == 0x80 { end -= 1 }
                bytes = UnsafeBufferPointer(start: text, count: end)
            }
            return .text(String(decoding: bytes, as: UTF8.self), size: size)
        case SQLITE_BLOB:
            let size = Int(sqlite3_column_bytes(statement, index))
            guard size > 0, let start = sqlite3_column_blob(statement, index) else { return .blob([], size: 0) }
            return .blob(
                Array(UnsafeRawBufferPointer(start: start, count: min(size, limits.valueBytes))), size: size)
        default: return .null
        }
    }
}

extension StoredValue {
    /// The number of bytes of text or BLOB.
    var memory: Int {
        switch self {
        case .null, .integer, .real: 8
        case .text(let text, _): text.utf8.count
        case .blob(let bytes, _): bytes.count
        }
    }
}
