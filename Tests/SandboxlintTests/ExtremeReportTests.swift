import Foundation
import TestSupport
import Testing
import ToolSupport

/// Reports with more findings and longer names than apps have. They are made of the record of one finding, and merged.
@Suite("Reports of extreme sizes", .timeLimit(.minutes(60))) struct ExtremeReportTests {
    /// The number of findings: a tenth of `REPORT_FINDINGS=60000`.
    private static let count = ProcessInfo.processInfo.environment["REPORT_FINDINGS"].flatMap(Int.init) ?? 6_000

    /// Returns the number of findings without some, as reports show it.
    private static func all(without some: Int = 0) -> String {
        "\((count - some) / 1_000)," + String(String(1_000 + (count - some) % 1_000).dropFirst())
    }

    /// Writes a report with a copy of one finding for each path, and returns the command that merges it.
    private func withReport(
        of paths: some Sequence<String>, severity: String = "warning",
        _ body: (_ merge: (String, [String]) throws -> Command, _ folder: URL) throws -> Void
    ) throws {
        try withScratch { folder throws in
            try folder.write(to: "c/tmp/MADE", "c/Documents/a.txt")
            try folder.setTimes("2025-01-01", of: "c/tmp/MADE")
            let run = try sandboxlint(
                "lint", "c", "--isolated", "--select", "stale-tmp", "--now", "2026-01-01", "--format", "json",
                in: folder)
            let report = run.text
            let start = try #require(report.range(of: "\"findings\":["))
            let end = try #require(report.range(of: "],\"suppressed\":"))
            let finding = String(report[start.upperBound..<end.lowerBound]).trimmingCharacters(
                in: .whitespacesAndNewlines
            )
            .replacing("\"severity\":\"warning\"", with: "\"severity\":\"\(severity)\"")
            #expect(finding.contains("\"path\":\"tmp/MADE\""), "\(finding)")
            let findings = paths.enumerated().map { number, path in
                finding.replacing("tmp/MADE", with: path)
                    .replacing("“MADE”", with: "“\(path.split(separator: "/").last ?? "")”")
                    .replacing(
                        #/"fingerprint":"[0-9a-f]*/#,
                        with: "\"fingerprint\":\"" + String(number + (1 << 60), radix: 16))
            }
            let whole = report[..<start.upperBound] + findings.joined(separator: ",") + report[end.lowerBound...]
            try folder.write(String(whole), to: "report.json")
            try body(
                { format, options in
                    try sandboxlint(
                        ["merge", "report.json", "--fail-on", "never", "--format", format] + options, in: folder)
                }, folder)
        }
    }

    /// Different names without digits, each in a directory of its own at the root.
    private static func scattered(_ count: Int) -> [String] {
        (0..<count).map { number in
            var (name, rest) = ("", number)
            for _ in 0..<4 {
                name.append(Character(UnicodeScalar(UInt8(ascii: "a") + UInt8(rest % 26))))
                rest /= 26
            }
            return "\(name)/file"
        }
    }

    @Test("Thousands of findings of one cause are one block with their number")
    func oneCause() throws {
        try withReport(of: (0..<Self.count).map { "tmp/part/\($0).part" }) { merge, _ in
            let text = try merge("text", [])
            let lines = text.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            #expect(text.code == 0 && lines.count <= 40, "\(text.errors)\(lines.count)")
            #expect(lines.count { $0.hasPrefix("warning[stale-tmp]: \(Self.all()) items: ") } == 1)
            #expect(lines.contains { $0.hasSuffix(", … \(Self.all(without: 5)) more (`--verbose`)") }, "\(text.text)")
            let markdown = try merge("markdown", []).text
            #expect(markdown.utf8.count <= 65_536 && markdown.contains("| \(Self.all()) |"))
            #expect(markdown.contains("… \(Self.all(without: 5)) more"))
            let page = try merge("html", []).text
            #expect(page.matches(of: /<li class="finding"/).count == 250)
            #expect(
                page.contains("This page shows 250 of \(Self.all()) findings")
                    && page.contains("\(Self.all(without: 250)) more findings"))
        }
    }

    @Test(
        "Of thousands of causes, each error is listed, and each warning is listed or counted",
        arguments: ["warning", "error"])
    func manyCauses(severity: String) throws {
        try withReport(of: Self.scattered(Self.count), severity: severity) { merge, _ in
            let text = try merge("text", [])
            let lines = text.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            let listed = lines.count { $0.hasPrefix("\(severity)[stale-tmp]") }
            let more = text.text.firstMatch(of: #/\n… ([0-9,]+) more \(/#)?.1.replacing(",", with: "")
            #expect(text.code == 0 && listed >= 10, "\(text.errors)\(lines.count)")
            if severity == "error" {
                #expect(listed == Self.count && more == nil && lines.count < Self.count + 400)
            } else {
                #expect(try lines.count <= 40 && listed + #require(Int(more ?? "")) == Self.count)
            }
            let markdown = try merge("markdown", []).text
            let rows = markdown.matches(of: /\n\| (?:warning|error) \|/).count
            let cut = try #require(markdown.firstMatch(of: #/([0-9,]+) causes/#)).1.replacing(",", with: "")
            #expect(markdown.utf8.count <= 65_536 && rows > 50)
            #expect(try rows + #require(Int(cut)) == Self.count)
            let page = try merge("html", []).text
            #expect(page.matches(of: /<section class="rule"/).count == 500)
            #expect(page.contains("This page shows 500 of \(Self.all()) findings"))
        }
    }

    @Test("A name of 4 KiB is whole in text, and shortened on a page and on a terminal")
    func longNames() throws {
        let name = String(repeating: "long name & ", count: 4096 / 12)
        try withReport(of: ["tmp/\(name)x", "other/\(name)y", "more/short"]) { merge, _ in
            let text = try merge("text", []).text
            #expect(text.contains("“\(name)x”") && text.contains("  --> tmp/\(name)x   ("))
            let markdown = try merge("markdown", []).text
            #expect(markdown.utf8.count <= 65_536 && markdown.contains("short") && !markdown.contains("Shortened"))
            let page = try merge("html", []).text
            let body = try #require(page.range(of: "<body>")).upperBound
            let data = try #require(page.range(of: "<script type=")).lowerBound
            let longest = page[body..<data].split { "<>".contains($0) }.map(\.utf8.count).max()
            #expect(try #require(longest) < 1_000)
        }
    }

    @Test("On a terminal of 40 columns no line is wider, and every path is whole", .needs(.externalProgram))
    func narrow() throws {
        let name = String(repeating: "name", count: 60)
        try withReport(of: ["tmp/\(name)", "other/file", "tmp/a b/c d"]) { _, folder in
            let runner = Workflow.root.appending(path: "Tests/in-terminal").path
            let run = try Command(
                runner, ["--columns", "40", Command.sandboxlint, "merge", "report.json", "--color", "never"],
                in: folder,
                environment: ["TERM": "xterm", "COLUMNS": ""])
            let lines = run.text.split(whereSeparator: \.isNewline)
            #expect(lines.count > 10 && lines.allSatisfy { $0.count <= 40 }, "\(run.text)")
            #expect(lines.map { $0.trimmingCharacters(in: .whitespaces) }.joined().contains(name), "\(run.text)")
        }
    }
}
