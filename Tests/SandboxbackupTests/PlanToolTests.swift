import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup plan", .timeLimit(.minutes(60))) struct PlanToolTests {
    @Test("JSON lines have one line per item with the documented keys, parents first, then the summary")
    func lines() throws {
        try withBackupSample { _, path throws in
            let run = try sandboxbackup("plan", path, "--format", "jsonl")
            #expect(run.code == 0 && run.errors.isEmpty)
            let lines = run.text.split(separator: "\n").map(String.init)
            #expect(
                lines.dropLast() == [
                    #"{"path":"","kind":"directory","decision":"include","reason":"user-data","decidedBy":"the container's root","bytes":0}"#,
                    #"{"path":".com.apple.mobile_container_manager.metadata.plist","kind":"file","decision":"exclude","reason":"system-state","decidedBy":".com.apple.mobile_container_manager.metadata.plist","bytes":88}"#,
                    #"{"path":"Documents","kind":"directory","decision":"include","reason":"user-data","decidedBy":"Documents","bytes":0}"#,
                    #"{"path":"Documents/letter.txt","kind":"file","decision":"include","reason":"user-data","decidedBy":"Documents","bytes":11}"#,
                    #"{"path":"Documents/tiles","kind":"directory","decision":"exclude","reason":"own-flag","decidedBy":"com.apple.metadata:com_apple_backup_excludeItem","bytes":5}"#,
                    #"{"path":"Library","kind":"directory","decision":"include","reason":"user-data","decidedBy":"Library","bytes":0}"#,
                    #"{"path":"Library/Caches","kind":"directory","decision":"exclude","reason":"caches","decidedBy":"Library/Caches","bytes":6}"#,
                    #"{"path":"Library/Preferences","kind":"directory","decision":"include","reason":"user-data","decidedBy":"Library/Preferences","bytes":0}"#,
                    #"{"path":"Other","kind":"directory","decision":"exclude","reason":"not-a-backed-up-directory","decidedBy":"the container's root","bytes":1}"#,
                    #"{"path":"SystemData","kind":"directory","decision":"exclude","reason":"system-state","decidedBy":"SystemData","bytes":0}"#,
                    #"{"path":"tmp","kind":"directory","decision":"exclude","reason":"tmp","decidedBy":"tmp","bytes":1}"#,
                ])
            let last = try #require(lines.last)
            #expect(
                last.hasPrefix(
                    #"{"summary":{"view":"finder","include":{"items":5,"bytes":11},"exclude":{"items":11,"bytes":101},"#
                ))
            #expect(last.hasSuffix(#""warnings":[],"complete":true,"incidents":[]}}"#))
        }
    }

    @Test("JSON is one object with the same items and the same summary")
    func object() throws {
        try withBackupSample { _, path throws in
            func objects(_ format: String) throws -> [[String: Any]] {
                let text = try sandboxbackup("plan", path, "--format", format).text
                return try text.split(separator: "\n").map {
                    try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
                }
            }
            let plan = try #require(try objects("json").first)
            let lines = try objects("jsonl")
            #expect(plan["schema"] as? String == "sandboxbackup-plan/1")
            #expect(NSArray(array: plan["items"] as? [Any] ?? []) == NSArray(array: lines.dropLast()))
            #expect(plan["summary"] as? NSDictionary == lines.last?["summary"] as? NSDictionary)
        }
    }

    @Test("Text is a tree down to wholly included or excluded directories, then the sums")
    func text() throws {
        try withBackupSample { container, path throws in
            for number in 10..<24 {
                try container.save("xy", to: .documents / "\(number).txt", options: .init(durability: .none))
            }
            try container.save("k", to: .documents / "kept/deep/note")
            let run = try sandboxbackup("plan", path)
            #expect(run.code == 0)
            #expect(
                run.text == """
                    -   88 bytes  .com.apple.mobile_container_manager.metadata.plist  owned by the system, by .com.apple.mobile_container_manager.metadata.plist
                    ~   40 bytes  Documents/  18 items included
                    +    2 bytes    10.txt
                    +    2 bytes    11.txt
                    +    2 bytes    12.txt
                    +    2 bytes    13.txt
                    +    2 bytes    14.txt
                    +    2 bytes    15.txt
                    +    2 bytes    16.txt
                    +    2 bytes    17.txt
                    +    2 bytes    18.txt
                    +    2 bytes    19.txt
                    +     1 byte    kept/  2 items
                    -    5 bytes    tiles/  excluded from backup, by com.apple.metadata:com_apple_backup_excludeItem
                    +   19 bytes    and 5 more included
                    ~    0 bytes  Library/  1 item included
                    -    6 bytes    Caches/  caches, by Library/Caches
                    +    0 bytes    Preferences/  0 items
                    -     1 byte  Other/  outside Documents and Library, by the container's root
                    -    0 bytes  SystemData/  owned by the system, by SystemData
                    -     1 byte  tmp/  not needed at the next launch, by tmp

                    included: 22 items, 40 bytes
                    excluded: 11 items, 101 bytes
                      excluded from backup: 2 items, 5 bytes
                      caches: 3 items, 6 bytes
                      not needed at the next launch: 2 items, 1 byte
                      outside Documents and Library: 2 items, 1 byte
                      owned by the system: 2 items, 88 bytes

                    """)
            #expect(try sandboxbackup("plan", path, "--color", "always").text.contains("\u{1b}["))
        }
    }

    @Test("--explain shows the decision for one path under each view, with reason and origin")
    func explain() throws {
        try withBackupSample { container, path throws in
            let mark = "user.com.apple.metadata:com_apple_cloudBackup_excludeItem"
            try AttributeTool.set(mark, to: "x", of: path + "/Documents/letter.txt")
            #expect(
                try sandboxbackup("plan", path, "--explain", "Documents/letter.txt").text == """
                    Documents/letter.txt  file, 11 bytes
                      finder              included: user data, by Documents
                      finder-unencrypted  included: user data, by Documents
                      icloud              excluded: excluded from backup, by com.apple.metadata:com_apple_cloudBackup_excludeItem

                    """)
            #expect(
                try sandboxbackup("plan", path, "--explain", "Documents/tiles/1.png").text.contains(
                    "excluded: in a directory excluded from backup, by com.apple.metadata:com_apple_backup_excludeItem on Documents/tiles\n"
                ))
            #expect(
                try sandboxbackup("plan", path, "--explain", "tmp/old.part").text.contains(
                    "excluded: not needed at the next launch, by tmp\n"))
            let json = try sandboxbackup("plan", path, "--explain", "Documents/tiles/1.png", "--format", "json")
            let told = try #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any])
            let view = try #require((told["views"] as? [[String: Any]])?.first)
            #expect(view["reason"] as? String == "ancestor-flag" && view["at"] as? String == "Documents/tiles")
            for missing in ["Documents/nothing", "../sample", "Documents/letter.txt/x"] {
                let run = try sandboxbackup("plan", path, "--explain", missing)
                #expect(run.code == 1 && run.errors.contains("has no item “\(missing)”"))
            }
        }
    }

    @Test(
        "--explain takes a path literally or as reports escape it",
        .enabled(if: Platform.allowsAnyNames, "APFS refuses names that are not UTF-8"))
    func explainEscaped() throws {
        try withBackupSample { container, path throws in
            try container.save("x", to: .documents / "50%41")
            try URL(fileURLWithPath: path).write("x", toBytes: Array("Documents/a".utf8) + [0o377])
            for shown in ["Documents/50%2541", "Documents/a%FF"] {
                #expect(try sandboxbackup("plan", path, "--explain", shown).text.hasPrefix(shown + "  file, 1 byte\n"))
            }
            #expect(try sandboxbackup("plan", path, "--explain", "Documents/50%41").text.hasPrefix("Documents/50%2541"))
        }
    }

    @Test("The view determines which attributes count", arguments: ["finder", "finder-unencrypted", "icloud"])
    func view(view: String) throws {
        try withBackupSample { _, path throws in
            let mark = "user.com.apple.metadata:com_apple_unencryptedBackup_excludeItem#S"
            try AttributeTool.set(mark, to: "x", of: path + "/Documents/letter.txt")
            let line = try sandboxbackup("plan", path, "--view", view, "--format", "jsonl").text
            #expect(line.contains(#"letter.txt","kind":"file","decision":"exclude""#) == (view == "finder-unencrypted"))
            #expect(line.contains(#""view":"\#(view)""#))
        }
    }

    @Test(
        "Planning changes nothing, not even access times", .needs(.process),
        .enabled(if: Platform.isLinux, "compares with GNU find"))
    func readOnly() throws {
        try withBackupSample { _, path throws in
            let folder = URL(fileURLWithPath: path)
            _ = try TreeListing(of: folder, withAccessTimes: true)
            try folder.setAllTimes("2025-01-01")
            let find = ["-c", "find . -printf '%P %A@ %T@ %C@ %s %i\\n' | LC_ALL=C sort"]
            try Command.setUp("sh", find, in: folder)
            let before = try Command("sh", find, in: folder).text
            #expect(try sandboxbackup("plan", path).code == 0)
            #expect(try Command("sh", find, in: folder).text == before)
        }
    }

    @Test("Time zone, language and the path of the container do not change the output")
    func deterministic() throws {
        try withBackupSample { container, path throws in
            try container.save(Data(count: 4), to: .documents / "\u{1b}[31m")
            for format in ["text", "json", "jsonl"] {
                let here = try sandboxbackup("plan", path, "--format", format)
                let there = try sandboxbackup(
                    "plan", ".", "--format", format, in: URL(fileURLWithPath: path),
                    environment: ["TZ": "Pacific/Chatham", "LC_ALL": "tr_TR.UTF-8"])
                #expect(here.output == there.output && here.text.contains("%1B[31m"))
                #expect(!here.text.contains(path) && !here.text.contains("\u{1b}"))
            }
        }
    }

    @Test("Unreadable items are reported, and the exit code is 3", .needs(.externalProgram))
    func unreadable() throws {
        try withBackupSample { container, path throws in
            try container.save("x", to: .documents / "locked/x")
            try URL(fileURLWithPath: path).allowReading()
            try FileManager.default.setAttributes([.posixPermissions: 0o000], ofItemAtPath: path + "/Documents/locked")
            let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: parent)
            // Root can read every file, so another user runs the tool.
            let tool = parent + "/tool"
            try FileManager.default.copyItem(atPath: Command.sandboxbackup, toPath: tool)
            let user = Command.unprivileged
            for format in ["text", "json", "jsonl"] {
                let run = try Command("env", user + [tool, "plan", path, "--format", format])
                #expect(run.code == 3)
                let isNamed =
                    run.text.contains("not analyzed: Documents/locked: permission-denied")
                    || run.text.contains(#"{"path":"Documents/locked","reason":"permission-denied"}"#)
                #expect(isNamed && !run.text.contains(#""complete":true"#))
            }
            let list = try Command("env", user + [tool, "plan", path, "--for", "borg"])
            #expect(list.code == 3 && list.errors.contains("not analyzed: Documents/locked: permission-denied"))
        }
    }

    @Test(
        "A path that is not a container exits with 1, and the message shows the path as given",
        arguments: [
            ("missing", "No such file"), ("file", "neither a directory nor an archive"), ("empty", "it is empty"),
        ])
    func noContainer(name: String, reason: String) throws {
        try withScratch { folder throws in
            try Data().write(to: folder.appending(path: "file"))
            try FileManager.default.createDirectory(
                at: folder.appending(path: "empty"), withIntermediateDirectories: true)
            let run = try sandboxbackup("plan", name, in: folder)
            #expect(run.code == 1 && run.output.isEmpty)
            #expect(run.errors.contains("“\(name)”") && run.errors.contains(reason))
        }
    }

    @Test(
        "Usage errors exit with 2 and a message",
        arguments: [
            ([], "Missing expected argument '<container>'"), (["c", "--vew", "x"], "--view"),
            (["c", "--view", "x"], "icloud"), (["c", "--format", "x"], "jsonl"), (["c", "--for", "x"], "restic"),
            (["c", "--for", "tar", "--explain", "x"], "cannot be combined"),
            (["c", "--for", "tar", "--format", "json"], "omit --format"),
        ])
    func usage(arguments: [String], hint: String) throws {
        let run = try sandboxbackup(["plan"] + arguments)
        #expect(run.code == 2 && run.output.isEmpty)
        #expect(run.errors.contains(hint), "\(run.errors)")
    }

    @Test("Version and help succeed; without a subcommand, help is printed")
    func version() throws {
        #expect(try sandboxbackup("--version").text == "0.1.0\n")
        #expect(try sandboxbackup("plan", "--help").text.contains("--exclude-caches-tag"))
        #expect(try sandboxbackup().text.contains("Exit codes: 0 done, 1 failed"))
    }

    @Test("Ctrl-C ends it at once with 130", .needs(.externalProgram))
    func interrupted() throws {
        try withBackupSample { container, path throws in
            for number in 0..<1_500 {
                try container.save("", to: .documents / "\(number)", options: .init(durability: .none))
            }
            // Without a reader, the tool blocks when the pipe is full.
            let script = """
                import array, fcntl, os, signal, subprocess, sys, termios, time
                # Foundation starts a program with signals blocked, which no shell does.
                signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGINT])
                run = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
                waiting = array.array("i", [0])
                while waiting[0] < 65536 and run.poll() is None:
                    fcntl.ioctl(run.stdout, termios.FIONREAD, waiting)
                    time.sleep(0.001)
                run.send_signal(signal.SIGINT)
                sys.exit(run.wait(timeout=20))
                """
            let run = try Command("python3", ["-c", script, Command.sandboxbackup, "plan", path, "--format", "jsonl"])
            #expect(run.code == 130, "\(run.errors)")
        }
    }

    /// True if this user can mount a ramfs, which has no attributes.
    private static let canMount = (try? Command("unshare", ["-m", "mount", "-t", "ramfs", "none", "/mnt"]).code) == 0

    @Test(
        "Without support for attributes, it warns that exclusions are unknown", .needs([.externalProgram, .root]),
        .enabled(
            if: canMount || Platform.isLinux && ProcessInfo.processInfo.environment["CI"] != nil,
            "needs a mount namespace of Linux"))
    func noAttributes() throws {
        try withScratch { folder throws in
            let script = """
                mount -t ramfs none "$1"; mkdir -p "$1/Documents/d" "$1/tmp"
                "$2" plan "$1" --format json
                """
            let run = try Command("unshare", ["-m", "sh", "-euc", script, "sh", folder.path, Command.sandboxbackup])
            #expect(run.code == 0, "\(run.errors)")
            #expect(run.text.contains(#""warnings":[{"kind":"flags-unknown","path":"","items":1,"#))
        }
    }

    @Test("An item takes at most 100 bytes of memory with its name", .needs(.externalProgram))
    func memory() throws {
        try withScratch { folder throws in
            let script = """
                import os, resource, subprocess, sys
                folder, tool = sys.argv[1:]
                def peak(name, files):
                    for number in range(files):
                        if number % 100 == 0: os.makedirs(f"{folder}/{name}/Documents/{number:08}")
                        open(f"{folder}/{name}/Documents/{number - number % 100:08}/{number:08}", "w").close()
                    os.makedirs(f"{folder}/{name}/tmp")
                    child = subprocess.Popen([tool, "plan", f"{folder}/{name}"], stdout=subprocess.DEVNULL)
                    return os.wait4(child.pid, 0)[2].ru_maxrss * 1024
                small, large = peak("small", 1_000), peak("large", 61_000)
                print((large - small) // 60_600)
                """
            let run = try Command("python3", ["-c", script, folder.path, Command.sandboxbackup])
            let bytes = try #require(Int(run.text.dropLast()), "\(run.errors)")
            #expect((60...100).contains(bytes), "\(bytes) bytes an item with its name")
        }
    }
}
