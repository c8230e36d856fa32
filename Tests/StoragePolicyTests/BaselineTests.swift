import AppContainer
import Foundation
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
                Data([1]), to: .documents("images/\(number).jpg"), durability: .none,
                provenance: Provenance(.downloaded))
        }
    }

    @Test("Its text is a header and sorted lines, the same for the same findings, and reads back as it was")
    func text() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            try saveCovers(0..<3, in: container)
            let baseline = Baseline(try lint(container, "backup"))
            let lines = baseline.text.split(separator: "\n").map(String.init)
            #expect(lines.first == "sandboxlint-baseline/1" && lines.count == 4)
            #expect(Array(lines.dropFirst()) == lines.dropFirst().sorted())
            let paths = Set(lines.dropFirst().map { $0.split(separator: " ", maxSplits: 1).last ?? "" })
            #expect(paths == Set((0..<3).map { "regenerable-in-documents com.example.app Documents/images/\($0).jpg" }))
            #expect(try Baseline(file: "b", text: baseline.text).text == baseline.text)
            let shuffled = ([lines[0]] + lines.dropFirst().reversed() + [lines[1]]).joined(separator: "\r\n")
            #expect(try Baseline(file: "b", text: shuffled).text == baseline.text)
            #expect(!baseline.text.contains(folder.path))
        }
    }

    @Test("Findings that it holds are counted, new ones stay, and a finding that is gone leaves a stale entry")
    func applied() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            try saveCovers(0..<3, in: container)
            let baseline = Baseline(try lint(container, "backup"))
            try FileManager.default.removeItem(atPath: try container.path(.documents("images/1.jpg")).string)
            try saveCovers(5..<6, in: container)
            var report = try lint(container, "backup", "exceptions")
            report.apply(baseline, toInputs: [0])
            #expect(report.baselined == 2)
            #expect(
                report.findings.map { "\($0.rule.id) \($0.displayPath)" } == [
                    "regenerable-in-documents Documents/images/5.jpg", "stale-baseline-entry Documents/images/1.jpg",
                ])
            #expect(report.findings.last?.message.contains("“regenerable-in-documents”") == true)
        }
    }

    @Test("Entries of other rules, other containers and of a run that was not complete are neither stale nor dropped")
    func scope() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            try saveCovers(0..<1, in: container)
            let others = [
                "0000000000000001 stale-tmp com.example.app tmp/a", "0000000000000002 xattr-not-portable - Documents/b",
                "0000000000000003 regenerable-in-documents group.example Documents/c",
            ]
            let gone = "0000000000000004 regenerable-in-documents com.example.app Documents/gone"
            let text = ([Baseline.header] + others + [gone]).joined(separator: "\n")
            let baseline = try Baseline(file: "b", text: text)
            let report = try lint(container, "regenerable-in-documents")
            #expect(report.comparison(with: baseline).gone.map(\.line) == [gone])
            #expect(report.pruned(baseline).entries.map(\.line) == others)
            let updated = report.updated(baseline).entries.map(\.line)
            #expect(updated.filter { !$0.hasSuffix("0.jpg") } == others && updated.count == 4)

            var broken = report
            broken.add(Self.incomplete)
            #expect(!broken.isComplete && broken.comparison(with: baseline).gone.isEmpty)
            #expect(broken.updated(baseline).entries.count == 5 && broken.pruned(baseline).entries.count == 4)
        }
    }

    private static var incomplete: LintReport {
        var counts = LintVisitor.Totals.Counts()
        counts.incidents = [Incident(path: Array("Library".utf8), reason: "permission-denied")]
        return LintReport(
            input: LintReport.Input(path: "x", bundleIdentifier: "x", carriesAttributes: true), counts: counts,
            findings: [], suppressed: [],
            asked: LintReport.Asked(rules: [], container: "x", exceptions: ExceptionRules([])), usedSuppressions: [])
    }

    @Test("What was one entry for a directory also holds its items when they have become few enough to be named")
    func shrinking() throws {
        try withScratch { folder throws in
            let container = try container(folder)
            try saveCovers(0..<120, in: container)
            let rule = "regenerable-in-documents"
            let baseline = Baseline(try lint(container, rule))
            #expect(baseline.entries.map(\.path) == ["Documents/images/"])
            for number in 3..<120 {
                let path = try container.path(.documents("images/\(number).jpg")).string
                try FileManager.default.removeItem(atPath: path)
            }
            var report = try lint(container, rule)
            #expect(report.findings.count == 3)
            let comparison = report.comparison(with: baseline)
            #expect(comparison.new.isEmpty && comparison.gone.isEmpty)
            report.apply(baseline, toInputs: [0])
            #expect(report.findings.isEmpty && report.baselined == 3)
            // The other way round they are more than were known.
            let few = Baseline(try lint(container, rule))
            try saveCovers(3..<120, in: container)
            #expect(try lint(container, rule).comparison(with: few).new.count == 1)
        }
    }

    @Test("No two findings of a report have one fingerprint: items and contents, settings of a rule, containers")
    func distinct() throws {
        try withScratch { folder throws in
            let first = try container(folder)
            try saveCovers(0..<240, in: first)
            let configuration = """
                overrides:
                  - paths: ["Documents/images/1*.jpg"]
                    rules: { regenerable-in-documents: warning }
                """
            let rule = "regenerable-in-documents"
            // Two settings, each with more than a hundred items of one directory.
            for number in 1_000..<1_020 { try saveCovers(number..<number + 1, in: first) }
            var report = try lint(first, rule, configuration: configuration)
            #expect(report.findings.map(\.displayPath) == ["Documents/images", "Documents/images"])
            let second = try container(folder, "d", "group.com.example")
            try saveCovers(0..<240, in: second)
            report.add(try lint(second, rule))
            #expect(report.findings.count == 3 && Set(report.findings.map(\.fingerprint)).count == 3)
            let item = Finding(
                rule: report.findings[0].rule, severity: .error, path: report.findings[0].path, items: 1, bytes: 0,
                largest: nil, summary: nil, template: nil, evidence: [], exclusion: .included, location: .documents,
                isBackedUp: true, questions: [], container: "com.example.app")
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

    @Test("A rule's former name still finds its entries")
    func alias() throws {
        let text = try Catalogue.embedded().rule("stale-tmp").text
        let renamed = try Rule(
            file: "r.yml", text: text.replacing("id: stale-tmp\n", with: "id: old-in-tmp\naliases: [stale-tmp]\n"))
        func finding(_ rule: Rule) -> Finding {
            Finding(
                rule: rule, severity: .warning, path: Array("tmp/a".utf8), items: 1, bytes: 0, largest: nil,
                summary: nil, template: nil, evidence: [], exclusion: .included, location: .temporary,
                isBackedUp: false, questions: [])
        }
        let old = Baseline([Baseline.Entry(finding(try Catalogue.embedded().rule("stale-tmp")))])
        #expect(old.entry(for: finding(renamed))?.rule == "stale-tmp")
        #expect(finding(renamed).fingerprint != old.entries.first?.fingerprint)
    }

    @Test(
        "What is no baseline, or is damaged, is named with its line",
        arguments: [
            ("", 1, "no baseline of sandboxlint"), ("{\"a\": 1}", 1, "no baseline of sandboxlint"),
            ("sandboxlint-baseline/2\n", 1, "later sandboxlint, in format 2"),
            ("sandboxlint-baseline/1\n\n<<<<<<< HEAD\n", 3, "a merge left its marks"),
            ("sandboxlint-baseline/1\n=======\n", 2, "a merge left its marks"),
            ("sandboxlint-baseline/1\n0123456789ABCDEF r c p\n", 2, "16 hexadecimal digits"),
            ("sandboxlint-baseline/1\n0123456789abcdef stale-tmp\n", 2, "fingerprint, rule, container and path"),
            ("sandboxlint-baseline/1\n0123456789abcdef r c \n", 2, "fingerprint, rule, container and path"),
            ("sandboxlint-baseline/1\n" + String(repeating: "x", count: 20_000), 2, "longer than 16 KiB"),
        ])
    func damaged(text: String, line: Int, message: String) {
        let error = #expect(throws: SourceError.self) { try Baseline(file: "b.txt", text: text) }
        #expect(error?.line == line && error?.message.contains(message) == true, "\(error?.description ?? "")")
    }

    @Test("An error shows no line of the file, which a configuration may name, and no control character of its name")
    func control() {
        let text = "sandboxlint-baseline/1\nab\u{1b}[31m\u{202e}\n"
        let error = #expect(throws: SourceError.self) { try Baseline(file: "b\n.txt", text: text) }
        #expect(error?.description == "b\u{fffd}.txt:2:1: expected a fingerprint of 16 hexadecimal digits")
    }

    @Test("A name that is not text comes back from its line as the bytes that it is")
    func bytes() throws {
        let path: [UInt8] = Array("tmp/a\n%\u{1b} ".utf8) + [0xff]
        let rule = try Catalogue.embedded().rule("stale-tmp")
        let finding = Finding(
            rule: rule, severity: .warning, path: path, items: 1, bytes: 0, largest: nil, summary: nil, template: nil,
            evidence: [], exclusion: .included, location: .temporary, isBackedUp: false, questions: [])
        let entry = Baseline.Entry(finding)
        #expect(entry.line.utf8.allSatisfy { (0x20..<0x7f).contains($0) })
        let read = try Baseline(file: "b", text: Baseline.header + "\n" + entry.line)
        #expect(read.entries.first?.bytes == path)
    }
}
