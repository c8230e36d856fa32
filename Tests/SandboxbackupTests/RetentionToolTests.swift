import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup forget and prune", .timeLimit(.minutes(60))) struct RetentionToolTests {
    /// Creates a container beside the sample, and a snapshot of it.
    private func keepOther(_ identifier: String?, as name: String, in folder: URL, _ store: String) throws {
        let path = folder.appending(path: name).path
        if let identifier {
            _ = try Container.create(at: FilePath(path), bundleIdentifier: identifier)
        } else {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try URL(fileURLWithPath: path).write("\(name)\n", to: "Documents/name")
        try backed("create", path, "--repository", store)
    }

    private func numbers(_ store: String) throws -> [Substring] {
        try sandboxbackup("snapshots", "--repository", store).text.split(separator: "\n").dropFirst().compactMap {
            $0.split(separator: " ").first
        }
    }

    @Test("A pack that a pruning would write again as it is stays")
    func samePack() throws {
        try withRepositorySample { folder, container, store throws in
            // The packs of one snapshot, and one of another repository.
            try backed("create", container, "--repository", store)
            let other = folder.appending(path: "other").path
            try backed("create", container, "--repository", other)
            func packs(_ store: String) throws -> [String] {
                try FileManager.default.contentsOfDirectory(atPath: store + "/packs").sorted()
            }
            let (name, foreign) = try (#require(packs(store).first), #require(packs(other).first))
            // An older pack with unused content and a copy of everything in the other one. Without the older pack, everything
            // in the other one is needed.
            let script = """
                cat other/packs/\(foreign) other/packs/\(foreign) store/packs/\(name) > pack
                hash=$(shasum -a 256 < pack | cut -c1-64)
                sqlite3 store/catalogue.sqlite "INSERT INTO pack VALUES(0, x'$hash', $(($(wc -c < pack))))"
                mv pack store/packs/$hash
                """
            #expect(try Command("bash", ["-c", script], in: folder).code == 0)
            #expect(try sandboxbackup("verify", "--repository", store).code == 0)
            for round in 1...2 {
                let run = try sandboxbackup("prune", "--repository", store)
                #expect(run.code == 0, "\(round): \(run.errors)")
                let verified = try sandboxbackup("verify", "--repository", store)
                #expect(verified.code == 0, "\(round): \(verified.text)")
            }
        }
    }

    @Test("Snapshots of other containers and views do not count")
    func groups() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try backed("create", container, "--repository", store)
            try backed("create", container, "--repository", store, "--view", "icloud")
            try keepOther(nil, as: "a", in: folder, store)
            try keepOther(nil, as: "b", in: folder, store)
            try keepOther("com.example.other", as: "c", in: folder, store)
            let run = try sandboxbackup("forget", "--keep-last", "1", "--repository", store)
            let lines = run.text.split(separator: "\n")
            #expect(run.code == 0 && lines.count == 7 && lines[0].hasPrefix("removed  1  "), "\(run.text)")
            #expect(lines.count { $0.hasPrefix("kept") && $0.hasSuffix("  without a bundle identifier") } == 2)
            #expect(lines.last == "removed 1 snapshot and kept 5; `sandboxbackup prune` deletes their content")
            #expect(try numbers(store) == ["2", "3", "4", "5", "6"])
        }
    }

    @Test("The latest snapshot of a repository with several apps needs the name of the app")
    func latest() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try keepOther("com.example.other", as: "c", in: folder, store)
            let out = folder.appending(path: "out").path
            for command in [["restore", "latest", "--to", out], ["diff", "1", "latest"]] {
                let run = try sandboxbackup(command + ["--repository", store])
                #expect(run.code == 1 && run.errors.contains("com.example.app, com.example.other"), "\(run.errors)")
                #expect(run.errors.contains("--bundle-id"))
            }
            #expect(!FileManager.default.fileExists(atPath: out))
            let unknown = try sandboxbackup(
                "restore", "latest", "--bundle-id", "com.example.none", "--to", out, "--repository", store)
            #expect(unknown.code == 1 && unknown.errors.contains("no snapshot “com.example.none”"))
            try backed("restore", "latest", "--bundle-id", "com.example.app", "--to", out, "--repository", store)
            #expect(FileManager.default.fileExists(atPath: "\(out)/Documents/letter.txt"))
            let export = try sandboxbackup(
                "export", "latest", "--bundle-id", "com.example.other", "--layout", "mobilebackup", "--to", out,
                "--repository", store, "--format", "json")
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
        "UPDATE object SET sha256 = x'00' WHERE id = (SELECT min(id) FROM object WHERE form = 1 AND size < 200000)",
        "UPDATE part SET part = (SELECT min(part) FROM part) WHERE position = (SELECT min(position) FROM part WHERE position > 0)",
        "DELETE FROM part WHERE position = (SELECT min(position) FROM part WHERE position > 0)",
    ]

    @Test("Nothing is deleted with a damaged catalogue", arguments: changes)
    func damaged(change: String) throws {
        try withRepositorySample { _, container, store throws in
            try backed("create", container, "--repository", store)
            try executeSQL(change, in: "\(store)/catalogue.sqlite")
            let objects = URL(fileURLWithPath: store).appending(path: "objects")
            let before = try TreeListing(of: objects)
            for command in [["prune", "--dry-run"], ["prune"]] {
                let run = try sandboxbackup(command + ["--repository", store])
                #expect(run.code == 12, "\(run.text)\(run.errors)")
            }
            #expect(try before.differences(from: TreeListing(of: objects)) == [])
            #expect(try sandboxbackup("verify", "--repository", store).code == 12)
        }
    }

    @Test("Unreferenced content may have any size in the catalogue", arguments: ["-1", "1 << 62"])
    func sizes(size: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try URL(fileURLWithPath: container).remove("Documents/notes", "Documents/film.bin")
            try backed("create", container, "--repository", store)
            try backed("forget", "--keep-last", "1", "--repository", store)
            try executeSQL(
                "UPDATE object SET size = \(size) WHERE form = 1 AND size > 200000", in: "\(store)/catalogue.sqlite")
            #expect(try backed("prune", "--repository", store, "--dry-run").contains(" objects of "))
            try backed("prune", "--repository", store)
        }
    }

    @Test("Packs keep unused space up to a limit, and everything else without references is deleted")
    func unusedSpace() throws {
        try withScratch { folder throws in
            let container = folder.appending(path: "c")
            for number in 0..<40 {
                try container.write(randomData(20_000), to: "Documents/\(number)")
            }
            try container.write(randomData(3_000_000), to: "Documents/large")
            let store = folder.appending(path: "store").path
            try backed("create", container.path, "--bundle-id", "a.b", "--repository", store)
            for name in ["large"] + stride(from: 0, to: 40, by: 2).map(String.init) {
                try FileManager.default.removeItem(at: container.appending(path: "Documents/" + name))
            }
            try backed("create", container.path, "--bundle-id", "a.b", "--repository", store)
            try backed("forget", "1", "--repository", store)
            func packs() throws -> Set<String> { Set(try names(in: URL(fileURLWithPath: store + "/packs"))) }
            let before = try packs()
            for (limit, isUnused) in [
                ("unlimited", true), ("99%", true), ("1MB", true), ("5%", false), ("unlimited", false),
            ] {
                let preview = try sandboxbackup("prune", "--dry-run", "--max-unused", limit, "--repository", store)
                let run = try sandboxbackup("prune", "--max-unused", limit, "--repository", store)
                #expect(run.code == 0 && run.text.contains(" unused in packs") == isUnused, "\(limit): \(run.text)")
                #expect(preview.text == run.text, "\(limit): \(preview.text)\(run.text)")
                // A pack without needed content is deleted with any limit.
                #expect(try packs().isSubset(of: before) == isUnused, "\(limit)")
                #expect(
                    try names(in: URL(fileURLWithPath: store + "/objects")).allSatisfy { name in
                        try names(in: URL(fileURLWithPath: store + "/objects/" + name)).isEmpty
                    })
                try backed("verify", "--repository", store)
            }
            let target = folder.appending(path: "out")
            try backed("restore", "latest", "--repository", store, "--to", target.path)
            #expect(try listing(container).differences(from: listing(target)) == [])
        }
    }

    @Test("Two prunings at the same time take turns, and lose nothing", .needs(.process))
    func concurrent() throws {
        try withRepositorySample { folder, container, store throws in
            let script = #"""
                set -u
                "$TOOL" create container --repository store > /dev/null
                for round in 1 2 3 4 5 6; do
                    for name in $(seq 30); do echo "$round $name" > container/Documents/notes/$name.txt; done
                    head -c 700000 /dev/urandom > container/Documents/photo.bin
                    "$TOOL" create container --repository store > /dev/null
                    "$TOOL" forget --keep-last 1 --repository store > /dev/null
                    for one in 1 2; do { "$TOOL" prune --repository store > "said-$one"; echo $?; } & done; wait
                    "$TOOL" verify --repository store > /dev/null || echo damaged
                    cat said-1 said-2 | grep -c '^0 objects'
                done
                "$TOOL" prune --wait 0 --repository store > /dev/null 2> first & "$TOOL" prune --wait 0 --repository store > /dev/null 2> second
                code=$?; wait $!; echo "$code $?" | tr 1 0 | tr -s 0; cat first second
                """#
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            let lines = run.text.split(separator: "\n")
            // One of two prunings finds nothing left; without a wait, it may be refused with 11.
            #expect(
                lines.prefix(18).joined(separator: " ") == Array(repeating: "0 0 1", count: 6).joined(separator: " "))
            #expect(lines.dropFirst(18).first == "0 0" && run.errors.isEmpty, "\(run.text)\(run.errors)")
            #expect(lines.dropFirst(19).allSatisfy { $0.contains("the repository is locked by") }, "\(run.text)")
            let target = folder.appending(path: "out")
            try backed("restore", "latest", "--repository", store, "--to", target.path)
            #expect(try listing(URL(fileURLWithPath: container)).differences(from: listing(target)) == [])
        }
    }

    @Test("Files with lost content, and foreign files, are kept")
    func lost() throws {
        try withRepositorySample { _, container, store throws in
            try backed("create", container, "--repository", store)
            let objects = URL(fileURLWithPath: store + "/objects")
            let paths = try FileManager.default.subpathsOfDirectory(atPath: objects.path)
                .filter { $0.contains("/") }.sorted()
            try objects.write("mine\n", to: "ff/notes")
            try objects.move(paths[0], to: "ff/\(paths[0].dropFirst(3))")
            try executeSQL(
                "UPDATE object SET form = 0 WHERE lower(hex(sha256)) = '\(paths[1].dropFirst(3))'",
                in: store + "/catalogue.sqlite")
            let found = try sandboxbackup("verify", "--repository", store)
            #expect(found.code == 12 && found.text.contains("`verify --repair` restores it"), "\(found.text)")
            let pruned = try sandboxbackup("prune", "--repository", store)
            #expect(pruned.code == 0 && pruned.text.contains("0 leftover files"), "\(pruned.text)\(pruned.errors)")
            #expect(FileManager.default.fileExists(atPath: "\(store)/objects/ff/notes"))
            try FileManager.default.removeItem(atPath: "\(store)/objects/ff/notes")
            let run = try sandboxbackup("verify", "--repair", "--repository", store)
            #expect(run.code == 0, "\(run.text)\(run.errors)")
        }
    }
}
