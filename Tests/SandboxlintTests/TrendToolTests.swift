import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint trend", .timeLimit(.minutes(60))) struct TrendToolTests {
    /// Reports of a container that grows, in the working directory of the commands.
    private func withReports(_ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            try folder.makeDirectories("c/Documents", "c/tmp")
            for (index, size) in [1_000, 5_000, 2_000].enumerated() {
                try folder.write(String(repeating: "x", count: size), to: "c/Documents/a.jpg")
                if index > 0 {
                    try AttributeTool.set(
                        "user.appcontainer.provenance", to: "downloaded", of: "c/Documents/a.jpg", in: folder)
                }
                let run = try sandboxlint(
                    "lint", "c", "--isolated", "--now", "2026-01-0\(index + 1)", "--output", "json=\(index).json",
                    in: folder)
                #expect(run.code < 2, "\(run.errors)")
            }
            try body(folder)
        }
    }

    @Test("has a row with findings and sizes for each report, in text and JSON")
    func rows() throws {
        try withReports { folder throws in
            let text = try sandboxlint("trend", "0.json", "1.json", "2.json", in: folder)
            #expect(text.code == 0 && text.errors.isEmpty, "\(text.errors)")
            let lines = text.text.split(separator: "\n")
            #expect(
                lines.count == 4 && lines[1].hasPrefix("0.json (2026-01-01)") && lines[2].hasSuffix("+4 KB"),
                "\(text.text)")
            struct Trend: Decodable {
                struct Report: Decodable {
                    struct Size: Decodable { let name: String, bytes: Int }
                    let bytes: Int
                    let classes: [Size]
                }
                let schema: String
                let reports: [Report]
            }
            let json = try sandboxlint("trend", "0.json", "1.json", "2.json", "--format", "json", in: folder)
            let trend = try JSONDecoder().decode(Trend.self, from: json.output)
            #expect(trend.schema == "sandboxlint-trend/1" && trend.reports.map(\.bytes) == [1_000, 5_000, 2_000])
            #expect(trend.reports.allSatisfy { report in report.classes.reduce(0) { $0 + $1.bytes } == report.bytes })
            #expect(trend.reports[1].classes.first { $0.name == "redownloadable" }?.bytes == 5_000)
        }
    }

    @Test("The page has a column for each report, and is one file")
    func page() throws {
        try withReports { folder throws in
            let page = try sandboxlint("trend", "0.json", "1.json", "2.json", "--format", "html", in: folder).text
            #expect(page.components(separatedBy: "<g><title>").count == 4 && page.hasSuffix("</html>\n"))
            #expect(page.contains("fill-redownloadable") && !page.contains("src="))
        }
    }

    @Test("A badge is an SVG with the result of the last report", .needs(.externalProgram))
    func badge() throws {
        try withReports { folder throws in
            let run = try sandboxlint("trend", "0.json", "2.json", "--badge", "badge.svg", in: folder)
            #expect(run.code == 0, "\(run.errors)")
            let svg = try String(contentsOf: folder.appending(path: "badge.svg"), encoding: .utf8)
            #expect(svg.contains("<title>sandboxlint: 1 error, 2 KB not needed in backups</title>"), "\(svg)")
            let script = "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])"
            try Command.setUp(Command.python(), ["-c", script, folder.appending(path: "badge.svg").path])
            // A report is never replaced.
            let wrong = try sandboxlint("trend", "0.json", "--badge", "0.json", in: folder)
            #expect(wrong.code == 2 && wrong.errors.contains("must not be overwritten"), "\(wrong.errors)")
        }
    }

    @Test("A report that is missing or damaged exits with 3, and the others are shown")
    func damaged() throws {
        try withReports { folder throws in
            try folder.write("{}", to: "wrong.json")
            let run = try sandboxlint("trend", "0.json", "wrong.json", "gone.json", "1.json", in: folder)
            #expect(run.code == 3 && run.text.split(separator: "\n").count == 3, "\(run.text)")
            #expect(
                run.errors.contains("wrong.json: it is not a sandboxlint report") && run.errors.contains("gone.json: "))
            let none = try sandboxlint("trend", "gone.json", "--badge", "badge.svg", in: folder)
            #expect(none.code == 3 && none.output.isEmpty)
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "badge.svg").path))
        }
    }
}
