import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint explain") struct ExplainToolTests {
    @Test("The explanation of a path states its location, backup, creator and origin")
    func passport() throws {
        try withSample { path throws in
            let text = try sandboxlint(
                "explain", path, "Documents/images/a.jpg", "--verbose", in: Workflow.root
            ).text
            for line in [
                "  location              Documents: ", "  excluded from backup  no",
                "  backed up             yes, by its location", "  purged by the system  no",
                "  visible in Files      if shared", "  restored from backup  yes",
                "  created by            downloaded, from https://example.com/a.jpg",
                "  written by            Tests/SandboxlintTests/ToolTests.swift:",
            ] { #expect(text.contains(line), "\(line)\n\(text)") }
            let flagged = try sandboxlint("explain", path, "Library/Caches/com.example.app/flagged", "-v").text
            #expect(
                flagged.contains(
                    "yes, by com.apple.metadata:com_apple_backup_excludeItem on Library/Caches/com.example.app/flagged"),
                "\(flagged)")
            #expect(flagged.contains("restored from backup  no, it is not in any backup"))
        }
    }

    @Test(
        "Every rule is listed, with the first condition that does not match",
        arguments: [
            ("Documents/images/a.jpg", "regenerable-in-documents", "found", "error: “a.jpg” is re-downloadable"),
            ("Documents/images/a.jpg", "stale-tmp", "outside", "applies in: [temporary]"),
            ("tmp/old.part", "stale-tmp", "found", "warning: “old.part” has been"),
            ("tmp/old.part", "user-data-in-tmp", "passed", "none of extension: [sqlite"),
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

    @Test("Rules that the configuration disables and paths that it ignores are reported")
    func configured() throws {
        try withSample { path throws in
            let arguments = ["explain", path, "tmp/old.part", "--now", "2026-01-01", "--isolated", "--verbose"]
            let off = try sandboxlint(arguments + ["--set", "rules.stale-tmp=off"]).text
            #expect(off.contains("stale-tmp  the configuration disables the rule"))
            let ignored = try sandboxlint(arguments + ["--set", "ignore=tmp/**"]).text
            #expect(ignored.contains("stale-tmp  the configuration ignores this path"))
            let later = try sandboxlint(arguments + ["--set", "rules.stale-tmp.days=999"]).text
            #expect(later.contains("stale-tmp  older-than: 999d"), "\(later)")
        }
    }

    @Test("A rule that is disabled by default is reported as such, not as disabled by the configuration")
    func optional() throws {
        try withSample { path throws in
            let arguments = ["explain", path, "tmp/old.part", "--isolated", "--format", "json"]
            func reasons(_ more: String...) throws -> [String: String] {
                let run = try sandboxlint(arguments + more)
                let object = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
                let verdicts = try #require(object["rules"] as? [[String: String]])
                return Dictionary(verdicts.map { ($0["rule"] ?? "", $0["reason"] ?? "") }) { first, _ in first }
            }
            let list = try JSONSerialization.jsonObject(with: sandboxlint("rules", "list", "--format", "json").output)
            let rules = try #require(list as? [[String: Any]])
            let optional = rules.filter { $0["optional"] as? Bool == true }.compactMap { $0["id"] as? String }
            let first = try #require(optional.first)
            let byDefault = try reasons()
            for rule in optional {
                #expect(byDefault[rule]?.hasPrefix("the rule is disabled by default; enable it") == true)
            }
            let off = "the configuration disables the rule"
            #expect(!byDefault.values.contains(off))
            #expect(try reasons("--set", "rules.\(first)=off")[first] == off)
            #expect(try reasons("--set", "rules.stale-tmp=off")["stale-tmp"] == off)
            let override = "overrides=[{ paths: [\"tmp/**\"], rules: { \(first): off, stale-tmp: off } }]"
            #expect(try reasons("--set", override)[first] == off)
            let elsewhere = try reasons("--set", override.replacing("tmp/**", with: "Library/**"))
            #expect(elsewhere[first]?.hasPrefix("the rule is disabled by default") == true)
        }
    }

    @Test("A group is explained with its rules, and a prefix lists the rules whose ids have it")
    func groups() throws {
        for group in ["backup", "exceptions"] {
            let run = try sandboxlint("explain", group)
            #expect(run.code == 0 && run.text.hasPrefix("\(group)  (group, "), "\(run.text)\(run.errors)")
            #expect(run.text.contains("`--select \(group)` runs only these."))
            let json = try sandboxlint("explain", group, "--format", "json").output
            let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
            let rules = try #require(object["rules"] as? [[String: Any]])
            #expect(object["group"] as? String == group && (object["summary"] as? String)?.isEmpty == false)
            #expect(rules.allSatisfy { $0["group"] as? String == group } && rules.count > 2)
            for rule in rules { #expect(try run.text.contains("  \(#require(rule["id"] as? String))  ")) }
        }
        let several = try sandboxlint("explain", "regenerable")
        #expect(
            several.code == 0 && several.text.contains(#/ regenerable-in-documents +backup +error +safe /#),
            "\(several.text)")
        #expect(
            several.text.contains(" rules with the prefix “regenerable”; `sandboxlint explain ID` explains a rule."))
        let json = try sandboxlint("explain", "regenerable", "--format", "json").output
        let rules = try #require(try JSONSerialization.jsonObject(with: json) as? [[String: Any]])
        #expect(rules.count > 1)
        #expect(rules.allSatisfy { ($0["id"] as? String)?.hasPrefix("regenerable") == true })
        let one = try sandboxlint("explain", "regenerable-in-d")
        #expect(try one.code == 0 && one.output == sandboxlint("explain", "regenerable-in-documents").output)
        let none = try sandboxlint("explain", "nonsense")
        #expect(none.code == 2 && none.errors.contains("there is no rule or group “nonsense”. "), "\(none.errors)")
        #expect(try sandboxlint("explain", "").code == 2)
    }

    @Test("A container and a path in it may be one argument")
    func onePath() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            for item in ["Documents/images/a.jpg", "Library/out", "tmp", ""] {
                let two = try sandboxlint("explain", "sample", item, "--now", "2026-01-01", in: folder)
                for whole in ["sample/\(item)", "./sample//\(item)/"] {
                    let one = try sandboxlint("explain", whole, "--now", "2026-01-01", in: folder)
                    #expect(one.code == 0 && one.text == two.text, "\(whole): \(one.errors)")
                }
            }
            let absolute = try sandboxlint("explain", path + "/tmp/old.part", "--now", "2026-01-01")
            #expect(absolute.code == 0 && absolute.text.hasPrefix("tmp/old.part\n"), "\(absolute.errors)")
            let itself = try sandboxlint("explain", "sample", in: folder)
            #expect(itself.code == 0 && itself.text.hasPrefix("the container itself\n"), "\(itself.errors)")
            let gone = try sandboxlint("explain", "sample/tmp/none", in: folder)
            #expect(gone.code == 3 && gone.errors.contains("sample does not contain tmp/none"))
            // Also in a container without an identifier, and not in a directory of it that looks like another container.
            let inner = "sample/Documents/copy/Documents/a"
            try folder.makeDirectories(inner, "sample/Documents/copy/tmp", "bare/Documents", "bare/tmp")
            #expect(try sandboxlint("explain", inner, in: folder).text.hasPrefix("Documents/copy/Documents/a\n"))
            #expect(try sandboxlint("explain", "bare/tmp", in: folder).text.hasPrefix("tmp\n"))
            let nowhere = try sandboxlint("explain", "/usr/bin/env")
            #expect(
                nowhere.code == 3 && nowhere.errors.contains("“/usr/bin/env” is not in a container"),
                "\(nowhere.errors)")
        }
    }

    @Test("A missing path and a path outside containers exit with 3")
    func missing() throws {
        try withSample { path throws in
            let run = try sandboxlint("explain", path, "Documents/none\u{1b}[31m")
            #expect(run.code == 3 && run.errors.contains("does not contain Documents/none%1B[31m"))
            #expect(try sandboxlint("explain", path + "/nowhere", "tmp").code == 3)
            #expect(try sandboxlint("explain", "a", "b", "c").code == 2)
        }
    }

    @Test(
        "A configuration key is explained, and the path of a rule's setting leads to the rule",
        arguments: [
            ("user-data", "User data: "), ("config.user-data", "User data: "),
            ("overrides", "for some paths"),
            ("rules.stale-tmp.days", "a file in tmp is older"), ("25", "a file in tmp is older"),
        ])
    func keys(word: String, text: String) throws {
        let run = try sandboxlint("explain", word)
        #expect(run.code == 0 && run.text.contains(text), "\(run.text)\(run.errors)")
    }

    @Test("--timings prints the time of each rule to standard error, and does not change the report")
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

    @Test("The source line that wrote a file is in the report, if the recorded line is plausible")
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
            let text = try sandboxlint("lint", path, "--select", "1", in: Workflow.root).text
            #expect(text.contains("= written by  Tests/SandboxlintTests/ToolTests.swift:"))
            for odd in ["x", "x:0", ":7", "x:-1", String(repeating: "x", count: 300) + ":1"] {
                try AttributeTool.set("user.appcontainer.source", to: odd, of: file)
                #expect(try sources().isEmpty, "\(odd)")
            }
            try AttributeTool.set("user.appcontainer.source", to: "a\u{1b}[31m/b.swift:3", of: file)
            #expect(try sources().first?["file"] as? String == "a%1B[31m/b.swift")
        }
    }
}
