import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// More items and directories than one batch.
@Suite("sandboxbackup restore of many files", .needs(.long), .timeLimit(.minutes(60))) struct RestoreManyTests {
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
            let created = try sandboxbackup("create", container.path, "--repository", store)
            #expect(created.code == 0 && created.text.hasPrefix("snapshot 1: 5,120 files"), "\(created.text)")
            return try body(folder, container.path, store)
        }
    }

    @Test("Every file, mode, time and link is restored, and hard links stay hard links", .needs(.externalProgram))
    func fidelity() throws {
        try withMany { folder, container, store throws in
            let target = folder.appending(path: "out")
            let run = try sandboxbackup("restore", "latest", "--repository", store, "--to", target.path)
            #expect(run.code == 0 && run.text.hasPrefix("restored 5,120 files, "), "\(run.text)\(run.errors)")
            let before = try listing(URL(fileURLWithPath: container))
            #expect(try before.differences(from: listing(target)) == [])
            for (first, second) in [("0/000/3", "9/299/same"), ("7/007/3", "9/229/same"), ("9/019/3", "9/109/same")] {
                let documents = target.path + "/Documents"
                #expect(try inode(of: "\(documents)/\(first)") == inode(of: "\(documents)/\(second)"))
                #expect(try linkCount(of: "\(documents)/\(first)") == 2)
            }

            let again = try sandboxbackup("restore", "latest", "--repository", store, "--to", target.path)
            #expect(again.code == 0 && again.text.hasPrefix("restored 0 files, 0 bytes, "), "\(again.text)")
            #expect(again.text.hasSuffix("5,140 items unchanged\n"), "\(again.text)")
            #expect(try before.differences(from: listing(target)) == [])
        }
    }

    @Test("A directory is read whole, however its entries fill pages", .needs(.externalProgram))
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
            try backed("create", container.path, "--repository", store)
            let listed = try backed("ls", "1", "Documents", "--recursive", "--repository", store).split(separator: "\n")
            let files = listed.filter { $0.split(separator: "/").count == 3 }
            let found = try FileManager.default.subpathsOfDirectory(atPath: container.path + "/Documents")
                .filter { $0.contains("/") }.map { "Documents/\($0)" }
            #expect(files.map(String.init).sorted() == found.sorted() && files.count == 17_456)
        }
    }

    @Test(
        "Files that differ are replaced on request, and temporary files of an interrupted run are removed",
        .needs(.externalProgram))
    func overwriting() throws {
        try withMany { folder, container, store throws in
            let target = folder.appending(path: "out")
            try backed("restore", "latest", "--repository", store, "--to", target.path)
            let documents = target.appending(path: "Documents")
            for path in try FileManager.default.subpathsOfDirectory(atPath: documents.path) {
                let parts = path.split(separator: "/")
                let isChosen =
                    parts.count == 3 && parts[0].count == 1 && ["5", "7"].contains(parts[2])
                    || parts.count == 2 && parts[0] == "flat" && parts[1].wholeMatch(of: /2.0/) != nil
                if isChosen { try documents.write("mine", to: path) }
            }
            for number in [0, 3, 7] { try documents.write("x", to: "flat/.sandboxbackup-staging-\(number)") }
            try documents.makeLink("4/004/.sandboxbackup-staging-1", to: "/nowhere")
            let kept = try sandboxbackup("restore", "latest", "--repository", store, "--to", target.path)
            #expect(kept.code == 3 && kept.text.contains("  already-there: Documents/9/299/7\n"), "\(kept.errors)")
            #expect(kept.text.components(separatedBy: "already-there").count == 611)
            let run = try sandboxbackup("restore", "latest", "--overwrite", "--repository", store, "--to", target.path)
            #expect(run.code == 0 && run.text.hasPrefix("restored 610 files, "), "\(run.text)")
            #expect(try listing(URL(fileURLWithPath: container)).differences(from: listing(target)) == [])
        }
    }

    @Test("Damaged files are reported in the same order each time, and only they are missing", .needs(.externalProgram))
    func damaged() throws {
        try withMany { folder, container, store throws in
            try zeroFrames(
                where: """
                    object IN (SELECT object FROM entry WHERE CAST(name AS TEXT) IN ('250', '11') AND object IS NOT NULL)
                    """, of: store)
            let script = """
                cd container/Documents; rm flat/250 flat/11 ?/*/11
                ls -d ?/*/ | sort | sed 's|^|  damaged: Documents/|; s|$|11|'
                printf '  damaged: Documents/flat/%s\\n' 11 250
                """
            let named = try Command("bash", ["-euc", script], in: folder, environment: ["LC_ALL": "C"]).text
            var reports: Set<String> = []
            for round in 1...3 {
                let target = folder.appending(path: "out-\(round)")
                let run = try sandboxbackup("restore", "latest", "--repository", store, "--to", target.path)
                #expect(run.code == 12, "\(run.errors)")
                reports.insert(run.text)
                let (all, expected) = try (
                    FileManager.default.subpathsOfDirectory(atPath: target.path + "/Documents"),
                    FileManager.default.subpathsOfDirectory(atPath: container + "/Documents")
                )
                #expect(all.sorted() == expected.sorted())
            }
            #expect(reports.count == 1)
            #expect(
                reports.first?.hasSuffix("not restored, or not as in the snapshot:\n" + named) == true, "\(reports)")
        }
    }

    @Test("A file with the name of a temporary file is reported and not restored")
    func reserved() throws {
        try withRepositorySample { folder, container, store throws in
            try folder.write("x", to: "container/Documents/.sandboxbackup-staging-0")
            try backed("create", container, "--repository", store)
            let target = folder.appending(path: "out")
            let run = try sandboxbackup("restore", "latest", "--repository", store, "--to", target.path)
            let named =
                "not restored, or not as in the snapshot:\n  impossible-name: Documents/.sandboxbackup-staging-0\n"
            #expect(run.code == 3 && run.text.hasSuffix(named), "\(run.text)")
        }
    }
}
