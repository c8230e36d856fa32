import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("A log that belongs to another database", .needs(.externalProgram), .timeLimit(.minutes(60)))
struct ForeignLogTests {
    /// Databases that a migration replaced, with the log of the old one: both files included, the log excluded, and a log
    /// that only the damage shows.
    private static let migrated = """
        import os, shutil, sqlite3
        def opened(name, *statements):
            database = sqlite3.connect(name, isolation_level=None)
            database.execute("PRAGMA journal_mode = WAL").fetchall()
            for statement in statements: database.execute(statement).fetchall()
            return database
        old = opened("old.sqlite", "PRAGMA wal_autocheckpoint = 0", "CREATE TABLE film(a)",
                     "INSERT INTO film VALUES('old')")
        opened("new.sqlite", "CREATE TABLE film(a, b)", "CREATE TABLE review(a)",
               "INSERT INTO review VALUES('the best')").close()
        for name in "both", "alone":
            shutil.copy("new.sqlite", f"container/Documents/{name}.sqlite")
            shutil.copy("old.sqlite-wal", f"container/Documents/{name}.sqlite-wal")
        rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO "
        mixed = opened("large.sqlite", "PRAGMA wal_autocheckpoint = 0", "CREATE TABLE film(a)",
                       rows + "film SELECT zeroblob(900) FROM n", "PRAGMA wal_checkpoint(TRUNCATE)",
                       "UPDATE film SET a = zeroblob(800) WHERE rowid > 150")
        opened("container/Documents/mixed.sqlite", "CREATE TABLE other(a)",
               rows + "other SELECT zeroblob(1400) FROM n").close()
        shutil.copy("large.sqlite-wal", "container/Documents/mixed.sqlite-wal")
        os._exit(0)
        """

    @Test("It is stored as it is, never merged, and reported by every backup and by the restore")
    func stored() throws {
        try withRepositorySample { folder, container, store throws in
            let made = try Command("python3", ["-c", Self.migrated], in: folder)
            #expect(made.code == 0, "\(made.errors)")
            try AttributeTool.set(
                "user.com.apple.metadata:com_apple_backup_excludeItem", to: "x", of: "Documents/alone.sqlite-wal",
                in: folder.appending(path: "container"))
            let incidents = ["alone.sqlite", "both.sqlite", "both.sqlite-wal", "mixed.sqlite", "mixed.sqlite-wal"]
                .map { "  foreign-log: Documents/\($0)\n" }.joined()
            for _ in 1...2 {
                let run = try sandboxbackup("create", container, "--repository", store)
                #expect(run.code == 3 && run.text.contains("not stored as planned:\n" + incidents), "\(run.text)")
            }
            let restored = try sandboxbackup("restore", "latest", "--repository", store, "--to", "out", in: folder)
            #expect(restored.code == 3 && restored.text.contains(incidents), "\(restored.text)")
            for name in ["both.sqlite", "both.sqlite-wal", "alone.sqlite", "mixed.sqlite", "mixed.sqlite-wal"] {
                let content = try Data(contentsOf: folder.appending(path: "out/Documents/\(name)"))
                #expect(
                    try content == Data(contentsOf: folder.appending(path: "container/Documents/\(name)")), "\(name)")
            }
            let alone = folder.appending(path: "out/Documents/alone.sqlite").path
            #expect(try executeSQL("SELECT a FROM review", in: alone) == "the best\n")
        }
    }
}
