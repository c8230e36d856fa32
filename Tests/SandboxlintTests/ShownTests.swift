import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("Output options") struct ShownTests {
    @Test("--quiet prints findings and unread items, and nothing without any")
    func quiet() throws {
        try withSample { path throws in
            for format in ["text", "compact"] {
                let whole = try sandboxlint("lint", path, "--format", format)
                let quiet = try sandboxlint("lint", path, "--format", format, "-q", "--output", "\(format)=\(path)-out")
                #expect(quiet.code == 1 && quiet.errors.isEmpty)
                let parts = whole.text.components(separatedBy: quiet.text)
                #expect(parts.count == 2 && parts[0].hasPrefix("Backups ") == (format == "text"), "\(whole.text)")
                let rest = parts.last ?? ""
                #expect(
                    rest.hasPrefix("1 error, ") && rest.count { $0 == "\n" } == (format == "text" ? 2 : 1), "\(rest)")
                #expect(try String(contentsOfFile: path + "-out", encoding: .utf8) == whole.text)
                let clean = try sandboxlint("lint", path, "--format", format, "-q", "--select", "orphan-wal")
                #expect(clean.code == 0 && clean.output.isEmpty && clean.errors.isEmpty)
            }
            let missing = try sandboxlint("lint", path, "missing", "--quiet", "--select", "orphan-wal")
            #expect(missing.code == 3 && missing.text.contains("missing") && missing.errors.contains("missing"))
        }
    }

    @Test("--verbose prints the configuration of the run to standard error")
    func verbose() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let configuration = """
                baseline: known.txt
                suppressions: [{ path: "tmp/**", rule: stale-tmp, reason: "sent\u{202e} later" }]
                rules: { orphan-wal: off }

                """
            try Data(configuration.utf8).write(to: folder.appending(path: ".sandboxlint.yml"))
            #expect(try sandboxlint("baseline", "write", "sample", "--select", "1", in: folder).code == 0)
            let plain = try sandboxlint("lint", "sample", in: folder)
            let run = try sandboxlint("lint", "sample", "-v", in: folder)
            #expect(plain.code == 0 && run.code == 0 && plain.errors.isEmpty)
            let lines = run.errors.split(separator: "\n").map(String.init)
            #expect(lines.allSatisfy { $0.hasPrefix("sandboxlint: ") })
            #expect(lines.first == "sandboxlint: sample: configuration: .sandboxlint.yml")
            #expect(lines.contains { $0.contains(" rules enabled; disabled: ") && $0.contains("orphan-wal") })
            #expect(
                lines.contains(
                    "sandboxlint: suppressed: stale-tmp tmp/old.part: sent\u{fffd} later (.sandboxlint.yml:2)"))
            #expect(lines.contains("sandboxlint: accepted by the baseline known.txt: 1 finding"))
            #expect(lines.last.map { $0.hasPrefix("sandboxlint: linted in 0.") } ?? false, "\(run.errors)")
            #expect(!run.errors.contains(folder.path))
        }
    }

    @Test(
        "--statistics prints the number of findings of each rule, most first, and report files still contain the findings",
        .needs(.externalProgram)
    )
    func statistics() throws {
        try ExpectedFinding.withRepository { folder throws in
            func lint(_ more: String...) throws -> Command {
                try sandboxlint(
                    ["lint", "build/app", "--select", ExpectedFinding.rules, "--statistics"] + more,
                    in: folder)
            }
            let run = try lint("--output", "csv=out.csv")
            #expect(run.code == 1 && run.errors.isEmpty)
            let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            #expect(lines[0] == "findings  items     size  severity  rule")
            #expect(
                lines[1...4] == [
                    "       7      7  0 bytes  warning   stale-tmp",
                    "       5      5  5 bytes  error     regenerable-in-documents",
                    "       1      1   1 byte  error     exclusion-lost",
                    "       1      1   1 byte  note      redundant-exclusion",
                ], "\(run.text)")
            #expect(lines[6].hasPrefix("6 errors, 7 warnings, 1 note in "))
            #expect(try lint("--quiet").text.split(separator: "\n").count == 5)
            let file = try Data(contentsOf: folder.appending(path: "out.csv"))
            #expect(try ReadReport("csv", file).rows == ExpectedFinding.all.map(\.row))
            let json = try lint("--format", "json").output
            let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
            #expect(object["schema"] as? String == "sandboxlint-statistics/1" && object["complete"] as? Bool == true)
            let rules = try #require(object["rules"] as? [[String: Any]])
            #expect(rules.map { $0["findings"] as? Int } == [7, 5, 1, 1])
        }
    }

    @Test("--max-warnings fails a run with more, and its warnings fail their tests in JUnit too")
    func warnings() throws {
        try ExpectedFinding.withRepository { folder throws in
            func lint(_ number: String, _ more: String...) throws -> Command {
                try sandboxlint(
                    ["lint", "build/app", "--select", "stale-tmp", "--max-warnings", number, "--format", "junit"]
                        + more,
                    in: folder)
            }
            let (within, over) = (try lint("7"), try lint("6"))
            #expect(within.code == 0 && within.text.contains("failures=\"0\""))
            #expect(over.code == 1 && over.text.contains("failures=\"7\""))
            #expect(try lint("0", "--fail-on", "never").code == 1)
            let others = ["lint", "build/app", "--select", "1,9", "--max-warnings", "0", "--fail-on", "never"]
            #expect(try sandboxlint(others, in: folder).code == 0)
        }
    }

    @Test("A name on the command line cannot control a terminal, wherever it is printed")
    func names() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let name = "a\u{1b}[31m\u{7}b"
            try folder.copyAll("sample", to: name)
            let words = [
                ["lint", name, name, "-v", "--statistics"], ["lint", name + "/none", name + "/tmp"],
                ["fix", name, "--diff"],
                ["undo", name], ["diff", name, "sample"], ["explain", name, "tmp/old.part"], ["explain", name, name],
                ["baseline", "write", name, "--baseline", "b" + name], ["baseline", "report", "--baseline", name],
                ["lint", "sample", "--output", "json=\(name)/none/x"], ["lint", "sample", "--config", name + ".yml"],
            ]
            for arguments in words + ReportTests.formats.map({ ["lint", name, name, "--format", $0] }) {
                let run = try sandboxlint(arguments, in: folder)
                #expect(!run.text.contains("\u{1b}") && !run.errors.contains("\u{1b}"), "\(arguments): \(run.errors)")
                #expect(!run.text.contains("\u{7}") && !run.errors.contains("\u{7}"), "\(arguments)")
                #expect(!run.text.isEmpty || !run.errors.isEmpty)
            }
        }
    }

    @Test("Unread items come with advice, once per reason", .needs(.externalProgram))
    func gaps() throws {
        try ExpectedFinding.withRepository { folder throws in
            try folder.allowReading()
            try folder.setMode("000", of: "build/app/Library/Caches", "build/app/Library/Preferences")
            let run = try unprivileged(["lint", "build/app"], in: folder)
            #expect(run.code == 3)
            let help = "   = help  permission-denied: run as a user with read permission\n"
            #expect(run.text.components(separatedBy: help).count == 2, "\(run.text)")
        }
    }
}
