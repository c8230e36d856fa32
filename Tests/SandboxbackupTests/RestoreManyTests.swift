import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

/// More items and directories than one batch.
@Suite("sandboxbackup restore of many files", .timeLimit(.minutes(60))) struct RestoreManyTests {
    /// Creates 5,120 names of files, some of them hard links in distant directories; one directory has 300 of them.
    private func withMany<Result>(_ body: (URL, _ container: String, _ store: String) throws -> Result) throws -> Result
    {
        try withScratch { folder throws in
            let container = folder.appending(path: "container")
            _ = try Container.create(at: FilePath(container.path), bundleIdentifier: "com.example.app")
            let script = """
                import os, random
                random.seed(1)
                times = random.Random(2)
                os.chdir("Documents")
                for number in range(300):
                    place = f"{number % 10}/{number:03}"
                    os.makedirs(place)
                    for file in range(16):
                        with open(f"{place}/{file}", "wb") as out: out.write(random.randbytes(random.randrange(16, 4000)))
                        os.chmod(f"{place}/{file}", random.choice([0o600, 0o644, 0o444, 0o755]))
                os.mkdir("flat")
                for file in range(300):
                    with open(f"flat/{file}", "w") as out: out.write(f"{file}\\n" * 20)
                    if file % 100 == 0: os.mkdir(f"flat/{file}-inner")
                for number in range(20):
                    os.link(f"{number % 10}/{number:03}/3", f"9/{299 - 10 * number:03}/same")
                    os.symlink(f"../{number:03}/3", f"{number % 10}/{number:03}/link")
                # The last first, since what is made in a directory changes it.
                for place, directories, files in os.walk(".", topdown=False):
                    for name in files + [""]:
                        seconds = times.randrange(10**18)
                        os.utime(os.path.join(place, name), ns=(seconds, seconds), follow_symlinks=False)
                    os.chmod(place, times.choice([0o755, 0o700, 0o555, 0o1750]))
                """
            let made = try Command("python3", ["-c", script], in: container)
            #expect(made.code == 0, "\(made.errors)")
            let store = folder.appending(path: "store").path
            let created = try sandboxbackup("create", container.path, "--store", store)
            #expect(created.code == 0 && created.text.hasPrefix("snapshot 1: 5,120 files"), "\(created.text)")
            return try body(folder, container.path, store)
        }
    }

    @Test("Every file, mode, time and link is restored, and hard links stay hard links")
    func fidelity() throws {
        try withMany { folder, container, store throws in
            let target = folder.appending(path: "out")
            let run = try sandboxbackup("restore", "latest", "--store", store, "--to", target.path)
            #expect(run.code == 0 && run.text.hasPrefix("restored 5,120 files, "), "\(run.text)\(run.errors)")
            let before = try listing(URL(fileURLWithPath: container))
            #expect(try before.differences(from: listing(target)) == [])
            let twins =
                "for n in 0 7 19; do stat -c '%h %i' $((n % 10))/$(printf %03d $n)/3 9/$((299 - 10 * n))/same; done"
            let inodes = try Command("bash", ["-euc", twins], in: target.appending(path: "Documents"))
                .text.split(separator: "\n")
            #expect(inodes.count == 6 && Set(inodes).count == 3, "\(inodes)")
            #expect(inodes.allSatisfy { $0.hasPrefix("2 ") }, "\(inodes)")

            let again = try sandboxbackup("restore", "latest", "--store", store, "--to", target.path)
            #expect(again.code == 0 && again.text.hasPrefix("restored 0 files, 0 bytes, "), "\(again.text)")
            #expect(again.text.hasSuffix("5,140 items unchanged\n"), "\(again.text)")
            #expect(try before.differences(from: listing(target)) == [])
        }
    }

    @Test("A directory is read whole, however its entries fill pages")
    func pages() throws {
        try withScratch { folder throws in
            let container = folder.appending(path: "container")
            _ = try Container.create(at: FilePath(container.path), bundleIdentifier: "com.example.app")
            let script = """
                import os
                for count in (255, 256, 257, 4095, 4096, 4097, 4400):
                    os.mkdir(f"Documents/{count}")
                    for number in range(count): open(f"Documents/{count}/{number}", "w").close()
                """
            #expect(try Command("python3", ["-c", script], in: container).code == 0)
            let store = folder.appending(path: "store").path
            try backed("create", container.path, "--store", store)
            let listed = try backed("ls", "1", "Documents", "--recursive", "--store", store).split(separator: "\n")
            let files = listed.filter { $0.split(separator: "/").count == 3 }
            let found = try Command("find", ["Documents", "-type", "f"], in: container).text.split(separator: "\n")
            #expect(files.sorted() == found.sorted() && files.count == 17_456)
        }
    }

    @Test("Files that differ are replaced on request, and temporary files of an interrupted run are removed")
    func overwriting() throws {
        try withMany { folder, container, store throws in
            let target = folder.appending(path: "out")
            try backed("restore", "latest", "--store", store, "--to", target.path)
            let script = """
                for f in ?/*/[57] flat/2?0; do printf mine > $f; done
                for n in 0 3 7; do printf x > flat/.sandboxbackup-staging-$n; done
                ln -s /nowhere 4/004/.sandboxbackup-staging-1
                """
            try Command.setUp("bash", ["-euc", script], in: target.appending(path: "Documents"))
            let kept = try sandboxbackup("restore", "latest", "--store", store, "--to", target.path)
            #expect(kept.code == 3 && kept.text.contains("  already-there: Documents/9/299/7\n"), "\(kept.errors)")
            #expect(kept.text.components(separatedBy: "already-there").count == 611)
            let run = try sandboxbackup("restore", "latest", "--overwrite", "--store", store, "--to", target.path)
            #expect(run.code == 0 && run.text.hasPrefix("restored 610 files, "), "\(run.text)")
            #expect(try listing(URL(fileURLWithPath: container)).differences(from: listing(target)) == [])
        }
    }

    @Test("Damaged files are reported in the same order each time, and only they are missing")
    func damaged() throws {
        try withMany { folder, container, store throws in
            let script = """
                sqlite3 store/catalogue.sqlite "UPDATE frame SET bytes = zeroblob(length(bytes)) WHERE object IN (
                    SELECT object FROM entry WHERE CAST(name AS TEXT) IN ('250', '11') AND object IS NOT NULL)"
                cd container/Documents; rm flat/250 flat/11 ?/*/11
                ls -d ?/*/ | sort | sed 's|^|  damaged: Documents/|; s|$|11|'
                printf '  damaged: Documents/flat/%s\\n' 11 250
                """
            let named = try Command("bash", ["-euc", script], in: folder, environment: ["LC_ALL": "C"]).text
            var reports: Set<String> = []
            for round in 1...3 {
                let target = folder.appending(path: "out-\(round)")
                let run = try sandboxbackup("restore", "latest", "--store", store, "--to", target.path)
                #expect(run.code == 3, "\(run.errors)")
                reports.insert(run.text)
                let names = "cd \(target.path)/Documents && find . | LC_ALL=C sort"
                let all = try Command("bash", ["-c", names]).text
                #expect(
                    try Command(
                        "bash", ["-c", "find . | LC_ALL=C sort"],
                        in: URL(fileURLWithPath: container)
                            .appending(path: "Documents")
                    ).text == all)
            }
            #expect(reports.count == 1)
            #expect(
                reports.first?.hasSuffix("not restored, or not as in the snapshot:\n" + named) == true, "\(reports)")
        }
    }

    @Test("A file with the name of a temporary file is reported and not restored")
    func reserved() throws {
        try withRepositorySample { folder, container, store throws in
            try Command.setUp(
                "bash", ["-c", "printf x > Documents/.sandboxbackup-staging-0"], in: URL(fileURLWithPath: container))
            try backed("create", container, "--store", store)
            let target = folder.appending(path: "out")
            let run = try sandboxbackup("restore", "latest", "--store", store, "--to", target.path)
            let named =
                "not restored, or not as in the snapshot:\n  impossible-name: Documents/.sandboxbackup-staging-0\n"
            #expect(run.code == 3 && run.text.hasSuffix(named), "\(run.text)")
        }
    }
}
