import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup create, snapshots, diff and restore", .needs(.long), .timeLimit(.minutes(60)))
struct CreateRestoreTests {
    @Test("The next snapshot reads only changed files, and both are restored exactly")
    func incremental() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let first = try listing(URL(fileURLWithPath: container))
            let again = try sandboxbackup("create", container, "--repository", store, "--format", "json")
            #expect(again.text.contains(#""filesRead":0,"bytesRead":0"#), "\(again.text)")
            let documents = URL(fileURLWithPath: container + "/Documents")
            try documents.append("more", to: "notes/7.txt")
            try documents.remove("again.bin")
            try documents.setMode("640", of: "notes/8.txt")
            let third = try sandboxbackup("create", container, "--repository", store, "--format", "json")
            #expect(third.text.contains(#""snapshot":3"#) && third.text.contains(#""filesRead":2"#), "\(third.text)")
            let difference = try sandboxbackup("diff", "1", "3", "--repository", store).text
            #expect(
                difference == """
                    m Documents
                    - Documents/again.bin
                    M Documents/notes/7.txt
                    m Documents/notes/8.txt
                    0 added, 0 bytes; 1 removed, 100 KB; 1 modified, 680 bytes before and 684 bytes after; \
                    2 with other metadata

                    """)
            #expect(try sandboxbackup("diff", "1", "2", "--repository", store).text == "no difference\n")
            for (number, expected) in [("1", first), ("3", try listing(URL(fileURLWithPath: container)))] {
                let target = folder.appending(path: "restored-\(number)")
                try backed("restore", number, "--repository", store, "--to", target.path)
                #expect(try expected.differences(from: listing(target)) == [])
            }
        }
    }

    @Test("A repository is readable with sqlite3 and zstd, as FORMAT.md describes", .needs(.externalProgram))
    func withoutTheTool() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let names = try Command(
                "sqlite3",
                [
                    "\(store)/catalogue.sqlite",
                    """
                    WITH RECURSIVE item(path, child, object) AS (
                        SELECT '', entry.child, entry.object FROM snapshot JOIN entry ON directory = tree
                        UNION ALL
                        SELECT path || '/' || CAST(name AS TEXT), entry.child, entry.object
                        FROM item JOIN entry ON directory = item.child)
                    SELECT path FROM item WHERE path LIKE '%letter%'
                    """,
                ])
            #expect(names.text == "/Documents/letter.txt\n", "\(names.errors)")
            let frame = """
                SELECT 'tail -c +' || (position + 1) || ' packs/' || lower(hex(pack.sha256)) || ' | head -c ' || frame.size
                FROM frame JOIN pack ON pack.id = pack JOIN object ON object.id = object WHERE object.size = 11
                """
            let cut = try executeSQL(frame, in: "\(store)/catalogue.sqlite").dropLast()
            let small = try Command("bash", ["-c", "\(cut) | zstd -dc"], in: URL(fileURLWithPath: store))
            #expect(small.text == "Dear reader")
            let packs = try Command(
                "bash",
                [
                    "-c",
                    "cd packs && for f in *; do echo \"$f  $f\" | shasum -a 256 -c > /dev/null; zstd -dc $f; done | grep -c Dear",
                ],
                in: URL(fileURLWithPath: store))
            #expect(packs.text == "1\n", "\(packs.errors)")
            let sums =
                "cd objects && for f in */*; do [ \"$(zstd -dcq < $f | shasum -a 256)\" = \"${f#*/}  -\" ] || echo $f; done"
            let wrong = try Command("bash", ["-c", sums], in: URL(fileURLWithPath: store))
            #expect(wrong.code == 0 && wrong.text.isEmpty, "\(wrong.text)")
        }
    }

    @Test("Selected paths are restored with everything below them, and nothing else")
    func parts() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let target = folder.appending(path: "some")
            let run = try sandboxbackup(
                "restore", "1", "Documents/notes", "Documents/photo.bin", "--repository", store, "--to", target.path)
            #expect(run.code == 0, "\(run.errors)")
            // The link in the directory, too.
            #expect(try fileCount(beneath: target) == 43)
            #expect(FileManager.default.fileExists(atPath: target.path + "/Documents/photo.bin"))
            let none = try sandboxbackup("restore", "1", "Documents/nobody", "--repository", store, "--to", target.path)
            #expect(none.code == 1 && none.errors.contains("Documents/nobody"))
        }
    }

    @Test("Existing files stay unless --overwrite is given, and links in the target are not followed")
    func existing() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let target = folder.appending(path: "there")
            let outside = folder.appending(path: "outside")
            try folder.makeDirectories("outside")
            try folder.write("mine", to: "there/Documents/letter.txt")
            try folder.makeLink("there/Documents/notes", to: "../../outside")
            let kept = try sandboxbackup("restore", "latest", "--repository", store, "--to", target.path)
            #expect(kept.code == 3 && kept.text.contains("already-there: Documents/letter.txt"), "\(kept.text)")
            let letter = target.appending(path: "Documents/letter.txt")
            #expect(try String(contentsOf: letter, encoding: .utf8) == "mine")
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
            let replaced = try sandboxbackup(
                "restore", "latest", "--overwrite", "--repository", store, "--to", target.path)
            #expect(replaced.code == 3 && replaced.text.contains("already-there: Documents/notes"), "\(replaced.text)")
            #expect(try String(contentsOf: letter, encoding: .utf8) == "Dear reader")
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path).isEmpty)
        }
    }

    @Test("A database in use is stored in one consistent state", .needs(.externalProgram))
    func liveStore() throws {
        try withRepositorySample { folder, container, store throws in
            let writer = """
                import sqlite3, sys
                db = sqlite3.connect("container/Documents/live.sqlite", isolation_level=None)
                db.execute("PRAGMA journal_mode = " + sys.argv[1])
                db.execute("CREATE TABLE IF NOT EXISTS pair(a, b, fill)")
                print("ready", flush=True)
                number = 0
                while True:
                    number += 1
                    db.execute("BEGIN")
                    for _ in range(20):
                        db.execute("INSERT INTO pair VALUES(?, ?, randomblob(3000))", (number, number))
                    db.execute("COMMIT")
                    if number % 200 == 0: db.execute("DELETE FROM pair")
                """
            for mode in ["DELETE", "WAL", "TRUNCATE", "PERSIST"] {
                // The journal of a new database appears and disappears between the plan and the reading.
                let script = """
                    set -u
                    for try in 1 2; do
                        rm -rf container/Documents/live.sqlite* restored
                        exec 3< <(exec python3 -c "$WRITER" \(mode))
                        writer=$!
                        read -r line <&3
                        for run in 1 2; do
                            "$TOOL" create container --repository store > said 2>&1; echo $?; grep -A9 planned: said
                        done
                        kill -9 $writer
                        "$TOOL" restore latest --repository store --to restored > /dev/null
                        sqlite3 restored/Documents/live.sqlite "PRAGMA integrity_check; SELECT count(*) FROM pair GROUP BY a HAVING count(*) <> 20"
                    done
                    """
                let run = try Command(
                    "bash", ["-c", script], in: folder,
                    environment: ["WRITER": writer, "TOOL": Command.sandboxbackup])
                let expected = String(repeating: "0\n0\nok\n", count: 2)
                #expect(run.text == expected, "\(mode): \(run.text) \(run.errors)")
            }
        }
    }
}
