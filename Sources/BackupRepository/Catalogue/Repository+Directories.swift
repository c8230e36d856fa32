internal import FileSystem
internal import Foundation
internal import GRDB

/// Directories of snapshots. Directories with equal entries are stored once.
extension Repository {
    /// Returns at most `most` entries of a directory that follow a name, by the bytes of their names.
    func entries(of directory: Int64, after name: [UInt8]?, atMost most: Int) throws(BackupError) -> [SnapshotEntry] {
        try withCatalogue { database in
            var entries: [SnapshotEntry] = []
            try Self.readEntries(EntryRow.columns, of: directory, after: name, atMost: most, in: database) { row in
                entries.append(try row.entry())
            }
            return entries
        }
    }

    /// Returns entries as above, and adds them to the hash that verifies the directory.
    func entries(
        of directory: Int64, after name: [UInt8]?, atMost most: Int, addingTo hash: inout DirectoryHash
    ) throws(BackupError) -> [SnapshotEntry] {
        try withCatalogue { database in
            var entries: [SnapshotEntry] = []
            try Self.readHashedEntries(of: directory, after: name, atMost: most, addingTo: &hash, in: database) {
                entry, _ in entries.append(entry)
            }
            return entries
        }
    }

    /// Returns the hash of the entries that are stored for a directory, in memory for one of them.
    static func hash(ofEntriesOf directory: Int64, in database: Database) throws -> ContentHash {
        var hash = DirectoryHash()
        try readHashedEntries(of: directory, addingTo: &hash, in: database) { _, _ in }
        return hash.value
    }

    /// Adds the entries of a directory to a hash, and calls `body` with each and the bytes that the hash covers.
    private static func readHashedEntries(
        of directory: Int64, after name: [UInt8]? = nil, atMost most: Int = .max, addingTo hash: inout DirectoryHash,
        in database: Database, _ body: (SnapshotEntry, [UInt8]) throws -> Void
    ) throws {
        let columns = EntryRow.columns + EntryRow.hashes
        try readEntries(columns, of: directory, after: name, atMost: most, in: database) { row in
            let entry = try row.entry()
            hash.add(entry, rows: try row.hashes(of: entry))
            try body(entry, hash.bytes)
        }
    }

    private static func readEntries(
        _ columns: String, of directory: Int64, after name: [UInt8]?, atMost most: Int, in database: Database,
        _ body: (EntryRow) throws -> Void
    ) throws {
        let later = name == nil ? "" : "AND name > ?"
        let statement = try database.cachedStatement(
            sql: "SELECT \(columns) FROM entry WHERE directory = ? \(later) ORDER BY name LIMIT ?")
        var arguments: StatementArguments = [directory]
        if let name { arguments += [Data(name)] }
        let cursor = try Row.fetchCursor(statement, arguments: arguments + [most])
        let row = EntryRow(statement.sqliteStatement)
        while try cursor.next() != nil { try body(row) }
    }

    /// - Throws: `damaged` if a directory is stored with another hash.
    func require(_ hash: ContentHash, of directory: Int64) throws(BackupError) {
        guard try self.hash(of: directory) == hash else { throw Self.mismatch(of: directory) }
    }

    private static func mismatch(of directory: Int64) -> BackupError {
        BackupError(.damaged, what: "directory \(directory) is damaged: its entries do not match the hash")
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
        BackupError(.damaged, what: "\(table) \(id) of a directory is missing from the catalogue")
    }

