import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup with damaged repositories", .needs(.long), .timeLimit(.minutes(60))) struct RepositoryFailureTests
{
    @Test(
        "A directory that is not a repository is refused with 10 and unchanged",
        arguments: ["missing", "empty", "text", "foreign"])
    func noStore(kind: String) throws {
        try withRepositorySample { folder, container, store throws in
            switch kind {
            case "empty": try folder.makeDirectories("store")
            case "text": try folder.write("x", to: "store")
            case "foreign":
                try folder.makeDirectories("store")
                try executeSQL("CREATE TABLE a(b)", in: store + "/catalogue.sqlite")
            default: break
            }
            for command in [["snapshots"], ["verify"], ["prune"], ["restore", "latest", "--to", "out"]] {
                let run = try sandboxbackup(command + ["--repository", store], in: folder)
                #expect(run.code == 10, "\(command): \(run.errors)")
                #expect(run.errors.contains("there is no repository at"))
            }
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "out").path))
        }
    }

    @Test("A repository of another format is refused with its format, and is not changed", arguments: [0, 1, 2, 4])
    func otherFormat(format: Int) throws {
        try withRepositorySample { _, container, store throws in
            try backed("create", container, "--repository", store)
            let catalogue = URL(fileURLWithPath: "\(store)/catalogue.sqlite")
            try executeSQL("PRAGMA user_version = \(format)", in: catalogue.path)
            let before = try Data(contentsOf: catalogue)
            let reason = "the repository has format \(format); this version of sandboxbackup reads format 3"
            for command in [["create", container], ["snapshots"], ["verify"], ["prune"]] {
                let run = try sandboxbackup(command + ["--repository", store])
                #expect(run.code == 1 && run.errors.contains(reason), "\(command): \(run.errors)")
            }
            #expect(try Data(contentsOf: catalogue) == before)
        }
    }

    @Test(
        "A repository in use is refused with 11, with its holder", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs flock"))
    func locked() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let script = """
                exec 8< store/objects; flock 8; exec 9< store; flock -s 9
                printf 'process 4711, `create`, since 2026-01-01T00:00:00Z' > store/writer
                "$TOOL" create container --repository store --wait 0; echo $?
                "$TOOL" prune --repository store --wait 0; echo $?
                "$TOOL" snapshots --repository store > /dev/null; echo $?
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            #expect(run.text == "11\n11\n0\n", "\(run.errors)")
            #expect(run.errors.contains("locked by process 4711, `create`, since 2026-01-01T00:00:00Z"))
        }
    }

    /// Changes to a repository as scripts, with the text that verify must print.
    private static let damages: [(script: String, named: String)] = [
        (
            "printf damaged! | dd of=$(ls objects/*/* | head -1) bs=1 seek=5000 conv=notrunc status=none",
            "object"
        ),
        ("f=$(ls objects/*/* | head -1); truncate -s -1 $f", "object"),
        ("f=$(ls objects/*/* | head -1); truncate -s 0 $f", "object"),
        ("rm $(ls objects/*/* | head -1)", "its file is missing"),
        ("set -- $(ls objects/*/*); mv $1 x; cp $2 $1; mv x $2", "object"),
        ("printf x > objects/foreign", "objects/foreign"),
        ("mkdir -p objects/ab; printf x > objects/ab/notes.txt", "objects/ab/notes.txt"),
        ("DELETE FROM frame WHERE object = (SELECT min(object) FROM frame)", "its frame is missing"),
        (
            "UPDATE frame SET position = position + 1 WHERE object = (SELECT max(object) FROM frame)",
            "its zstd frame is invalid"
        ),
        ("UPDATE frame SET size = size - 2 WHERE object = (SELECT max(object) FROM frame)", "object"),
        ("UPDATE frame SET size = -1 WHERE object = (SELECT max(object) FROM frame)", "the location of its frame"),
        ("UPDATE frame SET pack = 77 WHERE object = (SELECT max(object) FROM frame)", "its frame is missing"),
        ("UPDATE pack SET sha256 = zeroblob(32)", "packs/0000"),
        ("f=$(ls packs/* | head -1); printf damaged! | dd of=$f bs=1 seek=900 conv=notrunc status=none", "packs/"),
        ("f=$(ls packs/* | head -1); truncate -s -1 $f", "its bytes do not match its name"),
        ("rm $(ls packs/* | head -1)", "it is missing"),
        ("rm -r packs", "it is missing"),
        ("printf x > packs/notes.txt", "packs/notes.txt: it does not belong to the repository"),
        ("rm snapshots/1", "snapshots/1: it is missing or damaged"),
        ("printf x | dd of=snapshots/1 bs=1 seek=30 conv=notrunc status=none", "snapshots/1: it is missing or damaged"),
        ("printf x > snapshots/notes", "snapshots/notes: it does not belong to the repository"),
        ("UPDATE object SET size = size + 1 WHERE id = (SELECT min(object) FROM frame)", "object"),
        ("UPDATE object SET sha256 = zeroblob(32) WHERE id = (SELECT min(object) FROM frame)", "object 0000"),
        ("UPDATE part SET position = 4 * position WHERE position = (SELECT max(position) FROM part)", "its parts"),
        ("DELETE FROM part WHERE position > 0", "its list of parts changed"),
        ("UPDATE object SET size = size + (1 << 61) WHERE form = 2", "its list of parts changed"),
        ("DELETE FROM entry WHERE CAST(name AS TEXT) = 'letter.txt'", "directory"),
        ("UPDATE entry SET mode = mode + 1 WHERE CAST(name AS TEXT) = 'letter.txt'", "directory"),
        ("UPDATE entry SET name = CAST('other.txt' AS BLOB) WHERE CAST(name AS TEXT) = 'letter.txt'", "directory"),
        ("UPDATE entry SET modified_ns = modified_ns + 1 WHERE CAST(name AS TEXT) = 'letter.txt'", "directory"),
        ("UPDATE entry SET kind = 77 WHERE CAST(name AS TEXT) = 'letter.txt'", "directory"),
        (
            "UPDATE entry SET object = 999999 WHERE CAST(name AS TEXT) = 'letter.txt'",
            "object 999999 of a directory is missing"
        ),
        ("UPDATE entry SET child = directory WHERE child IS NOT NULL", "directory"),
        ("DELETE FROM directory WHERE id = (SELECT max(id) - 1 FROM directory)", "directory"),
        ("UPDATE attribute SET value = CAST('other' AS BLOB)", "attributes"),
        ("DELETE FROM attribute", "attributes"),
        ("UPDATE snapshot SET files = files + 1", "snapshot 1"),
        ("UPDATE snapshot SET taken = 'yesterday'", "snapshot 1: "),
        ("UPDATE snapshot SET bytes = -1", "snapshot 1: "),
        ("UPDATE entry SET size = -1 WHERE CAST(name AS TEXT) = 'letter.txt'", "directory"),
        ("f=$(ls objects/*/* | head -1); rm $f; mkdir $f", "its file cannot be read: Is a directory"),
        ("f=$(ls objects/*/* | head -1); rm $f; ln -s $f $f", "its file cannot be read: Too many levels"),
        ("printf x > notes.txt", "notes.txt: it does not belong to the repository"),
        ("mkdir \"$(printf 'a\\033b')\"", "it does not belong to the repository"),
        ("INSERT INTO frame VALUES(9999, 1, 0, 1)", "1 row of frame without an owner"),
        ("INSERT INTO part VALUES(9999, 0, 1)", "1 row of part without an owner"),
        ("UPDATE snapshot SET tree = tree - 1", "snapshot 1"),
    ]

    @Test(
        "Every kind of damage is reported with 12, and an undamaged repository exits with 0", .needs(.externalProgram))
    func damage() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let sound = try sandboxbackup("verify", "--repository", store)
            #expect(sound.code == 0 && sound.text.contains("no damage"), "\(sound.text)")
            for (script, named) in Self.damages {
                let copy = folder.appending(path: "damaged")
                try FileManager.default.copyItem(atPath: store, toPath: copy.path)
                if ["UPDATE", "DELETE", "INSERT"].contains(where: { script.hasPrefix($0) }) {
                    try executeSQL(script, in: copy.path + "/catalogue.sqlite")
                } else {
                    try Command.setUp("bash", ["-euc", script], in: copy)
                }
                let run = try sandboxbackup("verify", "--repository", copy.path)
                #expect(run.code == 12, "\(script): \(run.text)\(run.errors)")
                #expect(run.text.contains(named) && !run.text.contains("\u{1b}"), "\(script): \(run.text)")
                let target = folder.appending(path: "restored")
                try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
                let restored = try sandboxbackup("restore", "latest", "--repository", copy.path, "--to", target.path)
                #expect([0, 1, 3, 12].contains(restored.code), "\(script): \(restored.code) \(restored.errors)")
                #expect(try Self.wrongFiles(in: target, comparedWith: container) == [], "\(script)")
                for scratch in [copy, target] { try FileManager.default.removeItem(at: scratch) }
            }
        }
    }

    /// Returns the restored files that differ from the file with the same path in the container.
    private static func wrongFiles(in target: URL, comparedWith container: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: target.path).filter { path in
            // A name that is not UTF-8 is not found.
            let attributes = try? FileManager.default.attributesOfItem(atPath: target.appending(path: path).path)
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { return false }
            return !FileManager.default.contentsEqual(
                atPath: target.appending(path: path).path, andPath: "\(container)/\(path)")
        }
    }

    @Test("Damage at random places is found; `scripts/stress store-damage` tries more places", .needs(.externalProgram))
    func randomDamage() throws {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../damage-stores")
        let run = try Command(script.standardized.path, [Command.sandboxbackup, "1"])
        let lines = run.text.split(separator: "\n")
        #expect(lines.count == 27, "\(run.errors)")
        #expect(lines.dropLast(2).allSatisfy { $0.hasSuffix(": 1 of 1") }, "\(run.text)")
        #expect(lines[25] == "clean: 0 alarms in 10 runs")
    }

    @Test("A flipped bit in the log of an interrupted run does not affect earlier snapshots", .needs(.externalProgram))
    func damagedLog() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let first = try listing(URL(fileURLWithPath: container))
            let code = """
                import random, shutil, sqlite3, subprocess, sys
                def run(*words): return subprocess.run([sys.argv[1], *words], stdout=subprocess.PIPE, text=True)
                # Who reads keeps SQLite from bringing the log in, so that the copy is as a run leaves it that is ended.
                reader = sqlite3.connect("store/catalogue.sqlite", isolation_level=None)
                reader.execute("BEGIN").execute("SELECT count(*) FROM snapshot").fetchone()
                with open("container/Documents/letter.txt", "a") as letter: letter.write("more")
                assert run("create", "container", "--repository", "store").returncode == 0
                shutil.copytree("store", "left", ignore=shutil.ignore_patterns("*-shm"))
                with open("left/catalogue.sqlite-wal", "rb") as file: log = bytearray(file.read())
                dice = random.Random(3)
                for round in range(12):
                    flipped = bytearray(log)
                    if round: flipped[dice.randrange(len(log))] ^= 1 << dice.randrange(8)
                    shutil.copytree("left", "copy")
                    with open("copy/catalogue.sqlite-wal", "wb") as file: file.write(flipped)
                    print(run("verify", "--repository", "copy").returncode, end=" ")
                    print(len(run("snapshots", "--repository", "copy").stdout.splitlines()) - 1, end=" ")
                    print(run("restore", "1", "--repository", "copy", "--to", f"out-{round}").returncode)
                    shutil.rmtree("copy")
                """
            let lines = try python(code, Command.sandboxbackup, in: folder).split(separator: "\n")
            #expect(lines.count == 12 && lines.first == "0 2 0")
            #expect(lines.allSatisfy { ["0 1 0", "0 2 0", "12 1 0", "12 2 0"].contains($0) }, "\(lines)")
            for round in lines.indices {
                let target = folder.appending(path: "out-\(round)")
                #expect(try first.differences(from: listing(target)) == [], "\(round): \(lines[round])")
            }
        }
    }

    @Test("A damaged file is reported and not restored, all others are")
    func damagedRestore() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            for path in try FileManager.default.subpathsOfDirectory(atPath: store + "/objects") {
                let object = URL(fileURLWithPath: "\(store)/objects/\(path)")
                if let content = try? Data(contentsOf: object) { try content.dropLast().write(to: object) }
            }
            let target = folder.appending(path: "restored")
            let run = try sandboxbackup("restore", "latest", "--repository", store, "--to", target.path)
            #expect(run.code == 12)
            #expect(
                run.text.contains("damaged: Documents/film.bin") && run.text.contains("damaged: Documents/photo.bin"))
            let found = Set(
                try FileManager.default.contentsOfDirectory(atPath: target.appending(path: "Documents").path))
            #expect(!found.contains("film.bin") && found.isSuperset(of: ["letter.txt", "notes", "rest.sqlite"]))
            #expect(!found.contains { $0.contains("staging") })
        }
    }

    /// The number of terminations; `scripts/stress backup-kills` sets more.
    private static let kills = ProcessInfo.processInfo.environment["BACKUP_KILLS"].flatMap(Int.init) ?? 21

    @Test(
        "After a termination at any point, finished snapshots are complete and the next run continues", .needs(.process)
    )
    func killed() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let script = """
                set -u
                RANDOM=7
                touch seen; echo 1 > known
                for round in $(seq "$KILLS"); do
                    seq $RANDOM > container/Documents/notes/$((round % 9)).txt
                    head -c 300000 /dev/urandom > container/Documents/changing.bin
                    late=0.0$((RANDOM % 90 + 10))
                    case $((round % 7)) in
                    4) timeout -s KILL $late "$TOOL" forget $(head -1 known) --allow-empty --repository store;;
                    5) timeout -s KILL $late "$TOOL" tag latest --add t$round --repository store;;
                    6) timeout -s KILL $late "$TOOL" rewrite latest --exclude $((round % 9)).txt --repository store;;
                    0) timeout -s KILL 0.0$((RANDOM % 90 + 10)) "$TOOL" prune --repository store;;
                    1) timeout -s KILL 0.$((RANDOM % 200 + 100)) "$TOOL" restore latest --repository store --to out-$round;;
                    *) timeout -s KILL 0.0$((RANDOM % 90 + 10)) "$TOOL" create container --repository store;;
                    esac > /dev/null 2>&1
                    "$TOOL" verify --repository store > said 2>&1 || { echo "round $round: $?"; cat said; }
                    # A writer completes what the killed one left. Then a new catalogue has every snapshot, and no other one
                    # that a list ever had.
                    "$TOOL" repair --repository store > said 2>&1 || { echo "round $round: $?"; cat said; }
                    "$TOOL" snapshots --repository store --format jsonl | sort > listed
                    sqlite3 store/catalogue.sqlite 'SELECT id FROM snapshot' > known
                    [ -s listed ] || continue
                    rm -rf copy; cp -a store copy; rm -f copy/catalogue.sqlite*
                    "$TOOL" repair --rebuild --repository copy > said 2>&1 || { echo "round $round: $?"; cat said; }
                    "$TOOL" snapshots --repository copy --format jsonl | sort > rebuilt
                    comm -23 listed rebuilt | sed "s/^/round $round: not rebuilt: /"
                    comm -13 listed rebuilt | grep -Fxf seen | sed "s/^/round $round: came back: /"
                    cat listed >> seen
                    [ $((round % 5)) = 0 ] && "$TOOL" forget --keep-last 2 --repository store > /dev/null
                    rm -rf out-$round
                done
                "$TOOL" create container --repository store > /dev/null && "$TOOL" prune --repository store > /dev/null
                "$TOOL" verify --repository store | tail -1
                "$TOOL" restore latest --repository store --to out > /dev/null; echo $?
                """
            let run = try Command(
                "bash", ["-c", script], in: folder,
                environment: ["TOOL": Command.sandboxbackup, "KILLS": "\(Self.kills)"])
            #expect(run.text.hasPrefix("read ") && run.text.hasSuffix("no damage\n0\n"), "\(run.text)")
            let target = folder.appending(path: "out")
            #expect(try listing(URL(fileURLWithPath: container)).differences(from: listing(target)) == [])
        }
    }

    @Test("Pruning deletes only the content of forgotten snapshots")
    func prune() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try FileManager.default.removeItem(atPath: "\(container)/Documents/film.bin")
            try backed("create", container, "--repository", store)
            let forgotten = try sandboxbackup("forget", "--keep-last", "1", "--repository", store)
            #expect(forgotten.text.hasPrefix("removed  1  "), "\(forgotten.text)")
            let dry = try sandboxbackup("prune", "--dry-run", "--repository", store)
            let pruned = try sandboxbackup("prune", "--repository", store)
            #expect(pruned.text == dry.text && pruned.text.contains(" objects of 9 MB"), "\(pruned.text)")
            #expect(
                try sandboxbackup("prune", "--repository", store).text.hasPrefix("0 objects of 0 bytes, 0 directories"))
            #expect(try allocatedSize(beneath: URL(fileURLWithPath: store)) < 3_000 << 10)
            #expect(try sandboxbackup("verify", "--repository", store).code == 0)
            #expect(try sandboxbackup("forget", "--repository", store).code == 2)
        }
    }

    @Test(
        "A restore to a full disk leaves nothing incomplete, and continues when there is space",
        .needs([.externalProgram, .root]),
        .enabled(if: Platform.isLinux, "mounts in a namespace of unshare"))
    func fullTarget() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            // Without attributes, which this file system supports only on newer kernels.
            let script = """
                set -u
                mkdir disk; mount -t tmpfs -o size=4m none disk
                "$TOOL" restore latest Documents/film.bin --repository store --to disk/out; echo $?
                find disk -name '*staging*'
                mount -o remount,size=64m disk
                "$TOOL" restore latest Documents/film.bin --repository store --to disk/out > /dev/null; echo $?
                cmp container/Documents/film.bin disk/out/Documents/film.bin; echo $?
                """
            let run = try Command(
                "unshare", ["-m", "bash", "-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            #expect(
                run.text == "1\n0\n0\n" && run.errors.contains("free disk space and run the command again"),
                "\(run.errors)")
        }
    }

    @Test(
        "Wrong rows of the last snapshot are not copied to a new one, which repairs them",
        arguments: [
            "UPDATE entry SET object = (SELECT max(object) FROM entry) WHERE CAST(name AS TEXT) = 'letter.txt'",
            "DELETE FROM entry WHERE CAST(name AS TEXT) = 'notes'", "UPDATE entry SET mode = -1 WHERE kind = 1",
            "UPDATE entry SET child = NULL WHERE CAST(name AS TEXT) = 'Documents'",
        ])
    func wrongEntries(change: String) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try executeSQL(change, in: "\(store)/catalogue.sqlite")
            #expect(try sandboxbackup("verify", "--repository", store).code == 12)
            #expect(try sandboxbackup("create", container, "--repository", store).code == 0)
            let verified = try sandboxbackup("verify", "--repository", store)
            #expect(verified.code == 0, "\(verified.text)")
            let target = folder.appending(path: "restored")
            try backed("restore", "2", "--repository", store, "--to", target.path)
            #expect(try listing(URL(fileURLWithPath: container)).differences(from: listing(target)) == [])
        }
    }

    @Test("A full disk leaves the repository undamaged", .needs([.externalProgram, .root]))
    func fullDisk() throws {
        try withRepositorySample { folder, container, store throws in
            let script = """
                set -eu
                mkdir disk; mount -t tmpfs -o size=4m none disk
                trap 'umount disk' EXIT
                rm container/Documents/film.bin
                "$TOOL" create container --repository disk/store > /dev/null
                head -c 9000000 /dev/urandom > container/Documents/film.bin
                set +e
                "$TOOL" create container --repository disk/store > said 2>&1; echo $?
                grep -c 'free disk space' said
                "$TOOL" verify --repository disk/store | tail -1
                "$TOOL" snapshots --repository disk/store --format jsonl | wc -l
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            let lines = run.text.split(separator: "\n")
            #expect(
                lines.count == 4 && lines[0] == "1" && lines[1] == "1" && lines[3] == "1", "\(run.text)\(run.errors)")
            #expect(lines[2].hasSuffix("no damage"))
        }
    }
}
