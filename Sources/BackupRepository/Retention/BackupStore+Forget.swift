internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

extension BackupStore {
    /// Takes the snapshots with these numbers off the list. What they held stays in the store until it is pruned.
    package func forget(_ numbers: [Int64]) throws(BackupError) {
        try catalogue { database in
            try database.inTransaction {
                for number in numbers {
                    try database.execute(sql: "DELETE FROM incident WHERE snapshot = ?", arguments: [number])
                    try database.execute(sql: "DELETE FROM snapshot WHERE id = ?", arguments: [number])
                }
                return .commit
            }
        }
    }

    /// What a pruning takes, or would take, away.
    package struct Pruned: Sendable {
        package var objects = 0
        package var directories = 0
        /// Of the objects' contents.
        package var bytes: UInt64 = 0
        /// Files of objects that runs which were ended left, whole or not.
        package var leftovers = 0
        /// Snapshots that are damaged; nothing was removed that one of them may need.
        package var damaged: [SnapshotList.Damaged] = []
    }

    /// Removes what no snapshot needs. The catalogue forgets it in one step before any file goes, so that a pruning
    /// that is ended leaves every snapshot whole, and files that the next one removes. What the catalogue says of the
    /// snapshots is judged first: what it names wrongly would be lost. A snapshot whose own row is damaged is named,
    /// and since its row may name another tree than it did, every tree stays then that is a container's.
    ///
    /// - Parameter changesNothing: Whether it is only told what would go; a store opened for reading does then.
    /// - Returns: What went, or would go.
    /// - Throws: `readOnly`, `damaged`, `failed`.
    package func prune(changesNothing: Bool = false) throws(BackupError) -> Pruned {
        let verification = Verification(self)
        try requireNone(of: verification.pageDamage())
        let doubtful = try doubtfulSnapshots()
        try catalogue { try Self.markLive(in: $0, withUnlistedTrees: !doubtful.isEmpty) }
        try requireNone(
            of: verification.directoryDamage(where: doubtful.isEmpty ? "id IN (SELECT id FROM live)" : "true"))
        try requireNone(of: verification.listDamage(where: "id IN (SELECT id FROM needed)"))
        let (leftovers, others) = try UnnamedFiles(self).sorted(unnamedFiles())
        var pruned = Pruned(leftovers: leftovers.count, damaged: try damagedSnapshots())
        try catalogue { database in
            pruned.directories = try Self.count("directory WHERE id NOT IN (SELECT id FROM live)", in: database)
            pruned.objects = try Self.count("object WHERE id NOT IN (SELECT id FROM needed)", in: database)
            // Nothing of a row is believed: it may say any size.
            let sizes = try Double.fetchOne(
                database,
                sql: "SELECT total(max(size, 0)) FROM object WHERE id NOT IN (SELECT id FROM needed) AND form <> 2")
            pruned.bytes = UInt64(min(sizes ?? 0, 9e18))
        }
        if changesNothing { return pruned }
        try catalogue { database in
            try database.inTransaction {
                for statement in Self.deletions { try database.execute(sql: statement) }
                if doubtful.isEmpty {
                    for statement in Self.deletionsOfExclusions { try database.execute(sql: statement) }
                }
                return .commit
            }
            // Pages that hold nothing any more go back to the disk.
            _ = try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum")
        }
        try removeUnnamedFiles(but: Set(others))
        return pruned
    }

    /// - Throws: `damaged` where the catalogue does not say what it said when the snapshots were made.
    private func requireNone(of damage: [Damage]) throws(BackupError) {
        guard let first = damage.first else { return }
        throw BackupError(
            .damaged, "the catalogue is damaged, and nothing was removed: \(first.what): \(first.how)",
            hint: "`sandboxbackup verify` names all that is")
    }

    private static let deletions = [
        "DELETE FROM entry WHERE directory NOT IN (SELECT id FROM live)",
        "DELETE FROM directory WHERE id NOT IN (SELECT id FROM live)",
        "DELETE FROM part WHERE object NOT IN (SELECT id FROM needed)",
        "DELETE FROM frame WHERE object NOT IN (SELECT id FROM needed)",
        "DELETE FROM object WHERE id NOT IN (SELECT id FROM needed)",
        "DELETE FROM attribute WHERE attributes NOT IN (SELECT attributes FROM entry WHERE attributes IS NOT NULL)",
        "DELETE FROM attributes WHERE id NOT IN (SELECT attributes FROM entry WHERE attributes IS NOT NULL)",
    ]

    private static let deletionsOfExclusions = [
        "DELETE FROM excluded WHERE exclusions NOT IN (SELECT exclusions FROM snapshot WHERE exclusions IS NOT NULL)",
        "DELETE FROM exclusions WHERE id NOT IN (SELECT exclusions FROM snapshot WHERE exclusions IS NOT NULL)",
    ]

    private static func count(_ rows: String, in database: Database) throws -> Int {
        try Int.fetchOne(database, sql: "SELECT count(*) FROM \(rows)") ?? 0
    }

    private func removeUnnamedFiles(but kept: Set<FilePath>) throws(BackupError) {
        let files = try unnamedFiles().filter { !kept.contains($0) }
        do throws(FileSystemError) {
            for (place, files) in Dictionary(grouping: files, by: { $0.removingLastComponent() }) {
                try objects.folder(noFollow: place).remove(
                    files.compactMap { $0.lastComponent.map { FilePath(root: nil, [$0]) } })
            }
            if try folder.statusIfPresent("staging") != nil { try folder.remove("staging") }
        } catch { throw BackupError(error) }
    }

    /// Makes the lists of what the snapshots need: `live` directories and `needed` objects. A container's own entry is
    /// the only one without a name, which finds the trees that no row lists.
    private static func markLive(in database: Database, withUnlistedTrees: Bool) throws {
        let unlisted = withUnlistedTrees ? "UNION SELECT directory FROM entry WHERE name = x''" : ""
        try database.execute(
            sql: """
                DROP TABLE IF EXISTS temp.live; DROP TABLE IF EXISTS temp.needed;
                CREATE TEMP TABLE live(id INTEGER PRIMARY KEY);
                WITH RECURSIVE reached(id) AS (
                    SELECT tree FROM snapshot WHERE typeof(tree) = 'integer' \(unlisted) UNION
                    SELECT child FROM entry JOIN reached ON directory = reached.id WHERE child IS NOT NULL)
                INSERT INTO live SELECT id FROM reached;
                CREATE TEMP TABLE needed(id INTEGER PRIMARY KEY);
                INSERT OR IGNORE INTO needed
                    SELECT object FROM entry WHERE object IS NOT NULL AND directory IN (SELECT id FROM live);
                INSERT OR IGNORE INTO needed SELECT part FROM part WHERE object IN (SELECT id FROM needed);
                """)
    }
}
