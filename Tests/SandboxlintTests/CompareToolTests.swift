import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("Causes that changed: sandboxlint diff and lint --compare", .timeLimit(.minutes(60))) struct CompareToolTests {
    private static let now = ["--isolated", "--now", "2026-01-01"]

    /// Containers `before` and `after` and the report of each, in the working directory of the commands. Between them, a cause is
    /// new, one has grown, one has got another file, one is fixed and one is unchanged.
    private func withRuns(_ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            for (name, size, part) in [("before", 1_000, "old"), ("after", 3_000, "new")] {
                let container = folder.appending(path: name)
                try container.makeDirectories("Documents/images", "Documents/covers", "Library/Caches", "tmp")
                try container.write(String(repeating: "x", count: size), to: "Documents/images/a.jpg")
                try container.write("same", to: "Documents/covers/b.jpg")
                try container.write("part", to: "tmp/\(part).part")
                for path in ["images/a.jpg", "covers/b.jpg"] {
                    try AttributeTool.set(
                        "user.appcontainer.provenance", to: "downloaded", of: "Documents/\(path)", in: container)
                }
            }
            try folder.makeDirectories("before/Documents/keep")
            try folder.write("{}", to: "before/Documents/keep/c.cache", "after/Documents/d.tmp")
            for name in ["before", "after"] {
                try folder.appending(path: name).setAllTimes("2025-06-01T00:00:00Z") { !$1 }
                let run = try sandboxlint(
                    ["lint", name, "--output", "json=\(name).json", "--quiet"] + Self.now, in: folder)
                #expect(run.code == 1, "\(run.errors)")
            }
            try body(folder)
        }
    }

    /// The changes of causes by their first rule, and other keys of the JSON.
    private struct Difference: Decodable {
        struct Cause: Decodable {
            struct Extent: Decodable { let bytes: Int }
            let change: String
            let rules: [String]
            let path: String
            let before: Extent?
            let after: Extent?
        }
        struct Size: Decodable { let name: String, before: Int, after: Int }
        struct Content: Decodable {
            struct Side: Decodable { let bytes: Int, backedUpBytes: Int }
            let before: Side
            let after: Side
        }
        let causes: [Cause]
        let classes: [Size]
        let content: Content
        let notes: [String]?
    }

    private func difference(_ arguments: String..., in folder: URL) throws -> Difference {
        let run = try sandboxlint(["diff"] + arguments + Self.now + ["--format", "json"], in: folder)
        #expect([0, 1].contains(run.code), "\(run.errors)")
        return try JSONDecoder().decode(Difference.self, from: run.output)
    }

    @Test("Causes are new, grown, changed, fixed or unchanged, also between a report and a container")
    func causes() throws {
        try withRuns { folder throws in
            for sides in [["before", "after"], ["before.json", "after"], ["before.json", "after.json"]] {
                let causes = try difference(sides[0], sides[1], in: folder).causes
                let images = try #require(causes.first { $0.path == "Documents/images/a.jpg" })
                #expect(images.change == "grown" && images.before?.bytes == 1_000 && images.after?.bytes == 3_000)
                #expect(causes.first { $0.path == "Documents/covers/b.jpg" }?.change == "unchanged")
                #expect(causes.first { $0.path == "tmp/old.part" }?.change == "fixed", "\(causes)")
                #expect(causes.first { $0.path == "tmp/new.part" }?.change == "new")
                #expect(
                    Set(causes.map(\.change)).isSubset(of: ["new", "grown", "changed", "fixed", "smaller", "unchanged"])
                )
                // The opposite comparison has the opposite changes.
                let reverse = try difference(sides[1], sides[0], in: folder).causes
                #expect(reverse.first { $0.path == "Documents/images/a.jpg" }?.change == "smaller")
                #expect(reverse.count { $0.change == "new" } == causes.count { $0.change == "fixed" })
            }
        }
    }

    @Test("The sizes of all treatments add up to the content, and those in backups to the backup")
    func sizes() throws {
        try withRuns { folder throws in
            let difference = try difference("before", "after.json", in: folder)
            #expect(difference.classes.reduce(0) { $0 + $1.before } == difference.content.before.bytes)
            #expect(difference.classes.reduce(0) { $0 + $1.after } == difference.content.after.bytes)
            let backedUp = difference.classes.filter { ["backedUp", "redownloadable", "undecided"].contains($0.name) }
            #expect(backedUp.reduce(0) { $0 + $1.after } == difference.content.after.backedUpBytes)
            #expect(difference.classes.first { $0.name == "redownloadable" }?.after == 3_004)
        }
    }

    @Test("The text lists the changed causes with reason and help, and the bytes by treatment")
    func text() throws {
        try withRuns { folder throws in
            let run = try sandboxlint(["diff", "before", "after"] + Self.now, in: folder)
            #expect(run.code == 0, "\(run.errors)")
            for line in [
                "^ error[regenerable-in-documents] Documents/images/a.jpg\n",
                "    grown: 1 KB → 3 KB (+2 KB): re-downloadable data in Documents is included in every backup\n",
                "    help: move it to Library/Caches;", "- note[partial-download] tmp/old.part\n",
                "+ note[partial-download] tmp/new.part\n",
                "Not needed in backups", "  +2 KB\n",
            ] { #expect(run.text.contains(line), "\(line): \(run.text)") }
            let all = try sandboxlint(["diff", "before", "after", "--all"] + Self.now, in: folder).text
            #expect(all.contains("      ^ Documents/images/a.jpg  3 KB, was 1 KB\n"), "\(all)")
        }
    }

    @Test("A report of another version or with other rules is compared with a note")
    func versions() throws {
        try withRuns { folder throws in
            let text = try String(contentsOf: folder.appending(path: "before.json"), encoding: .utf8)
            let old = text.replacing(#""version":"0.1.0""#, with: #""version":"0.0.9""#)
            try folder.write(old, to: "old.json")
            let notes = try difference("old.json", "after", in: folder).notes ?? []
            #expect(notes.contains { $0.hasPrefix("old.json is of sandboxlint 0.0.9, after of 0.1.0: ") }, "\(notes)")
            // A rule that this version does not have.
            let unknown = old.replacing(#""rule":"partial-download""#, with: #""rule":"gone-rule""#).replacing(
                #""fingerprint":"\#(try fingerprint(of: "partial-download", in: text))""#,
                with: #""fingerprint":"0123456789abcdef""#)
            try folder.write(unknown, to: "unknown.json")
            let difference = try difference("unknown.json", "after", in: folder)
            #expect(
                difference.notes?.contains(
                    "1 finding of unknown.json is of rules that sandboxlint 0.1.0 does not have: gone-rule.")
                    == true, "\(difference.notes ?? [])")
            #expect(difference.causes.first { $0.rules == ["gone-rule"] }?.change == "fixed")
        }
    }

    private func fingerprint(of rule: String, in report: String) throws -> String {
        struct Report: Decodable {
            struct Finding: Decodable { let rule: String, fingerprint: String }
            let findings: [Finding]
        }
        let read = try JSONDecoder().decode(Report.self, from: Data(report.utf8))
        return try #require(read.findings.first { $0.rule == rule }).fingerprint
    }

    @Test("Findings of rules that only one run evaluated are not compared")
    func selection() throws {
        try withRuns { folder throws in
            let run = try sandboxlint(
                ["diff", "before.json", "after", "--select", "regenerable-in-documents"] + Self.now, in: folder)
            #expect(run.text.contains("Findings: 0 new, 0 fixed, "), "\(run.text)")
            #expect(run.text.contains(" not compared, because only one of the runs evaluated the rules: "))
        }
    }

    @Test("lint --compare adds the changes to text, Markdown, page and SARIF, and the exit code stays that of the run")
    func compare() throws {
        try withRuns { folder throws in
            let lint = ["lint", "after", "--compare", "before.json"] + Self.now
            let text = try sandboxlint(lint, in: folder)
            #expect(text.code == 1 && text.text.contains("\nSince before.json: "), "\(text.text)\(text.errors)")
            #expect(text.text.contains("  ^ error[regenerable-in-documents] Documents/images/a.jpg\n"))
            let markdown = try sandboxlint(lint + ["--format", "markdown"], in: folder).text
            #expect(markdown.hasPrefix("## sandboxlint: ") && markdown.contains("Since <code>before.json</code>: "))
            #expect(markdown.contains("| **grown**<br>error |") && markdown.contains("<summary>New findings ("))
            let page = try sandboxlint(lint + ["--format", "html"], in: folder).text
            #expect(page.contains("data-change=\"new\"") && page.contains("Bytes by treatment"))
            let sarif = try sandboxlint(lint + ["--format", "sarif"], in: folder).text
            for state in ["new", "updated", "unchanged"] { #expect(sarif.contains(#""baselineState":"\#(state)""#)) }
            #expect(
                try !sandboxlint(["lint", "after", "--format", "sarif"], in: folder).text.contains("baselineState"))
            // The JSON report is the same with and without a comparison, and may replace the report.
            let json = try sandboxlint(lint + ["--format", "json"], in: folder).text
            #expect(try json == String(contentsOf: folder.appending(path: "after.json"), encoding: .utf8))
            _ = try sandboxlint(lint + ["--output", "json=before.json"], in: folder)
            #expect(try json == String(contentsOf: folder.appending(path: "before.json"), encoding: .utf8))
        }
    }

    @Test(
        "A report that is missing or of another format exits with 3 after the whole report is written",
        arguments: [
            ("missing.json", "it cannot be read"), ("wrong.json", "it is not a sandboxlint report"),
            ("next.json", "this version of sandboxlint reads sandboxlint-report/1"),
        ])
    func missing(name: String, reason: String) throws {
        try withRuns { folder throws in
            try folder.write("{}", to: "wrong.json")
            try folder.write(#"{"schema": "sandboxlint-report/2"}"#, to: "next.json")
            let run = try sandboxlint(
                ["lint", "after", "--compare", name, "--format", "json", "--fail-on", "never"] + Self.now, in: folder)
            #expect(run.code == 3 && run.errors.contains(reason), "\(run.errors)")
            #expect(try run.text == String(contentsOf: folder.appending(path: "after.json"), encoding: .utf8))
            let diff = try sandboxlint("diff", name, "after", in: folder)
            #expect(diff.code == 3 && diff.errors.contains(reason) && diff.output.isEmpty, "\(diff.errors)")
        }
    }

    @Test("A comment has at most 65,536 bytes, however many findings are new, and counts the others")
    func limit() throws {
        try withRuns { folder throws in
            // 60,000 findings of rules without a remedy.
            let text = try String(contentsOf: folder.appending(path: "after.json"), encoding: .utf8)
            let start = try #require(text.range(of: #""findings":[{"#)).upperBound
            let end = try #require(text[start...].range(of: "},{")).lowerBound
            let finding = "{" + text[start..<end] + "}"
            let more = (0..<60_000).map { number in
                finding.replacing(
                    /"fingerprint":"[0-9a-f]+"/,
                    with: #""fingerprint":"\#(String(number + 1 << 40, radix: 16).suffix(11))00000""#
                ).replacing(/"path":"[^"]*"/, with: #""path":"Documents/\#(number)|`<i>@you.jpg""#)
            }.joined(separator: ",")
            try folder.write(text.replacing(#""findings":[{"#, with: #""findings":[\#(more),{"#), to: "many.json")
            let run = try sandboxlint("diff", "before.json", "many.json", "--format", "markdown", in: folder)
            #expect(
                run.code == 1 && run.output.count <= 65_536 && run.output.count > 40_000,
                "\(run.output.count) \(run.errors)")
            #expect(run.text.contains("**Shortened** to ") && run.text.contains(" findings"), "\(run.text.suffix(300))")
            #expect(
                run.text.components(separatedBy: "<details>").count
                    == run.text.components(separatedBy: "</details>").count)
        }
    }
}
