@testable import DatabaseInspection
import FileSystem
import Foundation
import GRDB
import SystemPackage
import TestSupport
import Testing

@Suite("Hostile databases", .timeLimit(.minutes(60))) struct HostileDatabaseTests {
    private static let recipe = DatabaseRecipe(
        [
            "CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT)", "CREATE INDEX i ON note(body)",
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
            INSERT INTO note SELECT i, 'some text ' || i FROM n
            """,
        ], logged: ["INSERT INTO note(body) SELECT body FROM note"])

    /// Reads everything. A problem must be reported as a line or a `DatabaseReadError`.
    private func lookAtAll(of store: FolderDatabase) -> String {
        do throws(DatabaseReadError) {
            var limits = DatabaseLimits()
            limits.seconds = 10
            let copy = try DatabaseCopy(of: store, limits: limits)
            let problems = try copy.problems()
            _ = try copy.tables()
            try copy.values(blobTables: ["note"]) { _ in true }
            _ = try copy.externalReferences()
            return problems.isEmpty ? "sound" : "damaged"
        } catch { return error.code.rawValue }
    }

    @Test("Noise after a valid header, of any length, is damage", arguments: [100, 512, 1_024, 5_000, 100_000])
    func noise(length: Int) throws {
        try withScratch { folder throws in
            var random = SeededNumbers(seed: UInt64(length))
            let bytes = DatabaseHeader.magic + (16..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let log = [0x37, 0x7f, 0x06, 0x82] + (4..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let journal =
                [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
                + (8..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
            let store = try write([.main: bytes, .log: log, .journal: journal], in: folder)
            #expect(["damaged", "not-understood-by-sqlite"].contains(lookAtAll(of: store)))
        }
    }

    @Test("A truncated database is reported as damaged, or has the content that is left", arguments: 0..<24)
    func truncated(number: Int) throws {
        try withScratch { folder throws in
            var files = try Self.recipe.files()
            let main = files[.main] ?? []
            files[.main] = Array(main.prefix(main.count * (number + 1) / 25))
            if number % 2 == 0 { files[.log] = nil }
            let answer = lookAtAll(of: try write(files, in: folder))
            #expect(["damaged", "sound"].contains(answer))
            if number % 2 == 0 { #expect(answer == "damaged") }
        }
    }

    @Test("Changed bytes at any position neither crash nor exceed the time limit", arguments: 0..<60)
    func changed(seed: UInt64) throws {
        try withScratch { folder throws in
            var random = SeededNumbers(seed: seed + 1)
            var files = try Self.recipe.files()
            for file in [DatabaseFile.main, .log] {
                for _ in 0..<Int.random(in: 1...40, using: &random) {
                    let count = files[file]?.count ?? 0
                    // Many in the first page, which determines how the others are read.
                    let place = Int.random(in: 16..<(Bool.random(using: &random) ? 200 : count), using: &random)
                    files[file]?[place] = UInt8.random(in: 0...255, using: &random)
                }
            }
            let answer = lookAtAll(of: try write(files, in: folder))
            #expect(["sound", "damaged", "not-understood-by-sqlite"].contains(answer))
        }
    }

    @Test("A journal with the path of another file cannot cause the deletion of that file", .needs(.externalProgram))
    func journalOfSeveral() throws {
        try withScratch { folder throws in
            let victim = folder.appending(path: "victim")
            try Data("precious".utf8).write(to: victim)
            let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)"
            var files = try DatabaseRecipe(
                ["CREATE TABLE t(a, b)", "\(rows) INSERT INTO t SELECT i, zeroblob(900) FROM n"],
                unfinished: ["UPDATE t SET a = 'after'"]
            ).files()
            // The path, its length and checksum, and the magic number. Source: pager.c, writeSuperJournal.
            func number(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (24 - 8 * $0) & 0xff) } }
            let name = Array(victim.path.utf8)
            // The path is read at the start of a sector, where the next header would be.
            var journal = files[.journal] ?? []
            journal += [UInt8](repeating: 0, count: (512 - journal.count % 512) % 512)
            journal += number(1) + name + number(name.count) + number(name.reduce(0) { $0 + Int(Int8(bitPattern: $1)) })
            journal += [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]
            files[.journal] = journal
            // SQLite itself deletes it with these files.
            let store = try write(files, in: folder)
            #expect(lookAtAll(of: store) == "part-of-a-larger-transaction")
            #expect(try Data(contentsOf: victim) == Data("precious".utf8))
            let opened = try Command(
                "python3", ["-c", "import sqlite3; sqlite3.connect('a.sqlite').execute('SELECT * FROM t').fetchall()"],
                in: folder)
            #expect(opened.code == 0 && !FileManager.default.fileExists(atPath: victim.path))
        }
    }

    @Test("An endless query is stopped")
    func endless() throws {
        try withScratch { folder throws in
            let store = try write(
                try DatabaseRecipe(["CREATE TABLE t(a TEXT)", "INSERT INTO t VALUES('x')"]).files(), in: folder)
            var limits = DatabaseLimits()
            limits.seconds = 0.2
            let copy = try DatabaseCopy(of: store, limits: limits)
            #expect(throws: DatabaseReadError(.tooSlow)) {
                try copy.read { database in
                    try database.execute(
                        sql: "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT count(*) FROM n")
                }
            }
        }
    }

    @Test("A directory, a link or a pipe beside a database is not a part of it, and none of them is a database")
    func special() throws {
        try withScratch { folder throws in
            let store = try write([.main: try DatabaseRecipe(["CREATE TABLE t(a)"]).files()[.main] ?? []], in: folder)
            let opened = try Folder(opening: FilePath(folder.path))
            try opened.createFIFO("a.sqlite-wal")
            try opened.createSymbolicLink("a.sqlite-journal", to: "/etc/passwd")
            #expect(lookAtAll(of: store) == "sound")
            for name in ["a.sqlite-wal", "a.sqlite-journal", "missing"] {
                #expect(lookAtAll(of: FolderDatabase(Array(name.utf8), in: opened)) == "unreadable")
            }
        }
    }

    @Test("Names and strings that are not valid text are read as far as possible")
    func notText() throws {
        try withScratch { folder throws in
            let store = try write(
                try DatabaseRecipe([
                    "CREATE TABLE \"a \"\" b\"(\"c]\" TEXT, ' d ' TEXT)",
                    "INSERT INTO \"a \"\" b\" VALUES(CAST(x'61ff62' AS TEXT), CAST(x'610062' AS TEXT))",
                ]).files(), in: folder)
            let texts = try DatabaseCopy(of: store).texts()
            #expect(texts.first == "a \" b.c]=a\u{fffd}b")
            #expect(texts.count == 2)
        }
    }
}
