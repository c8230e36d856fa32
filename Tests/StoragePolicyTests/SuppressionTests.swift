import AppContainer
import FileSystem
import Foundation
import PolicyAuthoring
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("Suppressions") struct SuppressionTests {
    private func withContainer(_ body: (Container) throws -> Void) throws {
        try withScratch { folder throws in
            try body(
                Container.create(
                    at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app"))
        }
    }

    private func lint(
        _ container: Container, _ rules: String..., configuration: String = "ignore: []"
    ) throws -> LintReport {
        var catalogue = try Catalogue.embedded()
        try catalogue.restrict(select: rules, ignore: [])
        let configuration = try Configuration(file: "dir/c.yml", text: configuration)
        return try Linter(catalogue: catalogue, configuration: configuration, now: ExampleRun.now, threads: 2)
            .lint(container)
    }

    private func saveCovers(_ count: Int, _ folder: String = "images", in container: Container) throws {
        for number in 0..<count {
            try container.save(
                Data([1]), to: .documents / "\(folder)/\(number).jpg",
                options: .init(durability: .none, provenance: Provenance(.downloaded)))
        }
    }

    private let rule = "regenerable-in-documents"

    @Test("The configuration suppresses findings by path and rule, and the report contains them with their reason")
    func configured() throws {
        try withContainer { container throws in
            try saveCovers(3, in: container)
            try saveCovers(2, "other", in: container)
            let report = try lint(
                container, rule, "exceptions",
                configuration: """
                    suppressions:
                      - path: ["Documents/images/**"]
                        rule: [regenerable-in-documents]
                        reason: "shipped with the demo \\e[31m"
                        owner: the library team
                    """)
            #expect(report.findings.map(\.displayPath) == ["Documents/other/0.jpg", "Documents/other/1.jpg"])
            #expect(report.suppressed == 3 && report.suppressedFindings.count == 3)
            let suppression = try #require(report.suppressedFindings.first?.suppression)
            #expect(suppression.kind == .configuration && suppression.owner == "the library team")
            #expect(suppression.reason == "shipped with the demo \u{fffd}[31m" && suppression.location == "c.yml:2")
        }
    }

    @Test(
        "More than a hundred items of a directory are suppressed as one, by the configuration, by item, or by directory"
    )
    func many() throws {
        let glob = "suppressions: [{ path: \"Documents/images/*.jpg\", rule: 1, reason: r }]"
        for way in ["glob", "items", "directory"] {
            try withContainer { container throws in
                try saveCovers(130, in: container)
                if way == "directory" { try container.suppress(rule, reason: "r", at: .documents / "images") }
                for number in 0..<(way == "items" ? 130 : 0) {
                    try container.suppress("backup", reason: "r", at: .documents / "images/\(number).jpg")
                }
                let number = try Catalogue.embedded().rule(rule).number
                let configuration = way == "glob" ? glob.replacing("rule: 1", with: "rule: \(number)") : "ignore: []"
                let report = try lint(container, rule, "exceptions", configuration: configuration)
                if way == "items" {
                    // Each by its own suppression.
                    #expect(report.suppressedFindings.count == 130 && report.findings.isEmpty)
                } else {
                    #expect(report.findings.isEmpty, "\(way)")
                    #expect(report.suppressedFindings.map(\.items) == [130], "\(way)")
                    #expect(report.suppressedFindings.first?.suppression?.reason == "r")
                }
            }
        }
    }

    @Test("A directory's suppression holds below it, not beside it, and not for other rules")
    func directory() throws {
        try withContainer { container throws in
            try saveCovers(1, "a/b", in: container)
            try saveCovers(1, "ab", in: container)
            try container.suppress(rule, reason: "r", at: .documents / "a")
            let report = try lint(container, rule, "exceptions")
            #expect(report.findings.map(\.displayPath) == ["Documents/ab/0.jpg"])
            #expect(report.suppressedFindings.first?.suppression?.location == "Documents/a")
            try container.unsuppress(rule, at: .documents / "a")
            try container.suppress("stale-tmp", reason: "r", at: .documents / "a")
            let other = try lint(container, rule)
            #expect(other.findings.count == 2 && other.suppressed == 0)
        }
    }

    @Test("The container itself suppresses rules by name, not groups; a directory may name a group")
    func groups() throws {
        try withContainer { container throws in
            try saveCovers(1, in: container)
            func suppress(_ text: String, _ path: String) throws {
                let item = container.location.appending(path).string
                try AttributeTool.set("user.appcontainer.suppress", to: text, of: item)
            }
            try suppress("backup: ok\n", "")
            let report = try lint(container, rule, "exceptions")
            #expect(report.findings.map(\.rule.id) == [rule, "malformed-suppression"] && report.suppressed == 0)
            #expect(report.findings.last?.evidence.map(\.value).contains { $0.contains("“backup” is a group") } == true)
            try suppress("\(rule): ok\n", "")
            #expect(try lint(container, rule, "exceptions").findings.isEmpty)
            try suppress("exceptions: none\n", "Documents")
            try suppress("backup: ok\n", "Documents")
            #expect(try lint(container, rule).suppressed == 1)
        }
    }

    @Test("A linter that ignores item suppressions reports all findings, and nothing about the suppressions")
    func ignored() throws {
        try withContainer { container throws in
            try saveCovers(2, in: container)
            try container.suppress(rule, reason: "r", at: .documents / "images")
            try container.suppress("stale-tmp", reason: "unused", at: .documents / "images/0.jpg")
            var catalogue = try Catalogue.embedded()
            try catalogue.restrict(select: [rule, "exceptions"], ignore: [])
            let report = try Linter(catalogue: catalogue, now: ExampleRun.now, honorsItemSuppressions: false)
                .lint(container)
            #expect(report.findings.map(\.rule.id) == [rule, rule] && report.suppressed == 0)
        }
    }

    @Test("A total is suppressed as a whole: by its path, or by its directory")
    func budgets() throws {
        try withContainer { container throws in
            try container.save(Data(count: 3 << 20), to: .temporary / "big.bin", options: .init(durability: .none))
            let path = try container.path(.temporary / "big.bin").string
            try URL(filePath: "/").setTimes("2025-12-31T12:00:00Z", of: path)
            let budget = "budgets: { tmp-budget: 1MB }\n"
            #expect(
                try lint(container, "tmp-budget", configuration: budget).findings.map(\.displayPath) == ["tmp/big.bin"])
            let more = budget + "suppressions: [{ path: \"tmp/**\", rule: tmp-budget, reason: r }]"
            let report = try lint(container, "tmp-budget", "exceptions", configuration: more)
            #expect(report.findings.isEmpty && report.suppressedFindings.map(\.bytes) == [3 << 20])
            try container.suppress("tmp-budget", reason: "r", at: .temporary)
            let carried = try lint(container, "tmp-budget", "exceptions", configuration: budget)
            #expect(carried.findings.isEmpty && carried.suppressed == 1)
        }
    }

    @Test("A finding that depends on other items is suppressed only if it would be reported")
    func held() throws {
        try withContainer { container throws in
            let same = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 / 7) })
            try container.save(same, to: .documents / "a.bin", options: .init(durability: .none))
            let configuration =
                "suppressions: [{ path: \"Documents/*\", rule: duplicate-in-backup, reason: r }]"
            func report() throws -> LintReport {
                try lint(container, "duplicate-in-backup", "exceptions", configuration: configuration)
            }
            #expect(try report().findings.map(\.rule.id) == ["unused-suppression"])
            try container.save(same, to: .documents / "b.bin", options: .init(durability: .none))
            #expect(try report().findings.isEmpty)
            #expect(try report().suppressedFindings.map(\.displayPath) == ["Documents/b.bin"])
        }
    }

    @Test("Unused suppressions are reported only if all their rules ran on all items")
    func unused() throws {
        try withContainer { container throws in
            try container.suppress("stale-tmp", reason: "r", at: .temporary)
            let configuration = "suppressions: [{ path: \"a/*.b\", rule: [stale], reason: a reason }]"
            func found(_ rules: String...) throws -> [String] {
                var catalogue = try Catalogue.embedded()
                try catalogue.restrict(select: rules, ignore: [])
                let configuration = try Configuration(file: "c.yml", text: configuration)
                return try Linter(catalogue: catalogue, configuration: configuration, now: ExampleRun.now)
                    .lint(container).findings.filter { $0.rule.group == .exceptions }.map {
                        "\($0.displayPath): \($0.message)"
                    }
            }
            let own =
                "tmp: the suppression of “stale-tmp” (r) in an attribute of tmp matches no finding"
            #expect(
                try found("stale", "exceptions") == [
                    "a: the suppression of “stale” (a reason) in c.yml:1 (a/*.b) matches no finding", own,
                ])
            #expect(try found("stale-tmp", "exceptions") == [own])
            #expect(try found("backup", "exceptions").isEmpty && found("stale").isEmpty)
        }
    }

    @Test(
        "A configured suppression that one of several containers needs is not unused, and an unused one is reported once"
    )
    func several() throws {
        try withScratch { folder throws in
            let containers = try ["a", "b"].map { name in
                try Container.create(
                    at: FilePath(folder.appending(path: name).path), bundleIdentifier: "com.example.\(name)")
            }
            let configuration = "suppressions: [{ path: \"Documents/**\", rule: \(rule), reason: r }]"
            func whole() throws -> [String] {
                var report = LintReport()
                for container in containers {
                    report.add(try lint(container, rule, "exceptions", configuration: configuration))
                }
                return report.findings.map(\.rule.id)
            }
            #expect(try whole() == ["unused-suppression"])
            try saveCovers(1, in: containers[1])
            #expect(try whole().isEmpty)
        }
    }

    @Test(
        "A malformed attribute suppresses nothing, and the reason is reported",
        arguments: [
            ("regenerable-in-documents", "the reason is missing"), ("", "it is empty"),
            ("no-such-rule: r", "there is no rule or group “no-such-rule”"),
            ("backup until soon: r", "the date does not have"),
            ("a b: r", "it does not begin with a rule"), ("BACKUP: r", "its rule is not valid"),
            (String(repeating: "x", count: 3_900), "it does not begin with a rule"),
            ("\u{1b}[31m: r", "its rule is not valid"),
        ])
    func malformed(value: String, problem: String) throws {
        try withContainer { container throws in
            try saveCovers(1, in: container)
            let file = try container.folder.open("Documents/images/0.jpg")
            try file.setAttribute(Suppression.attribute, value: Array(value.utf8))
            let report = try lint(container, rule, "exceptions")
            let problem = problem.replacing(
                "it does not begin with a rule", with: value.count > 99 ? "the reason" : problem)
            #expect(report.findings.map(\.rule.id) == [rule, "malformed-suppression"])
            #expect(report.findings.last?.message.contains(problem) == true, "\(report.findings.last?.message ?? "")")
        }
    }

    @Test("A reason that contains a secret is not shown")
    func secret() throws {
        try withContainer { container throws in
            try saveCovers(1, in: container)
            let token = "ghp_q7Zk2Xv9LpR4tW8sYb3Nq7Zk2Xv9LpR4tW8s"
            try container.suppress(rule, reason: "see \(token)", at: .documents / "images/0.jpg")
            let reason = try lint(container, rule).suppressedFindings.first?.suppression?.reason
            #expect(reason == "not shown, because it looks like a secret")
        }
    }

    @Test(
        "An error in the configuration stops the run and reports its line",
        arguments: [
            ("{ path: a, rule: stale-tpm, reason: r }", "there is no rule or group “stale-tpm”"),
            ("{ path: a, rule: stale-tmp }", "the key “reason” is missing"),
            ("{ path: a, rule: stale-tmp, reason: \" \" }", "a suppression needs a reason"),
            ("{ path: a, rule: stale-tmp, reason: r, until: soon }", "expected a date"),
            ("{ path: ../a, rule: stale-tmp, reason: r }", "relative to the container"),
            ("{ path: a, rule: stale-tmp, reason: r, untill: 2026-01-01 }", "unknown key “untill”"),
        ])
    func mistakes(text: String, message: String) {
        let error = #expect(throws: SourceError.self) {
            let configuration = try Configuration(file: "c.yml", text: "suppressions:\n  - \(text)")
            _ = try Linter(catalogue: .embedded(), configuration: configuration)
        }
        #expect(error?.message.contains(message) == true && error?.line == 2, "\(error?.description ?? "")")
    }

    @Test("`until` is the last day on which it holds")
    func until() throws {
        try withContainer { container throws in
            try saveCovers(1, in: container)
            for (day, isOver) in [("2025-12-31", true), ("2026-01-01", false), ("2026-01-01T00:00:00Z", true)] {
                let report = try lint(
                    container, rule, "exceptions",
                    configuration: "suppressions: [{ path: \"**\", rule: \(rule), reason: r, until: \(day) }]")
                #expect(
                    report.findings.map(\.rule.id) == (isOver ? [rule, "expired-suppression"] : []), "\(day)")
            }
        }
    }

    @Test("The explanation of a path lists its suppressions")
    func explained() throws {
        try withContainer { container throws in
            try saveCovers(1, in: container)
            try container.suppress(rule, reason: "for the demo", at: .documents / "images")
            let explanation = try Linter().explain("Documents/images/0.jpg", in: container)
            let verdict = try #require(explanation?.verdicts.first { $0.rule.id == rule })
            #expect(verdict.outcome == .off && verdict.reason == "suppressed by Documents/images: for the demo")
        }
    }
}
