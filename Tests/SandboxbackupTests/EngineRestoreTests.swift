import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup snapshots and restore --engine", .needs(.externalProgram), .timeLimit(.minutes(60)))
struct EngineRestoreTests {
    private func run(_ sample: EngineSample, _ words: String...) throws -> Command {
        let temporary = sample.folder.appending(path: "temporary")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        return try sandboxbackup(
            words + ["--engine", sample.tool, "--repository", sample.repository],
            in: sample.folder, environment: sample.environment.merging(["TMPDIR": temporary.path]) { $1 })
    }

    /// Creates a database with a commit in its log, as an app leaves it that is still running.
    private static let databaseInUse = """
        python3 - <<'END'
        import os, sqlite3
        db = sqlite3.connect("container/Documents/used.sqlite")
        db.execute("PRAGMA journal_mode = WAL"); db.execute("PRAGMA wal_autocheckpoint = 0")
        db.execute("CREATE TABLE note(a)"); db.execute("INSERT INTO note VALUES('in the log')"); db.commit()
        os._exit(0)
        END
        """

    @Test("A snapshot is restored with everything that the tool stores", arguments: EngineToolTests.tools)
    func whole(tool: String) throws {
        try withEngineSample(tool) { sample throws in
            // restic 0.14 and borg cannot store these exactly; other tests report them.
            try sample.shell("rm container/Documents/nothing")
            let made = try EngineReport(sample.create("--format", "json"))
            let listed = try run(sample, "snapshots")
            #expect(listed.code == 0 && listed.text.contains("  com.example.app"), "\(listed.text)\(listed.errors)")
            #expect(listed.text.hasPrefix(made.snapshot))
            let restored = try run(sample, "restore", "latest", "--to", "out")
            #expect(restored.code == 0, "\(restored.text)\(restored.errors)")
            let out = sample.folder.appending(path: "out")
            #expect(try listing(sample.container).differences(from: listing(out)) == [])
            let again = try run(sample, "restore", String(made.snapshot.prefix(8)), "--to", "out", "--dry-run")
            #expect(again.code == 0 && !again.text.contains("\n+"), "\(again.text)\(again.errors)")
            let some = try run(sample, "restore", "latest", "Documents/letter.txt", "--to", "some")
            #expect(some.code == 0, "\(some.errors)")
            #expect(try names(in: sample.folder.appending(path: "some/Documents")) == ["letter.txt"])
            #expect(try names(in: sample.folder.appending(path: "temporary")) == [])
        }
    }

    @Test(
        "Databases of the second snapshot are in place, and a new container is as iOS makes it",
        arguments: EngineToolTests.tools)
    func databases(tool: String) throws {
        try withEngineSample(tool) { sample throws in
            try sample.shell(Self.databaseInUse)
            let made = try EngineReport(sample.create("--format", "json"))
            let stores = try #require(made.stores)
            #expect(try run(sample, "snapshots").text.contains("databases in use: \(stores)"))
            let run = try run(sample, "restore", "latest", "--as-ios", "--to", "device")
            #expect(run.code == 0, "\(run.text)\(run.errors)")
            let name = try #require(try names(in: sample.folder.appending(path: "device")).first)
            let container = try Container.open(FilePath(sample.folder.appending(path: "device/\(name)").path))
            #expect(container.bundleIdentifier == "com.example.app")
            let query = ["device/\(name)/Documents/used.sqlite", "SELECT a FROM note; PRAGMA integrity_check"]
            #expect(try Command("sqlite3", query, in: sample.folder).text == "in the log\nok\n")
            #expect(try names(in: sample.folder.appending(path: "device/\(name)/Library/Caches")) == [])
        }
    }

    @Test(
        "Snapshots of others are not listed, and missing and ambiguous ones are named", arguments: EngineToolTests.tools
    )
    func missing(tool: String) throws {
        try withEngineSample(tool) { sample throws in
            let none = try run(sample, "snapshots")
            #expect(none.code == 0 && none.text == "no snapshots\n", "\(none.text)\(none.errors)")
            try sample.shell(
                tool == "restic" ? "restic -r repository backup container" : "borg create repository::other container")
            #expect(try run(sample, "snapshots").text == "no snapshots\n")
            let absent = try run(sample, "restore", "latest", "--to", "out")
            #expect(absent.code == 1 && absent.errors.contains("snapshots --engine \(tool)"), "\(absent.errors)")
            _ = try sample.create()
            try sample.shell("mv container first; mkdir container")
            _ = try Container.create(at: FilePath(sample.container.path), bundleIdentifier: "com.example.other")
            _ = try sample.create()
            let several = try run(sample, "restore", "latest", "--to", "out")
            #expect(several.code == 1 && several.errors.contains("--bundle-id"), "\(several.errors)")
            let one = try run(sample, "restore", "latest", "--bundle-id", "com.example.app", "--to", "out")
            #expect(one.code == 0, "\(one.errors)")
            #expect(
                FileManager.default.fileExists(atPath: sample.folder.appending(path: "out/Documents/film.bin").path))
        }
    }
}
