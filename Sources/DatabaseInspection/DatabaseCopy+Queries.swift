internal import GRDB
internal import GRDBSQLite

/// A table of a database and its columns.
package struct DatabaseTable: Sendable, Hashable {
    package let name: String
    /// The columns whose values are stored. Generated columns are omitted.
    package let columns: [String]
}

extension DatabaseCopy {
    /// Returns the tables, sorted by name, without tables of SQLite and virtual tables. The limits bound the number of
    /// tables and columns.
    ///
    /// - Throws: `damaged`, `tooSlow`, `notUnderstood`, `noCopy`.
    package func tables() throws(DatabaseReadError) -> [DatabaseTable] {
        try read { database in
            let names = try String.fetchAll(
                database,
                sql: """
                    SELECT name FROM sqlite_master
                    WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
                        AND typeof(name) = 'text' AND length(name) <= 256
                    ORDER BY name LIMIT ?
                    """, arguments: [limits.tables])
            return try names.map { name in
                let columns = try String.fetchAll(
                    database, sql: "SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0 LIMIT ?",
                    arguments: [name, limits.columns])
                return DatabaseTable(name: name, columns: columns)
            }
        }
    }
}

extension DatabaseCopy {
    /// Returns true if a table without one of these names, in lower case, has a row.
    ///
    /// - Throws: `damaged`, `tooSlow`, `notUnderstood`, `noCopy`.
    package func hasRows(besides names: Set<String>) throws(DatabaseReadError) -> Bool {
        for table in try tables() where !names.contains(table.name.lowercased()) {
            let sql = "SELECT EXISTS (SELECT 1 FROM \(Self.quoted(table.name)))"
            if try read({ try Bool.fetchOne($0, sql: sql) ?? false }) { return true }
        }
        return false
    }
}

/// A value of a database with its table and column.
package struct DatabaseValueLocation: Sendable {
    package enum Content: Sendable {
        case text(String)
        case bytes([UInt8])
    }
    package let table: String
    package let column: String
    /// The number of the row among those that are read, from 1.
    package let row: Int
    /// The value of the row's first column where that is an integer, as primary keys are.
    package let key: Int64?
    package let content: Content
}

extension DatabaseCopy {
    /// Reads the text values of all tables, row by row, and the BLOBs of `blobTables`. Skips values beyond the limits.
    ///
    /// - Parameters:
    ///   - blobTables: The tables whose BLOBs are read.
    ///   - body: Receives each value. Returns false to stop.
    /// - Returns: True if all values were read; false if rows or values were skipped.
    /// - Throws: `damaged`, `tooSlow`, `notUnderstood`, `noCopy`.
    @discardableResult
    package func values(
        blobTables: Set<String> = [], _ body: (DatabaseValueLocation) -> Bool
    ) throws(DatabaseReadError) -> Bool {
        var all = true
        var left = limits.allBytes
        for table in try tables() where !table.columns.isEmpty {
            let goesOn = try read { database in
                var rows = 0
                return try each(row: table, limit: limits.rows + 1, in: database) { statement in
                    rows += 1
                    guard rows <= limits.rows else {
                        all = false
                        return true
                    }
                    let isNumbered = sqlite3_column_type(statement, 0) == SQLITE_INTEGER
                    let key = isNumbered ? sqlite3_column_int64(statement, 0) : nil
                    for (index, column) in table.columns.enumerated() {
                        guard
                            let content = content(
                                statement, index: CInt(index), takesBytes: blobTables.contains(table.name), into: &all)
                        else { continue }
                        left -= content.count
                        guard left >= 0 else {
                            all = false
                            return false
                        }
                        let value = DatabaseValueLocation(
                            table: table.name, column: column, row: rows, key: key, content: content.value)
                        guard body(value) else { return false }
                    }
                    return true
                }
            }
            guard goesOn else { break }
        }
        return all
    }

