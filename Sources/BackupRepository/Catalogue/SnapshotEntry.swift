package import FileSystem
internal import Foundation
internal import GRDB

/// An item of a snapshot, in its directory.
package struct SnapshotEntry: Sendable, Hashable {
    /// The consistency of the stored content.
    package enum State: Int, Sendable {
        /// The content is consistent.
        case whole = 0
        /// The file changed during every attempt to read it, so the content may be a mix of several states.
        case unstable = 1
        /// The content is the result of SQLite's online backup of a database in use: consistent, but not byte for byte
        /// the file.
        case consistentCopy = 2
    }

    /// The maximum depth of an item. A walk keeps one directory open per level.
    package static let maximumDepth = 512

    /// The set-user-ID and set-group-ID bits, which give a program the rights of its owner or group.
    package static let setIDBits: UInt16 = 0o6000

    package let name: [UInt8]
    package var kind: FileKind
    /// The permissions in twelve bits.
    package var permissions: UInt16
    package var user: UInt32
    package var group: UInt32
    package var size: UInt64
    package var modified: Timestamp
    package var changed: Timestamp
    package var inode: UInt64
    package var links: UInt32
    package var state = State.whole
    /// The content of a file.
    package var object: Int64?
    /// The entries of a directory.
    package var child: Int64?
    /// The target of a symbolic link.
    package var target: [UInt8]?
    package var attributes: Int64?

    package init(name: [UInt8], _ status: FileStatus) {
        self.name = name
        kind = status.kind
        permissions = status.permissions & 0o7777
        (user, group) = status.owner
        size = status.kind == .directory ? 0 : status.size
        modified = status.modified
        changed = status.changed
        inode = status.identity.inode
        links = status.kind == .directory ? 1 : status.links
    }

    package init(name: [UInt8], kind: FileKind) {
        self.init(name: name, FileStatus(kind: kind, size: 0))
    }

    /// Returns true if the item on disk is still the stored one. Every save and every change of an attribute changes
    /// one of these fields.
    package func isUnchanged(_ status: FileStatus) -> Bool {
        state != .unstable && kind == status.kind && size == status.size && modified == status.modified
            && changed == status.changed && inode == status.identity.inode
    }
}

/// Directories of snapshots. Directories with equal entries are stored once.
extension Repository {
    private static let columns = """
        name, kind, mode, user, "group", size, modified, modified_ns, changed, changed_ns, inode, links, state, object,
        child, target, attributes
        """

    /// Returns the entries of a directory, by the bytes of their names.
    package func entries(of directory: Int64) throws(BackupError) -> [SnapshotEntry] {
        try entries(of: directory, after: nil, atMost: .max)
    }

    /// Returns at most `most` entries of a directory that follow a name, by the bytes of their names.
    func entries(of directory: Int64, after name: [UInt8]?, atMost most: Int) throws(BackupError) -> [SnapshotEntry] {
        try entries(Self.columns, of: directory, after: name, atMost: most) { _, _ in }
    }

    /// Returns entries as above, and adds them to the hash that verifies the directory.
    func entries(
        of directory: Int64, after name: [UInt8]?, atMost most: Int, addingTo hash: inout DirectoryHash
    ) throws(BackupError) -> [SnapshotEntry] {
        try entries(Self.columns + Self.hashes, of: directory, after: name, atMost: most) { entry, row throws in
            func rowHash(_ index: Int, _ id: Int64?, _ table: String) throws -> [UInt8]? {
                guard let id else { return nil }
                guard let hash = Data.fromDatabaseValue(row[index] as DatabaseValue) else {
                    throw Self.lack(of: id, in: table)
                }
                return Array(hash)
            }
            hash.add(
                entry,
                DirectoryHash.Rows(
                    object: try rowHash(17, entry.object, "object"), child: try rowHash(18, entry.child, "directory"),
                    attributes: try rowHash(19, entry.attributes, "attributes")))
        }
    }

    /// The hashes of the rows that an entry references.
    private static let hashes = """
        , (SELECT sha256 FROM object WHERE id = entry.object), (SELECT sha256 FROM directory WHERE id = entry.child),
        (SELECT sha256 FROM attributes AS known WHERE known.id = entry.attributes)
        """

    private func entries(
        _ columns: String, of directory: Int64, after name: [UInt8]?, atMost most: Int,
        _ look: (SnapshotEntry, Row) throws -> Void
    ) throws(BackupError) -> [SnapshotEntry] {
        try withCatalogue { database in
            let later = name == nil ? "" : "AND name > ?"
            let statement = try database.cachedStatement(
                sql: "SELECT \(columns) FROM entry WHERE directory = ? \(later) ORDER BY name LIMIT ?")
            var arguments: StatementArguments = [directory]
            if let name { arguments += [Data(name)] }
            let rows = try Row.fetchCursor(statement, arguments: arguments + [most])
            var entries: [SnapshotEntry] = []
            while let row = try rows.next() {
                let entry = try Self.entry(row)
                try look(entry, row)
                entries.append(entry)
            }
            return entries
        }
    }

