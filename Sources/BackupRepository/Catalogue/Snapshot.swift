internal import BackupPlan
package import FileSystem
internal import Foundation
internal import GRDB

/// One state of a container, as it was kept.
package struct Snapshot: Sendable, Hashable {
    /// Counted from 1 in each store, and never given twice.
    package internal(set) var number: Int64
    /// When it was begun.
    package let taken: Timestamp
    package let bundleIdentifier: String?
    /// `application` or `group`.
    package let kind: String
    package let view: String
    /// The directory that holds one entry, of no name: the container itself.
    package let tree: Int64
    package let files: Int
    /// Of the files' contents.
    package let bytes: UInt64
    /// What was planned and not kept as planned: none where the snapshot is complete.
    package let incidents: [Incident]
    /// The list of what the plan left out; nil where it left out nothing, or there was no plan.
    package internal(set) var exclusions: Int64?

    /// Something that is not in the snapshot as it was in the container.
    package struct Incident: Sendable, Hashable {
        package let path: [UInt8]
        /// One word of several joined by `-`.
        package let reason: String

        package init(path: [UInt8], reason: String) {
            self.path = path
            self.reason = reason
        }

        /// Returns incidents in the order of their paths, the first one of each path.
        package static func sorted(_ incidents: [Self]) -> [Self] {
            var sorted = incidents.sorted { PathOrder.precedes($0.path, $1.path) }
            var seen: Set<[UInt8]> = []
            sorted.removeAll { !seen.insert($0.path).inserted }
            return sorted
        }
    }

    /// A snapshot that has no number yet.
    package init(
        taken: Timestamp, bundleIdentifier: String?, kind: String, view: String, tree: Int64, files: Int,
        bytes: UInt64, incidents: [Incident], exclusions: Int64? = nil
    ) {
        self.init(
            number: 0, taken: taken, bundleIdentifier: bundleIdentifier, kind: kind, view: view, tree: tree,
            files: files, bytes: bytes, incidents: incidents, exclusions: exclusions)
    }

    init(
        number: Int64, taken: Timestamp, bundleIdentifier: String?, kind: String, view: String, tree: Int64,
        files: Int, bytes: UInt64, incidents: [Incident], exclusions: Int64? = nil
    ) {
        self.number = number
        self.taken = taken
        self.bundleIdentifier = bundleIdentifier
        self.kind = kind
        self.view = view
        self.tree = tree
        self.files = files
        self.bytes = bytes
        self.incidents = incidents
        self.exclusions = exclusions
    }
}

extension Repository {
    private static let columns = "id, taken, taken_ns, bundle, kind, view, tree, files, bytes, exclusions"

    /// All finished snapshots by number. A row that cannot be read is named, and the others are listed all the same.
    package func snapshots() throws(BackupError) -> SnapshotList {
        try withCatalogue { database in
            let rows = try Row.fetchCursor(database, sql: "SELECT \(Self.columns) FROM snapshot ORDER BY id")
            var list = SnapshotList()
            while let row = try rows.next() {
                do { list.snapshots.append(try Self.snapshot(row, in: database)) } catch let error as BackupError
                    where error.code == .damaged
                {
                    let number = Int64.fromDatabaseValue(row[0] as DatabaseValue) ?? 0
                    list.damaged.append(SnapshotList.Damaged(number: number, reason: error.what))
                }
            }
            return list
        }
    }

    /// The snapshots that cannot be read, or whose rows are not what was written, by number.
    package func damagedSnapshots() throws(BackupError) -> [SnapshotList.Damaged] {
        var damaged = try snapshots().damaged
        for number in try mismatchedSnapshots() where !damaged.contains(where: { $0.number == number }) {
            damaged.append(SnapshotList.Damaged(number: number, reason: "what is said of it is not what was written"))
        }
        return damaged.sorted { $0.number < $1.number }
    }

    /// The snapshots whose rows are not what was written, by number: of those it is not known what they need.
    func mismatchedSnapshots() throws(BackupError) -> [Int64] {
        try withCatalogue { database in
            let rows = try Row.fetchCursor(database, sql: "SELECT \(Self.columns), sha256 FROM snapshot ORDER BY id")
            var doubtful: [Int64] = []
            while let row = try rows.next() {
                do {
                    // A date that a wrong clock gave is what was written.
                    let hash = try Self.hash(of: Self.readSnapshot(row, in: database), in: database)
                    if Data(hash.bytes) == Data.fromDatabaseValue(row[10] as DatabaseValue) { continue }
                } catch let error as BackupError where error.code == .damaged {}
                doubtful.append(Int64.fromDatabaseValue(row[0] as DatabaseValue) ?? 0)
            }
            return doubtful
        }
    }

    /// Those that can be read, whatever the catalogue says of others, the oldest first.
    package func readableSnapshots() -> [Snapshot] {
        let numbers = try? withCatalogue { try Int64.fetchAll($0, sql: "SELECT id FROM snapshot ORDER BY id") }
        return (numbers ?? []).compactMap { try? snapshot(numbered: $0) }
    }

    /// The snapshot of a number, whatever the catalogue says of others.
    func snapshot(numbered number: Int64) throws(BackupError) -> Snapshot? {
        try withCatalogue { database in
            try Row.fetchOne(
                database.cachedStatement(sql: "SELECT \(Self.columns) FROM snapshot WHERE id = ?"), arguments: [number]
            ).map { try Self.snapshot($0, in: database) }
        }
    }

