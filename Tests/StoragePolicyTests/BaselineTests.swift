import AppContainer
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

@Suite("Baseline") struct BaselineTests {
    private func container(_ folder: URL, _ name: String = "c", _ bundle: String = "com.example.app") throws
        -> Container
    {
        try Container.create(at: FilePath(folder.appending(path: name).path), bundleIdentifier: bundle)
    }

    private func lint(
        _ container: Container, _ rules: String..., configuration: String = "ignore: []"
    ) throws -> LintReport {
        var catalogue = try Catalogue.embedded()
        try catalogue.restrict(select: rules, ignore: [])
        let configuration = try Configuration(file: "c.yml", text: configuration)
        return try Linter(catalogue: catalogue, configuration: configuration, now: ExampleRun.now, threads: 2)
            .lint(container)
    }

    private func saveCovers(_ numbers: Range<Int>, in container: Container) throws {
        for number in numbers {
            try container.save(
                Data([1]), to: Self.directory / "images/\(number).jpg",
                options: .init(durability: .none, provenance: Provenance(.downloaded)))
        }
    }

    private func remove(_ number: Int, from container: Container) throws {
        try FileManager.default.removeItem(atPath: try container.path(Self.directory / "images/\(number).jpg").string)
    }

    private static let rule = "regenerable-in-app-support"
    private static let directory = ContainerPath.applicationSupport
    private static let images = "\(rule) com.example.app Library/Application%20Support/com.example.app/images/"

