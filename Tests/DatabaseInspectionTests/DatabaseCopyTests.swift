@testable import DatabaseInspection
import FileSystem
import Foundation
import SystemPackage
import TestSupport
import Testing

/// Writes the files of a database to a folder and returns the database.
func write(_ files: [DatabaseFile: [UInt8]], as name: String = "a.sqlite", in folder: URL) throws -> FolderDatabase {
    for (file, bytes) in files { try Data(bytes).write(to: folder.appending(path: name + file.rawValue)) }
    return FolderDatabase(Array(name.utf8), in: try Folder(opening: FilePath(folder.path)))
}

extension DatabaseCopy {
    /// Returns all text values as `table.column=text`.
    func texts() throws -> [String] {
        var texts: [String] = []
        try values { value in
            if case .text(let text) = value.content { texts.append("\(value.table).\(value.column)=\(text)") }
            return true
        }
        return texts
    }
}

@Suite("Copies of databases", .timeLimit(.minutes(60))) struct DatabaseCopyTests {
    private static let notes = "CREATE TABLE note(id INTEGER PRIMARY KEY, body TEXT, picture BLOB)"
    private static let first = "INSERT INTO note VALUES(1, 'first', x'00ff')"

    /// Returns all properties of a folder's files that a reader could change.
    private func look(at folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map { name in
            let path = folder.appending(path: name).path
            let status = try FileManager.default.attributesOfItem(atPath: path)
            return "\(name) \(status[.modificationDate] ?? "") \(status[.systemFileNumber] ?? "")"
                + " \(try Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString())"
        }
    }

    @Test("Rows that are only in the write-ahead log are read")
    func log() throws {
        try withScratch { folder throws in
            let recipe = DatabaseRecipe(
                [Self.notes, Self.first], logged: ["INSERT INTO note(body) VALUES('second')"])
            let store = try write(recipe.files(), in: folder)
            let copy = try DatabaseCopy(of: store)
            #expect(try copy.texts() == ["note.body=first", "note.body=second"])
            #expect(try copy.problems().isEmpty)
            #expect(try copy.tables() == [DatabaseTable(name: "note", columns: ["id", "body", "picture"])])
        }
    }

    @Test("Changes of an unfinished transaction are not visible")
    func hotJournal() throws {
        try withScratch { folder throws in
            let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200)"
            let recipe = DatabaseRecipe(
                [Self.notes, "\(rows) INSERT INTO note SELECT i, 'before', zeroblob(900) FROM n"],
                unfinished: ["UPDATE note SET body = 'after'"])
            let files = try recipe.files()
            #expect(files[.main].map { String(decoding: $0, as: UTF8.self).contains("after") } == true)
            let store = try write(files, in: folder)
            let before = try look(at: folder)
            #expect(Set(try DatabaseCopy(of: store).texts()) == ["note.body=before"])
            #expect(try look(at: folder) == before)
        }
    }

    @Test("A database that another connection has locked is read without waiting", .needs(.externalProgram))
    func locked() throws {
        try withScratch { folder throws in
            let store = try write(try DatabaseRecipe([Self.notes, Self.first]).files(), in: folder)
            let path = folder.appending(path: "a.sqlite").path
            let script = """
                import sqlite3, sys
                c = sqlite3.connect(sys.argv[1], isolation_level=None)
                c.execute("BEGIN EXCLUSIVE")
                sys.stdout.write("locked")
                sys.stdout.flush()
                sys.stdin.read()
                """
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = ["python3", "-c", script, path]
            let (input, output) = (Pipe(), Pipe())
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            #expect(output.fileHandleForReading.availableData == Data("locked".utf8))
            defer {
                try? input.fileHandleForWriting.close()
                process.waitUntilExit()
            }
            #expect(try DatabaseCopy(of: store).texts() == ["note.body=first"])
        }
    }

    @Test("Nothing is changed beside the database, and no copy remains, in any state of the database")
    func untouched() throws {
        try withScratch { folder throws in
            let logged = DatabaseRecipe([Self.notes, Self.first], logged: ["INSERT INTO note(body) VALUES('second')"])
            let store = try write(logged.files(), in: folder)
            let before = try look(at: folder)
            let copy = try DatabaseCopy(of: store)
            #expect(try copy.texts().count == 2)
            #expect(try look(at: folder) == before)
            // While the copy is open, none of its files has a name.
            let names = try FileManager.default.contentsOfDirectory(atPath: FileManager.default.temporaryDirectory.path)
            let mine = names.filter { $0.hasPrefix("sandboxlint-store-") }.filter { name in
                let inside = FileManager.default.temporaryDirectory.appending(path: "\(name)/store")
                return (try? Data(contentsOf: inside)) == (try? Data(contentsOf: folder.appending(path: "a.sqlite")))
            }
            #expect(mine.isEmpty)
        }
    }

    @Test("Only text values are read, up to the limits")
    func limits() throws {
        try withScratch { folder throws in
            let rows = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50)"
            let store = try write(
                try DatabaseRecipe([
                    "CREATE TABLE a(t TEXT, made TEXT AS (t || t))", "CREATE TABLE b(x)",
                    "CREATE VIEW v AS SELECT t FROM a",
                    "\(rows) INSERT INTO a(t) SELECT 'text ' || i FROM n",
                    "INSERT INTO b VALUES(12), (x'616263'), ('short'), (printf('%.*c', 70000, 'x'))",
                ]).files(), in: folder)
            var limits = DatabaseLimits()
            limits.rows = 10
            let copy = try DatabaseCopy(of: store, limits: limits)
            let texts = try copy.texts()
            #expect(texts.count == 11 && texts.last == "b.x=short" && texts.first == "a.t=text 1")
            var bytes: [[UInt8]] = []
            let isAll = try copy.values(blobTables: ["b"]) { value in
                if case .bytes(let content) = value.content { bytes.append(content) }
                return true
            }
            #expect(bytes == [Array("abc".utf8)] && !isAll)
            limits.bytes = 4_096
            #expect(throws: DatabaseReadError(.tooLarge)) { try DatabaseCopy(of: store, limits: limits) }
        }
    }

    @Test(
        "A collation of the app is not damage, and neither is a check constraint that its rows violate",
        .needs(.externalProgram))
    func foreignOrder() throws {
        try withScratch { folder throws in
            let script = """
                import sqlite3, sys
                c = sqlite3.connect(sys.argv[1])
                c.create_collation("backwards", lambda a, b: (a < b) - (a > b))
                c.create_function("app_only", 1, lambda v: v, deterministic=True)
                c.execute("CREATE TABLE t(a TEXT COLLATE backwards PRIMARY KEY, b TEXT CHECK(b <> 'no')) WITHOUT ROWID")
                c.execute("CREATE INDEX i ON t(app_only(b))")
                c.execute("PRAGMA ignore_check_constraints = 1")
                c.executemany("INSERT INTO t VALUES(?, 'no')", [("a",), ("b",), ("c",)])
                c.commit()
                """
            #expect(try Command("python3", ["-c", script, folder.appending(path: "a.sqlite").path]).code == 0)
            let store = try write([:], in: folder)
            let copy = try DatabaseCopy(of: store)
            #expect(try copy.problems().isEmpty)
            #expect(try copy.texts().contains("t.a=c"))
        }
    }

    @Test("Core Data's references to external files are returned")
    func references() throws {
        try withScratch { folder throws in
            let name = "0F8FAD5B-D9CB-469F-A165-70867728950E"
            let hex = name.utf8.map { String($0, radix: 16) }.joined()
            let store = try write(
                try DatabaseRecipe([
                    "CREATE TABLE ZPHOTO(Z_PK INTEGER PRIMARY KEY, ZDATA BLOB)",
                    "INSERT INTO ZPHOTO(ZDATA) VALUES(x'02\(hex)00'), (x'01\(hex)00'), (NULL), ('02\(name)')",
                ]).files(), in: folder)
            #expect(try DatabaseCopy(of: store).externalReferences() == [name])
        }
    }
}
