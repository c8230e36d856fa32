import AppContainer
import BackupOperations
import BackupPlan
import BackupRepository
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("A snapshot of a container that changes between plan and reading", .timeLimit(.minutes(60)))
struct MeanwhileTests {
    private static let mark = AttributeTool.command(setting: "user.com.example.mark", to: "kept")
    private static let exclude = AttributeTool.command(
        setting: "user.com.apple.metadata:com_apple_backup_excludeItem", to: "x")

    /// Creates a container with a script, plans it, changes it with another script, and makes the snapshot.
    private func snapshot(
        of script: String, then change: String, _ body: (SnapshotBuilder.Outcome, URL, Repository) throws -> Void
    ) throws {
        try withContainer { container, folder throws in
            try inContainer(folder, script)
            let plan = try Plan(of: container)
            try inContainer(folder, change)
            let store = try Repository(
                creatingAt: FilePath(folder.deletingLastPathComponent().path + "/store"), command: "test")
            let outcome = try SnapshotBuilder(container: container, plan: plan, repository: store, taken: .now).build()
            try body(outcome, folder, store)
            try store.close()
        }
    }

    /// Restores the snapshot and returns the directory.
    private func restored(_ outcome: SnapshotBuilder.Outcome, beside folder: URL, _ repository: Repository) throws
        -> URL
    {
        let target = folder.deletingLastPathComponent().appending(path: "restored")
        let folder = try Folder(makingIfAbsent: FilePath(target.path))
        var restorer = try Restorer(RestoreOptions(outcome.snapshot, of: repository, into: folder))
        #expect(try restorer.restore().incidents.isEmpty)
        return target
    }

    private func lines(_ incidents: [Snapshot.Incident]) -> [String] {
        incidents.map { "\($0.reason): \(String(decoding: $0.path, as: UTF8.self))" }
    }

    @Test("An attribute that a file got in the meantime is stored", .needs(.externalProgram))
    func attribute() throws {
        try snapshot(
            of: "printf x > Documents/a", then: "\(Self.mark) Documents/a"
        ) { outcome, folder, store throws in
            let target = try restored(outcome, beside: folder, store)
            #expect(try AttributeTool.text("user.com.example.mark", of: "Documents/a", in: target) == "kept")
        }
    }

    @Test(
        "Content of a directory that was moved away is not stored in its parent, and the directory is reported",
        .needs(.externalProgram))
    func moved() throws {
        try snapshot(
            of: """
                mkdir Documents/d; for n in 1 2 3; do printf $n > Documents/d/u$n; done; printf x > Documents/u1
                \(Self.mark) Documents/d
                """, then: "mv Documents/d tmp/d"
        ) { outcome, folder, store throws in
            let target = try restored(outcome, beside: folder, store)
            #expect(try names(in: target.appending(path: "Documents")) == ["u1"])
            #expect(try String(contentsOf: target.appending(path: "Documents/u1"), encoding: .utf8) == "x")
            #expect(lines(outcome.snapshot.incidents).first == "vanished: Documents/d")
        }
    }

    @Test(
        "A database whose journal appeared in the meantime is restored to the state before the journal",
        .needs(.externalProgram))
    func journal() throws {
        try snapshot(
            of: """
                sqlite3 Documents/a.sqlite "CREATE TABLE t(a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n
                LIMIT 3000) INSERT INTO t SELECT hex(randomblob(200)) || '-old' FROM n"
                """,
            then: """
                python3 -c "import os, sqlite3
                db = sqlite3.connect('Documents/a.sqlite', isolation_level=None)
                db.execute('PRAGMA cache_size = 1')
                db.execute('BEGIN')
                db.execute('UPDATE t SET a = hex(randomblob(200)) || \\"-new\\"')
                os._exit(0)"
                [ -s Documents/a.sqlite-journal ]; grep -q -- -new Documents/a.sqlite
                """
        ) { outcome, folder, store throws in
            #expect(outcome.snapshot.incidents.isEmpty, "\(lines(outcome.snapshot.incidents))")
            let target = try restored(outcome, beside: folder, store)
            let ask = "PRAGMA integrity_check; SELECT count(*) FROM t WHERE a LIKE '%-old'"
            #expect(try executeSQL(ask, in: target.path + "/Documents/a.sqlite") == "ok\n3000\n")
        }
    }

