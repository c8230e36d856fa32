import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("Restores, exports and comparisons with a damaged catalogue", .timeLimit(.minutes(60)))
struct RestoreCatalogueTests {
    private func change(_ store: String, _ statement: String) throws {
        try executeSQL(statement, in: "\(store)/catalogue.sqlite")
    }

    /// Changes to an entry, with its directory.
    private static let changes = [
        ("object = (SELECT object FROM entry WHERE CAST(name AS TEXT) = 'photo.bin')", "letter.txt", "Documents"),
        ("mode = mode + 2048", "photo.bin", "Documents"),
        ("modified = 0", "photo.bin", "Documents"),
        ("attributes = NULL", "photo.bin", "Documents"),
        ("object = 999999", "photo.bin", "Documents"),
        ("child = (SELECT child FROM entry WHERE CAST(name AS TEXT) = 'empty')", "notes", "Documents"),
        ("child = (SELECT child FROM entry WHERE CAST(name AS TEXT) = 'Documents')", "empty", "Documents"),
        ("target = CAST('/etc/passwd' AS BLOB)", "link", "Documents/notes"),
        ("object = (SELECT object FROM entry WHERE CAST(name AS TEXT) = '8.txt')", "7.txt", "Documents/notes"),
        ("name = CAST('77.txt' AS BLOB)", "7.txt", "Documents/notes"),
    ]

