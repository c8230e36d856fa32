import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("Hostile sizes", .needs(.long), .timeLimit(.minutes(60))) struct HostileSizeTests {
    /// Thirty directories, each of which contains the next one twice.
    private static let bomb = #"""
        import sqlite3, sys
        db = sqlite3.connect(sys.argv[1] + "/catalogue.sqlite")
        top, = db.execute("SELECT child FROM entry WHERE CAST(name AS TEXT) = 'Documents'").fetchone()
        db.execute("DELETE FROM entry WHERE directory = ?", [top])
        for level in range(30):
            db.execute("INSERT INTO directory VALUES(?, ?)", [1000 + level, b"%d" % level])
        # A link, so that the innermost directory is not an empty one that is there already.
        db.execute("INSERT INTO entry VALUES(1000, 'a', 3, 511, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, NULL, NULL, x'61', NULL)")
        for level in range(1, 31):
            for name in (b"a", b"b"):
                db.execute('INSERT INTO entry VALUES(?, ?, 2, 493, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, NULL, ?, NULL, NULL)',
                           [1000 + level if level < 30 else top, name, 999 + level])
        db.commit()
        """#

    @Test(
        "Sixty rows for a billion directories are damage, found quickly and in little memory", .needs(.externalProgram))
    func directories() throws {
        try withBackupSample { _, container throws in
            let folder = URL(fileURLWithPath: container).deletingLastPathComponent()
            let store = folder.appending(path: "store").path
            try backed("create", container, "--repository", store)
            try python(Self.bomb, store, in: folder)
            try rehash(store)
            let code = """
                import resource, subprocess, sys
                for words in sys.argv[2:]:
                    run = subprocess.run([sys.argv[1]] + words.split(), stdout=subprocess.DEVNULL)
                    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
                    print(run.returncode, usage.ru_utime + usage.ru_stime < 60, usage.ru_maxrss < 128 << 10)
                """
            let said = try python(
                code, Command.sandboxbackup, "restore 1 -n --to none --repository store",
                "restore 1 --to out --repository store",
                "export 1 --to backups --repository store", "restore 1 --as-ios --to device --repository store",
                in: folder)
            #expect(said == "12 True True\n12 True True\n12 True True\n12 True True\n")
        }
    }

    @Test("A directory of any size takes little memory", .needs(.externalProgram))
    func largeDirectory() throws {
        try withScratch { folder throws in
            let code = """
                import glob, os, subprocess, sys
                def peak(*words):
                    child = subprocess.Popen([sys.argv[1], *words], stdout=subprocess.DEVNULL)
                    status, usage = os.wait4(child.pid, 0)[1:]
                    assert status == 0, words
                    return usage.ru_maxrss * 1024
                def peaks(files):
                    container, store = f"{files}/Documents/many", ("--repository", f"{files}-store")
                    os.makedirs(container)
                    for number in range(files): open(f"{container}/{number:08}", "w").close()
                    found = [peak(*words, *store) for words in (
                        ("create", str(files)), ("create", str(files)), ("verify",), ("prune",))]
                    for name in glob.glob(f"{files}-store/catalogue.sqlite*"): os.remove(name)
                    return found + [peak("repair", "--rebuild", *store)]
                small, large = peaks(20_000), peaks(80_000)
                print(*((large[index] - small[index]) // 60_000 for index in range(len(small))))
                """
            let said = try python(code, Command.sandboxbackup, in: folder)
            let bytes = said.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
            // The index of the container takes 150 bytes an item, and the plan of the work 60.
            #expect(bytes.count == 5 && zip(bytes, [250, 250, 100, 100, 100]).allSatisfy { $0 < $1 }, "\(said)")
        }
    }

    @Test("A hole of 8 TiB is reported and not exported, everything else is")
    func hole() throws {
        try withScratch { folder throws in
            try folder.makeHole("container/Documents/hole", size: 8 << 40)
            try folder.makeHole("container/Documents/small", size: 40 << 20)
            try folder.write("x\n", to: "container/Documents/a")
            func run(_ arguments: String...) throws -> Command {
                try sandboxbackup(arguments + ["--repository", "store"], in: folder)
            }
            #expect(try run("create", "container", "--bundle-id", "com.example.app").code == 0)
            let exported = try run("export", "1", "--to", "out", "--udid", "A")
            #expect(exported.code == 3 && exported.text.contains("A: 2 files, "), "\(exported.text)\(exported.errors)")
            #expect(exported.text.contains("incomplete:\n  hole-too-large: Documents/hole\n"), "\(exported.text)")
            #expect(exported.text.contains("  hole-filled: Documents/small\n"))
        }
    }

    @Test("Invalid rows of an import take time in proportion to their number", .needs(.externalProgram))
    func garbage() throws {
        try withBackupSample { _, container throws in
            let folder = URL(fileURLWithPath: container).deletingLastPathComponent()
            let backup = try exported(container, folder.appending(path: "store").path, to: folder)
            let code = #"""
                import hashlib, resource, sqlite3, subprocess, sys
                db = sqlite3.connect("Manifest.db")
                def rows(first, last):
                    for number in range(first, last):
                        name = hashlib.sha1(b"%d" % number).hexdigest()
                        yield name, "AppDomain-com.example.app", "Documents/" + name, 1, b"garbage"
                seconds, known = [], 0
                for count in 10_000, 80_000:
                    db.executemany("INSERT INTO Files VALUES(?, ?, ?, ?, ?)", rows(known, count))
                    db.commit()
                    before, known = resource.getrusage(resource.RUSAGE_CHILDREN), count
                    command = [sys.argv[1], "import", ".", "--repository", f"../{count}"]
                    run = subprocess.run(command, stdout=subprocess.DEVNULL)
                    after = resource.getrusage(resource.RUSAGE_CHILDREN)
                    assert run.returncode == 3
                    seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
                print(seconds[1] < 16 * seconds[0], *seconds)
                """#
            // Eight times the rows. Quadratic time would be fifty times as much.
            let said = try python(code, Command.sandboxbackup, in: backup)
            #expect(said.hasPrefix("True"), "\(said)")
        }
    }
}
