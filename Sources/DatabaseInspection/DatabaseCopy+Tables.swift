internal import GRDB

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
