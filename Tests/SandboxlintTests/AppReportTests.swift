import Foundation
import TestSupport
import Testing
import ToolSupport

/// The containers of five apps with real file formats, which are beside some checkouts.
private let apps = URL(fileURLWithPath: #filePath).appending(path: "../../../../shared/apps/make").standardized.path

@Suite(
    "The report about an app", .needs(.externalProgram),
    .enabled(if: FileManager.default.fileExists(atPath: apps), "the apps are beside some checkouts"))
struct AppReportTests {
    private func lint(_ app: String, _ body: (_ report: Command, _ json: [String: Any]) throws -> Void) throws {
        try withScratch { folder throws in
            try Command.setUp(Command.python(), [apps, folder.appending(path: "apps").path])
            let arguments = ["lint", "apps/\(app)", "--isolated", "--now", "2026-11-25"]
            let json = try sandboxlint(arguments + ["--format", "json"], in: folder)
            try body(
                sandboxlint(arguments, in: folder),
                #require(try JSONSerialization.jsonObject(with: json.output) as? [String: Any]))
        }
    }

    @Test(
        "has 40 lines, in which every cause is shown or counted, and starts with the first thing to do",
        arguments: [("game", 0), ("messaging", 1), ("photo-editor", 0), ("podcast", 1), ("rn-shop", 1)])
    func lines(app: String, code: Int) throws {
        try lint(app) { report, json throws in
            #expect(report.code == Int32(code))
            let lines = report.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            #expect(lines.count <= 40, "\(report.text)")
            #expect(lines.prefix(5).contains { $0.hasPrefix("Do first    ") }, "\(report.text)")
            let findings = try #require(json["findings"] as? [[String: Any]])
            let causes = Set(findings.compactMap { $0["cause"] as? String })
            let headings = lines.indices.filter { index in
                lines[index].contains(/^(error|warning|note)\[/)
                    // A cause with several remedies has several headings.
                    && (index == lines.startIndex || !lines[index - 1].contains(/^(error|warning|note)\[/)
                        || lines[index - 1].contains(/\(.*\)$/))
            }
            let others = lines.compactMap { $0.firstMatch(of: /^… ([0-9]+) more/).flatMap { Int($0.1) } }.first ?? 0
            #expect(!causes.isEmpty && headings.count + others == causes.count, "\(report.text)\n\(causes.sorted())")
        }
    }

    @Test("has sums of bytes in backups that add up", arguments: ["game", "messaging", "photo-editor", "rn-shop"])
    func sums(app: String) throws {
        try lint(app) { report, _ throws in
            let line = try #require(report.text.split(separator: "\n").first { $0.hasPrefix("Backups ") })
            let sizes = line.matches(of: /([0-9.]+) (bytes|KB|MB)/).map { match in
                (Double(match.1) ?? 0) * (match.2 == "MB" ? 1_000_000 : match.2 == "KB" ? 1_000 : 1)
            }
            // The size of the container is second.
            let parts = sizes.dropFirst(2).reduce(0, +)
            #expect(sizes.count > 2 && abs(sizes[0] - parts) <= 150_000, "\(line)")
        }
    }
}