    @Test(
        "A damaged entry affects only its directory, which is reported",
        arguments: changes)
    func entry(change: String, name: String, directory: String) throws {
        try withRepositorySample { folder, container, store throws in
            try folder.write("x", to: "container/Library/other")
            try backed("create", container, "--repository", store)
            try self.change(store, "UPDATE entry SET \(change) WHERE CAST(name AS TEXT) = '\(name)'")
            let out = folder.appending(path: "out").path
            let told = try backed("restore", "1", "-n", "--repository", store, "--to", out, code: 12)
            #expect(told.contains("? \(directory)\n") && told.contains("+ Library/other\n"), "\(told)")
            let text = try backed("restore", "1", "--repository", store, "--to", out, code: 12)
            #expect(text.hasSuffix("\nnot restored, or not as in the snapshot:\n  damaged: \(directory)\n"), "\(text)")
            #expect(try names(in: URL(fileURLWithPath: "\(out)/\(directory)")).isEmpty)
            #expect(try String(contentsOfFile: "\(out)/Library/other", encoding: .utf8) == "x")
            if directory != "Documents" {
                #expect(try String(contentsOfFile: "\(out)/Documents/letter.txt", encoding: .utf8) == "Dear reader")
            }
            let export = try backed(
                "export", "1", "--to", folder.appending(path: "backup").path, "--repository",
                store, code: 12)
            #expect(
                export.contains("  damaged: \(directory)\n")
                    && !export.contains("letter.txt") == (directory == "Documents"), "\(export)")
        }
    }

    @Test("Damage is not reported as a difference")
    func difference() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try folder.write("x", to: "container/Documents/notes/7.txt")
            try backed("create", container, "--repository", store)
            try change(store, "UPDATE entry SET mode = mode + 1 WHERE CAST(name AS TEXT) = '8.txt'")
            let run = try sandboxbackup("diff", "1", "2", "--repository", store)
            #expect(run.code == 12 && run.text.isEmpty, "\(run.text)")
            #expect(run.errors.contains("the directory “Documents/notes” is damaged in snapshot"), "\(run.errors)")
        }
    }

    @Test("Damaged attributes are not set, and items with them are reported")
    func attributes() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try change(store, "UPDATE attribute SET value = CAST('other' AS BLOB) WHERE name = 'com.example.mark'")
            let out = folder.appending(path: "out").path
            let text = try backed("restore", "1", "--repository", store, "--to", out, code: 12)
            let named = ["Documents/letter.txt", "Documents/notes", "Documents/notes/same.txt"]
            #expect(text.hasSuffix("in the snapshot:\n" + named.map { "  damaged: \($0)\n" }.joined()), "\(text)")
            let attributes = try AttributeTool.attributes(below: URL(filePath: out)).values.joined()
            #expect(attributes.isEmpty || !attributes.contains { $0.value == Data("other".utf8) })
            let export = try backed(
                "export", "1", "--to", folder.path, "--repository", store,
                code: 12)
            for path in named { #expect(export.contains("  damaged: \(path)\n"), "\(export)") }
        }
    }

    @Test("A snapshot with a damaged row is restored and reported, as it may be another one")
    func snapshot() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try FileManager.default.removeItem(atPath: "\(container)/Documents/letter.txt")
            try backed("create", container, "--repository", store)
            try change(store, "UPDATE snapshot SET tree = (SELECT max(tree) FROM snapshot)")
            let out = folder.appending(path: "out").path
            #expect(
                try backed("restore", "1", "-n", "--repository", store, "--to", out, code: 12).hasPrefix(
                    "? the container\n"))
            let text = try backed("restore", "1", "--repository", store, "--to", out, code: 12)
            #expect(
                text.hasSuffix("not restored, or not as in the snapshot:\n  snapshot-damaged: the container\n"),
                "\(text)")
            #expect(try sandboxbackup("restore", "2", "--repository", store, "--to", out).code == 0)
            try change(store, "UPDATE snapshot SET tree = (SELECT child FROM entry WHERE directory = tree)")
            #expect(try sandboxbackup("restore", "2", "--repository", store, "--to", out).code == 12)
        }
    }

    @Test("A preview reports damage in the repository, as a restore does")
    func preview() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let out = folder.appending(path: "out").path
            try backed("restore", "1", "--repository", store, "--to", out)
            try change(
                store, "UPDATE attribute SET value = CAST('other' AS BLOB); DELETE FROM part WHERE position > 0")
            let told = try backed("restore", "1", "-n", "--repository", store, "--to", out, code: 12)
            let signs = told.split(separator: "\n").dropLast().map(String.init)
            let run = try backed("restore", "1", "--repository", store, "--to", out, code: 12)
            let damaged = run.split(separator: "\n").filter { $0.hasPrefix("  damaged: ") }
                .map { String($0.replacing("  damaged: ", with: "? ")) }
            #expect(signs == damaged && signs.contains("? Documents/film.bin"), "\(told)\(run)")
        }
    }

    @Test(
        "Few rows that describe too many items or levels terminate", .needs(.externalProgram),
        arguments: [(1, 600), (2, 64)])
    func bomb(width: Int, levels: Int) throws {
        try withRepositorySample { folder, container, store throws in
            try FileManager.default.removeItem(atPath: "\(container)/Library")
            try backed("create", container, "--repository", store)
            let code = """
                import sqlite3, sys
                db = sqlite3.connect("store/catalogue.sqlite")
                columns = [row[1] for row in db.execute("PRAGMA table_info(entry)")]
                def row(name): return list(db.execute("SELECT * FROM entry WHERE CAST(name AS TEXT) = ?", [name]).fetchone())
                def add(directory, name, row):
                    row[columns.index("directory")], row[columns.index("name")] = directory, name
                    db.execute(f"INSERT INTO entry VALUES({', '.join('?' * len(row))})", row)
                def make(): return db.execute("INSERT INTO directory(sha256) VALUES(randomblob(32))").lastrowid
                last = make()
                add(last, b"leaf", row("photo.bin"))
                for level in range(int(sys.argv[2])):
                    next, entry = make(), row("empty")
                    entry[columns.index("child")] = last
                    for name in range(int(sys.argv[1])): add(next, b"%d" % name, entry)
                    last = next
                db.execute("UPDATE entry SET child = ? WHERE CAST(name AS TEXT) = 'empty'", [last])
                db.commit()
                """
            _ = try python(code, "\(width)", "\(levels)", in: folder)
            try rehash(store)
            // The packs lack the new directories.
            #expect(try sandboxbackup("repair", "--repository", store).code == 0)
            let out = folder.appending(path: "out").path
            for more in [["--dry-run"], []] {
                let run = try sandboxbackup(
                    ["restore", "1", "Documents/empty", "--repository", store, "--to", out] + more)
                #expect(run.code == 12 && run.text.contains("Documents/empty/0/0"), "\(run.errors)")
            }
            // As many files as in the snapshot, each in its own way.
            let found = try FileManager.default.subpathsOfDirectory(atPath: out).count
            #expect(found < 3_000, "\(found)")
            let backup = folder.appending(path: "backup").path
            let export = try sandboxbackup("export", "1", "--to", backup, "--repository", store)
            #expect(export.code == 12, "\(export.errors)")
            try backed("create", container, "--repository", store)
            #expect(try sandboxbackup("diff", "1", "2", "--repository", store).code == 12)
        }
    }

    @Test("Sums of sizes beyond 64 bits do not end a preview", .needs(.externalProgram))
    func sizes() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try change(store, "UPDATE entry SET size = 9223372036854775807 WHERE kind = 1")
            try rehash(store)
            let out = folder.appending(path: "out").path
            let told = try backed("restore", "1", "-n", "--format", "json", "--repository", store, "--to", out)
            #expect(told.hasSuffix(#""bytes":9223372036854775807}}"# + "\n"), "\(told.suffix(300))")
        }
    }
}
