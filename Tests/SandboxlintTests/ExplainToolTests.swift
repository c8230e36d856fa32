import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing

@Suite("sandboxlint explain") struct ExplainToolTests {
    @Test("A path's passport tells its location, its backup, who made it and where it came from")
    func passport() throws {
        try withSample { path throws in
            let text = try sandboxlint("explain", path, "Documents/images/a.jpg", "--verbose").text
            for line in [
                "  location               Documents: what a person made or manages", "  do-not-back-up         no",
                "  backed up              yes, by its location", "  purged by the system   no",
                "  visible in Files       if shared", "  there after a restore  yes",
                "  made by                downloaded, from https://example.com/a.jpg",
                "  written by             Tests/SandboxlintTests/ToolTests.swift:",
            ] { #expect(text.contains(line), "\(line)\n\(text)") }
            let flagged = try sandboxlint("explain", path, "Library/Caches/com.example.app/flagged", "-v").text
            #expect(
                flagged.contains(
                    "yes, by com.apple.metadata:com_apple_backup_excludeItem on Library/Caches/com.example.app/flagged"),
                "\(flagged)")
            #expect(flagged.contains("there after a restore  no, it is in no backup"))
        }
    }

    @Test(
        "Every rule gives its verdict, with the test that failed first",
        arguments: [
            ("Documents/images/a.jpg", "regenerable-in-documents", "found", "error: “a.jpg” can be downloaded"),
            ("Documents/images/a.jpg", "stale-tmp", "outside", "applies in: [temporary]"),
            ("tmp/old.part", "stale-tmp", "found", "warning: “old.part” has lain"),
            ("tmp/old.part", "user-data-in-tmp", "passed", "extension: [sqlite"),
            ("tmp/old.part", "redundant-exclusion", "passed", "marked: any"),
            ("Library/Caches/com.example.app/flagged", "redundant-exclusion", "found", "note: "),
            ("Library/out", "special-or-escaping-link", "found", "warning: "),
            ("Library", "exclusion-on-system-directory", "passed", "marked: any"),
            ("", "special-or-escaping-link", "outside", "applies kind: [link, special]"),
        ])
    func verdicts(path: String, rule: String, outcome: String, reason: String) throws {
        try withSample { sample throws in
            let run = try sandboxlint("explain", sample, path, "--format", "json", "--now", "2026-01-01")
            let object = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            let verdicts = try #require(object["rules"] as? [[String: String]])
            let count = try JSONSerialization.jsonObject(with: sandboxlint("rules", "list", "--format", "json").output)
            #expect(verdicts.count == (count as? [Any])?.count)
            let verdict = try #require(verdicts.first { $0["rule"] == rule })
            #expect(verdict["outcome"] == outcome, "\(verdict)")
            #expect(verdict["reason"]?.hasPrefix(reason) == true, "\(verdict)")
        }
    }

    @Test("What the configuration turns off or ignores is said")
    func configured() throws {
        try withSample { path throws in
            let arguments = ["explain", path, "tmp/old.part", "--now", "2026-01-01", "--isolated", "--verbose"]
            let off = try Command(Command.sandboxlint, arguments + ["--set", "rules.stale-tmp=off"]).text
            #expect(off.contains("stale-tmp  the configuration turns the rule off"))
            let ignored = try Command(Command.sandboxlint, arguments + ["--set", "ignore=tmp/**"]).text
            #expect(ignored.contains("stale-tmp  the configuration ignores this path"))
            let later = try Command(Command.sandboxlint, arguments + ["--set", "rules.stale-tmp.days=999"]).text
            #expect(later.contains("stale-tmp  older-than: 999d"), "\(later)")
        }
    }

    @Test("What is not there ends with 3, and what is no container too")
    func missing() throws {
        try withSample { path throws in
            let run = try sandboxlint("explain", path, "Documents/none\u{1b}[31m")
            #expect(run.code == 3 && run.errors.contains("holds nothing of the path Documents/none%1B[31m"))
            #expect(try sandboxlint("explain", path + "/nowhere", "tmp").code == 3)
            #expect(try sandboxlint("explain", "a", "b", "c").code == 2)
        }
    }

    @Test(
        "A word of the configuration is explained, and a way to a rule's setting leads to the rule",
        arguments: [
            ("user-data", "What a person made"), ("config.user-data", "What a person made"),
            ("overrides", "for some paths only"),
            ("rules.stale-tmp.days", "a file has lain in tmp"), ("25", "a file has lain in tmp"),
        ])
    func keys(word: String, text: String) throws {
        let run = try sandboxlint("explain", word)
        #expect(run.code == 0 && run.text.contains(text), "\(run.text)\(run.errors)")
    }

    @Test("--timings tells on standard error what each rule took, and changes no byte of the report")
    func timings() throws {
        try withSample { path throws in
            let plain = try sandboxlint("lint", path, "--now", "2026-01-01")
            let timed = try sandboxlint("lint", path, "--now", "2026-01-01", "--timings")
            #expect(plain.output == timed.output && plain.errors.isEmpty && timed.code == plain.code)
            let lines = timed.errors.split(separator: "\n")
            #expect(lines.first?.contains("calls") == true)
            #expect(lines.contains { $0.hasSuffix("  rule regenerable-in-documents") })
            #expect(lines.dropFirst().allSatisfy { $0.contains("  rule ") || $0.contains("  fact ") })
        }
    }

    @Test("The line of source that wrote a file is in the report, if the file says one that can be true")
    func source() throws {
        try withSample { path throws in
            let file = path + "/Documents/images/a.jpg"
            func sources() throws -> [[String: Any]] {
                let run = try sandboxlint("lint", path, "--select", "1", "--format", "json")
                let object = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
                return try #require(object?["findings"] as? [[String: Any]]).compactMap {
                    $0["source"] as? [String: Any]
                }
            }
            let first = try #require(try sources().first)
            #expect(first["file"] as? String == "SandboxlintTests/ToolTests.swift")
            #expect((first["line"] as? Int).map { $0 > 10 } == true)
            let text = try sandboxlint("lint", path, "--select", "1").text
            #expect(text.contains("= written by  Tests/SandboxlintTests/ToolTests.swift:"))
            for odd in ["x", "x:0", ":7", "x:-1", String(repeating: "x", count: 300) + ":1"] {
                #expect(try Command("setfattr", ["-n", "user.appcontainer.source", "-v", odd, file]).code == 0)
                #expect(try sources().isEmpty, "\(odd)")
            }
            #expect(
                try Command("setfattr", ["-n", "user.appcontainer.source", "-v", "a\u{1b}[31m/b.swift:3", file]).code
                    == 0)
            #expect(try sources().first?["file"] as? String == "a%1B[31m/b.swift")
        }
    }
}
