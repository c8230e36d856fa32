import Foundation
import TestSupport
import Testing

@Suite("A store that someone changed on purpose") struct HostileStoreTests {
    /// What makes SQLite do what its maker wants, by SQL.
    private static let changes = [
        (
            "CREATE TRIGGER \"a\u{1b}b\" AFTER INSERT ON snapshot BEGIN DELETE FROM entry; END",
            #"trigger a%1Bb is not as a store has it"#
        ),
        (
            """
            ALTER TABLE entry RENAME TO kept; CREATE VIEW entry AS
            WITH RECURSIVE endless(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM endless) SELECT kept.* FROM endless, kept
            """, "index sqlite_autoindex"
        ),
        ("CREATE TABLE notes(a)", "table notes is not as a store has it"),
        ("ALTER TABLE entry ADD COLUMN more", "table entry is not as a store has it"),
        ("DROP TABLE incident", "table incident is not as a store has it"),
    ]

    @Test("is refused with 12 for tables, views and triggers that are not a store's, and left as it is")
    func schema() throws {
        try withStoreSample { folder, container, store throws in
            try backed("create", container, "--store", store)
            for (change, named) in Self.changes {
                let copy = folder.appending(path: "copy")
                _ = try Command("cp", ["-a", store, copy.path])
                let changed = try Command("sqlite3", ["catalogue.sqlite", change], in: copy)
                try #require(changed.code == 0, "\(changed.errors)")
                let before = try Command("bash", ["-c", "sha256sum catalogue.sqlite objects/*/*"], in: copy).text
                for command in [
                    ["verify"], ["create", container], ["restore", "1", "--to", "\(copy.path)-out"], ["prune"],
                ] {
                    let run = try Command(Command.sandboxbackup, command + ["--store", copy.path])
                    #expect(run.code == 12, "\(change) \(command): \(run.text)\(run.errors)")
                    if change.hasPrefix("CREATE") || change.hasPrefix("DROP") {
                        #expect(run.errors.contains(named), "\(run.errors)")
                    }
                }
                let after = try Command("bash", ["-c", "sha256sum catalogue.sqlite objects/*/*"], in: copy).text
                #expect(before == after, "\(change)")
                _ = try Command("rm", ["-rf", copy.path])
            }
        }
    }

    @Test("ends no command by a trap with numbers that cannot be", arguments: ["size = -1", "size = 1 << 63"])
    func numbers(change: String) throws {
        try withStoreSample { folder, container, store throws in
            try backed("create", container, "--store", store)
            _ = try Command(
                "sqlite3", ["\(store)/catalogue.sqlite", "UPDATE entry SET \(change) WHERE kind = 1"])
            let out = folder.appending(path: "out").path
            for command in [
                ["restore", "1", "--to", out, "--dry-run", "--format", "json"], ["restore", "1", "--to", out],
                ["verify"],
            ] {
                let run = try Command(Command.sandboxbackup, command + ["--store", store])
                #expect([1, 3, 12].contains(run.code), "\(command): \(run.code) \(run.errors)")
            }
            // The next run reads all anew, and makes right what was wrong.
            for command in [["create", container], ["verify"], ["prune"]] {
                let run = try Command(Command.sandboxbackup, command + ["--store", store])
                #expect(run.code == 0, "\(command): \(run.text)\(run.errors)")
            }
        }
    }

    @Test("has no file outside it deleted by a journal that names one")
    func journal() throws {
        try withStoreSample { folder, container, store throws in
            try backed("create", container, "--store", store)
            let victim = folder.appending(path: "victim")
            // What SQLite itself leaves of a transaction over two databases that is ended before its last step: a
            // journal that is rolled back, and whose end names another file.
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
                let run = try Command(Command.sandboxbackup, command + ["--store", store])
                #expect(run.code == 12 && run.errors.contains("catalogue.sqlite-journal"), "\(command) \(run.errors)")
                #expect(FileManager.default.fileExists(atPath: victim.path))
            }
        }
    }

    @Test("ends no command by a trap with a time that no calendar has", arguments: ["1 << 62", "-(1 << 62)"])
    func times(time: String) throws {
        try withStoreSample { folder, container, store throws in
            try backed("create", container, "--store", store)
            _ = try Command("sqlite3", ["\(store)/catalogue.sqlite", "UPDATE snapshot SET taken = \(time)"])
            for command in [["snapshots"], ["forget", "--keep-daily", "1"], ["restore", "latest", "--to", "out"]] {
                #expect(try Command(Command.sandboxbackup, command + ["--store", store], in: folder).code == 12)
            }
            // A new one is none the worse for it.
            try backed("create", container, "--store", store)
            try backed("restore", "2", "--store", store, "--to", folder.appending(path: "out").path)
        }
    }

    @Test("reaches no terminal with what its names say")
    func escapes() throws {
        try withStoreSample { _, container, store throws in
            try backed("create", container, "--store", store)
            let script = """
                sqlite3 catalogue.sqlite "UPDATE snapshot SET view = 'a' || char(27) || '[2J', bundle = char(27)"
                touch "$(printf 'objects/\\033[2J')"
                """
            _ = try Command("bash", ["-c", script], in: URL(fileURLWithPath: store))
            for command in ["snapshots", "verify"] {
                let run = try sandboxbackup(command, "--store", store)
                #expect(run.text.contains("[2J") && !run.text.contains("\u{1b}"), "\(run.text)")
            }
        }
    }

    @Test("is read on where one snapshot or one page cannot be read, and all that is found is named")
    func partly() throws {
        try withStoreSample { folder, container, store throws in
            try backed("create", container, "--store", store)
            try backed("create", container, "--store", store)
            let script = """
                rm $(ls objects/*/* | head -1)
                sqlite3 catalogue.sqlite "UPDATE snapshot SET taken = 'yesterday' WHERE id = 1"
                """
            _ = try Command("bash", ["-c", script], in: URL(fileURLWithPath: store))
            let run = try sandboxbackup("verify", "--store", store)
            #expect(run.code == 12 && run.text.contains("snapshot 1: ") && run.text.contains("    2:Documents/"))
            let out = folder.appending(path: "out").path
            #expect(try sandboxbackup("restore", "2", "--to", out, "--store", store).code == 3)
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
                let run = try sandboxbackup("verify", "--store", store)
                #expect(run.code == 12 && run.errors.isEmpty, "\(run.errors)")
                #expect(
                    run.text.contains("snapshot 1: ") && run.text.contains("\(table) cannot be read"), "\(run.text)")
            }
        }
    }
}
