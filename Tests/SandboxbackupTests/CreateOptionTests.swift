import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("Options of sandboxbackup create", .timeLimit(.minutes(60))) struct CreateOptionTests {
    private func listed(_ store: String) throws -> [String] {
        try backed("ls", "latest", "--recursive", "--repository", store).split(separator: "\n").map(String.init)
    }

    @Test("Patterns exclude items with everything below them, and the plan states the reason")
    func patterns() throws {
        try withRepositorySample { folder, container, store throws in
            try folder.write("# a comment\n\n  Documents/**/1?.txt  \n/Library\nempty/\n", to: "patterns")
            let options = ["--exclude", "*.bin", "--exclude", "new\nline", "--exclude-file", "patterns"]
            let run = try sandboxbackup(["create", container, "--repository", store] + options, in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let items = try listed(store)
            #expect(
                !items.contains { $0.hasSuffix(".bin") || $0.hasPrefix("Library") || $0.hasPrefix("Documents/empty") })
            #expect(!items.contains("Documents/notes/11.txt") && items.contains("Documents/notes/21.txt"), "\(items)")
            #expect(items.contains("Documents/letter.txt") && !items.contains { $0.contains("line") }, "\(items)")
            let plan = try sandboxbackup(["plan", container, "--format", "jsonl"] + options, in: folder)
            #expect(
                plan.text.contains(
                    #"{"path":"Library","kind":"directory","decision":"exclude","reason":"pattern","decidedBy":"--exclude""#
                ),
                "\(plan.text)")
            let rows = try executeSQL(
                "SELECT CAST(path AS TEXT), reason, flag FROM excluded WHERE reason = 'pattern' ORDER BY path LIMIT 2",
                in: store + "/catalogue.sqlite")
            #expect(rows == "Documents/again.bin|pattern|--exclude\nDocuments/empty|pattern|--exclude\n", "\(rows)")
            // Without the options, the items are in the next snapshot.
            try backed("create", container, "--repository", store)
            #expect(try listed(store).contains("Documents/film.bin"))
        }
    }

    @Test("Larger files are excluded", arguments: [("1MB", 2), ("1048576", 2), ("99KB", 4), ("97KiB", 4), ("8GiB", 0)])
    func larger(size: String, count: Int) throws {
        try withRepositorySample { folder, container, store throws in
            try folder.remove("container/Documents/hole.bin")
            let before = try FileManager.default.subpathsOfDirectory(atPath: container + "/Documents").count
            try backed("create", container, "--exclude-larger-than", size, "--repository", store)
            let items = try listed(store).filter { $0.hasPrefix("Documents/") && $0 != "Documents/" }
            #expect(before - items.count == count)
            let plan = try backed("plan", container, "--exclude-larger-than", size)
            #expect(plan.contains("larger than allowed, by --exclude-larger-than") == (count > 0), "\(plan)")
        }
    }

    @Test(
        "Invalid values are usage errors",
        arguments: [
            ["--exclude-larger-than", "many"], ["--exclude", "!a"], ["--exclude-file", "none"],
            ["--exclude", String(repeating: "x", count: 5000)], ["--dry-run", "--engine", "restic"],
        ])
    func invalid(options: [String]) throws {
        try withRepositorySample { folder, container, store throws in
            let run = try sandboxbackup(["create", container, "--repository", store] + options, in: folder)
            #expect(run.code == 2, "\(options): \(run.code) \(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: store))
        }
    }

    @Test("A tagged directory is stored with its tag and without its other content, as restic and borg do")
    func taggedCache() throws {
        try withRepositorySample { folder, container, store throws in
            let documents = URL(fileURLWithPath: container + "/Documents")
            try documents.write("Signature: 8a477f597d28d172789f06886806bc55\n", to: "tiles/CACHEDIR.TAG")
            try documents.write("x", to: "tiles/1.png")
            try documents.write("x", to: "tiles/inner/2.png")
            try backed("create", container, "--exclude-caches-tag", "--repository", store)
            let items = try listed(store).filter { $0.hasPrefix("Documents/tiles") }
            #expect(items == ["Documents/tiles/", "Documents/tiles/CACHEDIR.TAG"])
            let explained = try backed(
                "plan", container, "--exclude-caches-tag", "--explain", "Documents/tiles/inner/2.png")
            #expect(explained.contains("tagged as a cache, by CACHEDIR.TAG"), "\(explained)")
        }
    }

    @Test("A dry run prints files and bytes, stores nothing, and agrees with the run")
    func dryRun() throws {
        try withRepositorySample { folder, container, store throws in
            func planned(_ options: String...) throws -> String {
                let run = try sandboxbackup(["create", container, "-n", "--repository", store] + options)
                #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
                return run.text
            }
            let first = try planned()
            #expect(
                first.hasPrefix("would store 52 files, 50.1 MB; would read 52 files, 50.1 MB; nothing was stored\n"))
            #expect(!FileManager.default.fileExists(atPath: store))
            let made = try backed("create", container, "--repository", store)
            #expect(made.hasPrefix("snapshot 1: 52 files, 50.1 MB; 52 files read, 50.1 MB\n"), "\(made)")
            let objects = URL(fileURLWithPath: store + "/objects")
            let before = try TreeListing(of: objects)
            #expect(try planned().contains("would read 0 files, 0 bytes;"))
            try folder.write("changed", to: "container/Documents/notes/3.txt")
            try folder.write("new", to: "container/Documents/notes/new.txt")
            let json = try planned("--format", "json", "--exclude", "*.bin")
            #expect(json.contains(#""filesToRead":2,"bytesToRead":10,"#), "\(json)")
            #expect(try before.differences(from: TreeListing(of: objects)) == [])
            #expect(try backed("stats", "--repository", store, "--format", "json").contains(#""snapshots":1"#))
        }
    }

    @Test("No snapshot is made of an unchanged container on request")
    func unchanged() throws {
        try withRepositorySample { folder, container, store throws in
            func made() throws -> String {
                try backed("create", container, "--skip-if-unchanged", "--repository", store)
            }
            func count() throws -> Int { try backed("snapshots", "--repository", store).split(separator: "\n").count }
            #expect(try made().hasPrefix("snapshot 1: "))
            for _ in 1...2 {
                #expect(try made().hasPrefix("unchanged since the last snapshot; no snapshot was made\nsnapshot 1: "))
            }
            let one = try count()
            try folder.write("changed", to: "container/Documents/notes/3.txt")
            #expect(try made().hasPrefix("snapshot 2: "))
            // The container itself is excluded differently.
            try AttributeTool.set(
                "user.com.apple.metadata:com_apple_backup_excludeItem", to: "x", of: "Documents/notes/4.txt",
                in: URL(fileURLWithPath: container))
            let json = try backed(
                "create", container, "--skip-if-unchanged", "--repository", store, "--format", "json")
            #expect(json.contains(#""new":true"#), "\(json)")
            #expect(try count() == one + 2)
            try backed("create", container, "--repository", store)
            #expect(try count() == one + 3)
        }
    }

    @Test(
        "restic and borg store what the plan includes with patterns", .needs(.externalProgram),
        arguments: ["restic", "borg"])
    func engine(tool: String) throws {
        try withRepositorySample { folder, container, _ throws in
            let place = URL(fileURLWithPath: container)
            let sample = EngineSample(
                tool: tool, folder: folder, container: place, repository: folder.appending(path: "repository").path)
            try sample.makeRepository()
            let options = ["--exclude", "*.bin", "--exclude", "Documents/notes/1*.txt", "--exclude-larger-than", "600"]
            let planned = try sandboxbackup(["plan", container, "--format", "jsonl"] + options).text
            let report = try EngineReport(
                sample.create(
                    "--format", "json", options[0], options[1], options[2], options[3], options[4], options[5]))
            let target = folder.appending(path: "restored")
            #expect(try sample.restore(report.snapshot, to: target).code == 0)
            let expected = planned.split(separator: "\n").count {
                $0.contains(#""kind":"file","decision":"include""#)
            }
            #expect(report.complete && report.files == expected && expected > 5, "\(report)")
            let left = try names(in: target.appending(path: "Documents/notes"))
            #expect(
                !left.contains { $0.hasPrefix("1") } && left.contains("40.txt"))
        }
    }
}
