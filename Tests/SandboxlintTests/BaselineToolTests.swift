import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint baseline") struct BaselineToolTests {
    /// A sample, its parent directory, and the arguments for a reproducible lint.
    private func withBaseline(_ body: (_ sample: String, _ folder: URL) throws -> Void) throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let run = try sandboxlint(
                "baseline", "write", "sample", "--baseline", "b.txt", "--now", "2026-01-01", in: folder)
            #expect(run.code == 0 && run.errors.hasPrefix("b.txt: "), "\(run.errors)")
            try body(path, folder)
        }
    }

    private func lint(_ arguments: String..., in folder: URL) throws -> Command {
        try sandboxlint(["lint", "sample", "--now", "2026-01-01"] + arguments, in: folder)
    }

    @Test("A baseline of another app is noted with the names of both, and one that has an entry of the app is not")
    func foreign() throws {
        try withBaseline { _, folder throws in
            let file = folder.appending(path: "b.txt")
            let own = try String(contentsOf: file, encoding: .utf8)
            let entry = "stale-tmp com.example.other tmp/ max:items=2\n"
            #expect(!(try lint("--baseline", "b.txt", in: folder).errors.contains("of another app")))
            try Data((own + entry).utf8).write(to: file)
            #expect(!(try lint("--baseline", "b.txt", in: folder).errors.contains("of another app")))
            try Data("sandboxlint-baseline/3\n\(entry)".utf8).write(to: file)
            let run = try lint("--baseline", "b.txt", in: folder)
            #expect(run.code == 1)
            #expect(
                run.errors.contains(
                    "note: the baseline “b.txt” is of another app: its entries are for com.example.other, and this run lints "
                ),
                "\(run.errors)")
            for command in ["diff", "prune", "update", "report", "write"] {
                try Data("sandboxlint-baseline/3\n\(entry)".utf8).write(to: file)
                let run = try sandboxlint(
                    "baseline", command, "sample", "--baseline", "b.txt", "--now", "2026-01-01", in: folder)
                #expect(
                    run.errors.contains("note: the baseline “b.txt” is of another app: ")
                        && run.errors.contains("Its entries are replaced;") == (command == "write"),
                    "\(command): \(run.errors)")
            }
        }
    }

    @Test("It is never written into a container", arguments: ["write", "update", "prune"])
    func inside(command: String) throws {
        try withBaseline { path, folder throws in
            let container = URL(fileURLWithPath: path)
            try FileManager.default.createSymbolicLink(
                atPath: folder.appending(path: "inward").path, withDestinationPath: "sample/Documents/new.txt")
            try FileManager.default.copyItem(
                at: folder.appending(path: "b.txt"), to: container.appending(path: "Documents/b.txt"))
            let before = try TreeListing(of: container)
            for place in ["sample/Documents/b.txt", "sample/b.txt", "inward", "link/../sample/b.txt"] {
                let run = try sandboxlint("baseline", command, "sample", "--baseline", place, in: folder)
                #expect(
                    run.code == 2 && run.errors.contains("is inside the container “sample”"), "\(place): \(run.errors)")
            }
            #expect(try TreeListing(of: container).differences(from: before) == [])
        }
    }

    @Test("Accepted findings do not fail a run and are counted, in both formats; --no-baseline reports them")
    func known() throws {
        try withBaseline { _, folder throws in
            let whole = try lint(in: folder)
            let known = try lint("--baseline", "b.txt", "--fail-on", "note", in: folder)
            #expect(whole.code == 1 && known.code == 0)
            #expect(
                known.text.hasPrefix("No findings in ") && known.text.contains(" findings accepted by the baseline."))
            let json = try lint("--baseline", "b.txt", "--format", "json", in: folder).output
            let report = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
            let lines = try String(contentsOf: folder.appending(path: "b.txt"), encoding: .utf8).split(separator: "\n")
            #expect((report["summary"] as? [String: Any])?["baselined"] as? Int == lines.count - 1)

            let configuration = folder.appending(path: ".sandboxlint.yml")
            try Data("baseline: b.txt\n".utf8).write(to: configuration)
            #expect(try lint("--fail-on", "note", in: folder).code == 0)
            #expect(try lint("--no-baseline", in: folder).output == whole.output)
            #expect(try lint("--no-baseline", "--baseline", "b.txt", in: folder).code == 2)
        }
    }

    @Test("The configuration's baseline is found beside the configuration, wherever the run is")
    func besideConfiguration() throws {
        try withBaseline { path, folder throws in
            try Data("baseline: b.txt\n".utf8).write(to: folder.appending(path: ".sandboxlint.yml"))
            let elsewhere = URL(fileURLWithPath: "/")
            #expect(try sandboxlint("lint", path, "--now", "2026-01-01", in: elsewhere).code == 0)
            let report = try sandboxlint("baseline", "report", path, in: elsewhere)
            #expect(report.code == 0 && report.text.contains("1  stale-tmp  (com.example.app)\n"), "\(report.errors)")
        }
    }

    @Test("One more or one fewer temporary file does not fail the run; more than twice as many does, and says why")
    func churn() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            func make(_ names: String...) throws {
                for name in names {
                    try folder.write("xx", to: "sample/tmp/pictures/\(name).jpg")
                    try folder.setTimes("2025-01-01", of: "sample/tmp/pictures/\(name).jpg")
                }
            }
            func lint() throws -> Command {
                try self.lint("--select", "stale-tmp,exceptions", "--baseline", "b.txt", "--strict", in: folder)
            }
            try make("a", "b", "c")
            let written = try sandboxlint(
                "baseline", "write", "sample", "--baseline", "b.txt", "--now", "2026-01-01", in: folder)
            #expect(written.code == 0, "\(written.errors)")
            try make("d")
            let more = try lint()
            #expect(more.code == 0, "\(more.text)")
            try folder.remove("sample/tmp/pictures/a.jpg", "sample/tmp/pictures/b.jpg")
            let fewer = try lint()
            #expect(fewer.code == 0, "\(fewer.text)")
            try make("a", "b", "e", "f", "g")
            let grown = try lint()
            #expect(grown.code == 1 && grown.text.contains("tmp/pictures/   (7 items, 14 bytes)"), "\(grown.text)")
            #expect(grown.text.contains("accepts at most 6 items here; found 7 items"), "\(grown.text)")
            let file = folder.appending(path: "b.txt")
            let text = try String(contentsOf: file, encoding: .utf8)
            try Data(text.replacing("tmp/pictures/ max:items=6", with: "tmp/pictures/ max:items=7,bytes=1KB").utf8)
                .write(
                    to: file)
            #expect(try lint().code == 0)
        }
    }

    @Test("A project that holds containers has its baseline beside them, but not in one")
    func besideContainers() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            #expect(try sandboxlint("baseline", "write", ".", "--baseline", "b.txt", in: folder).code == 0)
            let inside = try sandboxlint("baseline", "write", ".", "--baseline", "sample/tmp/b.txt", in: folder)
            #expect(inside.code == 2 && inside.errors.contains("is inside the container"), "\(inside.errors)")
        }
    }

    @Test("A stale entry is a note, and fails a strict run until it is pruned; prune adds no new finding")
    func stale() throws {
        try withBaseline { path, folder throws in
            try FileManager.default.removeItem(atPath: path + "/tmp/old.part")
            let before = try lint("--baseline", "b.txt", in: folder)
            #expect(before.code == 0 && before.text.contains("note[stale-baseline-entry]"), "\(before.text)")
            #expect(before.text.contains("   |  tmp, tmp\n") && !before.text.contains(" 0 bytes"), "\(before.text)")
            let strict = try lint("--baseline", "b.txt", "--strict", in: folder)
            #expect(strict.code == 1 && strict.text.contains("error[stale-baseline-entry]"), "\(strict.text)")
            let ignored = try lint("--baseline", "b.txt", "--ignore", "exceptions", "--strict", in: folder)
            #expect(ignored.code == 0 && !ignored.text.contains("stale-baseline-entry"))
            try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/Documents/new.tmp"))
            let difference = try sandboxlint(
                "baseline", "diff", "sample", "--baseline", "b.txt", "--now", "2026-01-01", in: folder)
            #expect(difference.code == 1 && difference.text.contains("- stale-tmp tmp/\n"), "\(difference.text)")
            let prune = try sandboxlint(
                "baseline", "prune", "sample", "--baseline", "b.txt", "--now", "2026-01-01", in: folder)
            #expect(prune.code == 0 && prune.errors.contains(" 0 added, "), "\(prune.errors)")
            let after = try lint("--baseline", "b.txt", "--select", "stale,exceptions", "--strict", in: folder)
            #expect(after.code == 0, "\(after.text)")
        }
    }

    @Test("A file of another format is refused with its format, and `write` replaces it")
    func otherFormat() throws {
        try withBaseline { _, folder throws in
            let file = folder.appending(path: "b.txt")
            let entry = "81dc195c870d0894 stale-tmp com.example.app tmp/old.part"
            try Data("sandboxlint-baseline/1\n\(entry)\n".utf8).write(to: file)
            var runs = try ["update", "prune", "diff"].map { command in
                try sandboxlint("baseline", command, "sample", "--baseline", "b.txt", in: folder)
            }
            runs.append(try sandboxlint("baseline", "report", "--baseline", "b.txt", in: folder))
            runs.append(try lint("--baseline", "b.txt", in: folder))
            for run in runs {
                #expect(run.code == 2 && run.output.isEmpty, "\(run.text)")
                let reason = "b.txt:1:1: the baseline has format 1; this version of sandboxlint reads format 3"
                #expect(run.errors.contains(reason), "\(run.errors)")
                #expect(run.errors.contains("`sandboxlint baseline write`"), "\(run.errors)")
            }
            let write = try sandboxlint("baseline", "write", "sample", "--baseline", "b.txt", in: folder)
            #expect(write.code == 0, "\(write.errors)")
            #expect(try String(contentsOf: file, encoding: .utf8).hasPrefix("sandboxlint-baseline/3\n"))
        }
    }

    @Test("Without a path, write creates the standard file and prints how to use it, and the other commands use it")
    func standardPath() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let write = try sandboxlint("baseline", "write", "sample", "--now", "2026-01-01", in: folder)
            #expect(write.code == 0 && write.errors.hasPrefix("sandboxlint-baseline.txt: "), "\(write.errors)")
            #expect(write.errors.contains("`baseline: sandboxlint-baseline.txt` in .sandboxlint.yml"))
            #expect(try sandboxlint("baseline", "report", in: folder).text.contains("stale-tmp"))
            let difference = try sandboxlint("baseline", "diff", "sample", "--now", "2026-01-01", in: folder)
            #expect(difference.code == 0, "\(difference.text)\(difference.errors)")
            #expect(try lint("--baseline", "sandboxlint-baseline.txt", in: folder).code == 0)
            // `lint` uses only a baseline that is specified.
            #expect(try lint(in: folder).code == 1)
            try withScratch { other throws in
                let report = try sandboxlint("baseline", "report", in: other)
                #expect(report.code == 2 && report.errors.contains("Create it with `sandboxlint baseline write`"))
            }
        }
    }

    @Test(
        "A file that is not a baseline exits with 2 and a reason, before anything is linted",
        arguments: [
            ("missing.txt", "the baseline does not exist"), ("sample", "it is not a file"),
            ("other.txt", "other.txt:1:1: not a sandboxlint baseline"), ("pipe", "it is not a file"),
            ("huge.txt", "larger than 128 MiB"), ("none/b.txt", "its directory cannot be opened"),
        ])
    func wrong(name: String, reason: String) throws {
        try withBaseline { _, folder throws in
            try Data("hello\n".utf8).write(to: folder.appending(path: "other.txt"))
            try createPipe(folder.path + "/pipe")
            try folder.makeHole("huge.txt", size: 129 << 20)
            let run = try lint("--baseline", name, in: folder)
            #expect(run.code == 2 && run.output.isEmpty && run.errors.contains(reason), "\(run.errors)")
        }
    }

    @Test("A file that is not a baseline is not overwritten; a damaged baseline is")
    func overwriting() throws {
        try withBaseline { _, folder throws in
            let letter = folder.appending(path: "letter.txt")
            try Data("Dear reader".utf8).write(to: letter)
            let run = try sandboxlint("baseline", "write", "sample", "--baseline", "letter.txt", in: folder)
            #expect(run.code == 2 && run.errors.contains("exists and is not a baseline; it is unchanged"))
            #expect(try String(contentsOf: letter, encoding: .utf8) == "Dear reader")
            let damaged = folder.appending(path: "b.txt")
            try Data("sandboxlint-baseline/3\n<<<<<<< ours\n".utf8).write(to: damaged)
            #expect(try lint("--baseline", "b.txt", in: folder).code == 2)
            #expect(try sandboxlint("baseline", "write", "sample", "--baseline", "b.txt", in: folder).code == 0)
        }
    }

    @Test("git merges the additions and removals of two branches", .needs(.externalProgram))
    func merges() throws {
        try withBaseline { path, folder throws in
            func git(_ arguments: String...) throws {
                let names = ["-c", "user.name=n", "-c", "user.email=e@example.com"]
                let run = try Command("git", names + arguments, in: folder)
                #expect(run.code == 0, "\(arguments): \(run.text)\(run.errors)")
            }
            func keep(_ message: String) throws {
                let run = try sandboxlint(
                    "baseline", "update", "sample", "--baseline", "b.txt", "--now", "2026-01-01", in: folder)
                #expect(run.code == 0)
                try git("commit", "-qam", message)
            }
            let names = (0..<26).map { String(UnicodeScalar(0x61 + UInt8($0))) }
            for name in names {
                let directory = path + "/tmp/\(name)"
                try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
                try Data("{}".utf8).write(to: URL(fileURLWithPath: directory + "/a.part"))
                try folder.setTimes("2025-01-01", of: "sample/tmp/\(name)/a.part")
            }
            try git("init", "-q", "-b", "main")
            try git("add", "b.txt")
            try keep("base")
            try git("switch", "-qc", "one")
            try FileManager.default.removeItem(atPath: path + "/tmp/g")
            try keep("one")
            try git("switch", "-q", "main")
            try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/Documents/.hidden"))
            try keep("two")
            try git("merge", "-q", "one")
            let run = try sandboxlint(
                "baseline", "diff", "sample", "--baseline", "b.txt", "--now", "2026-01-01", in: folder)
            #expect(run.code == 0, "\(run.text)")
        }
    }

    @Test("Two containers share a baseline, and each has its own entries")
    func several() throws {
        try withBaseline { path, folder throws in
            try folder.copyAll("sample", to: "other")
            let metadata = "other/.com.apple.mobile_container_manager.metadata.plist"
            let renamed = try folder.text(of: metadata).replacing("com.example.app", with: "com.example.two")
            try folder.write(renamed, to: metadata)
            let run = try sandboxlint(
                "lint", "sample", "other", "--baseline", "b.txt", "--now", "2026-01-01", "--format", "json",
                "--select", "stale-tmp,exceptions", in: folder)
            let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            let findings = try #require(report["findings"] as? [[String: Any]])
            #expect(findings.map { $0["input"] as? Int } == [1])
            #expect((report["summary"] as? [String: Any])?["baselined"] as? Int == 1)
        }
    }
}
