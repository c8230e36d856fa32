internal import GRDB

/// A table that a store keeps on its own pages, and its columns.
package struct StoreTable: Sendable, Hashable {
    package let name: String
    /// Those whose values are stored, not made when they are asked for.
    package let columns: [String]
}

extension StoreCopy {
    /// The tables, by name; SQLite's own and virtual ones are left out. At most as many tables and columns as the
    /// limits say.
    ///
    /// - Throws: `damaged`, `tooSlow`, `notUnderstood`, `noCopy`.
    package func tables() throws(StoreError) -> [StoreTable] {
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
                return StoreTable(name: name, columns: columns)
            }
        }
    }
}
