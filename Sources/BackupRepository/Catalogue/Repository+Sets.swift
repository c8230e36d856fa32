package import FileSystem
internal import Foundation
internal import GRDB

/// Sets of extended attributes. Each distinct set is stored once.
extension Repository {
    /// An extended attribute. The name has no namespace prefix.
    package struct Attribute: Sendable, Hashable {
        package let name: String
        package let value: [UInt8]

        package init(name: String, value: [UInt8]) {
            self.name = name
            self.value = value
        }

        /// Returns the attributes of a list, without those whose value is nil because it could not be read.
        package static func list(_ values: [(name: String, value: [UInt8]?)]) -> [Self] {
            values.compactMap { name, value in value.map { Self(name: name, value: $0) } }
        }
    }

    /// Inserts a set of attributes sorted by name, unless it is stored already.
    ///
    /// - Returns: The number of the set; nil for an empty set.
    package func insertAttributes(_ attributes: [Attribute]) throws(BackupError) -> Int64? {
        guard !attributes.isEmpty else { return nil }
        return try modifyCatalogue { try insertAttributes(attributes, in: $0) }
    }

    /// As above, within a use of the catalogue and for a set that is not empty.
    func insertAttributes(_ attributes: [Attribute], in database: Database) throws -> Int64 {
        let bytes = Self.bytes(of: attributes)
        let hash = ContentHash(of: bytes)
        if let found = try Self.findAttributes(hash, in: database) { return found }
        try addCopy(.attributes, hash: hash, bytes: bytes, in: database)
        return try Self.insert(attributes, hash: hash, in: database)
    }

    /// Returns the number of the set with a hash; nil without one.
    static func findAttributes(_ hash: ContentHash, in database: Database) throws -> Int64? {
        let find = try database.cachedStatement(sql: "SELECT id FROM attributes WHERE sha256 = ?")
        return try Int64.fetchOne(find, arguments: [Data(hash.bytes)])
    }

    /// Inserts the rows of a set that is not stored.
    static func insert(_ attributes: [Attribute], hash: ContentHash, in database: Database) throws -> Int64 {
        try database.execute(sql: "INSERT INTO attributes(sha256) VALUES(?)", arguments: [Data(hash.bytes)])
        let id = database.lastInsertedRowID
        for attribute in attributes {
            try database.execute(
                sql: "INSERT INTO attribute(attributes, name, value) VALUES(?, ?, ?)",
                arguments: [id, attribute.name, Data(attribute.value)])
        }
        return id
    }

    /// Returns the attributes of a set, by name.
    ///
    /// - Throws: `damaged` if they do not match their hash.
    package func attributes(_ id: Int64) throws(BackupError) -> [Attribute] {
        try withCatalogue { database in
            let statement = try database.cachedStatement(
                sql: "SELECT name, value FROM attribute WHERE attributes = ? ORDER BY name")
            let rows = try Row.fetchCursor(statement, arguments: [id])
            var attributes: [Attribute] = []
            while let row = try rows.next() {
                guard let name = String.fromDatabaseValue(row[0] as DatabaseValue),
                    let value = Data.fromDatabaseValue(row[1] as DatabaseValue)
                else { throw BackupError(.damaged, what: "the catalogue contains an invalid attribute") }
                attributes.append(Attribute(name: name, value: Array(value)))
            }
            let hash = try database.cachedStatement(sql: "SELECT sha256 FROM attributes WHERE id = ?")
            guard try Data.fetchOne(hash, arguments: [id]) == Data(Self.hash(of: attributes).bytes) else {
                throw BackupError(.damaged, what: "its values do not match the hash")
            }
            return attributes
        }
    }

    /// Returns the hash of a set: each name and value after its length.
    static func hash(of attributes: [Attribute]) -> ContentHash { ContentHash(of: bytes(of: attributes)) }

    /// Returns the bytes that the hash of a set covers.
    static func bytes(of attributes: [Attribute]) -> [UInt8] {
        var bytes: [UInt8] = []
        for attribute in attributes {
            for part in [Array(attribute.name.utf8), attribute.value] {
                withUnsafeBytes(of: Int64(part.count).bigEndian) { bytes += $0 }
                bytes += part
            }
        }
        return bytes
    }