    @Test("The text is a header and a sorted line for each rule and directory, the same for the same findings")
    func text() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            try saveCovers(0..<3, in: container)
            try container.save(
                "x", to: Self.directory / "b/My file.jpg", options: .init(provenance: Provenance(.downloaded)))
            let baseline = Baseline(try lint(container, Self.rule))
            let lines = [
                "sandboxlint-baseline/3",
                "\(Self.rule) com.example.app Library/Application%20Support/com.example.app/b/ max:items=2,bytes=2",
                "\(Self.images) max:items=6,bytes=6",
            ]
            #expect(baseline.text == lines.map { $0 + "\n" }.joined())
            #expect(try Baseline(file: "b", text: baseline.text).text == baseline.text)
            let shuffled = [lines[0], lines[2], lines[1], lines[2], ""].joined(separator: "\r\n")
            #expect(try Baseline(file: "b", text: shuffled).text == baseline.text)
        }
    }

    @Test("One file more, one less or another one in a directory causes no new finding and no stale entry")
    func churn() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            try saveCovers(0..<8, in: container)
            let baseline = Baseline(try lint(container, "backup"))
            try saveCovers(8..<9, in: container)
            // Nine; eight, one of which is another; seven; one.
            for removed in [[], [0], [1], [2, 3, 4, 5, 6, 7]] {
                for number in removed { try remove(number, from: container) }
                var report = try lint(container, "backup", "exceptions")
                let found = report.findings.count
                report.apply(baseline, toInputs: [0], isStrict: true)
                #expect(report.findings.isEmpty && report.baselined == found && found > 0, "\(removed)")
            }
        }
    }

    @Test("More than twice as many items or bytes is new: all findings of the directory, each with the limit")
    func growth() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            try saveCovers(0..<3, in: container)
            let baseline = Baseline(try lint(container, Self.rule))
            try saveCovers(3..<6, in: container)
            #expect(try lint(container, Self.rule).comparison(with: baseline).new.isEmpty)
            try saveCovers(6..<7, in: container)
            var report = try lint(container, Self.rule)
            report.apply(baseline, toInputs: [0])
            #expect(report.findings.count == 7 && report.baselined == 0)
            let limit = "accepts at most 6 items and 6 bytes here; found 7 items and 7 bytes"
            #expect(report.findings.allSatisfy { $0.evidence.last == Evidence(kind: "baseline", value: limit) })
            for number in 1..<7 { try remove(number, from: container) }
            try container.save(
                Data(count: 7), to: Self.directory / "images/0.jpg", options: .init(provenance: Provenance(.downloaded))
            )
            #expect(try lint(container, Self.rule).comparison(with: baseline).new.count == 1)
        }
    }

    @Test(
        "An edited limit counts, with units; without one of the two limits, only the other counts",
        arguments: [
            ("max:items=7,bytes=7", true), ("max:items=7,bytes=6", false), ("max:items=6,bytes=1KiB", false),
            ("max:bytes=1MB", true), ("max:items=7", true), ("max:items=6", false), ("max:none", true),
        ])
    func edited(limit: String, isKnown: Bool) throws {
        try withScratch { folder throws in
            let container = try container(folder)
            try saveCovers(0..<7, in: container)
            let baseline = try Baseline(file: "b", text: "\(Baseline.header)\n\(Self.images) \(limit)\n")
            let comparison = try lint(container, Self.rule).comparison(with: baseline)
            #expect(comparison.new.isEmpty == isKnown && comparison.known.isEmpty != isKnown)
            #expect(comparison.gone.isEmpty)
        }
    }

    @Test(
        "Findings elsewhere and of other rules are new; an entry without findings is stale: a note, or strictly an error"
    )
    func applied() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            try saveCovers(0..<2, in: container)
            let baseline = Baseline(try lint(container, "backup"))
            for number in 0..<2 { try remove(number, from: container) }
            try container.save(
                "x", to: Self.directory / "new/a.jpg", options: .init(provenance: Provenance(.downloaded)))
            for isStrict in [false, true] {
                var report = try lint(container, "backup", "exceptions")
                report.apply(baseline, toInputs: [0], isStrict: isStrict)
                let severity = isStrict ? "error" : "note"
                #expect(
                    Set(report.findings.map { "\($0.severity) \($0.rule.id) \($0.displayPath)" }) == [
                        "warning \(Self.rule) Library/Application Support/com.example.app/new/a.jpg",
                        "\(severity) stale-baseline-entry Library/Application Support/com.example.app/images",
                    ])
                #expect(report.findings.contains { $0.message.contains("“\(Self.rule)”") })
                var off = try lint(container, "backup")
                off.apply(baseline, toInputs: [0], isStrict: isStrict)
                #expect(off.findings.count == 1)
            }
        }
    }

    @Test("Entries of other rules, other containers and of a run that was not complete are neither stale nor dropped")
    func scope() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            try saveCovers(0..<1, in: container)
            let others = [
                "\(Self.rule) group.example Documents/c/ max:items=2,bytes=2",
                "stale-tmp com.example.app tmp/ max:items=2,bytes=2",
                "stale-tmp com.example.app tmp/a/ max:items=2",
                "xattr-not-portable - Documents/b/ max:none",
            ]
            let gone = [
                "\(Self.rule) com.example.app Documents/gone/ max:items=2,bytes=2",
                "\(Self.rule) com.example.app Documents/lost/ max:none",
            ]
            let text = ([Baseline.header] + others + gone).joined(separator: "\n")
            let baseline = try Baseline(file: "b", text: text)
            let report = try lint(container, Self.rule)
            #expect(report.comparison(with: baseline).gone.entries.map(\.line) == gone)
            #expect(report.pruned(baseline).entries.map(\.line) == others)
            let own = "\(Self.images) max:items=2,bytes=2"
            #expect(report.updated(baseline).entries.map(\.line) == (others + [own]).sorted())

            var broken = report
            broken.add(Self.incomplete)
            #expect(!broken.isComplete && broken.comparison(with: baseline).gone.isEmpty)
            #expect(broken.updated(baseline).entries.count == 7 && broken.pruned(baseline).entries.count == 6)
        }
    }

    @Test("An update raises the limits that are exceeded and keeps the others, also edited ones")
    func updates() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            try saveCovers(0..<5, in: container)
            let report = try lint(container, Self.rule)
            for (before, after) in [
                ("max:items=100,bytes=1MB", "max:items=100,bytes=1000000"), ("max:items=5,bytes=5", nil),
                ("max:items=4,bytes=5", "max:items=10,bytes=5"), ("max:items=9,bytes=4", "max:items=9,bytes=10"),
                ("max:items=4", "max:items=10"), ("max:none", nil),
            ] {
                let old = try Baseline(file: "b", text: "\(Baseline.header)\n\(Self.images) \(before)\n")
                #expect(report.updated(old).entries.map(\.line) == ["\(Self.images) \(after ?? before)"])
            }
        }
    }

    @Test("A budget has one entry, whatever its location")
    func sums() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            func save(_ name: String) throws {
                try container.save(Data(count: 900), to: .temporary / name)
                try folder.setTimes("2025-01-01", of: container.path(.temporary / name).string)
            }
            try save("a/one")
            let configuration = "budgets: { tmp-budget: 512 }"
            let first = try lint(container, "tmp-budget", configuration: configuration)
            #expect(first.findings.map(\.displayPath) == ["tmp/a/one"])
            let baseline = Baseline(first)
            try save("b/two")
            let second = try lint(container, "tmp-budget", configuration: configuration)
            #expect(second.findings.map(\.displayPath) == ["tmp"])
            #expect(second.comparison(with: baseline).new.isEmpty && second.comparison(with: baseline).gone.isEmpty)
            try save("c/three")
            let third = try lint(container, "tmp-budget", configuration: configuration)
            #expect(third.comparison(with: baseline).new.count == 1)
        }
    }

    @Test("More findings of a rule than a report lists: the rule is judged as a whole, whichever are listed")
    func unlisted() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            // Numbers in letters, since a name of digits changes by itself.
            func named(_ number: String) -> String { String(number.utf8.map { Character(Unicode.Scalar($0 + 0x31)) }) }
            func make(_ numbers: [String]) throws {
                for name in numbers.map(named) {
                    try folder.write(to: "c/tmp/\(name)/f")
                    try folder.setTimes("2025-01-01", of: "c/tmp/\(name)/f")
                }
            }
            try make((10_000...14_009).map(String.init))
            let first = try lint(container, "stale-tmp")
            #expect(first.findings.count == 4_010)
            let baseline = Baseline(first)
            #expect(baseline.entries.count == 4_001 && baseline.entries.first?.path == "**")
            try make((0...9).map { "0\($0)" })
            let more = try lint(container, "stale-tmp").comparison(with: baseline)
            #expect(more.new.isEmpty && more.gone.isEmpty)
            for number in 10_000..<12_000 { try folder.remove("c/tmp/\(named("\(number)"))") }
            let fewer = try lint(container, "stale-tmp").comparison(with: baseline)
            #expect(fewer.new.isEmpty && fewer.gone.count == 2_000)
            // Twenty have no entry of their own, and are new without the entry for the unlisted ones.
            let without = Baseline(baseline.entries.filter { $0.path != "**" })
            #expect(try lint(container, "stale-tmp").comparison(with: without).new.count == 20)
        }
    }

    private static var incomplete: LintReport {
        var counts = LintVisitor.Totals.Counts()
        counts.incidents = [Incident(path: Array("Library".utf8), reason: .permissionDenied)]
        return LintReport(
            input: LintReport.Input(path: "x", bundleIdentifier: "x", carriesAttributes: true),
            found: Linter.TreeFindings(counts: counts, findings: [], suppressed: []),
            asked: LintReport.Asked(rules: [], container: "x", exceptions: ExceptionRules([])), usedSuppressions: [])
    }

    @Test("An entry for a directory also accepts its items when there are few enough to list them")
    func shrinking() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            try saveCovers(0..<120, in: container)
            let baseline = Baseline(try lint(container, Self.rule))
            #expect(baseline.entries.map(\.line) == ["\(Self.images) max:items=240,bytes=240"])
            for number in 3..<120 { try remove(number, from: container) }
            var report = try lint(container, Self.rule)
            #expect(report.findings.count == 3)
            let comparison = report.comparison(with: baseline)
            #expect(comparison.new.isEmpty && comparison.gone.isEmpty)
            report.apply(baseline, toInputs: [0])
            #expect(report.findings.isEmpty && report.baselined == 3)
            // The other way round they are more than were known.
            let few = Baseline(try lint(container, Self.rule))
            try saveCovers(3..<120, in: container)
            #expect(try lint(container, Self.rule).comparison(with: few).new.count == 1)
        }
    }

    @Test("All findings of a report have different fingerprints: items and contents, settings of a rule, containers")
    func distinct() throws {
        try withScratch { folder throws in
            let first = try container(folder)
            try saveCovers(0..<240, in: first)
            let configuration = """
                overrides:
                  - paths: ["Library/Application Support/com.example.app/images/1*.jpg"]
                    rules: { regenerable-in-app-support: note }
                """
            let rule = Self.rule
            // Two settings, each with more than a hundred items in one directory.
            for number in 1_000..<1_020 { try saveCovers(number..<number + 1, in: first) }
            var report = try lint(first, rule, configuration: configuration)
            #expect(
                report.findings.map(\.displayPath)
                    == Array(repeating: "Library/Application Support/com.example.app/images", count: 2))
            let second = try container(folder, "d", "group.com.example")
            try saveCovers(0..<240, in: second)
            report.add(try lint(second, rule))
            #expect(report.findings.count == 3 && Set(report.findings.map(\.fingerprint)).count == 3)
            let item = Finding(
                FindingCandidate(
                    rule: report.findings[0].rule, severity: .error, path: report.findings[0].path, bytes: 0,
                    exclusion: .included, location: .documents, isBackedUp: true),
                container: "com.example.app")
            #expect(!report.findings.map(\.fingerprint).contains(item.fingerprint))
        }
    }

    @Test("The same container elsewhere on disk, under another name, has the same fingerprints")
    func moved() throws {
        try withScratch { folder throws in
            let container = try container(folder, "8F5A3D1E-0000-4000-8000-000000000001")
            try saveCovers(0..<2, in: container)
            let before = try lint(container, "backup").findings.map(\.fingerprint)
            let other = folder.appending(path: "8F5A3D1E-0000-4000-8000-000000000002")
            try FileManager.default.moveItem(atPath: container.location.string, toPath: other.path)
            #expect(try lint(Container.open(FilePath(other.path)), "backup").findings.map(\.fingerprint) == before)
            #expect(before.count == 2)
        }
    }

    @Test("A rule's former name still finds its entries and is among the known fingerprints of its findings")
    func alias() throws {
        let text = try Catalogue.embedded().rule("stale-tmp").text
        let renamed = try Rule(
            file: "r.yml", text: text.replacing("id: stale-tmp\n", with: "id: old-in-tmp\naliases: [stale-tmp]\n"))
        func finding(_ rule: Rule) -> Finding {
            Finding(
                FindingCandidate(
                    rule: rule, severity: .warning, path: Array("tmp/a".utf8), bytes: 0, exclusion: .included,
                    location: .temporary, isBackedUp: false))
        }
        let former = finding(try Catalogue.embedded().rule("stale-tmp"))
        #expect(finding(renamed).fingerprint != former.fingerprint)
        #expect(finding(renamed).knownFingerprints.contains(former.fingerprint))
        let baseline = try Baseline(file: "b", text: "\(Baseline.header)\nstale-tmp - tmp/ max:items=2\n")
        #expect(baseline.entry(of: renamed, "", path: "tmp/")?.rule == "stale-tmp")
    }
}