    /// Calls `body` with the table, the column, the number of the row and the bytes of every text and BLOB, without a limit on
    /// their number. The bytes are valid during the call; texts are UTF-8.
    ///
    /// - Throws: `damaged`, `tooSlow`, `notUnderstood`, `noCopy`.
    package func eachValue(_ body: (String, String, Int, UnsafeRawBufferPointer) -> Void) throws(DatabaseReadError) {
        for table in try tables() where !table.columns.isEmpty {
            try read { database in
                var row = 0
                _ = try each(row: table, limit: nil, in: database) { statement in
                    row += 1
                    for (index, column) in table.columns.enumerated() {
                        let index = CInt(index)
                        let start =
                            switch sqlite3_column_type(statement, index) {
                            case SQLITE_TEXT: UnsafeRawPointer(sqlite3_column_text(statement, index))
                            case SQLITE_BLOB: sqlite3_column_blob(statement, index)
                            default: UnsafeRawPointer?.none
                            }
                        guard let start else { continue }
                        let count = Int(sqlite3_column_bytes(statement, index))
                        body(table.name, column, row, UnsafeRawBufferPointer(start: start, count: count))
                    }
                    return true
                }
            }
        }
    }

    /// Returns the text values of a column that begin with a prefix of letters, within the limits for bytes.
    ///
    /// - Throws: `damaged`, `tooSlow`, `notUnderstood`, `noCopy`.
    package func texts(
        in column: String, of table: DatabaseTable, beginning prefix: String, limit: Int
    ) throws(DatabaseReadError) -> [String] {
        let name = Self.quoted(column)
        let sql =
            "SELECT \(name) FROM \(Self.quoted(table.name)) "
            + "WHERE typeof(\(name)) = 'text' AND \(name) GLOB ? AND length(\(name)) <= ? LIMIT ?"
        return try read { database in
            var left = limits.allBytes
            var texts: [String] = []
            let cursor = try String.fetchCursor(
                database, sql: sql, arguments: [prefix + "*", limits.valueBytes, limit])
            while let text = try cursor.next() {
                left -= text.utf8.count
                guard left >= 0 else { break }
                texts.append(text)
            }
            return texts
        }
    }

    /// Returns true if a table has rows, and every one a value in a column: neither NULL nor an empty text.
    ///
    /// - Throws: `damaged`, `tooSlow`, `notUnderstood`, `noCopy`.
    package func isFilled(_ column: String, of table: DatabaseTable) throws(DatabaseReadError) -> Bool {
        let (column, name) = (Self.quoted(column), Self.quoted(table.name))
        return try read { database in
            let isEmpty = try Bool.fetchOne(database, sql: "SELECT NOT EXISTS (SELECT 1 FROM \(name))") ?? true
            let missing = "SELECT EXISTS (SELECT 1 FROM \(name) WHERE \(column) IS NULL OR \(column) = '')"
            return try !isEmpty && Bool.fetchOne(database, sql: missing) == false
        }
    }

    /// Returns the names of the files that Core Data stores outside the database.
    ///
    /// A reference is a BLOB that consists of the byte 2, the name of the file (a UUID) and a NUL.
    ///
    /// - Throws: `damaged`, `tooSlow`, `notUnderstood`, `noCopy`.
    package func externalReferences(limit: Int = 100_000) throws(DatabaseReadError) -> Set<String> {
        var names: Set<String> = []
        for table in try tables() where table.name.hasPrefix("Z") && !table.columns.isEmpty {
            try read { database in
                _ = try each(row: table, limit: nil, in: database) { statement in
                    for index in table.columns.indices {
                        guard sqlite3_column_type(statement, CInt(index)) == SQLITE_BLOB,
                            37...38 ~= sqlite3_column_bytes(statement, CInt(index)),
                            let bytes = Self.bytes(statement, index: CInt(index)), bytes[0] == 2
                        else { continue }
                        names.insert(String(decoding: bytes[1..<37], as: UTF8.self))
                    }
                    return names.count < limit
                }
            }
        }
        return names
    }

