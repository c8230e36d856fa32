import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup restore --as-ios", .timeLimit(.minutes(60))) struct AppRestorerTests {
    private static let old = "/var/mobile/Containers/Data/Application/0A1B2C3D-0000-4000-8000-0123456789AB"

    /// Restores a container that contains paths to itself and an excluded directory, and calls `body` with the result.
    private func withRestored(_ options: String..., body: (Command, URL, String) throws -> Void) throws {
        try withRepositorySample { folder, container, store throws in
            let script = """
                set -eu
                mkdir -p Documents/tiles Library/Cookies Library/SplashBoard Library/Preferences
                printf tile > Documents/tiles/1; printf state > Library/SplashBoard/x
                printf cookie > Library/Cookies/Cookies.binarycookies
                \(AttributeTool.command(setting: "user.com.apple.metadata:com_apple_backup_excludeItem", to: "flag")) Documents/tiles
                ln -s \(Self.old)/Documents/letter.txt Documents/old
                ln -s \(Self.old)/Documents/gone Documents/oldest
                python3 - <<'P'
                import plistlib
                old = "\(Self.old)"
                inner = plistlib.dumps({"book": old + "/Library/Caches/b"}, fmt=plistlib.FMT_BINARY)
                values = {"last": "file://" + old + "/Documents/letter.txt", "fine": "Documents/letter.txt",
                          "list": [1, {"a/b": old + "/Documents/missing"}], "inner": inner, "night": True}
                for name, form in (("com.example.app", plistlib.FMT_BINARY), ("xml", plistlib.FMT_XML)):
                    plistlib.dump(values, open(f"Library/Preferences/{name}.plist", "wb"), fmt=form)
                open("Library/Preferences/broken.plist", "wb").write(b"bplist00" + b"\\xff" * 100)
                P
                """
            let made = try Command("bash", ["-c", script], in: URL(fileURLWithPath: container))
            try #require(made.code == 0, "\(made.errors)")
            let created = try sandboxbackup("create", container, "--repository", store)
            #expect(created.code == 0, "\(created.errors)")
            let target = folder.appending(path: "device")
            let run = try sandboxbackup(
                ["restore", "1", "--as-ios", "--repository", store, "--to", target.path] + options)
            let names = try FileManager.default.contentsOfDirectory(atPath: target.path)
            try #require(names.count == 1 && UUID(uuidString: names[0]) != nil, "\(names)")
            try body(run, target.appending(path: names[0]), container)
        }
    }

    @Test(
        "A new container with another name gets the backed-up items and the standard directories of iOS",
        .needs(.externalProgram))
    func container() throws {
        try withRestored { run, restored, container throws in
            #expect(run.code == 0 && run.errors.isEmpty, "\(run.text)")
            #expect(run.text.hasPrefix("new container \(restored.lastPathComponent)\n"), "\(run.text)")
            let kept = try TreeListing(of: restored.appending(path: "Documents")).description
            let before = try TreeListing(of: URL(fileURLWithPath: container).appending(path: "Documents"))
            for line in before.description.split(separator: "\n") {
                // The directory itself no longer has the attribute of an item in it.
                let isLeftOut = line.hasPrefix(" d ") || line.contains("tiles") || line.contains("_excludeItem=")
                #expect(isLeftOut || kept.contains(line), "\(line)")
            }
            let preferences = "Library/Preferences/com.example.app.plist"
            #expect(
                try Data(contentsOf: restored.appending(path: preferences))
                    == Data(contentsOf: URL(fileURLWithPath: container).appending(path: preferences)))
            for empty in ["Library/Caches", "tmp"] {
                #expect(try FileManager.default.contentsOfDirectory(atPath: restored.appending(path: empty).path) == [])
            }
            for gone in ["Library/SplashBoard", "Documents/tiles"] {
                #expect(!FileManager.default.fileExists(atPath: restored.appending(path: gone).path))
            }
            let plan = try sandboxbackup("plan", restored.path)
            #expect(plan.code == 0, "\(plan.errors)")
        }
    }

    @Test(
        "Paths into the old container are reported with the state of their targets, and so are excluded items",
        .needs(.externalProgram))
    func missed() throws {
        try withRestored { run, _, _ throws in
            let there = "which exists in the new one", gone = "which no longer exists"
            var expected = [
                "Documents/old: a link to the old container’s Documents/letter.txt, \(there)",
                "Documents/oldest: a link to the old container’s Documents/gone, \(gone)",
                "Documents/tiles: excluded from backup by com.apple.metadata:com_apple_backup_excludeItem",
            ]
            for name in ["com.example.app", "xml"] {
                let file = "Library/Preferences/\(name).plist: at "
                expected += [
                    "\(file)/inner//book a path to the old container’s Library/Caches/b, \(gone)",
                    "\(file)/last a path to the old container’s Documents/letter.txt, \(there)",
                    "\(file)/list/1/a/b a path to the old container’s Documents/missing, \(gone)",
                ]
            }
            let told = run.text.components(separatedBy: "the app will miss 9 items:\n").last ?? ""
            let lines = told.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(lines.sorted() == expected.sorted(), "\(run.text)")
            #expect(!run.text.contains(Self.old))
        }
    }

    @Test(
        "A deep property list with long names uses no more memory, and its long pointer is truncated",
        .needs(.externalProgram))
    func deepList() throws {
        try withBackupSample { _, container throws in
            let folder = URL(fileURLWithPath: container).deletingLastPathComponent()
            let made = """
                import plistlib, sys
                sys.setrecursionlimit(20_000)
                value = "\(Self.old)/Documents/gone"
                for level in range(1_500): value = {"a" * 1_024: value, "b": level}
                plistlib.dump(value, open(sys.argv[1] + "/Documents/deep.plist", "wb"), fmt=plistlib.FMT_BINARY)
                """
            try python(made, container, in: folder)
            try backed("create", container, "--repository", folder.appending(path: "store").path)
            let restored = """
                import sys, subprocess, resource
                subprocess.run([sys.argv[1], "restore", "1", "--as-ios", "--repository", "store", "--to", "out"], check=True)
                print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
                """
            let lines = try python(restored, Command.sandboxbackup, in: folder).split(separator: "\n")
            let cut = "/" + String(repeating: "a", count: 1_023) + "…"
            let line =
                "  Documents/deep.plist: at \(cut) a path to the old container’s Documents/gone, which no longer exists"
            #expect(lines.contains { $0 == line }, "\(lines)")
            #expect(try #require(lines.last.flatMap { Int($0) }) < 128 << 10, "\(lines.last ?? "")")
        }
    }

    @Test(
        "The error on a full disk names the incomplete container", .needs([.externalProgram, .root]),
        .enabled(if: Platform.isLinux, "mounts in a namespace of unshare"))
    func full() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let script = """
                mkdir disk; mount -t tmpfs -o size=4m none disk
                "$TOOL" restore 1 --as-ios --repository store --to disk > said; echo $?
                ls disk
                """
            let run = try Command(
                "unshare", ["-m", "bash", "-uc", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            let lines = run.text.split(separator: "\n")
            let name = try #require(lines.last.flatMap { UUID(uuidString: String($0)) }, "\(run.text)\(run.errors)")
            #expect(lines.first == "1")
            let told =
                "; the new container \(name) is incomplete; remove it, free disk space and run the command again\n"
            #expect(run.errors.hasSuffix(told), "\(run.errors)")
        }
    }

    @Test("Excluded directories are created again on request, empty and excluded from backup", .needs(.externalProgram))
    func recreated() throws {
        try withRestored("--recreate-flagged-directories", "--format", "json") { run, restored, _ throws in
            #expect(run.code == 0 && run.text.contains(#""recreated":["Documents/tiles"]"#), "\(run.text)")
            #expect(run.text.contains(#""knowsExclusions":true"#))
            let tiles = restored.appending(path: "Documents/tiles")
            #expect(try FileManager.default.contentsOfDirectory(atPath: tiles.path) == [])
            let explained = try sandboxbackup("plan", restored.path, "--format", "jsonl").text
            #expect(
                explained.contains(
                    #"{"path":"Documents/tiles","kind":"directory","decision":"exclude","reason":"own-flag""#))
        }
    }

    @Test("Other restore options are refused", arguments: ["--overwrite", "--dry-run", "Documents"])
    func alone(option: String) throws {
        let run = try sandboxbackup("restore", "1", "--as-ios", option, "--repository", "s", "--to", "t")
        #expect(run.code == 2 && run.errors.contains("--as-ios restores all into a new container"))
        let other = try sandboxbackup(
            "restore", "1", "--recreate-flagged-directories", "--repository", "s", "--to", "t")
        #expect(other.code == 2)
    }

    @Test("The list of excluded items is stored once for equal snapshots and deleted with the last one")
    func exclusions() throws {
        try withRepositorySample { folder, container, store throws in
            func ask(_ query: String) throws -> String {
                try executeSQL(query, in: "\(store)/catalogue.sqlite")
            }
            for _ in 1...2 { try backed("create", container, "--repository", store) }
            #expect(
                try ask("SELECT count(*) FROM exclusions; SELECT count(DISTINCT exclusions) FROM snapshot") == "1\n1\n")
            #expect(
                try ask("SELECT path, kind, reason, flag FROM excluded WHERE path = CAST('tmp' AS BLOB)")
                    == "tmp|2|tmp|tmp\n")
            try AttributeTool.set(
                "user.com.apple.metadata:com_apple_backup_excludeItem", to: "x", of: "\(container)/Documents/notes")
            try backed("create", container, "--repository", store)
            #expect(try ask("SELECT count(*) FROM exclusions") == "2\n")
            try backed("forget", "--keep-last", "1", "--repository", store)
            try backed("prune", "--repository", store)
            #expect(try ask("SELECT count(*) FROM exclusions") == "1\n")
            #expect(try sandboxbackup("verify", "--repository", store).code == 0)
            for change in [
                "UPDATE excluded SET flag = 'x'", "DELETE FROM excluded WHERE path = CAST('tmp' AS BLOB)",
                "DELETE FROM exclusions", "UPDATE snapshot SET exclusions = NULL",
            ] {
                let copy = folder.appending(path: "damaged")
                try FileManager.default.copyItem(atPath: store, toPath: copy.path)
                try executeSQL(change, in: copy.path + "/catalogue.sqlite")
                let run = try sandboxbackup("verify", "--repository", copy.path)
                #expect(run.code == 12, "\(change): \(run.text)")
                try FileManager.default.removeItem(at: copy)
            }
        }
    }
}
