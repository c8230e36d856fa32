import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("A repository that was manipulated", .timeLimit(.minutes(60))) struct HostileRepositoryTests {
    /// SQL statements that make SQLite run code of their author.
    private static let changes = [
        (
            "CREATE TRIGGER \"a\u{1b}b\" AFTER INSERT ON snapshot BEGIN DELETE FROM entry; END",
            #"trigger a%1Bb does not match the format"#
        ),
        (
            """
            ALTER TABLE entry RENAME TO kept; CREATE VIEW entry AS
            WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless) SELECT kept.* FROM endless, kept
            """, "index sqlite_autoindex"
        ),
        ("CREATE TABLE notes(a)", "table notes does not match the format"),
        ("ALTER TABLE entry ADD COLUMN more", "table entry does not match the format"),
        ("DROP TABLE incident", "table incident does not match the format"),
    ]

    /// Returns the content of the catalogue and of the objects.
    private func content(of store: URL) throws -> [String: Data] {
        let objects = try FileManager.default.subpathsOfDirectory(atPath: store.path + "/objects")
            .filter { $0.contains("/") }.map { "objects/\($0)" }
        return try Dictionary(
            uniqueKeysWithValues: (["catalogue.sqlite"] + objects).map {
                ($0, try Data(contentsOf: store.appending(path: $0)))
            })
    }

    @Test("Foreign tables, views and triggers are refused with 12, and nothing is changed")
    func schema() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            for (change, named) in Self.changes {
                let copy = folder.appending(path: "copy")
                try FileManager.default.copyItem(atPath: store, toPath: copy.path)
                try executeSQL(change, in: copy.path + "/catalogue.sqlite")
                let before = try content(of: copy)
                for command in [
                    ["verify"], ["create", container], ["restore", "1", "--to", "\(copy.path)-out"], ["prune"],
                ] {
                    let run = try sandboxbackup(command + ["--repository", copy.path])
                    #expect(run.code == 12, "\(change) \(command): \(run.text)\(run.errors)")
                    if change.hasPrefix("CREATE") || change.hasPrefix("DROP") {
                        #expect(run.errors.contains(named), "\(run.errors)")
                    }
                }
                let isUnchanged = try content(of: copy) == before
                #expect(isUnchanged, "\(change)")
                try FileManager.default.removeItem(at: copy)
            }
        }
    }

    @Test("Impossible numbers crash no command", arguments: ["size = -1", "size = 1 << 63"])
    func numbers(change: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try executeSQL("UPDATE entry SET \(change) WHERE kind = 1", in: "\(store)/catalogue.sqlite")
            let out = folder.appending(path: "out").path
            for command in [
                ["restore", "1", "--to", out, "--dry-run", "--format", "json"], ["restore", "1", "--to", out],
                ["verify"],
            ] {
                let run = try sandboxbackup(command + ["--repository", store])
                #expect([1, 3, 12].contains(run.code), "\(command): \(run.code) \(run.errors)")
            }
            // The next run reads everything again and repairs it.
            for command in [["create", container], ["verify"], ["prune"]] {
                let run = try sandboxbackup(command + ["--repository", store])
                #expect(run.code == 0, "\(command): \(run.text)\(run.errors)")
            }
        }
    }

    @Test("A journal that names a file outside does not delete it", .needs(.externalProgram))
    func journal() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let victim = folder.appending(path: "victim")
            // SQLite leaves such a journal after an interrupted transaction over two databases: it is rolled back, and
            // its end names another file.
            let script = """
                import struct, sys
                name, page, pages = sys.argv[1].encode(), 65536, 1
                magic = bytes([0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7])
                header = (magic + struct.pack(">IIIII", 0, 0, pages, 512, page)).ljust(512, b"\\0")
                total = struct.pack(">I", sum(name))
                end = struct.pack(">I", (1 << 30) // page + 1) + name + struct.pack(">I", len(name)) + total + magic
                open("catalogue.sqlite-journal", "wb").write(header + end)
                open(name, "w").write("mine")
                """
            try python(script, victim.path, in: URL(fileURLWithPath: store))
            for command in [["snapshots"], ["create", container], ["prune"], ["verify"], ["verify", "--repair"]] {
                let run = try sandboxbackup(command + ["--repository", store])
                #expect(run.code == 12 && run.errors.contains("catalogue.sqlite-journal"), "\(command) \(run.errors)")
                #expect(FileManager.default.fileExists(atPath: victim.path))
            }
        }
    }

    @Test("Impossible dates crash no command", arguments: ["1 << 62", "-(1 << 62)"])
    func times(time: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try executeSQL("UPDATE snapshot SET taken = \(time)", in: "\(store)/catalogue.sqlite")
            for command in [["snapshots"], ["forget", "--keep-daily", "1"], ["restore", "latest", "--to", "out"]] {
                #expect(try sandboxbackup(command + ["--repository", store], in: folder).code == 12)
            }
            // A new snapshot is not affected.
            try backed("create", container, "--repository", store)
            try backed("restore", "2", "--repository", store, "--to", folder.appending(path: "out").path)
        }
    }

    @Test("Names cannot control the terminal")
    func escapes() throws {
        try withRepositorySample { _, container, store throws in
            try backed("create", container, "--repository", store)
            let change = "UPDATE snapshot SET view = 'a' || char(27) || '[2J', bundle = char(27)"
            try executeSQL(change, in: store + "/catalogue.sqlite")
            try URL(fileURLWithPath: store).write(to: "objects/\u{1b}[2J")
            for command in ["snapshots", "verify"] {
                let run = try sandboxbackup(command, "--repository", store)
                #expect(run.text.contains("[2J") && !run.text.contains("\u{1b}"), "\(run.text)")
            }
        }
    }

    @Test(
        "Other snapshots and pages are read if one is damaged, and all items found are reported",
        .needs(.externalProgram))
    func partly() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try backed("create", container, "--repository", store)
            let script = """
                rm $(ls objects/*/* | head -1)
                sqlite3 catalogue.sqlite "UPDATE snapshot SET taken = 'yesterday' WHERE id = 1"
                """
            try Command.setUp("bash", ["-c", script], in: URL(fileURLWithPath: store))
            let run = try sandboxbackup("verify", "--repository", store)
            #expect(run.code == 12 && run.text.contains("snapshot 1: ") && run.text.contains("    2:Documents/"))
            let out = folder.appending(path: "out").path
            #expect(try sandboxbackup("restore", "2", "--to", out, "--repository", store).code == 12)
            for table in ["part", "object"] {
                let code = """
                    import sqlite3, sys
                    db = sqlite3.connect("store/catalogue.sqlite")
                    page, = db.execute("SELECT rootpage FROM sqlite_schema WHERE name = ?", sys.argv[1:]).fetchone()
                    db.close()
                    with open("store/catalogue.sqlite", "r+b") as file:
                        file.seek(65536 * (page - 1))
                        file.write(b"x" * 65536)
                    """
                _ = try python(code, table, in: folder)
                let run = try sandboxbackup("verify", "--repository", store)
                #expect(run.code == 12 && run.errors.isEmpty, "\(run.errors)")
                #expect(
                    run.text.contains("snapshot 1: ") && run.text.contains("\(table) can"),
                    "\(run.text)")
            }
        }
    }
}
