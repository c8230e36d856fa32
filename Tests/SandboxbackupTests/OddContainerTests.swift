import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxbackup with unusual containers", .needs(.long), .timeLimit(.minutes(60))) struct OddContainerTests {
    private struct Created: Decodable {
        struct Named: Decodable { let path, reason: String }
        let files: Int
        let complete: Bool
        let incidents, remarks: [Named]
    }

    /// Creates a container with a script and passes its directory to `body`.
    private func withContainer(_ script: String, _ body: (URL, _ container: String, _ store: String) throws -> Void)
        throws
    {
        try withScratch { folder throws in
            let container = folder.appending(path: "container")
            let made = try Command(
                "bash", ["-euc", "mkdir -p container/Documents container/Library; cd container; \(script)"], in: folder)
            try #require(made.code == 0, "\(made.errors)")
            try body(folder, container.path, folder.appending(path: "store").path)
        }
    }

    @Test(
        "A container that is deleted during the run is stored as far as possible, and the rest is reported",
        .needs(.process))
    func deleted() throws {
        try withContainer("for n in $(seq 3000); do echo $n > Documents/$n; done") { folder, _, store throws in
            let script = """
                # Until it was caught while it read: it may have gone before, or not have begun to go.
                for round in $(seq 20); do
                    cp -r container going
                    "$TOOL" create going --repository store --format json > said-$round 2> errors-$round &
                    until [ -e store/writer ] || ! kill -0 $! 2> /dev/null; do :; done
                    rm -rf going
                    wait $!; code=$?; echo $code
                    [ $code = 3 ] && break
                done
                cp -r container going; rm -rf going &
                "$TOOL" plan going --format jsonl > plan 2> errors-plan; echo $?; wait
                """
            let run = try Command("bash", ["-c", script], in: folder, environment: ["TOOL": Command.sandboxbackup])
            let codes = run.text.split(separator: "\n").map(String.init)
            #expect(codes.count >= 2 && codes.dropLast().last == "3", "\(codes)")
            for (index, code) in codes.dropLast().enumerated() {
                let said = folder.appending(path: "said-\(index + 1)")
                let errors = try String(contentsOf: folder.appending(path: "errors-\(index + 1)"), encoding: .utf8)
                guard code == "3" || code == "0" else {
                    #expect(code == "1" && errors.hasPrefix("sandboxbackup: "), "\(code): \(errors)")
                    continue
                }
                let created = try JSONDecoder().decode(Created.self, from: Data(contentsOf: said))
                #expect(created.complete == (code == "0") && created.incidents.isEmpty == created.complete)
                #expect(created.incidents.allSatisfy { $0.reason == "vanished" })
                #expect(created.files + created.incidents.count <= 3_010)
            }
            #expect(["0", "1", "3"].contains(codes.last))
            let plan = try Data(contentsOf: folder.appending(path: "plan")).split(separator: UInt8(ascii: "\n"))
            for line in plan { _ = try JSONSerialization.jsonObject(with: line) }
            #expect(try backed("verify", "--repository", store).hasSuffix("no damage\n"))
        }
    }

    @Test(
        "A container that disappears while a tool stores it is an error, and nothing remains in the repository",
        .needs(.externalProgram))
    func deletedUnderTool() throws {
        try withContainer("printf x > Documents/a") { folder, container, _ throws in
            let sample = EngineSample(
                tool: "restic", folder: folder, container: URL(fileURLWithPath: container),
                repository: folder.appending(path: "repository").path)
            try sample.makeRepository()
            try sample.stand(
                in: #"""
                    [ "$1" = backup ] || exec "$REAL" "$@"
                    rm Documents/a; "$REAL" "$@"; rm -r "$PWD"
                    """#)
            let run = try sample.create()
            #expect(run.code == 1 && run.errors.contains("the directory for restic no longer exists"), "\(run.errors)")
            #expect(try sample.shell("restic -r repository snapshots --json").text == "[]\n")
        }
    }

    @Test(
        "Pipes and sockets are reported, with every engine", .needs(.externalProgram),
        arguments: ["native", "restic", "borg"])
    func special(way: String) throws {
        let script = """
            mkfifo Documents/pipe; printf x > Documents/a
            python3 -c "import socket; socket.socket(socket.AF_UNIX).bind('Documents/socket')"
            """
        try withContainer(script) { folder, container, store throws in
            var run = try sandboxbackup(
                ["create", container, "--repository", store, "--format", "json"])
            if way != "native" {
                let sample = EngineSample(
                    tool: way, folder: folder, container: URL(fileURLWithPath: container),
                    repository: folder.appending(path: "repository").path)
                try sample.makeRepository()
                run = try sample.create("--format", "json")
            }
            let created = try JSONDecoder().decode(Created.self, from: run.output)
            #expect(run.code == 0 && created.files == 1 && created.complete)
            #expect(created.remarks.map(\.path) == ["Documents/pipe", "Documents/socket"])
            #expect(created.remarks.allSatisfy { $0.reason == "special-node" })
        }
    }

    @Test(
        "Items below the maximum depth are reported by create, and everything above is restored",
        .needs(.externalProgram))
    func deep() throws {
        let script = """
            python3 -c "import os
            place = os.open('Documents', os.O_RDONLY)
            for level in range(600):
                os.close(os.open('leaf', os.O_CREAT, dir_fd=place))
                os.mkdir('d', dir_fd=place)
                place = os.open('d', os.O_RDONLY, dir_fd=place)"
            """
        try withContainer(script) { folder, container, store throws in
            let text = try backed("create", container, "--repository", store, code: 3)
            let deepest = "Documents" + String(repeating: "/d", count: 510)
            #expect(text.hasSuffix("not stored as planned:\n  too-deep: \(deepest)/d\n  too-deep: \(deepest)/leaf\n"))
            let target = folder.appending(path: "restored").path
            try backed("restore", "latest", "--repository", store, "--to", target, code: 3)
            let leaf = target + "/Documents" + String(repeating: "/d", count: 509) + "/leaf"
            #expect(FileManager.default.fileExists(atPath: leaf))
            #expect(FileManager.default.fileExists(atPath: "\(target)/\(deepest)"))
            try backed("restore", "1", "--dry-run", "--repository", store, "--to", target, code: 3)
            try FileManager.default.removeItem(atPath: leaf.replacing(target, with: container))
            try backed("create", container, "--repository", store, code: 3)
            #expect(try backed("diff", "1", "2", "--repository", store).contains("/d/leaf\n"))
        }
    }

    @Test(
        "A file with gigabytes of holes takes little time and space, in the repository and after a restore",
        .needs(.process),
        arguments: [5 << 30, 8 << 40])
    func sparse(size: Int) throws {
        let script = """
            dd if=/dev/null of=Documents/image bs=1 seek=\(size)
            for at in 0 1000 4999; do printf data | dd of=Documents/image bs=1048576 seek=$at conv=notrunc; done
            """
        try withContainer(script) { folder, container, store throws in
            try backed("create", container, "--repository", store)
            try backed("restore", "1", "--repository", store, "--to", folder.appending(path: "restored").path)
            for tree in ["store", "restored"] {
                #expect(try allocatedSize(beneath: folder.appending(path: tree)) < 3_000 << 10)
            }
            let image = try FileHandle(forReadingFrom: folder.appending(path: "restored/Documents/image"))
            #expect(try image.seekToEnd() == UInt64(size))
            for position in [0, 1000, 4999] as [UInt64] {
                try image.seek(toOffset: position << 20)
                #expect(try image.read(upToCount: 5) == Data("data\0".utf8))
            }
            // No file is read again.
            #expect(try backed("create", container, "--repository", store).contains("0 files read"))
            try backed("verify", "--repository", store)
            // Written zeros match a hole, a single other byte does not.
            for (script, code) in [
                (":", 0), ("dd if=/dev/zero of=image bs=1048576 seek=7 count=3 conv=notrunc", 0),
                ("printf x | dd of=image bs=1048576 seek=8 conv=notrunc", 3),
            ] as [(String, Int32)] {
                try Command.setUp(
                    "bash", ["-c", "cd restored/Documents; touch -r image ../x; \(script); touch -r ../x image"],
                    in: folder)
                let target = folder.appending(path: "restored").path
                try backed("restore", "1", "--repository", store, "--to", target, code: code)
            }
        }
    }

    @Test("A file with only the header of SQLite takes little time, however many holes follow", .needs(.process))
    func sparseStore() throws {
        try withContainer(
            "printf 'SQLite format 3\\0' > Documents/x; dd if=/dev/null of=Documents/x bs=1 seek=8796093022208"
        ) {
            folder, container, store throws in
            try backed("create", container, "--repository", store)
            try backed("restore", "1", "--repository", store, "--to", folder.appending(path: "restored").path)
            let restored = folder.appending(path: "restored/Documents/x")
            #expect(try restored.resourceValues(forKeys: [.fileSizeKey]).fileSize == 8 << 40)
        }
    }

    @Test(
        "Attributes whose names are not text are skipped and reported", .needs(.externalProgram),
        .enabled(if: Platform.isLinux, "Python sets attributes on Linux alone"))
    func oddAttributes() throws {
        let script = """
            printf x > Documents/a
            python3 -c 'import os
            for name in [b"user.\\xef\\xbf\\xbd", b"user.\\xff", b"user.\\xfe", b"user.kept"]:
                os.setxattr("Documents/a", name, name)'
            """
        try withContainer(script) { folder, container, store throws in
            let run = try backed("create", container, "--repository", store, code: 3)
            #expect(run.contains("attribute-not-kept: Documents/a\n"), "\(run)")
            try backed("restore", "1", "--repository", store, "--to", folder.appending(path: "restored").path, code: 3)
            let kept = try AttributeTool.attributes(of: "restored/Documents/a", in: folder)
            #expect(kept["user.kept"] == Data("user.kept".utf8), "\(kept)")
        }
    }

    @Test(
        "A repository inside the container is refused, also through a link, and so is a directory with other files",
        .needs(.process))
    func misplacedStore() throws {
        try withContainer("mkdir Documents/inner; printf x > Documents/a") { folder, container, store throws in
            try folder.makeLink("link", to: container + "/Documents/inner")
            try folder.write(to: "other/file")
            for place in ["link", "link/store"] {
                let run = try sandboxbackup(
                    ["create", container, "--repository", folder.appending(path: place).path])
                #expect(run.code == 2 && run.errors.contains("The repository is inside the container"), "\(run.errors)")
            }
            let run = try sandboxbackup(["create", container, "--repository", "other"], in: folder)
            #expect(run.code == 10 && run.errors.contains("not empty: nothing was created"), "\(run.errors)")
            #expect(try names(in: folder.appending(path: "other")).contains("file"))
        }
    }

    @Test("A link for --to is followed, and nothing is written elsewhere", .needs(.process))
    func linkedTarget() throws {
        try withContainer("printf x > Documents/a") { folder, container, store throws in
            try backed("create", container, "--repository", store, "--bundle-id", "com.example.app")
            try folder.makeDirectories("there")
            for (link, target) in [("link", "there"), ("dangling", "nowhere"), ("odd", "file")] {
                try folder.makeLink(link, to: target)
            }
            try folder.write(to: "file")
            func path(_ name: String) -> String { folder.appending(path: name).path }
            try backed("restore", "1", "--repository", store, "--to", path("link"))
            #expect(FileManager.default.fileExists(atPath: path("there/Documents/a")))
            for (link, target) in [("link", "there"), ("dangling", "nowhere"), ("odd", "file")] {
                #expect(try FileManager.default.destinationOfSymbolicLink(atPath: path(link)) == target)
            }
            for name in ["dangling", "odd"] {
                for more in [[], ["--dry-run"], ["--as-ios"]] {
                    let run = try sandboxbackup(
                        ["restore", "1", "--repository", store, "--to", path(name)] + more)
                    guard name != "dangling" || more != ["--dry-run"] else { continue }
                    #expect(run.code == 1 && run.errors.contains(name), "\(name) \(more): \(run.code) \(run.errors)")
                }
            }
            #expect(!FileManager.default.fileExists(atPath: path("nowhere")))
            #expect(try Data(contentsOf: folder.appending(path: "file")).isEmpty)
        }
    }

    @Test(
        "Tags and flags exclude the same items from a snapshot as from a plan", .needs(.externalProgram),
        arguments: ["native", "restic", "borg"])
    func asked(way: String) throws {
        let script = """
            mkdir Documents/tagged; printf x > Documents/tagged/in; printf y > Documents/kept; printf z > Documents/marked
            printf 'Signature: 8a477f597d28d172789f06886806bc55' > Documents/tagged/CACHEDIR.TAG
            # Not every file system has the mark.
            \(Platform.isLinux ? "chattr +d" : "false") Documents/marked 2> /dev/null || rm Documents/marked
            """
        try withContainer(script) { folder, container, store throws in
            let asked = ["--exclude-caches-tag", "--exclude-nodump"]
            let plan = try sandboxbackup(["plan", container, "--format", "jsonl"] + asked).text
            #expect(plan.contains(#"Documents/tagged/in","kind":"file","decision":"exclude","reason":"tag-file""#))
            let isMarked = FileManager.default.fileExists(atPath: "\(container)/Documents/marked")
            #expect(
                plan.contains(#"Documents/marked","kind":"file","decision":"exclude","reason":"nodump""#) == isMarked)
            let target = folder.appending(path: "restored")
            if way == "native" {
                try backed("create", container, "--repository", store, "--exclude-caches-tag", "--exclude-nodump")
                try backed("restore", "1", "--repository", store, "--to", target.path)
                // Without the options they are included again.
                try backed("create", container, "--repository", store)
                #expect(
                    try backed("diff", "1", "2", "--repository", store).split(separator: "\n").dropLast().sorted()
                        == ["+ Documents/marked", "+ Documents/tagged/in"].suffix(isMarked ? 2 : 1))
            } else {
                let sample = EngineSample(
                    tool: way, folder: folder, container: URL(fileURLWithPath: container),
                    repository: folder.appending(path: "repository").path)
                try sample.makeRepository()
                let report = try EngineReport(sample.create("--format", "json", asked[0], asked[1]))
                #expect(report.complete && report.files == 2)
                #expect(try sample.restore(report.snapshot, to: target).code == 0)
            }
            #expect(try names(in: target.appending(path: "Documents")) == ["kept", "tagged"])
            #expect(try names(in: target.appending(path: "Documents/tagged")) == ["CACHEDIR.TAG"])
        }
    }

    @Test("A repository inside the container is refused, also behind a link, and nothing is created", .needs(.process))
    func inside() throws {
        try withContainer("printf x > Documents/a") { folder, container, _ throws in
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "link").path, withDestinationPath: "container/Documents")
            for store in ["container/store", "link/store", "container", "container/../container/tmp/store"] {
                let run = try sandboxbackup(
                    ["create", "container", "--repository", store], in: folder)
                #expect(run.code == 2 && run.errors.contains("Name a directory outside it"), "\(store): \(run.errors)")
            }
            let found = try FileManager.default.subpathsOfDirectory(atPath: container).sorted()
            #expect(found == ["Documents", "Documents/a", "Library"])
        }
    }

    @Test(
        "Databases are copied beside the repository and need no space in the temporary directory",
        .needs(.externalProgram))
    func temporary() throws {
        try withContainer("sqlite3 Documents/a.sqlite 'CREATE TABLE t(a)'") { _, container, store throws in
            let run = try sandboxbackup(
                "create", container, "--repository", store, environment: ["TMPDIR": "/nowhere/at/all"])
            #expect(run.code == 0, "\(run.text)\(run.errors)")
            #expect(try backed("verify", "--repository", store).hasSuffix("no damage\n"))
        }
    }
}
