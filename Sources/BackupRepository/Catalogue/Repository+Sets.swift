package import FileSystem
internal import Foundation
internal import GRDB

/// Sets of extended attributes. Many items have the same, which is kept once.
extension Repository {
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
        return try modifyCatalogue { database in
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
        try withCatalogue { database in
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

/// Lists of what plans left out. A container's is the same from snapshot to snapshot as a rule, and kept once.
extension Repository {
    /// Something that a snapshot goes without because the plan said so; a directory stands for all it held.
    package struct Exclusion: Sendable, Hashable {
        package let path: [UInt8]
        package let kind: FileKind
        /// A plan's reason, as its `rawValue`.
        package let reason: String
        /// Who decided: an attribute, a file, a location or a kind.
        package let flag: String

        package init(path: [UInt8], kind: FileKind, reason: String, flag: String) {
            self.path = path
            self.kind = kind
            self.reason = reason
            self.flag = flag
        }
    }

    /// The number of the list that has just these; nil for none.
    package func exclusions(_ list: [Exclusion]) throws(BackupError) -> Int64? {
        guard !list.isEmpty else { return nil }
        let list = list.sorted { $0.path.lexicographicallyPrecedes($1.path) }
        let hash = Self.hash(of: list)
        return try modifyCatalogue { database in
            let find = try database.cachedStatement(sql: "SELECT id FROM exclusions WHERE sha256 = ?")
            if let found = try Int64.fetchOne(find, arguments: [Data(hash.bytes)]) { return found }
            try database.execute(sql: "INSERT INTO exclusions(sha256) VALUES(?)", arguments: [Data(hash.bytes)])
            let id = database.lastInsertedRowID
            let insert = try database.cachedStatement(
                sql: "INSERT INTO excluded(exclusions, path, kind, reason, flag) VALUES(?, ?, ?, ?, ?)")
            for one in list {
                try insert.execute(arguments: [id, Data(one.path), Int(one.kind.rawValue), one.reason, one.flag])
            }
            return id
        }
    }

    /// What a list holds, by the bytes of the paths.
    package func exclusions(_ id: Int64) throws(BackupError) -> [Exclusion] {
        try withCatalogue { database in
            let statement = try database.cachedStatement(
                sql: "SELECT path, kind, reason, flag FROM excluded WHERE exclusions = ? ORDER BY path")
            let rows = try Row.fetchCursor(statement, arguments: [id])
            var list: [Exclusion] = []
            while let row = try rows.next() {
                guard let path = Data.fromDatabaseValue(row[0] as DatabaseValue),
                    let kind = UInt8.fromDatabaseValue(row[1] as DatabaseValue).flatMap(FileKind.init),
                    let reason = String.fromDatabaseValue(row[2] as DatabaseValue),
                    let flag = String.fromDatabaseValue(row[3] as DatabaseValue)
                else { throw BackupError(.damaged, "the catalogue holds an exclusion that cannot be") }
                list.append(Exclusion(path: Array(path), kind: kind, reason: reason, flag: flag))
            }
            return list
        }
    }

    /// What a list is known by: of each exclusion path, kind, reason and flag, texts after their lengths.
    static func hash(of list: [Exclusion]) -> ContentHash {
        var bytes: [UInt8] = []
        for one in list {
            for part in [one.path, Array("\(one.kind.rawValue)".utf8), Array(one.reason.utf8), Array(one.flag.utf8)] {
                withUnsafeBytes(of: Int64(part.count).bigEndian) { bytes += $0 }
                bytes += part
            }
        }
        return ContentHash(of: bytes)
    }
}
