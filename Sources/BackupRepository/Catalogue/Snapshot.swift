internal import BackupPlan
package import FileSystem
internal import Foundation
internal import GRDB

/// The stored state of a container at one time.
package struct Snapshot: Sendable, Hashable {
    /// The number, counted from 1 in each repository and never reused.
    package internal(set) var number: Int64
    /// The time when the backup began.
    package let taken: Timestamp
    package let bundleIdentifier: String?
    /// The kind of the container: `application`, `group` or `plugin`.
    package let kind: String
    package let view: String
    /// The directory with a single, unnamed entry: the container itself.
    package let tree: Int64
    package let files: Int
    /// The size of the content of all files.
    package let bytes: UInt64
    /// Items that are not stored as planned; empty for a complete snapshot.
    package let incidents: [Incident]
    /// The list of excluded items; nil if it is empty, or if no plan was made.
    package internal(set) var exclusions: Int64?
    package let labels: SnapshotLabels
    /// The SHA-256 of the row, in hexadecimal digits; empty before the repository has stored the snapshot.
    package internal(set) var id = ""
    /// The directory that stands for the container, as in `latest:Documents`; empty for the container itself.
    package internal(set) var root: [UInt8] = []

    /// The incidents of items below the root, with paths from there.
    package var incidentsBelowRoot: [Incident] {
        guard !root.isEmpty else { return incidents }
        let prefix = root + [UInt8(ascii: "/")]
        return incidents.compactMap { incident in
            if incident.path.isEmpty || incident.path == root { return Incident(path: [], reason: incident.reason) }
            guard incident.path.starts(with: prefix) else { return nil }
            return Incident(path: Array(incident.path.dropFirst(prefix.count)), reason: incident.reason)
        }
    }

    /// An item that is not stored as it is in the container.
    package struct Incident: Sendable, Hashable {
        package let path: [UInt8]
        /// The reason, as one word or several joined by `-`.
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

    /// Creates a snapshot without a number, which the repository assigns.
    package init(
        taken: Timestamp, bundleIdentifier: String?, kind: String, view: String, tree: Int64, files: Int,
        bytes: UInt64, incidents: [Incident], exclusions: Int64? = nil, labels: SnapshotLabels = SnapshotLabels()
    ) {
        self.init(
            number: 0, taken: taken, bundleIdentifier: bundleIdentifier, kind: kind, view: view, tree: tree,
            files: files, bytes: bytes, incidents: incidents, exclusions: exclusions, labels: labels)
    }

    init(
        number: Int64, taken: Timestamp, bundleIdentifier: String?, kind: String, view: String, tree: Int64,
        files: Int, bytes: UInt64, incidents: [Incident], exclusions: Int64? = nil,
        labels: SnapshotLabels = SnapshotLabels()
    ) {
        self.labels = labels
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
    private static let columns = "id, taken, taken_ns, bundle, kind, view, tree, files, bytes, exclusions, sha256"

    /// Returns all snapshots by number, and separately those whose rows cannot be read.
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

    /// Returns the snapshots that cannot be read or do not match their hash, by number.
    package func damagedSnapshots() throws(BackupError) -> [SnapshotList.Damaged] {
        var damaged = try snapshots().damaged
        for number in try mismatchedSnapshots() where !damaged.contains(where: { $0.number == number }) {
            damaged.append(SnapshotList.Damaged(number: number, reason: "its row does not match the hash"))
        }
        return damaged.sorted { $0.number < $1.number }
    }

    /// Returns the numbers of the snapshots that do not match their hash. The content that they need is unknown.
    func mismatchedSnapshots() throws(BackupError) -> [Int64] {
        try withCatalogue { database in
            let rows = try Row.fetchCursor(database, sql: "SELECT \(Self.columns) FROM snapshot ORDER BY id")
            var doubtful: [Int64] = []
            while let row = try rows.next() {
                do {
                    // An implausible date may have been written by a wrong clock.
                    let hash = try Self.hash(of: Self.readSnapshot(row, in: database), in: database)
                    if Data(hash.bytes) == Data.fromDatabaseValue(row[10] as DatabaseValue) { continue }
                } catch let error as BackupError where error.code == .damaged {}
                doubtful.append(Int64.fromDatabaseValue(row[0] as DatabaseValue) ?? 0)
            }
            return doubtful
        }
    }

    /// Returns the readable snapshots, the oldest first, whatever the state of the others.
    package func readableSnapshots() -> [Snapshot] {
        let numbers = try? withCatalogue { try Int64.fetchAll($0, sql: "SELECT id FROM snapshot ORDER BY id") }
        return (numbers ?? []).compactMap { try? snapshot(numbered: $0) }
    }

    /// Returns the snapshot of a number, whatever the state of the others.
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
            throw BackupError(.damaged, what: "it is dated before 1970 or after 9999")
        }
        return snapshot
    }

    /// Returns the snapshot of a row, whatever its date.
    private static func readSnapshot(_ row: Row, in database: Database) throws -> Snapshot {
        func value<Value: DatabaseValueConvertible>(_ index: Int) throws -> Value {
            guard let value = Value.fromDatabaseValue(row[index] as DatabaseValue) else {
                throw BackupError(.damaged, what: "its row in the catalogue has a value of the wrong type")
            }
            return value
        }
        let number: Int64 = try value(0)
        let (bundle, exclusions) = (row[3] as DatabaseValue, row[9] as DatabaseValue)
        let (files, bytes): (Int, Int64) = (try value(7), try value(8))
        let taken = Timestamp(seconds: try value(1), nanoseconds: try value(2))
        guard files >= 0, bytes >= 0 else {
            throw BackupError(.damaged, what: "its row in the catalogue has a negative size")
        }
        var snapshot = Snapshot(
            number: number, taken: taken,
            bundleIdentifier: bundle.isNull ? nil : try value(3), kind: try value(4), view: try value(5),
            tree: try value(6), files: files, bytes: UInt64(bytes),
            incidents: try Self.incidents(of: number, in: database),
            exclusions: exclusions.isNull ? nil : try value(9),
            labels: try SnapshotLabels(of: number, in: database))
        if let hash = Data.fromDatabaseValue(row[10] as DatabaseValue), hash.count == 32 {
            snapshot.id = ContentHash(bytes: Array(hash)).hexadecimal
        }
        return snapshot
    }

    /// Inserts the row of a snapshot, which completes it. All other rows must exist.
    ///
    /// - Throws: `failed` for a date that could not be read again.
    static func add(_ snapshot: Snapshot, in database: Database) throws -> Int64 {
        try Snapshot.requireDate(snapshot.taken)
        return try insert(snapshot, hash: hash(of: snapshot, in: database), number: nil, in: database)
    }

    /// Inserts the row of a snapshot with its lists.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot.
    ///   - hash: Its hash.
    ///   - number: Its number; nil for the next one.
    ///   - database: The catalogue.
    /// - Returns: The number.
    /// - Throws: Errors of the database.
    @discardableResult
    static func insert(
        _ snapshot: Snapshot, hash: ContentHash, number: Int64?, in database: Database
    ) throws -> Int64 {
        try database.execute(
            sql: """
                INSERT INTO snapshot(
                    id, sha256, taken, taken_ns, bundle, kind, view, tree, files, bytes, exclusions)
                VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """,
            arguments: [
                number, Data(hash.bytes), snapshot.taken.seconds, Int(snapshot.taken.nanoseconds),
                snapshot.bundleIdentifier,
                snapshot.kind, snapshot.view, snapshot.tree, snapshot.files, Int64(bitPattern: snapshot.bytes),
                snapshot.exclusions,
            ])
        let number = database.lastInsertedRowID
        try insertLists(of: snapshot, number, in: database)
        return number
    }

    /// Inserts the incidents and the labels of a snapshot.
    static func insertLists(of snapshot: Snapshot, _ number: Int64, in database: Database) throws {
        for incident in snapshot.incidents {
            try database.execute(
                sql: "INSERT INTO incident(snapshot, path, reason) VALUES(?, ?, ?)",
                arguments: [number, Data(incident.path), incident.reason])
        }
        try snapshot.labels.insert(for: number, in: database)
    }

    /// Returns the hash of all fields of a snapshot and of its tree.
    package func hash(of snapshot: Snapshot) throws(BackupError) -> ContentHash {
        try withCatalogue { try Self.hash(of: snapshot, in: $0) }
    }

    /// Returns the hash of all fields of a snapshot. It covers the content by the hash of the tree.
    static func hash(of snapshot: Snapshot, in database: Database) throws -> ContentHash {
        ContentHash(of: try bytes(of: snapshot, in: database))
    }

    /// Returns the bytes that the hash of a snapshot covers.
    static func bytes(of snapshot: Snapshot, in database: Database) throws -> [UInt8] {
        guard
            let tree = try Data.fetchOne(
                database, sql: "SELECT sha256 FROM directory WHERE id = ?", arguments: [snapshot.tree])
        else {
            throw BackupError(.damaged, what: "directory \(snapshot.tree) of a snapshot is missing from the catalogue")
        }
        var fields = [
            Array("\(snapshot.taken.seconds)".utf8), Array("\(snapshot.taken.nanoseconds)".utf8),
            Array((snapshot.bundleIdentifier ?? "").utf8), Array(snapshot.kind.utf8), Array(snapshot.view.utf8),
            Array(tree), Array("\(snapshot.files)".utf8), Array("\(snapshot.bytes)".utf8),
        ]
        fields.append(try exclusionsHash(of: snapshot, in: database))
        // In the order of the catalogue.
        for incident in snapshot.incidents.sorted(by: { $0.path.lexicographicallyPrecedes($1.path) }) {
            fields += [incident.path, Array(incident.reason.utf8)]
        }
        let labels = snapshot.labels.pairs
        // No incident has a number as its reason.
        if !labels.isEmpty { fields += [[], Array("\(labels.count)".utf8)] }
        for (name, value) in labels { fields += [Array(name.utf8), Array(value.utf8)] }
        var bytes: [UInt8] = []
        for field in fields {
            withUnsafeBytes(of: Int64(field.count).bigEndian) { bytes += $0 }
            bytes += field
        }
        return bytes
    }

    /// Returns the hash of the list of exclusions; empty without a list.
    private static func exclusionsHash(of snapshot: Snapshot, in database: Database) throws -> [UInt8] {
        guard let id = snapshot.exclusions else { return [] }
        let statement = try database.cachedStatement(sql: "SELECT sha256 FROM exclusions WHERE id = ?")
        guard let hash = try Data.fetchOne(statement, arguments: [id]) else {
            throw BackupError(.damaged, what: "exclusions \(id) of a snapshot are missing from the catalogue")
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
            else { throw BackupError(.damaged, what: "the catalogue contains an invalid incident") }
            incidents.append(Snapshot.Incident(path: Array(path), reason: reason))
        }
        return incidents
    }
}
