import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxfm undo", .timeLimit(.minutes(60))) struct UndoToolTests {
    @Test("reverts the last change, or that with a number, and lists the changes")
    func undo() throws {
        try withContainer { container, folder throws in
            for name in ["1.txt", "2.txt", "3.txt"] { try container.save(name, to: .documents / name) }
            let removal = try sandboxfm("rm", "c", "Documents/1.txt", "Documents/2.txt", "--yes", in: folder)
            #expect(removal.text == "deleted Documents/1.txt\ndeleted Documents/2.txt\n")
            #expect(
                removal.errors.contains("kept beside the container as change 1, and take space until they are emptied"))
            #expect(try object("mv", "c", "Documents/3.txt", "Documents/4.txt", in: folder)["undo"] as? Int == 2)
            let list = try object("undo", "c", "--list", in: folder)
            let changes = try #require(list["changes"] as? [NSDictionary])
            #expect(changes.compactMap { $0["number"] as? Int } == [2, 1])
            #expect(changes.compactMap { $0["keptBytes"] as? Int } == [0, 10])
            #expect(changes[1]["change"] as? String == "deleted 2 items: “Documents/1.txt”, “Documents/2.txt”")
            let lines = try sandboxfm("undo", "c", "--list", in: folder).text.split(separator: "\n")
            #expect(lines.count == 2 && lines[1].hasSuffix(", 2 items, keeps 10 bytes"), "\(lines)")
            let plan = try sandboxfm("undo", "c", "1", "--dry-run", in: folder)
            #expect(plan.text == "would revert change 1 (\(changes[1]["change"] as? String ?? ""))\n")
            #expect(try sandboxfm("undo", "c", "1", in: folder).code == 0)
            #expect(try names(in: folder.appending(path: "c/Documents")) == ["1.txt", "2.txt", "4.txt"])
            try container.save("new", to: .documents / "3.txt")
            let conflict = try sandboxfm("undo", "c", in: folder)
            #expect(
                conflict.code == 1 && conflict.text.hasPrefix("not reverted Documents/3.txt: a new item has its name\n")
            )
            let missing = try sandboxfm("undo", "c", "7", in: folder)
            #expect(missing.code == 1 && missing.errors.contains("no change 7"))
            try container.remove(.documents / "3.txt")
            let json = try object("undo", "c", in: folder)
            #expect(json["number"] as? Int == 2 && json["interrupted"] as? Bool == false)
            #expect(try names(in: folder) == ["c"])
            #expect(try sandboxfm("undo", "c", in: folder).text == "There is no change to revert.\n")
        }
    }

    @Test("An update of the app moves the undo data with the container")
    func update() throws {
        try withScratch { folder throws in
            let old = UUID().uuidString
            let container = try Container.create(
                at: FilePath(folder.appending(path: old).path), bundleIdentifier: "com.example.app")
            try container.save("x", to: .documents / "a")
            #expect(try sandboxfm("rm", old, "Documents/a", "--yes", in: folder).code == 0)
            #expect(try sandboxfm("update", old, "--yes", in: folder).code == 0)
            let new = try #require(names(in: folder).first { UUID(uuidString: $0) != nil })
            #expect(try new != old && names(in: folder) == [new, new + ".sandboxlint-undo"])
            #expect(try sandboxfm("undo", new, in: folder).code == 0)
            #expect(try names(in: folder.appending(path: "\(new)/Documents")) == ["a"] && names(in: folder) == [new])
        }
    }

    @Test("--empty needs --yes or an answer, and frees the space of the deleted items; rm --for-good keeps nothing")
    func empty() throws {
        try withContainer { container, folder throws in
            try container.save("xy", to: .documents / "a")
            try container.save("z", to: .documents / "b")
            #expect(try sandboxfm("rm", "c", "Documents/a", "--yes", in: folder).code == 0)
            let refused = try sandboxfm("undo", "c", "--empty", in: folder)
            #expect(refused.code == 2 && refused.errors.contains("Delete the kept items of 1 change, 2 bytes"))
            #expect(try sandboxfm("undo", "c", "--empty", "--dry-run", in: folder).text.hasPrefix("would remove 1 "))
            #expect(
                try sandboxfm("undo", "c", "--empty", "--older-than", "1", "--yes", in: folder).text
                    == "There is nothing to remove.\n")
            #expect(try sandboxfm("undo", "c", "--empty", "--yes", in: folder).text.hasPrefix("removed 1 "))
            let gone = try sandboxfm("rm", "c", "Documents/b", "--for-good", in: folder)
            #expect(gone.code == 2 && gone.errors.contains("Delete 1 item, 1 byte for good"))
            #expect(try sandboxfm("rm", "c", "Documents/b", "--for-good", "--yes", in: folder).errors == "")
            #expect(try names(in: folder) == ["c"])
        }
    }

    @Test(
        "Wrong arguments are usage errors",
        arguments: [
            ["x"], ["0"], ["1", "2"], ["--list", "1"], ["--list", "--empty"], ["--older-than", "3"], ["--empty", "2"],
        ])
    func usage(arguments: [String]) throws {
        try withContainer { _, folder throws in
            #expect(try sandboxfm(["undo", "c"] + arguments, in: folder).code == 2)
        }
    }

    @Test(
        "On another volume and beside a directory that cannot be written, rm says that it cannot be undone, and asks",
        .needs([.externalProgram, .root]), .enabled(if: Platform.isLinux, "mounts in a namespace of unshare"))
    func otherVolume() throws {
        try withContainer { container, folder throws in
            try folder.allowReading()
            let script = #"""
                set -u; export HOME=$PWD
                mkdir c/Documents/disk; mount -t tmpfs none c/Documents/disk
                echo a > c/Documents/disk/a; echo b > c/Documents/disk/b; echo c > c/Documents/c
                "$TOOL" rm c Documents/disk/a 2> message; echo "asks $?"; grep -c 'cannot be undone because “Documents/disk/a” is on another volume' message
                "$TOOL" rm c Documents/disk/a Documents/c --yes 2> message; echo "removed $?"; ls c/Documents/disk
                "$TOOL" mv c Documents/disk/b Documents/b 2> message; echo "moved $?"; cat c/Documents/b
                "$TOOL" cp c Documents/b Documents/disk/b 2> message; echo "copied $?"; cat c/Documents/disk/b
                # The container itself is the root of a volume.
                mkdir v; mount -t tmpfs none v; "$TOOL" new v --bundle-id a.b > /dev/null; echo v > v/tmp/v
                "$TOOL" rm v tmp/v 2> message; echo "asks $?"; grep -c 'on another volume' message; cat v/tmp/v
                "$TOOL" mkdir v tmp/d > /dev/null; "$TOOL" undo v
                """#
            let run = try Command(
                "unshare", ["-m", "bash", "-c", script], in: folder, environment: ["TOOL": Command.sandboxfm])
            #expect(
                run.text == """
                    asks 2
                    1
                    deleted Documents/c
                    deleted Documents/disk/a: cannot be undone, because it is on another volume
                    removed 0
                    b
                    moved Documents/disk/b -> Documents/b: cannot be undone, because it is on another volume
                    moved 0
                    b
                    copied Documents/b -> Documents/disk/b: cannot be undone, because it is on another volume
                    copied 0
                    b
                    asks 2
                    1
                    v
                    reverted change 1 (created “tmp/d”)

                    """, "\(run.errors)")
        }
    }

    @Test(
        "Beside a directory that cannot be written, changes are made without an undo",
        .needs([.externalProgram, .root]),
        .enabled(if: getuid() == 0, "only root can give files away"))
    func unwritableParent() throws {
        try withContainer { container, folder throws in
            try container.save("x", to: .documents / "a")
            let copy = folder.appending(path: "sandboxfm").path
            try FileManager.default.copyItem(atPath: Command.sandboxfm, toPath: copy)
            try folder.allowReading()
            try Command.setUp("chown", ["-R", "65534:65534", "c"], in: folder)
            func run(_ arguments: String...) throws -> Command {
                try Command("env", Command.unprivileged + [copy] + arguments, in: folder)
            }
            let asks = try run("rm", "c", "Documents/a")
            #expect(
                asks.code == 2 && asks.errors.contains("which cannot be undone because the undo folder beside"),
                "\(asks.errors)")
            let made = try run("mkdir", "c", "Documents/d")
            #expect(made.code == 0 && made.errors.contains("this cannot be undone because"), "\(made.errors)")
            #expect(try run("rm", "c", "Documents/a", "--yes").code == 0)
            #expect(try names(in: folder.appending(path: "c/Documents")) == ["d"])
        }
    }

    @Test(
        "A copy on a full disk changes nothing and leaves nothing", .needs([.externalProgram, .root]),
        .enabled(if: Platform.isLinux, "mounts in a namespace of unshare"))
    func fullDisk() throws {
        try withScratch { folder throws in
            let script = #"""
                set -u; export HOME=$PWD; mkdir disk; mount -t tmpfs -o size=4m none disk
                "$TOOL" new disk/c --bundle-id a.b > /dev/null; mkdir disk/c/Documents/d
                head -c 1500000 /dev/urandom > disk/c/Documents/d/1; head -c 1000000 /dev/urandom > disk/c/Documents/d/2
                find disk | sort > before
                "$TOOL" cp disk/c Documents/d Documents/copy 2> message; echo "cp $?"; find disk | sort | diff before -
                head -c 3000000 /dev/urandom > new
                "$TOOL" put disk/c new Documents/d 2> message; echo "put $?"; find disk | sort | diff before -
                cat /dev/zero > disk/fill 2> /dev/null
                "$TOOL" rm disk/c Documents/d/1 --yes > text 2> message; echo "rm $?"; cat text message | grep -c 'for-good\|cannot be undone'
                "$TOOL" rm disk/c Documents/d/2 --for-good --yes 2> message; echo "rm $?"; ls disk/c/Documents/d
                """#
            let run = try Command(
                "unshare", ["-m", "bash", "-c", script], in: folder, environment: ["TOOL": Command.sandboxfm])
            let lines = run.text.split(separator: "\n")
            #expect(
                lines.first?.hasPrefix("not copied Documents/d -> Documents/copy (3 items, 2.5 MB): cannot write")
                    == true)
            #expect(run.text.contains("“Documents/copy/") && run.text.contains("“Documents/d/new”: No space left"))
            // The journal of a deletion needs space, so the user has to decide.
            #expect(run.text.contains("rm 1\n1\n"))
            #expect(run.text.contains("cp 1\n") && run.text.contains("put 1\n"), "\(run.text)\(run.errors)")
            #expect(run.text.contains("deleted Documents/d/2\nrm 0\n"), "\(run.text)")
        }
    }

    @Test(
        "Nothing is lost if a change is killed; `scripts/stress change-kills` kills more often",
        .needs([.externalProgram, .long]), .enabled(if: Platform.isLinux, "reads attributes with Python"))
    func killed() throws {
        let count = ProcessInfo.processInfo.environment["CHANGE_KILLS"] ?? "3"
        let runner = URL(fileURLWithPath: #filePath).appending(path: "../../kill-changes").standardized.path
        let run = try Command(runner, [Command.sandboxfm, count], limit: .seconds(3000))
        print(run.text)
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 9 && lines.allSatisfy { $0.hasSuffix(" 0 failures") }, "\(run.text)\(run.errors)")
    }
}
