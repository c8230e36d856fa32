import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("A restore into a new directory", .timeLimit(.minutes(60))) struct InterruptedRestoreTests {
    /// The number of terminations; `scripts/stress backup-kills` sets more.
    private static let kills = ProcessInfo.processInfo.environment["BACKUP_KILLS"].flatMap(Int.init) ?? 50

    /// Calls `body` with the directory of a restore into `out` that was killed after about 20 files.
    private func withInterrupted(
        _ body: (URL, _ left: URL, _ again: () throws -> Command) throws -> Void
    ) throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let command = ["restore", "1", "--repository", "store", "--to", "out"]
            let inject = ["-f", "-qq", "-o", "/dev/null", "-e", "inject=utimensat:signal=KILL:when=20"]
            _ = try Command("strace", inject + [Command.sandboxbackup] + command, in: folder)
            let left = try names(in: folder).filter { $0.hasPrefix(".sandboxbackup-restore-") }
            try #require(left.count == 1 && !FileManager.default.fileExists(atPath: folder.path + "/out"))
            try body(folder, folder.appending(path: left[0])) { try sandboxbackup(command, in: folder) }
        }
    }

    @Test(
        "After a termination at any point there is no target, and the next restore continues and is exact",
        .needs([.long, .externalProgram]),
        .enabled(if: Platform.isLinux, "Python reads attributes on Linux alone"))
    func killed() throws {
        let code = """
            import hashlib, os, random, shutil, subprocess, sys, time
            tool, kills = sys.argv[1], int(sys.argv[2])
            dice = random.Random(5)
            command = [tool, "restore", "1", "--repository", "store", "--to"]

            def state(top):
                found, names = {}, {}
                for place, directories, files in os.walk(os.fsencode(top)):
                    for path in [place] + [os.path.join(place, name) for name in files + directories]:
                        status, content = os.lstat(path), None
                        if os.path.islink(path): content = os.readlink(path)
                        elif os.path.isfile(path):
                            with open(path, "rb") as file: content = hashlib.sha256(file.read()).hexdigest()
                        attributes = [] if os.path.islink(path) else [(a, os.getxattr(path, a)) for a in sorted(os.listxattr(path))]
                        key = os.path.relpath(path, os.fsencode(top))
                        names.setdefault(status.st_ino, set()).add(key)
                        size = 0 if os.path.isdir(path) else status.st_size
                        found[key] = [status.st_mode, status.st_uid, size, status.st_mtime_ns, content, attributes, status.st_ino]
                return {key: value[:-1] + [sorted(names[value[-1]])] for key, value in found.items()}

            begin = time.monotonic()
            subprocess.run(command + ["whole"], check=True, stdout=subprocess.DEVNULL)
            seconds = time.monotonic() - begin
            expected = state("whole")
            interrupted = continued = 0
            for round in range(kills):
                out = f"out-{round}"
                process = subprocess.Popen(command + [out], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                time.sleep(dice.uniform(0, seconds))
                process.kill()
                process.wait()
                left = [name for name in os.listdir(".") if name.startswith(".sandboxbackup-restore-")]
                if left:
                    interrupted += 1
                    if os.path.exists(out): print(round, "the target exists")
                    if os.stat(left[0]).st_mode & 0o777 != 0o700: print(round, "the directory is not private")
                again = subprocess.run(command + [out], capture_output=True, text=True)
                if again.returncode != 0: print(round, again.returncode, again.stdout, again.stderr)
                if left and " unchanged" in again.stdout: continued += 1
                if state(out) != expected: print(round, "the trees differ")
                if any(name.startswith(".sandboxbackup-restore-") for name in os.listdir(".")): print(round, "the directory is left")
                shutil.rmtree(out)
            print("ok" if interrupted > kills // 5 and continued > kills // 10 else f"too few: {interrupted} {continued}")
            """
        try withRepositorySample { folder, container, store throws in
            for number in 0..<600 {
                try folder.write("\(number)\n", to: "container/Documents/many/\(number % 30)/\(number).txt")
            }
            try folder.setMode("555", of: "container/Documents/many/7")
            try backed("create", container, "--repository", store)
            #expect(try python(code, Command.sandboxbackup, "\(Self.kills)", in: folder) == "ok\n")
        }
    }

    @Test(
        "Content that was changed, and files with links to elsewhere, are replaced, whatever their size and time",
        .needs(.externalProgram), .enabled(if: Platform.isLinux, "runs strace"))
    func changed() throws {
        try withInterrupted { folder, left, again throws in
            let script = """
                original="$PWD/container/Documents/film.bin"
                cd "$LEFT/Documents"
                printf other > "$OUTSIDE"
                # One byte differs; size and time are those of a complete file, which another thread may not have finished.
                cp "$original" film.bin
                printf x | dd of=film.bin bs=1 seek=777777 conv=notrunc status=none
                touch -r "$original" film.bin
                # A symbolic and a hard link to a file elsewhere.
                rm -f again.bin; ln -s "$OUTSIDE" again.bin
                rm -f letter.txt; ln "$OUTSIDE" letter.txt
                """
            let outside = folder.appending(path: "outside").path
            try Command.setUp("env", ["LEFT=\(left.path)", "OUTSIDE=\(outside)", "bash", "-euc", script], in: folder)
            let run = try again()
            #expect(run.code == 0, "\(run.text)\(run.errors)")
            #expect(try String(contentsOfFile: outside, encoding: .utf8) == "other")
            #expect(try linkCount(of: outside) == 1)
            let container = folder.appending(path: "container")
            #expect(try listing(container).differences(from: listing(folder.appending(path: "out"))) == [])
        }
    }

    @Test(
        "A directory that others could have created or changed is refused, and nothing is written",
        .needs([.externalProgram, .root]), .enabled(if: Platform.isLinux, "runs strace"),
        .enabled(if: getuid() == 0),
        arguments: ["owner", "writable", "link", "file", "item", "item below", "no directory"])
    func planted(kind: String) throws {
        try withInterrupted { folder, left, again throws in
            let script =
                switch kind {
                case "owner": "chown 65534 \"$LEFT\""
                case "writable": "chmod 770 \"$LEFT\""
                case "link": "mv \"$LEFT\" elsewhere; ln -s elsewhere \"$LEFT\""
                case "file": "rm -r \"$LEFT\"; printf x > \"$LEFT\""
                case "item": "printf x > \"$LEFT/mine\""
                case "item below": "mkdir \"$LEFT/Documents/mine\""
                default: "rm -r \"$LEFT/Documents\"; ln -s /tmp \"$LEFT/Documents\""
                }
            try Command.setUp("env", ["LEFT=\(left.path)", "bash", "-euc", script], in: folder)
            let run = try again()
            #expect(run.code == 2 && run.errors.contains(left.lastPathComponent), "\(run.code) \(run.errors)")
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/out"))
            if kind.hasPrefix("item") { #expect(run.errors.contains("mine”, which is not an item"), "\(run.errors)") }
        }
    }

    @Test(
        "Another snapshot or selection does not continue in it", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func other() throws {
        try withInterrupted { folder, left, _ throws in
            let run = try sandboxbackup(
                "restore", "1", "Documents/letter.txt", "--repository", "store", "--to", "out", in: folder)
            #expect(run.code == 0 && run.text.hasPrefix("restored 1 file, 11 bytes, "), "\(run.text)\(run.errors)")
            #expect(try fileCount(beneath: folder.appending(path: "out")) == 1)
            #expect(FileManager.default.fileExists(atPath: left.path))
        }
    }

    @Test(
        "The user is told where an interrupted restore continues", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "runs strace"))
    func message() throws {
        try withRepositorySample { folder, container, store throws in
            try backed("create", container, "--repository", store)
            let command = ["restore", "1", "--repository", "store", "--to", "out"]
            // Without the delay, the restore could end before the signal.
            let script = """
                set -m
                strace -f -qq -o /dev/null -e inject=syncfs:delay_enter=60000000 "$@" &
                until [ "$(find .sandboxbackup-restore-* -type f 2> /dev/null | wc -l)" -gt 20 ]; do :; done
                pkill -INT -P $!; wait $!
                """
            let words = ["-c", script, "bash", Command.sandboxbackup]
            let run = try Command("bash", words + command, in: folder)
            let left = try names(in: folder).first { $0.hasPrefix(".sandboxbackup-restore-") } ?? "?"
            #expect(run.code == 130, "\(run.code)")
            let said = "The restored part is in “\(left)”; the same command continues in it."
            #expect(run.errors.hasPrefix("sandboxbackup: interrupted. \(said)\n"))
            let again = try sandboxbackup(command, in: folder)
            #expect(again.code == 0 && again.text.contains(" unchanged"), "\(again.text)\(again.errors)")
        }
    }

    @Test(
        "A file costs five system calls", .needs(.externalProgram), .enabled(if: Platform.isLinux, "runs strace"))
    func calls() throws {
        try withScratch { folder throws in
            let files = 1_000
            for number in 0..<files {
                try folder.write("text \(number)", to: "container/Documents/\(number / 100)/\(number)")
            }
            try sandboxbackup("create", "container", "--repository", "store", in: folder).succeeded()
            let trace = folder.appending(path: "trace")
            let run = try Command(
                "strace",
                ["-f", "-qq", "-y", "-o", trace.path, "-e", "trace=desc,file", Command.sandboxbackup]
                    + ["restore", "1", "--repository", "store", "--to", "out"], in: folder)
            #expect(run.code == 0, "\(run.errors)")
            // Calls for the files of the target, by descriptor or by name in its directory.
            var counts: [String: Int] = [:]
            for line in try String(contentsOf: trace, encoding: .utf8).split(separator: "\n") {
                guard line.contains("/.sandboxbackup-restore-"), let name = line.split(separator: " ").dropFirst().first
                else { continue }
                counts[String(name.prefix { $0 != "(" }), default: 0] += 1
            }
            let few = 12 * 10
            for name in ["openat", "write", "fchmod", "utimensat", "close"] {
                #expect((files...(files + few)).contains(counts[name, default: 0]), "\(counts)")
            }
            #expect(counts.values.reduce(0, +) < 5 * files + 12 * few, "\(counts)")
            #expect(counts["renameat2", default: 0] <= 1, "\(counts)")
        }
    }
}
