internal import FileSystem
internal import Foundation
internal import GRDB
internal import SystemPackage

extension BackupStore {
    /// Takes snapshots off the list. What they held stays in the store until it is pruned.
    package func forget(_ snapshots: [Snapshot]) throws(BackupError) {
        try catalogue { database in
            try database.inTransaction {
                for snapshot in snapshots {
                    try database.execute(sql: "DELETE FROM incident WHERE snapshot = ?", arguments: [snapshot.number])
                    try database.execute(sql: "DELETE FROM snapshot WHERE id = ?", arguments: [snapshot.number])
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
    }

    /// Removes what no snapshot needs. The catalogue forgets it in one step before any file goes, so that a pruning
    /// that is ended leaves every snapshot whole, and files that the next one removes. What the catalogue says of the
    /// snapshots is judged first: what it names wrongly would be lost.
    ///
    /// - Parameter changesNothing: Whether it is only told what would go; a store opened for reading does then.
    /// - Returns: What went, or would go.
    /// - Throws: `readOnly`, `damaged`, `failed`.
    package func prune(changesNothing: Bool = false) throws(BackupError) -> Pruned {
        try catalogue { try Self.markLive(in: $0) }
        try requireWholeSnapshots()
        let (leftovers, others) = try UnnamedFiles(self).sorted(unnamedFiles())
        var pruned = Pruned(leftovers: leftovers.count)
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
                return .commit
            }
            // Pages that hold nothing any more go back to the disk.
            _ = try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum")
        }
        try removeUnnamedFiles(but: Set(others))
        return pruned
    }

    /// - Throws: `damaged` where the catalogue does not say what it said when the snapshots were made.
    private func requireWholeSnapshots() throws(BackupError) {
        let verification = Verification(self)
        var damage = try verification.pageDamage()
        if damage.isEmpty {
            damage =
                try verification.snapshotDamage() + verification.directoryDamage(where: "id IN (SELECT id FROM live)")
                + verification.listDamage(where: "id IN (SELECT id FROM needed)")
        }
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
        "DELETE FROM excluded WHERE exclusions NOT IN (SELECT exclusions FROM snapshot WHERE exclusions IS NOT NULL)",
        "DELETE FROM exclusions WHERE id NOT IN (SELECT exclusions FROM snapshot WHERE exclusions IS NOT NULL)",
        "DELETE FROM attributes WHERE id NOT IN (SELECT attributes FROM entry WHERE attributes IS NOT NULL)",
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

    /// Makes the lists of what the snapshots need: `live` directories and `needed` objects.
    private static func markLive(in database: Database) throws {
        try database.execute(
            sql: """
                DROP TABLE IF EXISTS temp.live; DROP TABLE IF EXISTS temp.needed;
                CREATE TEMP TABLE live(id INTEGER PRIMARY KEY);
                WITH RECURSIVE reached(id) AS (
                    SELECT tree FROM snapshot UNION
                    SELECT child FROM entry JOIN reached ON directory = reached.id WHERE child IS NOT NULL)
                INSERT INTO live SELECT id FROM reached;
                CREATE TEMP TABLE needed(id INTEGER PRIMARY KEY);
                INSERT OR IGNORE INTO needed
                    SELECT object FROM entry WHERE object IS NOT NULL AND directory IN (SELECT id FROM live);
                INSERT OR IGNORE INTO needed SELECT part FROM part WHERE object IN (SELECT id FROM needed);
                """)
    }
}
