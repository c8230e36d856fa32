import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxfm cat, path, url, prefs, archive and db", .timeLimit(.minutes(60))) struct ContentToolTests {
    @Test(
        "cat prints every byte in a pipe, of several files in order, and text or base64 in JSON",
        .needs(.externalProgram))
    func cat() throws {
        try withContainer { container, folder throws in
            let bytes = Data((0...255).map { UInt8($0) }) + Data(count: 3_000_000)
            try container.save(bytes, to: .documents / "a.bin")
            try container.save("é\n", to: .documents / "b.txt")
            #expect(try sandboxfm("cat", "c", "Documents/a.bin", in: folder).output == bytes)
            #expect(try sandboxfm("cat", "c", "Documents/*", in: folder).output == bytes + Data("é\n".utf8))
            let files = try object("cat", "c", "Documents/*", in: folder)["files"] as? [NSDictionary]
            #expect(files?.first?["base64"] as? String == bytes.base64EncodedString())
            #expect(files?.last?["text"] as? String == "é\n")
            let shown = try inTerminal(["cat", "c", "Documents/a.bin"], in: folder)
            #expect(shown.code == 1 && shown.text.contains("is not text") && !shown.text.contains("\u{1b}"))
            let directory = try sandboxfm("cat", "c", "Documents", in: folder)
            #expect(directory.code == 1 && directory.errors.contains("is a directory"))
        }
    }

    @Test(
        "path prints the bytes of names and URLs that lead back to the file",
        .enabled(if: Platform.allowsAnyNames, "APFS refuses names that are not UTF-8"))
    func locations() throws {
        try withContainer { container, folder throws in
            try folder.write(to: "c/Documents/b")
            try folder.write(toBytes: Array("c/Documents/".utf8) + [0o351] + Array("\nx".utf8))
            let real = folder.resolvingSymlinksInPath().path
            let run = try sandboxfm("path", "c", "Documents/*", "--null", in: folder)
            let paths = run.output.split(separator: 0).map { Array($0) }
            #expect(paths.count == 2 && paths[1].suffix(3) == [0xe9, 0x0a, 0x78])
            #expect(
                try sandboxfm("path", "c", "Library/Caches/{bundle-id}/x", in: folder).text.hasSuffix(
                    "/c/Library/Caches/com.example.app/x\n"))
            #expect(try sandboxfm("path", "c", in: folder).text == "\(real)/c\n" || folder.path != real)
            let url = try sandboxfm("url", "c", "Documents/%E9%0Ax", in: folder)
            #expect(url.text.hasSuffix("/c/Documents/%E9%0Ax\n"))
        }
    }

    @Test(
        "A preference keeps its type, another type needs --type, and python's plistlib reads the file",
        .needs(.externalProgram))
    func preferences() throws {
        try withContainer { _, folder throws in
            for (key, value, type) in [
                ("size", "14", "integer"), ("ratio", "1.5", "real"), ("on", "true", "boolean"), ("name", "é", "string"),
                ("when", "2026-01-31T12:00:00Z", "date"), ("raw", "00ff", "data"),
                ("list", #"[1,"a",{"b":true}]"#, "array"),
            ] {
                #expect(try sandboxfm("prefs", "set", "c", key, value, "--type", type, in: folder).code == 0, "\(key)")
                #expect(try sandboxfm("prefs", "get", "c", key, "--type", type, in: folder).text == value + "\n")
            }
            let script =
                "import plistlib; print(sorted(plistlib.load(open('c/Library/Preferences/com.example.app.plist','rb')).items()))"
            #expect(
                try Command("python3", ["-c", script], in: folder).text == """
                    [('list', [1, 'a', {'b': True}]), ('name', 'é'), ('on', True), ('ratio', 1.5), ('raw', b'\\x00\\xff'), \
                    ('size', 14), ('when', datetime.datetime(2026, 1, 31, 12, 0))]

                    """)
            let wrong = try sandboxfm("prefs", "set", "c", "size", "big", in: folder)
            #expect(wrong.code == 1 && wrong.errors.contains("“size” is an integer") && wrong.errors.contains("--type"))
            #expect(try sandboxfm("prefs", "set", "c", "size", "15", in: folder).code == 0)
            let list = try object("prefs", "list", "c", in: folder)["preferences"] as? [NSDictionary]
            #expect(list?.first { $0["key"] as? String == "size" } == ["key": "size", "type": "integer", "value": 15])
            let type = try sandboxfm("prefs", "get", "c", "size", "--type", "string", in: folder)
            #expect(type.code == 1 && type.errors.contains("is an integer, not a string"))
            #expect(try sandboxfm("prefs", "delete", "c", "size", in: folder).code == 2)
            #expect(try sandboxfm("prefs", "delete", "c", "size", "nothing", "--yes", in: folder).code == 1)
            #expect(try sandboxfm("prefs", "get", "c", "size", in: folder).text == "15\n")
            #expect(try sandboxfm("prefs", "delete", "c", "size", "--yes", in: folder).code == 0)
            #expect(
                try sandboxfm("prefs", "get", "c", "size", in: folder).errors.contains("there is no preference “size”"))
            try Data("x".utf8).write(to: folder.appending(path: "c/Library/Preferences/com.example.app.plist"))
            let damaged = try sandboxfm("prefs", "list", "c", in: folder)
            #expect(damaged.code == 1 && damaged.errors.contains("cannot be read as preferences"))
        }
    }

    @Test(
        "An archive of classes that do not exist is shown with shared objects and cycles marked",
        .needs(.externalProgram))
    func archive() throws {
        try withContainer { _, folder throws in
            let made = """
                import plistlib
                U = plistlib.UID
                klass = {"$classname": "Gone", "$classes": ["Gone", "NSObject"]}
                deep = [{"$class": U(2), "next": U(number + 5)} for number in range(500)]
                objects = ["$null", {"$class": U(2), "a": U(3), "b": U(3), "me": U(1), "nil": U(0), "deep": U(4), "bad": U(9999)},
                           klass, {"$class": U(2), "name": "x\\x1b[2J"}] + deep + ["end"]
                plistlib.dump({"$archiver": "NSKeyedArchiver", "$version": 100000, "$top": {"root": U(1)}, "$objects": objects},
                              open("c/Documents/a", "wb"), fmt=plistlib.FMT_BINARY)
                """
            try Command.setUp("python3", ["-c", made], in: folder)
            let shown = try sandboxfm("archive", "show", "c", "Documents/a", in: folder)
            #expect(shown.code == 0, "\(shown.errors)")
            for line in [
                "root: Gone #1", "  a: Gone #3", "  b: Gone #3 (shown above)", "  me: Gone #1 (cycle)", "  nil: nil",
                "  bad: #9999 (missing)", "    name: \"x\u{fffd}[2J\"",
            ] { #expect(shown.text.split(separator: "\n").contains(Substring(line)), "\(line)") }
            #expect(shown.text.contains("(deeper; --json lists it)"))
            let objects = try object("archive", "show", "c", "Documents/a", in: folder)["objects"] as? [NSDictionary]
            #expect(objects?.count == 505)
            #expect((objects?[1]["fields"] as? NSDictionary)?["a"] as? NSDictionary == ["ref": 3])
            try folder.write("x\n", to: "c/Documents/b")
            #expect(try sandboxfm("archive", "show", "c", "Documents/b", in: folder).code == 1)
        }
    }

    @Test("Tables, schema and rows are those of sqlite, and the database is not touched", .needs(.externalProgram))
    func database() throws {
        try withContainer { _, folder throws in
            let made = """
                import sqlite3, os
                d = sqlite3.connect("c/Documents/l.sqlite")
                d.execute("PRAGMA journal_mode = WAL")
                d.execute("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT NOT NULL, cover BLOB)")
                d.executemany("INSERT INTO book(title, cover) VALUES (?, ?)", [("a\\x1b[2J", b"\\x00\\xff")] + [("t", None)] * 150)
                d.commit(); os._exit(0)
                """
            try Command.setUp("python3", ["-c", made], in: folder)
            let before = try TreeListing(of: folder.appending(path: "c/Documents"))
            #expect(
                try sandboxfm("db", "tables", "c", "Documents/l.sqlite", in: folder).text.contains(
                    " 151        3  table  book"))
            let schema = try sandboxfm("db", "schema", "c", "Documents/l.sqlite", in: folder)
            #expect(schema.text.contains("CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT NOT NULL, cover BLOB);"))
            let rows = try object("db", "rows", "c", "Documents/l.sqlite", "book", "--limit", "1", in: folder)
            #expect(
                rows["rows"] as? NSArray == [[1, "a\u{1b}[2J", ["base64": "AP8=", "bytes": 2] as NSDictionary]]
                    as NSArray)
            #expect(rows["hasMore"] as? Bool == true)
            let text = try sandboxfm("db", "rows", "c", "Documents/l.sqlite", "book", in: folder)
            #expect(!text.text.contains("\u{1b}") && text.errors.contains("--offset 100"))
            #expect(
                try sandboxfm("db", "rows", "c", "Documents/l.sqlite", "nothing", in: folder).errors.contains(
                    "It has “book”."))
            #expect(try TreeListing(of: folder.appending(path: "c/Documents")) == before)
            // The log of another database is not applied, and the output states it.
            let documents = folder.appending(path: "c/Documents").path
            try executeSQL("CREATE TABLE u(a); CREATE TABLE v(a)", in: documents + "/r.sqlite")
            try FileManager.default.copyItem(atPath: documents + "/l.sqlite-wal", toPath: documents + "/r.sqlite-wal")
            let tables = try sandboxfm("db", "tables", "c", "Documents/r.sqlite", in: folder).text
            let proof = "it shrinks the database from 3 to 2 pages, but not as SQLite does"
            #expect(
                tables.contains("table  v") && tables.hasSuffix("another database or state: \(proof)\n"), "\(tables)")
            let json = try object("db", "schema", "c", "Documents/r.sqlite", in: folder)
            #expect(json["foreignLog"] as? String == proof)
            try folder.write("not a database\n", to: "c/Documents/b.sqlite")
            let wrong = try sandboxfm("db", "tables", "c", "Documents/b.sqlite", in: folder)
            #expect(wrong.code == 1 && wrong.errors.contains("is not an SQLite database"))
        }
    }
}
