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

    package internal(set) var name: [UInt8]
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
    /// Returns the entries of a directory, by the bytes of their names.
    package func entries(of directory: Int64) throws(BackupError) -> [SnapshotEntry] {
        try entries(of: directory, after: nil, atMost: .max)
    }

    /// Returns at most `most` entries of a directory that follow a name, by the bytes of their names.
    func entries(of directory: Int64, after name: [UInt8]?, atMost most: Int) throws(BackupError) -> [SnapshotEntry] {
        try entries(EntryRow.columns, of: directory, after: name, atMost: most) { _, _ in }
    }

    /// Returns entries as above, and adds them to the hash that verifies the directory.
    func entries(
        of directory: Int64, after name: [UInt8]?, atMost most: Int, addingTo hash: inout DirectoryHash
    ) throws(BackupError) -> [SnapshotEntry] {
        try entries(EntryRow.columns + EntryRow.hashes, of: directory, after: name, atMost: most) { entry, row throws in
            hash.add(entry, try row.hashes(of: entry))
        }
    }

    /// Returns all entries of a directory after it has verified their hash.
    ///
    /// - Throws: `damaged`.
    package func verifiedEntries(of directory: Int64) throws(BackupError) -> [SnapshotEntry] {
        var hash = DirectoryHash()
        let entries = try entries(of: directory, after: nil, atMost: .max, addingTo: &hash)
        try require(hash.value, of: directory)
        return entries
    }

    /// - Throws: `damaged` if a directory is stored with another hash.
    func require(_ hash: ContentHash, of directory: Int64) throws(BackupError) {
        guard try self.hash(of: directory) == hash else {
            throw BackupError(.damaged, "directory \(directory) is damaged: its entries do not match the hash")
        }
    }

    private func entries(
        _ columns: String, of directory: Int64, after name: [UInt8]?, atMost most: Int,
        _ look: (SnapshotEntry, EntryRow) throws -> Void
    ) throws(BackupError) -> [SnapshotEntry] {
        try withCatalogue { database in
            let later = name == nil ? "" : "AND name > ?"
            let statement = try database.cachedStatement(
                sql: "SELECT \(columns) FROM entry WHERE directory = ? \(later) ORDER BY name LIMIT ?")
            var arguments: StatementArguments = [directory]
            if let name { arguments += [Data(name)] }
            let cursor = try Row.fetchCursor(statement, arguments: arguments + [most])
            let row = EntryRow(statement.sqliteStatement)
            var entries: [SnapshotEntry] = []
            while try cursor.next() != nil {
                let entry = try row.entry()
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

    static func lack(of id: Int64, in table: String) -> BackupError {
        BackupError(.damaged, "\(table) \(id) of a directory is missing from the catalogue")
    }

    /// Inserts a directory with these entries unless it exists, and repairs its rows if they do not match the hash. Not
    /// thread-safe.
    ///
    /// - Returns: The number of the directory.
    package func insertDirectory(_ entries: [SnapshotEntry]) throws(BackupError) -> Int64 {
        let (hash, content, found) = try withCatalogue { database in
            let whole = try Self.wholeHash(of: entries, in: database, keepingContent: true)
            let hash = whole.value
            let find = try database.cachedStatement(sql: "SELECT id FROM directory WHERE sha256 = ?")
            let found = try Int64.fetchOne(find, arguments: [Data(hash.bytes)])
            return (hash, found == nil ? whole.content ?? [] : [], found)
        }
        if let found, try has(entries, found) { return found }
        return try modifyCatalogue { database in
            if let found {
                try database.execute(sql: "DELETE FROM entry WHERE directory = ?", arguments: [found])
            } else {
                try addCopy(.directory, hash, content, in: database)
                try database.cachedStatement(sql: "INSERT INTO directory(sha256) VALUES(?)")
                    .execute(arguments: [Data(hash.bytes)])
            }
            let directory = found ?? database.lastInsertedRowID
            for entry in entries { try Self.insert(entry, into: directory, in: database) }
            return directory
        }
    }

    /// Inserts the row of an entry.
    static func insert(_ entry: SnapshotEntry, into directory: Int64, in database: Database) throws {
        let insert = try database.cachedStatement(
            sql: """
                INSERT INTO entry(directory, \(EntryRow.columns)) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try insert.execute(arguments: [
            directory, Data(entry.name), Int(entry.kind.rawValue), Int(entry.permissions), Int(entry.user),
            Int(entry.group), Int64(bitPattern: entry.size), entry.modified.seconds,
            Int(entry.modified.nanoseconds), entry.changed.seconds, Int(entry.changed.nanoseconds),
            Int64(bitPattern: entry.inode), Int(entry.links), entry.state.rawValue, entry.object, entry.child,
            entry.target.map { Data($0) }, entry.attributes,
        ])
    }

    private func has(_ entries: [SnapshotEntry], _ directory: Int64) throws(BackupError) -> Bool {
        do throws(BackupError) { return try self.entries(of: directory) == entries } catch {
            guard error.code == .damaged else { throw error }
            return false
        }
    }

    /// Returns the hash of a directory with these entries, in order.
    static func hash(of entries: [SnapshotEntry], in database: Database) throws -> ContentHash {
        try wholeHash(of: entries, in: database, keepingContent: false).value
    }

    /// Returns the hash of a directory, with the bytes that it covers if they are kept.
    static func wholeHash(
        of entries: [SnapshotEntry], in database: Database, keepingContent isKept: Bool
    ) throws -> DirectoryHash {
        var hash = DirectoryHash(keepingContent: isKept)
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
        return hash
    }
}