    /// Steps through the rows of a table until `body` returns false.
    private func each(
        row table: DatabaseTable, limit: Int?, in database: Database, _ body: (SQLiteStatement) throws -> Bool
    ) throws -> Bool {
        let columns = table.columns.map(Self.quoted).joined(separator: ", ")
        let rows = limit.map { " LIMIT \($0)" } ?? ""
        let statement = try database.makeStatement(
            sql: "SELECT \(columns) FROM \(Self.quoted(table.name))\(rows)")
        let cursor = try Row.fetchCursor(statement)
        while try cursor.next() != nil {
            guard try body(statement.sqliteStatement) else { return false }
        }
        return true
    }

    /// Returns a quoted SQL identifier. GRDB does not escape quotes in a name.
    static func quoted(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

    private func content(
        _ statement: SQLiteStatement, index: CInt, takesBytes: Bool, into all: inout Bool
    ) -> (value: DatabaseValueLocation.Content, count: Int)? {
        let type = sqlite3_column_type(statement, index)
        guard type == SQLITE_TEXT || (type == SQLITE_BLOB && takesBytes) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, index))
        guard count <= limits.valueBytes else {
            all = false
            return nil
        }
        guard type == SQLITE_TEXT else { return Self.bytes(statement, index: index).map { (.bytes($0), count) } }
        guard let text = sqlite3_column_text(statement, index) else { return nil }
        let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, index)))
        return (.text(String(decoding: bytes, as: UTF8.self)), count)
    }

    private static func bytes(_ statement: SQLiteStatement, index: CInt) -> [UInt8]? {
        let count = Int(sqlite3_column_bytes(statement, index))
        guard let start = sqlite3_column_blob(statement, index) else { return nil }
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}

extension DatabaseCopy {
    /// Returns the problems that `quick_check` reports, or `integrity_check`, which also compares each index with its
    /// table. A line each, at most 16; empty if the database is intact.
    ///
    /// Omits lines that an intact database can cause: a collation that only the app has, a column that was declared NOT
    /// NULL after rows were inserted, a full-text index with a tokenizer that only the app has.
    ///
    /// - Throws: `tooSlow`, `notUnderstood`, `noCopy`. A database that SQLite cannot read is a line, not an error.
    package func problems(comparingIndexes: Bool = false) throws(DatabaseReadError) -> [String] {
        let check = comparingIndexes ? "integrity_check" : "quick_check"
        do throws(DatabaseReadError) {
            // A row about a page has a line with the name of the database before it.
            let lines = try read { try String.fetchAll($0, sql: "PRAGMA \(check)(8)") }
                .flatMap { $0.split(separator: "\n").map(String.init) }
            return lines.prefix(16).filter { line in
                line != "ok" && !line.hasPrefix("*** in database ") && !line.hasPrefix("NULL value in ")
                    && !line.hasPrefix("unable to validate ") && !(hasForeignOrder && line.contains("order"))
            }
        } catch {
            guard error.code == .damaged else { throw error }
            return [error.detail]
        }
    }

    /// Returns the proof that a log does not belong to its database, as `foreignLog`, for a database with which SQLite
    /// finds a problem: without the log, SQLite finds no problem.
    ///
    /// - Throws: The errors of opening, except `damaged`.
    package static func foreignLog(
        of source: some DatabaseSource, causing problem: String, limits: DatabaseLimits = DatabaseLimits()
    ) throws(DatabaseReadError) -> String? {
        guard source.hasLog else { return nil }
        do throws(DatabaseReadError) {
            let copy = try DatabaseCopy(of: source, limits: limits, ignoringLog: true)
            guard copy.foreignLog == nil else { return copy.foreignLog }
            return try copy.problems().isEmpty
                ? "the database is intact without it, and damaged with it: \(problem)" : nil
        } catch {
            guard error.code == .damaged else { throw error }
            return nil
        }
    }
}
