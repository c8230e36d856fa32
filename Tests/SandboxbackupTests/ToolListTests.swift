import AppContainer
import Foundation
import TestSupport
import Testing
import TextOutput
import ToolSupport

/// The lists are tested with real third-party tools, and the stored items are compared with the plan.
@Suite("Lists for other tools", .timeLimit(.minutes(60))) struct ToolListTests {
    /// The command lines of the tools: `$tool` is sandboxbackup, `$c` the container, `$out` an empty directory.
    private static let scripts = [
        "restic": """
        export RESTIC_PASSWORD=x RESTIC_REPOSITORY=$w/repository RESTIC_CACHE_DIR=$w/cache
        $tool plan "$c" --for restic > $w/list
        restic init -q
        restic backup -q --exclude-file=$w/list "$c"
        restic restore -q latest --target $w/restored
        rmdir $out; mv "$w/restored$c" $out
        """,
        "borg": """
        export BORG_BASE_DIR=$w/base BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK=yes
        $tool plan "$c" --for borg > $w/list
        borg init -e none $w/repository
        (cd "$c"; borg create --exclude-from $w/list $w/repository::first .)
        cd $out; borg extract $w/repository::first
        """,
        "rsync": """
        $tool plan "$c" --for rsync > $w/list
        rsync -aHAX --from0 --exclude-from=$w/list "$c/" $out/
        """,
        "GNU tar": """
        $tool plan "$c" --for tar > $w/list
        tar --create --file=$w/archive --directory="$c" --null --no-recursion --files-from=$w/list
        tar -xf $w/archive -C $out
        """,
        // In another character set libarchive composes names.
        "libarchive's tar": """
        export LC_ALL=C
        $tool plan "$c" --for tar > $w/list
        bsdtar --create --file=$w/archive --directory="$c" --null --no-recursion --files-from=$w/list 2> /dev/null
        bsdtar -xf $w/archive -C $out
        """,
    ]

    @Test(
        "With its list, a tool stores exactly what the plan includes, whatever the names", .needs(.externalProgram),
        arguments: scripts.keys.sorted())
    func exact(tool: String) throws {
        try withHostileNames("con [1]*$HOME?\\ x#") { container, folder throws in
            let script = try #require(Self.scripts[tool])
            let variables = [
                "c": container, "w": folder.path, "out": folder.appending(path: "out").path,
                "tool": Command.sandboxbackup,
            ]
            let run = try Command("bash", ["-euc", "mkdir $out\n" + script], environment: variables)
            #expect(run.code == 0, "\(run.errors)")
            let listed = try Command("find", [".", "-mindepth", "1", "-print0"], in: folder.appending(path: "out"))
            let taken = Set(listed.output.split(separator: 0).map { Array($0.dropFirst(2)) })
            let kept = try Self.paths(of: container, decided: "include").subtracting([[]])
            #expect(kept.count > 1_500)
            #expect(taken.subtracting(kept).map(ByteText.escaped).sorted() == [])
            #expect(kept.subtracting(taken).map(ByteText.escaped).sorted() == [])
        }
    }

    /// tmutil exists only on macOS; the test checks the arguments that a shell passes to it.
    @Test(
        "The list for tmutil is a script whose calls name exactly the excluded paths", .needs(.process),
        arguments: ["bash", "dash"])
    func tmutil(shell: String) throws {
        try withHostileNames("con 'x' $HOME") { container, folder throws in
            let list = try sandboxbackup("plan", container, "--for", "tmutil")
            #expect(list.code == 0)
            let script = folder.appending(path: "list.sh")
            try (Data("tmutil() { printf '%s\\0' \"$@\"; }\n".utf8) + list.output).write(to: script)
            let words = try Command(shell, [script.path]).output.split(separator: 0).map(Array.init)
            let calls = stride(from: 0, to: words.count, by: 3).map { Array(words[$0..<min($0 + 3, words.count)]) }
            #expect(calls.allSatisfy { $0.prefix(2) == [Array("addexclusion".utf8), Array("-p".utf8)] })
            let root = Array(container.utf8) + [UInt8(ascii: "/")]
            let leftOut = try Self.paths(of: container, decided: "exclude")
            #expect(calls.count == leftOut.count && Set(calls.compactMap(\.last)) == Set(leftOut.map { root + $0 }))
        }
    }

    @Test(
        "A list with absolute paths is the same for a relative path of the container", .needs(.process),
        arguments: ["restic", "tmutil"])
    func relative(tool: String) throws {
        try withHostileNames("c") { container, folder throws in
            let whole = try sandboxbackup("plan", container, "--for", tool)
            #expect(whole.code == 0 && !whole.output.isEmpty)
            let script = """
                "$TOOL" plan c --for \(tool) > by-name; "$TOOL" plan ./c/../c/ --for \(tool) > by-way
                mkdir sub; ln -s sub/.. link; cd link; "$TOOL" plan c --for \(tool) > by-link; cd -P .
                PWD=/nowhere "$TOOL" plan c --for \(tool) > by-kernel
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
            let list = String(decoding: whole.output, as: UTF8.self)
            for (name, root) in [("by-name", ""), ("by-way", ""), ("by-link", "/link"), ("by-kernel", "")] {
                let expected = list.replacing("\(folder.path)/c", with: "\(folder.path)\(root)/c")
                let found = String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
                #expect(found == expected, "\(name)")
            }
            let other = try sandboxbackup("plan", folder.path + "//./c/", "--for", tool)
            #expect(other.output == whole.output)
        }
    }

    @Test("The list for restic includes the same items for relative and absolute paths", .needs(.externalProgram))
    func relativeBackup() throws {
        try withHostileNames("c") { _, folder throws in
            let script = """
                set -eu; export RESTIC_PASSWORD=x RESTIC_REPOSITORY=$PWD/repository RESTIC_CACHE_DIR=$PWD/cache
                restic -q init; "$TOOL" plan c --for restic > list; "$TOOL" plan "$PWD/c" --for restic > whole
                restic -q backup c; restic ls latest | wc -l
                for list in list whole; do restic -q backup --exclude-file=$list c; restic ls latest | wc -l; done
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            let counts = run.text.split(separator: "\n").compactMap { Int($0) }
            #expect(run.code == 0 && counts.count == 3, "\(run.text)\(run.errors)")
            #expect(counts[1] < counts[0] && counts[1] == counts[2], "\(counts)")
        }
    }

    @Test("An excluded container has no list", arguments: ["restic", "borg", "rsync", "tar", "tmutil"])
    func nothing(tool: String) throws {
        try withBackupSample { container, path throws in
            try container.excludeFromBackup(.root, force: true)
            let run = try sandboxbackup("plan", path, "--for", tool)
            #expect(run.code == 3 && run.output.isEmpty)
            #expect(
                run.errors
                    == "sandboxbackup: The container itself is excluded (excluded from backup): the list would be empty.\n"
            )
        }
    }

    private static func paths(of container: String, decided decision: String) throws -> Set<[UInt8]> {
        let plan = try sandboxbackup("plan", container, "--format", "jsonl")
        let lines = try plan.text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        return Set(
            lines.filter { $0["decision"] as? String == decision }.compactMap { $0["path"] as? String }
                .map(ByteText.unescaped))
    }

    /// Calls `body` with a container of `Tests/make-hostile-names`, and a directory for a tool's files.
    private func withHostileNames(_ name: String, _ body: (String, URL) throws -> Void) throws {
        let maker = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "make-hostile-names").path
        try withScratch { folder throws in
            let container = folder.appending(path: name).path
            let made = try Command(maker, [container])
            try #require(made.code == 0, "\(made.errors)")
            try body(container, folder)
        }
    }
}
