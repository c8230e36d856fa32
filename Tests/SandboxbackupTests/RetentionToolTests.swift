import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("sandboxbackup forget and prune", .timeLimit(.minutes(60))) struct RetentionToolTests {
    /// Creates a container beside the sample, and a snapshot of it.
    private func keepOther(_ identifier: String?, as name: String, in folder: URL, _ store: String) throws {
        let path = folder.appending(path: name).path
        if let identifier {
            _ = try Container.create(at: FilePath(path), bundleIdentifier: identifier)
        } else {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try Command.setUp("bash", ["-c", "mkdir -p \(path)/Documents; echo \(name) > \(path)/Documents/name"])
        try backed("create", path, "--store", store)
    }

    private func numbers(_ store: String) throws -> [Substring] {
        try sandboxbackup("snapshots", "--store", store).text.split(separator: "\n").compactMap {
            $0.split(separator: " ").first
        }
    }

    @Test("Snapshots of other containers and views do not count")
    func groups() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--store", store)
            try backed("create", container, "--store", store)
            try backed("create", container, "--store", store, "--view", "icloud")
            try keepOther(nil, as: "a", in: folder, store)
            try keepOther(nil, as: "b", in: folder, store)
            try keepOther("com.example.other", as: "c", in: folder, store)
            let run = try sandboxbackup("forget", "--keep-last", "1", "--store", store)
            #expect(run.code == 0 && run.text.hasPrefix("1  ") && run.text.count { $0 == "\n" } == 1, "\(run.text)")
            #expect(run.errors.contains("kept snapshots 4, 5: no bundle identifier"))
            #expect(try numbers(store) == ["2", "3", "4", "5", "6"])
        }
    }

    @Test("The latest snapshot of a repository with several apps needs the name of the app")
    func latest() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--store", store)
            try keepOther("com.example.other", as: "c", in: folder, store)
            let out = folder.appending(path: "out").path
            for command in [["restore", "latest", "--to", out], ["diff", "1", "latest"]] {
                let run = try Command(Command.sandboxbackup, command + ["--store", store])
                #expect(run.code == 1 && run.errors.contains("com.example.app, com.example.other"), "\(run.errors)")
                #expect(run.errors.contains("--bundle-id"))
            }
            #expect(!FileManager.default.fileExists(atPath: out))
            let unknown = try sandboxbackup(
                "restore", "latest", "--bundle-id", "com.example.none", "--to", out, "--store", store)
            #expect(unknown.code == 1 && unknown.errors.contains("no snapshot “com.example.none”"))
            try backed("restore", "latest", "--bundle-id", "com.example.app", "--to", out, "--store", store)
            #expect(FileManager.default.fileExists(atPath: "\(out)/Documents/letter.txt"))
            let export = try sandboxbackup(
                "export", "latest", "--bundle-id", "com.example.other", "--layout", "mobilebackup", "--to", out,
                "--store", store, "--format", "json")
            #expect(export.text.contains(#""snapshot":2"#), "\(export.text)\(export.errors)")
        }
    }

    /// SQL changes to a catalogue after which `prune` could delete referenced content.
    private static let changes = [
        "UPDATE entry SET object = (SELECT max(object) FROM entry) WHERE CAST(name AS TEXT) = 'letter.txt'",
        "UPDATE entry SET child = NULL WHERE CAST(name AS TEXT) = 'Documents'",
        "UPDATE snapshot SET tree = (SELECT max(id) FROM directory WHERE id <> tree)",
        "UPDATE snapshot SET taken = 'yesterday'",
        """
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'sha256 BLOB NOT NULL', 'sha256 BLOB') WHERE name = 'object';
        PRAGMA writable_schema = RESET;
        UPDATE object SET sha256 = NULL WHERE id = (SELECT max(id) FROM object WHERE form = 1);
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'sha256 BLOB', 'sha256 BLOB NOT NULL') WHERE name = 'object';
        """,
        "UPDATE object SET sha256 = x'00' WHERE form = 1 AND size < 200000",
        "UPDATE part SET part = (SELECT min(part) FROM part) WHERE position = 1048576",
        "DELETE FROM part WHERE position = 1048576",
    ]

    @Test("Nothing is deleted with a damaged catalogue", arguments: changes)
    func damaged(change: String) throws {
        try withRepositorySample { _, container, store throws in
            try backed("create", container, "--store", store)
            let changed = try Command(
                "sqlite3", ["-cmd", ".dbconfig defensive off", "\(store)/catalogue.sqlite", change])
            try #require(changed.code == 0, "\(changed.errors)")
            let objects = URL(fileURLWithPath: store).appending(path: "objects")
            let before = try TreeListing(of: objects)
            for command in [["prune", "--dry-run"], ["prune"]] {
                let run = try Command(Command.sandboxbackup, command + ["--store", store])
                #expect(run.code == 12, "\(run.text)\(run.errors)")
            }
            #expect(try before.differences(from: TreeListing(of: objects)) == [])
            #expect(try sandboxbackup("verify", "--store", store).code == 12)
        }
    }

    @Test("Unreferenced content may have any size in the catalogue", arguments: ["-1", "1 << 62"])
    func sizes(size: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--store", store)
            try Command.setUp(
                "bash", ["-c", "rm -r Documents/notes; rm Documents/film.bin"], in: URL(fileURLWithPath: container))
            try backed("create", container, "--store", store)
            try backed("forget", "--keep-last", "1", "--store", store)
            try Command.setUp(
                "sqlite3",
                ["\(store)/catalogue.sqlite", "UPDATE object SET size = \(size) WHERE form = 1 AND size > 200000"])
            #expect(try backed("prune", "--store", store, "--dry-run").contains(" objects of "))
            try backed("prune", "--store", store)
        }
    }

    @Test("Files with lost content, and foreign files, are kept")
    func lost() throws {
        try withRepositorySample { _, container, store throws in
            try backed("create", container, "--store", store)
            let script = """
                mkdir -p objects/ff; set -- objects/??/*; mv $1 objects/ff; echo mine > objects/ff/notes
                sqlite3 catalogue.sqlite "UPDATE object SET form = 0 WHERE lower(hex(sha256)) = '${2##*/}'"
                """
            try Command.setUp("bash", ["-c", script], in: URL(fileURLWithPath: store))
            let found = try sandboxbackup("verify", "--store", store)
            #expect(found.code == 12 && found.text.contains("`verify --repair` restores it"), "\(found.text)")
            let pruned = try sandboxbackup("prune", "--store", store)
            #expect(pruned.code == 0 && pruned.text.contains("0 leftover files"), "\(pruned.text)\(pruned.errors)")
            #expect(FileManager.default.fileExists(atPath: "\(store)/objects/ff/notes"))
            try FileManager.default.removeItem(atPath: "\(store)/objects/ff/notes")
            let run = try sandboxbackup("verify", "--repair", "--store", store)
            #expect(run.code == 0, "\(run.text)\(run.errors)")
        }
    }
}
