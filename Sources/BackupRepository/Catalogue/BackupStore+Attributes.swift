internal import Foundation
internal import GRDB

/// Sets of extended attributes. Many items have the same, which is kept once.
extension BackupStore {
    /// One attribute: its name without a system's namespace, and its value.
    package struct Attribute: Sendable, Hashable {
        package let name: String
        package let value: [UInt8]

        package init(name: String, value: [UInt8]) {
            self.name = name
            self.value = value
        }

        /// Those that could be read.
        package static func list(_ values: [(name: String, value: [UInt8]?)]) -> [Self] {
            values.compactMap { name, value in value.map { Self(name: name, value: $0) } }
        }
    }

    /// The number of the set that has just these attributes, which are sorted by name.
    package func attributes(_ attributes: [Attribute]) throws(BackupError) -> Int64? {
        guard !attributes.isEmpty else { return nil }
        let hash = Self.hash(of: attributes)
        return try addition { database in
            let find = try database.cachedStatement(sql: "SELECT id FROM attributes WHERE sha256 = ?")
            if let found = try Int64.fetchOne(find, arguments: [Data(hash.bytes)]) { return found }
            try database.execute(sql: "INSERT INTO attributes(sha256) VALUES(?)", arguments: [Data(hash.bytes)])
            let id = database.lastInsertedRowID
            for attribute in attributes {
                try database.execute(
                    sql: "INSERT INTO attribute(attributes, name, value) VALUES(?, ?, ?)",
                    arguments: [id, attribute.name, Data(attribute.value)])
            }
            return id
        }
    }

    /// The attributes of a set, by name.
    ///
    /// - Throws: `damaged` where they are not those that were written.
    package func attributes(_ id: Int64) throws(BackupError) -> [Attribute] {
        try catalogue { database in
            let statement = try database.cachedStatement(
                sql: "SELECT name, value FROM attribute WHERE attributes = ? ORDER BY name")
            let rows = try Row.fetchCursor(statement, arguments: [id])
            var attributes: [Attribute] = []
            while let row = try rows.next() {
                guard let name = String.fromDatabaseValue(row[0] as DatabaseValue),
                    let value = Data.fromDatabaseValue(row[1] as DatabaseValue)
                else { throw BackupError(.damaged, "the catalogue holds an attribute that cannot be") }
                attributes.append(Attribute(name: name, value: Array(value)))
            }
            let hash = try database.cachedStatement(sql: "SELECT sha256 FROM attributes WHERE id = ?")
            guard try Data.fetchOne(hash, arguments: [id]) == Data(Self.hash(of: attributes).bytes) else {
                throw BackupError(.damaged, "its values are not those that were written")
            }
            return attributes
        }
    }

    /// What a set is known by: its names and values in order, each after its length.
    static func hash(of attributes: [Attribute]) -> ContentHash {
        var bytes: [UInt8] = []
        for attribute in attributes {
            for part in [Array(attribute.name.utf8), attribute.value] {
                withUnsafeBytes(of: Int64(part.count).bigEndian) { bytes += $0 }
                bytes += part
            }
        }
        return ContentHash(of: bytes)
    }
}
