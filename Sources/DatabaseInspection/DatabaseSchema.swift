internal import GRDB

/// A table, view, index or trigger of a database.
package struct SchemaObject: Sendable, Hashable {
    /// The kind of an object.
    package enum Kind: String, Sendable, CaseIterable {
        case table, view, index, trigger
        /// A table whose content a module provides, such as a full-text index. Its rows are not read, because the module
        /// may be unknown here or may not expect a hostile database.
        case virtualTable = "virtual table"
    }

    package let kind: Kind
    package let name: String
    /// The table of an index or trigger, otherwise the object's own name.
    package let table: String
    /// The statement that creates the object, at most `DatabaseLimits.valueBytes` long. Nil for an index that SQLite
    /// creates for a constraint.
    package let sql: String?
    /// True for a table of SQLite itself, such as `sqlite_sequence`.
    package var isInternal: Bool { name.lowercased().hasPrefix("sqlite_") }
    /// True if rows of the object can be read.
    package var hasRows: Bool { kind == .table || kind == .view }
}

/// A column of a table or view.
package struct SchemaColumn: Sendable, Hashable {
    package let name: String
    /// The declared type, such as `VARCHAR(30)`. Empty if none is declared.
    package let type: String
    package let isRequired: Bool
    /// The SQL of the default value.
    package let defaultValue: String?
    /// The position in the primary key, from 1. Nil for a column outside of it.
    package let keyPosition: Int?
    /// True if the value is computed from other columns. Such values are not read.
    package let isGenerated: Bool
}

/// The number of rows of a table or view.
package struct RowCount: Sendable, Hashable {
    package let count: Int
    /// False if there may be more rows than were counted.
    package let isExact: Bool
}

extension DatabaseCopy {
    /// Returns tables, views, indexes and triggers in this order, each sorted by name. At most `DatabaseLimits.tables`
    /// of each kind.
    ///
    /// - Throws: `damaged`, `tooSlow`, `notUnderstood`, `noCopy`.
    package func schema() throws(DatabaseReadError) -> [SchemaObject] {
        let (tables, bytes) = (limits.tables, limits.valueBytes)
        return try read { database in
            try ["table", "view", "index", "trigger"].flatMap { (type: String) -> [SchemaObject] in
                try Row.fetchAll(
                    database,
                    sql: """
                        SELECT name, tbl_name, substr(sql, 1, ?), rootpage FROM sqlite_master
                        WHERE type = ? AND typeof(name) = 'text' AND length(name) <= 256
                        ORDER BY name LIMIT ?
                        """, arguments: [bytes, type, tables] as StatementArguments
                ).map { (row: Row) -> SchemaObject in
                    let isVirtual = type == "table" && row.integer(3) <= 0
                    return SchemaObject(
                        kind: isVirtual ? .virtualTable : SchemaObject.Kind(rawValue: type) ?? .table,
                        name: row.text(0) ?? "", table: row.text(1) ?? "", sql: row.text(2))
                }
            }
        }
    }

    /// Returns the columns of a table or view in their order, at most `DatabaseLimits.columns`. Empty for a name that is
    /// neither, and for a view that refers to missing tables.
    ///
    /// - Throws: `damaged`, `tooSlow`, `notUnderstood`, `noCopy`.
    package func columns(of name: String) throws(DatabaseReadError) -> [SchemaColumn] {
        let count = limits.columns
        return try readUntrusted { database in
            try Row.fetchAll(
                database,
                sql: "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?) LIMIT ?",
                arguments: [name, count] as StatementArguments
            ).map { row in
                let position = Int(row.integer(4))
                return SchemaColumn(
                    name: row.text(0) ?? "", type: row.text(1) ?? "", isRequired: row.integer(2) != 0,
                    defaultValue: row.text(3), keyPosition: position > 0 ? position : nil,
                    isGenerated: row.integer(5) > 1)
            }
        }
    }

    /// Counts the rows of a table or view, at most `limit`.
    ///
    /// - Throws: `damaged`, `tooSlow`, `notUnderstood`, `noCopy`.
    package func rowCount(of name: String, limit: Int = 10_000_000) throws(DatabaseReadError) -> RowCount {
        let sql = "SELECT count(*) FROM (SELECT 1 FROM \(Self.quoted(name)) LIMIT ?)"
        return try readUntrusted { database in
            let count = try Int.fetchOne(database, sql: sql, arguments: [max(0, limit)] as StatementArguments) ?? 0
            return RowCount(count: count, isExact: count < limit)
        }
    }
}

/// Values of a hostile database may have any type, for which GRDB's conversions end the process.
extension Row {
    /// The text in a column, or nil for a value of another type.
    func text(_ index: Int) -> String? {
        if case .string(let text) = (self[index] as DatabaseValue).storage { text } else { nil }
    }

    /// The integer in a column, or 0 for a value of another type.
    func integer(_ index: Int) -> Int64 {
        if case .int64(let number) = (self[index] as DatabaseValue).storage { number } else { 0 }
    }
}