    /// Inserts a directory with these entries, in order, unless it exists, as `DirectoryWriter` does.
    ///
    /// - Returns: The number of the directory.
    package func insertDirectory(_ entries: [SnapshotEntry]) throws(BackupError) -> Int64 {
        var writer = DirectoryWriter(self)
        for entry in entries { try writer.add(entry) }
        return try writer.finish()
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

    /// Adds the copy of a directory to the packs, from its rows.
    ///
    /// - Throws: `damaged` if they do not match the hash. The copy is then in an unfinished pack, which must be abandoned.
    func addCopy(ofDirectory directory: Int64, _ hash: ContentHash, in database: Database) throws {
        try addCopy(.directory, hash: hash, in: database) { add in
            var read = DirectoryHash()
            try Self.readHashedEntries(of: directory, addingTo: &read, in: database) { _, bytes in try add(bytes) }
            guard read.value == hash else { throw Self.mismatch(of: directory) }
        }
    }
}

/// A writer for one directory, which stores it unless an equal one is stored, and repairs the rows of an equal one that do
/// not match their hash. Not thread-safe.
///
/// Many entries are inserted while they are added, so that a directory of any size takes little memory. A directory must
/// have a larger number than its subdirectories, so these are finished before its first entry is added.
package struct DirectoryWriter {
    private let repository: Repository
    private var hash = DirectoryHash()
    /// The entries that are not inserted yet.
    private var waiting: [SnapshotEntry] = []
    /// The directory of the inserted entries, which has no hash yet; nil before the first is inserted.
    private var unfinished: Int64?

    private static let mostWaiting = 4_096

    package init(_ repository: Repository) { self.repository = repository }

    /// Adds the next entry by name.
    package mutating func add(_ entry: SnapshotEntry) throws(BackupError) {
        waiting.append(entry)
        guard waiting.count > Self.mostWaiting else { return }
        _ = try hashWaiting()
        unfinished = try repository.modifyCatalogue { [waiting, unfinished] database in
            let directory = try unfinished ?? Self.insertRow(nil, in: database)
            for entry in waiting { try Repository.insert(entry, into: directory, in: database) }
            return directory
        }
        waiting.removeAll(keepingCapacity: true)
    }

    /// Stores the directory.
    ///
    /// - Returns: The number of the directory.
    package mutating func finish() throws(BackupError) -> Int64 {
        let content = try hashWaiting()
        let hash = hash.value
        let (found, isWhole) = try repository.withCatalogue { database -> (Int64?, Bool) in
            let find = try database.cachedStatement(sql: "SELECT id FROM directory WHERE sha256 = ?")
            guard let found = try Int64.fetchOne(find, arguments: [Data(hash.bytes)]) else { return (nil, false) }
            do { return (found, try Repository.hash(ofEntriesOf: found, in: database) == hash) } catch {
                guard BackupError(error).code == .damaged else { throw error }
                return (found, false)
            }
        }
        if let found, isWhole, unfinished == nil { return found }
        return try repository.modifyCatalogue { [repository, waiting, unfinished] database in
            guard let found else {
                let directory = try unfinished ?? Self.insertRow(hash, in: database)
                for entry in waiting { try Repository.insert(entry, into: directory, in: database) }
                guard unfinished != nil else {
                    try repository.addCopy(.directory, hash: hash, bytes: content, in: database)
                    return directory
                }
                try repository.addCopy(ofDirectory: directory, hash, in: database)
                try database.execute(
                    sql: "UPDATE directory SET sha256 = ? WHERE id = ?", arguments: [Data(hash.bytes), directory])
                return directory
            }
            if !isWhole {
                try database.execute(sql: "DELETE FROM entry WHERE directory = ?", arguments: [found])
                try database.execute(
                    sql: "UPDATE entry SET directory = ? WHERE directory = ?", arguments: [found, unfinished])
                for entry in waiting { try Repository.insert(entry, into: found, in: database) }
            }
            try database.execute(sql: "DELETE FROM entry WHERE directory = ?", arguments: [unfinished])
            try database.execute(sql: "DELETE FROM directory WHERE id = ?", arguments: [unfinished])
            return found
        }
    }

    /// Adds the waiting entries to the hash.
    ///
    /// - Returns: The bytes that the hash covers.
    private mutating func hashWaiting() throws(BackupError) -> [UInt8] {
        var (hash, content) = (hash, [UInt8]())
        try repository.withCatalogue { database in
            func rowHash(_ id: Int64?, table: String) throws -> [UInt8]? {
                guard let id else { return nil }
                let statement = try database.cachedStatement(sql: "SELECT sha256 FROM \(table) WHERE id = ?")
                guard let hash = try Data.fetchOne(statement, arguments: [id]) else {
                    throw Repository.lack(of: id, in: table)
                }
                return Array(hash)
            }
            for entry in waiting {
                hash.add(
                    entry,
                    rows: DirectoryHash.Rows(
                        object: try rowHash(entry.object, table: "object"),
                        child: try rowHash(entry.child, table: "directory"),
                        attributes: try rowHash(entry.attributes, table: "attributes")))
                content += hash.bytes
            }
        }
        self.hash = hash
        return content
    }

    /// Inserts the row of a directory, whose hash may follow.
    private static func insertRow(_ hash: ContentHash?, in database: Database) throws -> Int64 {
        try database.cachedStatement(sql: "INSERT INTO directory(sha256) VALUES(coalesce(?, randomblob(32)))")
            .execute(arguments: [hash.map { Data($0.bytes) }])
        return database.lastInsertedRowID
    }
}