    /// Returns the stored hash of a directory.
    func hash(of directory: Int64) throws(BackupError) -> ContentHash {
        try withCatalogue { database in
            let statement = try database.cachedStatement(sql: "SELECT sha256 FROM directory WHERE id = ?")
            guard let hash = try Data.fetchOne(statement, arguments: [directory]) else {
                throw Self.lack(of: directory, in: "directory")
            }
            return ContentHash(bytes: Array(hash))
        }
    }

    private static func lack(of id: Int64, in table: String) -> BackupError {
        BackupError(.damaged, "\(table) \(id) of a directory is missing from the catalogue")
    }

    /// Returns the number of entries of a directory.
    package func count(of directory: Int64) throws(BackupError) -> Int {
        try withCatalogue { database in
            try Int.fetchOne(
                database.cachedStatement(sql: "SELECT count(*) FROM entry WHERE directory = ?"), arguments: [directory])
                ?? 0
        }
    }

    /// Inserts a directory with these entries unless it exists, and repairs its rows if they do not match the hash. Not
    /// thread-safe.
    ///
    /// - Returns: The number of the directory.
    package func insertDirectory(_ entries: [SnapshotEntry]) throws(BackupError) -> Int64 {
        let (hash, found) = try withCatalogue { database in
            let hash = try Self.hash(of: entries, in: database)
            let find = try database.cachedStatement(sql: "SELECT id FROM directory WHERE sha256 = ?")
            return (hash, try Int64.fetchOne(find, arguments: [Data(hash.bytes)]))
        }
        if let found, try has(entries, found) { return found }
        return try modifyCatalogue { database in
            if let found {
                try database.execute(sql: "DELETE FROM entry WHERE directory = ?", arguments: [found])
            } else {
                try database.cachedStatement(sql: "INSERT INTO directory(sha256) VALUES(?)")
                    .execute(arguments: [Data(hash.bytes)])
            }
            let directory = found ?? database.lastInsertedRowID
            let insert = try database.cachedStatement(
                sql: """
                    INSERT INTO entry(directory, \(Self.columns)) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                    """)
            for entry in entries {
                try insert.execute(arguments: [
                    directory, Data(entry.name), Int(entry.kind.rawValue), Int(entry.permissions), Int(entry.user),
                    Int(entry.group), Int64(bitPattern: entry.size), entry.modified.seconds,
                    Int(entry.modified.nanoseconds), entry.changed.seconds, Int(entry.changed.nanoseconds),
                    Int64(bitPattern: entry.inode), Int(entry.links), entry.state.rawValue, entry.object, entry.child,
                    entry.target.map { Data($0) }, entry.attributes,
                ])
            }
            return directory
        }
    }

    private func has(_ entries: [SnapshotEntry], _ directory: Int64) throws(BackupError) -> Bool {
        do throws(BackupError) { return try self.entries(of: directory) == entries } catch {
            guard error.code == .damaged else { throw error }
            return false
        }
    }

    /// Returns the hash of a directory with these entries, in order.
    static func hash(of entries: [SnapshotEntry], in database: Database) throws -> ContentHash {
        var hash = DirectoryHash()
        func rowHash(_ id: Int64?, _ table: String) throws -> [UInt8]? {
            guard let id else { return nil }
            let statement = try database.cachedStatement(sql: "SELECT sha256 FROM \(table) WHERE id = ?")
            guard let hash = try Data.fetchOne(statement, arguments: [id]) else { throw lack(of: id, in: table) }
            return Array(hash)
        }
        for entry in entries {
            hash.add(
                entry,
                DirectoryHash.Rows(
                    object: try rowHash(entry.object, "object"), child: try rowHash(entry.child, "directory"),
                    attributes: try rowHash(entry.attributes, "attributes")))
        }
        return hash.value
    }

    /// Returns the entry of a row. Every value is checked: a flipped bit may change its value or its type.
    private static func entry(_ row: Row) throws -> SnapshotEntry {
        func value<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value {
            guard let value = Value.fromDatabaseValue(row[index] as DatabaseValue) else {
                throw BackupError(.damaged, "the catalogue contains an invalid entry")
            }
            return value
        }
        guard let kind = FileKind(rawValue: try value(1)), let state = SnapshotEntry.State(rawValue: try value(12)),
            let size = UInt64(exactly: try value(5) as Int64)
        else { throw BackupError(.damaged, "the catalogue contains an entry with an invalid kind or size") }
        var entry = SnapshotEntry(name: Array(try value(0) as Data), kind: kind)
        entry.permissions = try value(2)
        entry.user = try value(3)
        entry.group = try value(4)
        entry.size = size
        entry.modified = Timestamp(seconds: try value(6), nanoseconds: try value(7))
        entry.changed = Timestamp(seconds: try value(8), nanoseconds: try value(9))
        entry.inode = UInt64(bitPattern: try value(10))
        entry.links = try value(11)
        entry.state = state
        func optional<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value? {
            (row[index] as DatabaseValue).isNull ? nil : try value(index)
        }
        entry.object = try optional(13)
        entry.child = try optional(14)
        entry.target = (try optional(15) as Data?).map { Array($0) }
        entry.attributes = try optional(16)
        return entry
    }
}
