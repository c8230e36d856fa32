import Foundation
import TestSupport
import Testing

@Suite("sandboxlint baseline") struct BaselineToolTests {
    /// A sample, the directory that it lies in, and the arguments that lint it always alike.
    private func withBaseline(_ body: (_ sample: String, _ folder: URL) throws -> Void) throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let run = try sandboxlint(
                "baseline", "write", "sample", "--baseline", "b.txt", "--now", "2026-01-01", in: folder)
            #expect(run.code == 0 && run.errors.hasPrefix("b.txt holds "), "\(run.errors)")
            try body(path, folder)
        }
    }

    private func lint(_ arguments: String..., in folder: URL) throws -> Command {
        try Command(Command.sandboxlint, ["lint", "sample", "--now", "2026-01-01"] + arguments, in: folder)
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
                    run.code == 2 && run.errors.contains("lies in the container “sample”"), "\(place): \(run.errors)")
            }
            #expect(try TreeListing(of: container).differences(from: before) == [])
        }
    }

    @Test("What it holds fails no run and is counted, in both formats; --no-baseline sees through it")
    func known() throws {
        try withBaseline { _, folder throws in
            let whole = try lint(in: folder)
            let known = try lint("--baseline", "b.txt", "--fail-on", "note", in: folder)
            #expect(whole.code == 1 && known.code == 0)
            #expect(known.text.hasPrefix("No findings in ") && known.text.contains(" findings in the baseline."))
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

    @Test("A stale entry fails the run until it is pruned; what is new is not pruned in")
    func stale() throws {
        try withBaseline { path, folder throws in
            try FileManager.default.removeItem(atPath: path + "/tmp/old.part")
            try Data("x".utf8).write(to: URL(fileURLWithPath: path + "/Documents/new.tmp"))
            let before = try lint("--baseline", "b.txt", in: folder)
            #expect(before.code == 1 && before.text.contains("error[stale-baseline-entry]"))
            let ignored = try lint("--baseline", "b.txt", "--ignore", "exceptions", in: folder)
            #expect(!ignored.text.contains("stale-baseline-entry"))
            let difference = try sandboxlint(
                "baseline", "diff", "sample", "--baseline", "b.txt", "--now", "2026-01-01", in: folder)
            #expect(difference.code == 1 && difference.text.contains("- stale-tmp tmp/old.part\n"))
            let prune = try sandboxlint(
                "baseline", "prune", "sample", "--baseline", "b.txt", "--now", "2026-01-01", in: folder)
            #expect(prune.code == 0 && prune.errors.contains(" 0 new, "), "\(prune.errors)")
            let after = try lint("--baseline", "b.txt", "--select", "stale,exceptions", in: folder)
            #expect(after.code == 0, "\(after.text)")
        }
    }

    @Test("An update of some rules leaves the entries of the others, and writes nothing else")
    func update() throws {
        try withBaseline { path, folder throws in
            let file = folder.appending(path: "b.txt")
            let old = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            try FileManager.default.removeItem(atPath: path + "/tmp/old.part")
            let run = try sandboxlint(
                "baseline", "update", "sample", "--select", "stale-tmp", "--baseline", "b.txt", "--now", "2026-01-01",
                in: folder)
            #expect(run.code == 0 && run.errors.contains(" 0 new, 1 gone."), "\(run.errors)")
            let new = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            #expect(new == old.filter { !$0.contains(" stale-tmp ") } && new.count == old.count - 1)
        }
    }

    @Test(
        "What is no baseline ends with 2 and says why, before anything is linted",
        arguments: [
            ("missing.txt", "there is no such baseline"), ("sample", "it is no file"),
            ("other.txt", "other.txt:1:1: no baseline of sandboxlint"), ("pipe", "it is no file"),
            ("huge.txt", "larger than 32 MiB"), ("none/b.txt", "its folder cannot be opened"),
        ])
    func wrong(name: String, reason: String) throws {
        try withBaseline { _, folder throws in
            try Data("hello\n".utf8).write(to: folder.appending(path: "other.txt"))
            #expect(try Command("mkfifo", [folder.appending(path: "pipe").path]).code == 0)
            #expect(try Command("truncate", ["-s", "33M", folder.appending(path: "huge.txt").path]).code == 0)
            let run = try lint("--baseline", name, in: folder)
            #expect(run.code == 2 && run.output.isEmpty && run.errors.contains(reason), "\(run.errors)")
        }
    }

    @Test("A file that is no baseline is not written over; a damaged baseline is")
    func overwriting() throws {
        try withBaseline { _, folder throws in
            let letter = folder.appending(path: "letter.txt")
            try Data("Dear reader".utf8).write(to: letter)
            let run = try sandboxlint("baseline", "write", "sample", "--baseline", "letter.txt", in: folder)
            #expect(run.code == 2 && run.errors.contains("is no baseline; it is left as it is"))
            #expect(try String(contentsOf: letter, encoding: .utf8) == "Dear reader")
            let damaged = folder.appending(path: "b.txt")
            try Data("sandboxlint-baseline/1\n<<<<<<< ours\n".utf8).write(to: damaged)
            #expect(try lint("--baseline", "b.txt", in: folder).code == 2)
            #expect(try sandboxlint("baseline", "write", "sample", "--baseline", "b.txt", in: folder).code == 0)
            #expect(try sandboxlint("baseline", "write", "sample", in: folder).code == 2)
        }
    }

    @Test("git merges what two branches add and take out")
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
            for number in 0..<60 {
                try Data("{}".utf8).write(to: URL(fileURLWithPath: path + "/tmp/\(number).part"))
                #expect(try Command("touch", ["-d", "2025-01-01", path + "/tmp/\(number).part"]).code == 0)
            }
            try git("init", "-q", "-b", "main")
            try git("add", "b.txt")
            try keep("base")
            try git("switch", "-qc", "one")
            try FileManager.default.removeItem(atPath: path + "/tmp/old.part")
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
            let other = folder.appending(path: "other").path
            #expect(try Command("cp", ["-a", path, other]).code == 0)
            let metadata = other + "/.com.apple.mobile_container_manager.metadata.plist"
            #expect(try Command("sed", ["-i", "s/com.example.app/com.example.two/", metadata]).code == 0)
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