    /// Returns the set that the bytes of a hash describe.
    static func attributes(in bytes: [UInt8]) throws(BackupError) -> [Attribute] {
        var parser = RecordParser(bytes)
        var attributes: [Attribute] = []
        while !parser.isAtEnd { attributes.append(Attribute(name: try parser.string(), value: try parser.text())) }
        return attributes
    }
}

/// Lists of excluded items. Each distinct list is stored once; it rarely changes from snapshot to snapshot.
extension Repository {
    /// An item that the plan excluded from a snapshot. A directory stands for its content.
    package struct Exclusion: Sendable, Hashable {
        package let path: [UInt8]
        package let kind: FileKind
        /// The reason of the plan, as its `rawValue`.
        package let reason: String
        /// The origin of the decision: an attribute, a file, a location or a kind.
        package let flag: String

        package init(path: [UInt8], kind: FileKind, reason: String, flag: String) {
            self.path = path
            self.kind = kind
            self.reason = reason
            self.flag = flag
        }
    }

    /// Inserts a list of exclusions, unless it is stored already.
    ///
    /// - Returns: The number of the list; nil for an empty list.
    package func insertExclusions(_ list: [Exclusion]) throws(BackupError) -> Int64? {
        guard !list.isEmpty else { return nil }
        let list = list.sorted { $0.path.lexicographicallyPrecedes($1.path) }
        let bytes = Self.bytes(of: list)
        let hash = ContentHash(of: bytes)
        return try modifyCatalogue { database in
            let find = try database.cachedStatement(sql: "SELECT id FROM exclusions WHERE sha256 = ?")
            if let found = try Int64.fetchOne(find, arguments: [Data(hash.bytes)]) { return found }
            try addCopy(.exclusions, hash: hash, bytes: bytes, in: database)
            return try Self.insert(list, hash: hash, in: database)
        }
    }

    /// Inserts the rows of a list that is not stored.
    static func insert(_ list: [Exclusion], hash: ContentHash, in database: Database) throws -> Int64 {
        try database.execute(sql: "INSERT INTO exclusions(sha256) VALUES(?)", arguments: [Data(hash.bytes)])
        let id = database.lastInsertedRowID
        let insert = try database.cachedStatement(
            sql: "INSERT INTO excluded(exclusions, path, kind, reason, flag) VALUES(?, ?, ?, ?, ?)")
        for one in list {
            try insert.execute(arguments: [id, Data(one.path), Int(one.kind.rawValue), one.reason, one.flag])
        }
        return id
    }

    /// Returns the exclusions of a list, by the bytes of their paths.
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
                else { throw BackupError(.damaged, what: "the catalogue contains an invalid exclusion") }
                list.append(Exclusion(path: Array(path), kind: kind, reason: reason, flag: flag))
            }
            return list
        }
    }

    /// Returns the stored hash of a list.
    func hash(ofExclusions id: Int64) throws(BackupError) -> ContentHash? {
        try withCatalogue { database in
            try Data.fetchOne(database, sql: "SELECT sha256 FROM exclusions WHERE id = ?", arguments: [id])
                .map { ContentHash(bytes: Array($0)) }
        }
    }

    /// Returns the hash of a list: path, kind, reason and flag of each exclusion, each after its length.
    static func hash(of list: [Exclusion]) -> ContentHash { ContentHash(of: bytes(of: list)) }

    /// Returns the bytes that the hash of a list covers.
    static func bytes(of list: [Exclusion]) -> [UInt8] {
        var bytes: [UInt8] = []
        for one in list {
            for part in [one.path, Array("\(one.kind.rawValue)".utf8), Array(one.reason.utf8), Array(one.flag.utf8)] {
                withUnsafeBytes(of: Int64(part.count).bigEndian) { bytes += $0 }
                bytes += part
            }
        }
        return bytes
    }

    /// Returns the list that the bytes of a hash describe.
    static func exclusions(in bytes: [UInt8]) throws(BackupError) -> [Exclusion] {
        var parser = RecordParser(bytes)
        var list: [Exclusion] = []
        while !parser.isAtEnd {
            let (path, number) = (try parser.text(), try parser.string())
            guard let kind = UInt8(number).flatMap(FileKind.init) else { throw RecordParser.invalid }
            list.append(
                Exclusion(path: path, kind: kind, reason: try parser.string(), flag: try parser.string()))
        }
        return list
    }
}