    @Test(
        "A database whose log is excluded is restored with the content of the log, without companion files",
        .needs(.externalProgram))
    func log() throws {
        let made = """
            python3 -c "import os, sqlite3
            db = sqlite3.connect('Documents/a.sqlite', isolation_level=None)
            db.execute('PRAGMA journal_mode = WAL')
            db.execute('PRAGMA wal_autocheckpoint = 0')
            db.execute('CREATE TABLE t(a)')
            db.execute('INSERT INTO t VALUES(7)')
            os._exit(0)"
            rm Documents/a.sqlite-shm
            \(Self.exclude) Documents/a.sqlite-wal
            """
        try snapshot(of: made, then: ":") { outcome, folder, store throws in
            let target = try restored(outcome, beside: folder, store)
            #expect(try names(in: target.appending(path: "Documents")) == ["a.sqlite"])
            #expect(try executeSQL("SELECT a FROM t", in: target.path + "/Documents/a.sqlite") == "7\n")
            #expect(try names(in: folder.appending(path: "Documents")) == ["a.sqlite", "a.sqlite-wal"])
        }
    }

    @Test("Two files that belong together are restored in one state, or reported", .needs(.externalProgram))
    func together() throws {
        try withContainer { container, folder throws in
            // Not readable for SQLite: an encrypted database has no header.
            try inContainer(folder, "for f in db db-wal; do head -c 3000000 /dev/zero > Documents/$f; done")
            let writer = """
                import os
                files = [os.open("Documents/" + name, os.O_WRONLY) for name in ("db", "db-wal")]
                print("ready", flush=True)
                number = 0
                while True:
                    number = (number + 1) % 250
                    for file in files: os.pwrite(file, bytes([number]) * 3_000_000, 0)
                """
            let process = Process()
            let said = Pipe()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", writer]
            (process.currentDirectoryURL, process.standardOutput) = (folder, said)
            try process.run()
            defer {
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
            }
            _ = said.fileHandleForReading.availableData
            let place = folder.deletingLastPathComponent().path
            let store = try Repository(creatingAt: FilePath(place + "/store"), command: "test")
            for round in 0..<5 {
                let plan = try Plan(of: container)
                let outcome = try SnapshotBuilder(container: container, plan: plan, repository: store, taken: .now)
                    .build()
                let target = URL(fileURLWithPath: "\(place)/restored-\(round)")
                var restorer = try Restorer(
                    RestoreOptions(outcome.snapshot, of: store, into: Folder(makingIfAbsent: FilePath(target.path))))
                _ = try restorer.restore()
                // One state: each byte of both files is the new value or the previous one.
                let look = """
                    found = set(open("Documents/db", "rb").read()) | set(open("Documents/db-wal", "rb").read())
                    print(len(found) == 1 or len(found) == 2 and (max(found) - min(found)) % 248 == 1)
                    """
                let isOne = try Command("python3", ["-c", look], in: target).text == "True\n"
                let named = lines(outcome.snapshot.incidents)
                #expect(isOne || named == ["changed-while-read: Documents/db", "changed-while-read: Documents/db-wal"])
            }
            try store.close()
        }
    }

    @Test("An excluded container is an error, and no snapshot is made", .needs(.externalProgram))
    func nothing() throws {
        let flag = "\(Self.exclude) ."
        let error = #expect(throws: BackupError.self) { try snapshot(of: flag, then: ":") { _, _, _ in } }
        #expect(error?.description.contains("the plan excludes the whole container") == true)
    }
}