    private static func snapshot(_ row: Row, in database: Database) throws -> Snapshot {
        let snapshot = try readSnapshot(row, in: database)
        guard Snapshot.validSeconds.contains(snapshot.taken.seconds) else {
            throw BackupError(.damaged, "it is dated before 1970 or after 9999")
        }
        return snapshot
    }

    /// The snapshot of a row, whatever its date.
    private static func readSnapshot(_ row: Row, in database: Database) throws -> Snapshot {
        func value<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value {
            guard let value = Value.fromDatabaseValue(row[index] as DatabaseValue) else {
                throw BackupError(.damaged, "its row in the catalogue has a value of the wrong type")
            }
            return value
        }
        let number: Int64 = try value(0)
        let (bundle, exclusions) = (row[3] as DatabaseValue, row[9] as DatabaseValue)
        let (files, bytes): (Int, Int64) = (try value(7), try value(8))
        let taken = Timestamp(seconds: try value(1), nanoseconds: try value(2))
        guard files >= 0, bytes >= 0 else { throw BackupError(.damaged, "its row in the catalogue has a size below 0") }
        return Snapshot(
            number: number, taken: taken,
            bundleIdentifier: bundle.isNull ? nil : try value(3), kind: try value(4), view: try value(5),
            tree: try value(6), files: files, bytes: UInt64(bytes),
            incidents: try Self.incidents(of: number, in: database), exclusions: exclusions.isNull ? nil : try value(9))
    }

    /// Adds a snapshot's row, which makes it one: all else must be there.
    ///
    /// - Throws: `failed` for a date that could not be read again.
    static func add(_ snapshot: Snapshot, in database: Database) throws -> Int64 {
        try Snapshot.requireDate(snapshot.taken)
        let hash = try Self.hash(of: snapshot, in: database)
        try database.execute(
            sql: """
                INSERT INTO snapshot(sha256, taken, taken_ns, bundle, kind, view, tree, files, bytes, exclusions)
                VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                Data(hash.bytes), snapshot.taken.seconds, Int(snapshot.taken.nanoseconds), snapshot.bundleIdentifier,
                snapshot.kind, snapshot.view, snapshot.tree, snapshot.files, Int64(bitPattern: snapshot.bytes),
                snapshot.exclusions,
            ])
        let number = database.lastInsertedRowID
        for incident in snapshot.incidents {
            try database.execute(
                sql: "INSERT INTO incident(snapshot, path, reason) VALUES(?, ?, ?)",
                arguments: [number, Data(incident.path), incident.reason])
        }
        return number
    }

    /// Returns the hash of all fields of a snapshot and of its tree.
    package func hash(of snapshot: Snapshot) throws(BackupError) -> ContentHash {
        try withCatalogue { try Self.hash(of: snapshot, in: $0) }
    }

    /// What a snapshot is known by: all that is said of it, and by its tree's hash all that it holds.
    static func hash(of snapshot: Snapshot, in database: Database) throws -> ContentHash {
        guard
            let tree = try Data.fetchOne(
                database, sql: "SELECT sha256 FROM directory WHERE id = ?", arguments: [snapshot.tree])
        else { throw BackupError(.damaged, "the catalogue lacks directory \(snapshot.tree), which a snapshot names") }
        var fields = [
            Array("\(snapshot.taken.seconds)".utf8), Array("\(snapshot.taken.nanoseconds)".utf8),
            Array((snapshot.bundleIdentifier ?? "").utf8), Array(snapshot.kind.utf8), Array(snapshot.view.utf8),
            Array(tree), Array("\(snapshot.files)".utf8), Array("\(snapshot.bytes)".utf8),
        ]
        fields.append(try exclusionsHash(of: snapshot, in: database))
        // As the catalogue gives them, whatever the order in which they came.
        for incident in snapshot.incidents.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
            fields += [incident.path, Array(incident.reason.utf8)]
        }
        var bytes: [UInt8] = []
        for field in fields {
            withUnsafeBytes(of: Int64(field.count).bigEndian) { bytes += $0 }
            bytes += field
        }
        return ContentHash(of: bytes)
    }

    /// What its list of exclusions is known by; empty where it has none.
    private static func exclusionsHash(of snapshot: Snapshot, in database: Database) throws -> [UInt8] {
        guard let id = snapshot.exclusions else { return [] }
        let statement = try database.cachedStatement(sql: "SELECT sha256 FROM exclusions WHERE id = ?")
        guard let hash = try Data.fetchOne(statement, arguments: [id]) else {
            throw BackupError(.damaged, "the catalogue lacks exclusions \(id), which a snapshot names")
        }
        return Array(hash)
    }

    private static func incidents(of snapshot: Int64, in database: Database) throws -> [Snapshot.Incident] {
        let rows = try Row.fetchCursor(
            database.cachedStatement(sql: "SELECT path, reason FROM incident WHERE snapshot = ? ORDER BY path"),
            arguments: [snapshot])
        var incidents: [Snapshot.Incident] = []
        while let row = try rows.next() {
            guard let path = Data.fromDatabaseValue(row[0] as DatabaseValue),
                let reason = String.fromDatabaseValue(row[1] as DatabaseValue)
            else { throw BackupError(.damaged, "the catalogue holds an incident that cannot be") }
            incidents.append(Snapshot.Incident(path: Array(path), reason: reason))
        }
        return incidents
    }
}
