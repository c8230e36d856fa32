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
        /// Files that are no object of the catalogue's.
        package var leftovers = 0
    }

    /// Removes what no snapshot needs. The catalogue forgets it in one step before any file goes, so that a pruning
    /// that is ended leaves every snapshot whole, and files that the next one removes.
    ///
    /// - Parameter changesNothing: Whether it is only told what would go.
    /// - Returns: What went, or would go.
    /// - Throws: `readOnly`, `damaged`, `failed`.
    package func prune(changesNothing: Bool = false) throws(BackupError) -> Pruned {
        var pruned = Pruned()
        do throws(FileSystemError) { pruned.leftovers = try unnamedFiles().count } catch { throw BackupError(error) }
        try catalogue { database in
            try database.inTransaction {
                try Self.markLive(in: database)
                pruned.directories = try Self.count("directory WHERE id NOT IN (SELECT id FROM live)", in: database)
                pruned.objects = try Self.count("object WHERE id NOT IN (SELECT id FROM needed)", in: database)
                pruned.bytes = UInt64(
                    try Int64.fetchOne(
                        database,
                        sql: "SELECT total(size) FROM object WHERE id NOT IN (SELECT id FROM needed) AND form <> 2")
                        ?? 0)
                if changesNothing { return .rollback }
                for statement in Self.deletions { try database.execute(sql: statement) }
                return .commit
            }
            // Pages that hold nothing any more go back to the disk.
            if !changesNothing { _ = try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum") }
        }
        if !changesNothing { try removeUnnamedFiles() }
        return pruned
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

    private func removeUnnamedFiles() throws(BackupError) {
        do throws(FileSystemError) {
            for file in try unnamedFiles() { try objects.remove(file) }
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
