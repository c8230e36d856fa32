internal import GRDB

/// A database that Core Data has created, with its entities.
package struct CoreDataSchema: Sendable, Hashable {
    /// An entity of the model.
    package struct Entity: Sendable, Hashable {
        /// The number that rows contain in the column `Z_ENT`.
        package let number: Int64
        package let name: String
        /// The name of the entity from which it inherits.
        package let parent: String?
        /// The table with its rows, which is that of the topmost parent. Nil if the database has no such table.
        package let table: String?
        /// The highest primary key that Core Data has assigned.
        package let lastKey: Int64
    }

    /// The identifier of the database (`Z_UUID`).
    package let identifier: String?
    /// The entities, sorted by name.
    package let entities: [Entity]
    /// The names of the files outside of the database that its rows refer to.
    package let externalReferences: Set<String>
}

extension DatabaseCopy {
    /// Returns the entities if Core Data has created the database: its tables `Z_METADATA` and `Z_PRIMARYKEY` have the
    /// columns of Core Data. Otherwise nil.
    ///
    /// - Throws: `damaged`, `tooSlow`, `notUnderstood`, `noCopy`.
    package func coreData() throws(DatabaseReadError) -> CoreDataSchema? {
        let tables = try tables()
        func has(_ columns: Set<String>, in table: String) -> Bool {
            tables.contains { $0.name == table && columns.isSubset(of: $0.columns) }
        }
        guard has(["Z_UUID"], in: "Z_METADATA"), has(["Z_ENT", "Z_NAME", "Z_SUPER", "Z_MAX"], in: "Z_PRIMARYKEY")
        else { return nil }
        let names = Set(tables.map(\.name))
        let (rows, identifier) = try read { database in
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY
                    WHERE typeof(Z_ENT) = 'integer' AND typeof(Z_NAME) = 'text' AND length(Z_NAME) <= 256 LIMIT ?
                    """, arguments: [limits.tables]
            ).map { row in
                (number: row.integer(0), name: row.text(1) ?? "", parent: row.integer(2), last: row.integer(3))
            }
            let identifier = try String.fetchOne(
                database,
                sql: "SELECT Z_UUID FROM Z_METADATA WHERE typeof(Z_UUID) = 'text' AND length(Z_UUID) <= 256 LIMIT 1")
            return (rows, identifier)
        }
        let byNumber = Dictionary(rows.map { ($0.number, $0) }) { first, _ in first }
        let entities = rows.map { row in
            var root = row
            // A damaged table may contain a cycle.
            for _ in rows {
                guard root.parent != 0, let parent = byNumber[root.parent] else { break }
                root = parent
            }
            let table = "Z" + root.name.uppercased()
            return CoreDataSchema.Entity(
                number: row.number, name: row.name, parent: byNumber[row.parent]?.name,
                table: names.contains(table) ? table : nil, lastKey: row.last)
        }
        return CoreDataSchema(
            identifier: identifier, entities: entities.sorted { ($0.name, $0.number) < ($1.name, $1.number) },
            externalReferences: try externalReferences())
    }
}
