import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("GitHub's limits", .needs(.externalProgram)) struct ReportLimitTests {
    /// A container with stale files in tmp: `files` in each of `folders`, with names of `length` bytes. Two rules report each.
    private func withStale<Result>(
        folders: Int, files: Int, length: Int = 8, _ body: (URL) throws -> Result
    ) throws -> Result {
        try withScratch { folder throws in
            let path = folder.appending(path: "app")
            _ = try Container.create(at: FilePath(path.path), bundleIdentifier: "com.example.app")
            let script = """
                import os, sys
                os.chdir(sys.argv[1])
                for folder in range(\(folders)):
                    name = f"{folder:04}".ljust(\(length), "y")
                    os.mkdir(name)
                    for file in range(\(files)):
                        path = name + "/" + f"{file:04}:".ljust(\(length), "x")
                        open(path, "w").write("x")
                        os.utime(path, (1700000000, 1700000000))
                """
            let made = try Command("python3", ["-c", script, path.appending(path: "tmp").path])
            #expect(made.code == 0, "\(made.errors)")
            return try body(folder)
        }
    }

    private func lint(
        _ folder: URL, _ arguments: String..., environment: [String: String] = [:]
    ) throws -> Command {
        try sandboxlint(
            ["lint", "app", "--select", "stale-tmp,name-not-portable", "--now", "2026-01-01"] + arguments, in: folder,
            environment: environment)
    }

    @Test("allow ten annotations of each kind, and the last one states how many are not listed and where all are")
    func annotations() throws {
        for (folders, more) in [(3, nil), (10, nil), (11, "6 findings more for 2 rules are"), (40, "122 findings")] {
            try withStale(folders: folders, files: 2) { folder throws in
                let run = try lint(folder, "--format", "github", environment: ["GITHUB_STEP_SUMMARY": ""])
                let report = try ReadReport("github", run.output)
                #expect(report.command.code == 0, "\(report.command.errors)")
                let last = try #require(run.text.split(separator: "\n").last)
                guard let more else {
                    #expect(report.rows.count == folders * 2 && !last.contains("not shown"))
                    return
                }
                #expect(report.rows.count { $0.hasPrefix("warning\tstale-tmp") } == 10)
                #expect(report.rows.count { $0.hasPrefix("note\tname-not-portable") } == 9)
                #expect(last.hasPrefix("::notice ") && last.contains(",title=more findings::\(more)"), "\(last)")
                #expect(last.hasSuffix("All are listed in the output of `sandboxlint lint`."))
            }
        }
    }

    @Test("allow 1 MiB of step summary: existing text is kept, and the findings that do not fit are counted")
    func summary() throws {
        try withStale(folders: 400, files: 10, length: 250) { folder throws in
            let file = folder.appending(path: "summary.md")
            for (before, rows) in [(0, 200...799), (1_000_000, 1...50), (1 << 20, 0...0)] {
                try Data(repeating: UInt8(ascii: "#"), count: before).write(to: file)
                let run = try lint(
                    folder, "--output", "github=out", environment: ["GITHUB_STEP_SUMMARY": file.path])
                #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
                let written = try Data(contentsOf: file)
                #expect(written.count <= 1 << 20 && written.prefix(before).allSatisfy { $0 == UInt8(ascii: "#") })
                let report = try ReadReport("markdown", written.dropFirst(before))
                #expect(report.command.code == 0 && rows.contains(report.rows.count), "\(report.rows.count)")
                let last = String(decoding: written.suffix(160), as: UTF8.self).replacing(",", with: "")
                let rest = "bytes: \((800 - report.rows.count) * 10) findings not listed here."
                let list = "All are in the output of `sandboxlint lint`.\n"
                #expect(before == 1 << 20 || last.hasSuffix(" \(rest) \(list)"), "\(last)")
                let shown = try String(contentsOf: folder.appending(path: "out"), encoding: .utf8)
                #expect(shown.hasSuffix("All are listed in the summary of this job.\n"))
            }
            let run = try lint(folder, "--format", "github", environment: ["GITHUB_STEP_SUMMARY": "/none/at/all"])
            #expect(run.code == 2 && run.errors.contains("“$GITHUB_STEP_SUMMARY”") && !run.text.isEmpty)
        }
    }

    @Test("allow 5,000 SARIF findings per run: more are in further runs, most severe first, and none is lost")
    func runs() throws {
        try withStale(folders: 45, files: 60) { folder throws in
            let run = try lint(folder, "--output", "sarif=out.sarif")
            #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
            let file = try Data(contentsOf: folder.appending(path: "out.sarif"))
            let report = try ReadReport("sarif", file)
            #expect(report.command.code == 0, "\(report.command.errors)")
            #expect(report.rows.count == 5400 && Set(report.rows).count == 5400)
            #expect(report.rows == report.rows.sorted { $0.prefix(1) > $1.prefix(1) })
            #expect(try runs(file) == [5000, 400])
        }
    }

    @Test("allow 10 MB of SARIF per file: more is in further files, which standard error lists")
    func files() throws {
        try withStale(folders: 70, files: 50, length: 250) { folder throws in
            let run = try lint(folder, "--output", "sarif=out.v1.sarif")
            #expect(run.code == 0)
            #expect(
                run.errors.hasPrefix("sandboxlint: out.v1.sarif contains as much as GitHub accepts"), "\(run.errors)")
            #expect(run.errors.contains("the rest is in out-2.v1.sarif"), "\(run.errors)")
            var rows: [String] = []
            for name in ["out.v1.sarif", "out-2.v1.sarif"] {
                let report = try ReadReport("sarif", Data(contentsOf: folder.appending(path: name)))
                #expect(report.command.code == 0, "\(report.command.errors)")
                rows += report.rows
            }
            #expect(rows.count == 7000 && Set(rows).count == 7000)
            let fewer = try lint(folder, "--ignore", "name-not-portable", "--output", "sarif=out.v1.sarif")
            #expect(
                fewer.errors.hasPrefix("sandboxlint: out-2.v1.sarif is a leftover of an earlier run"), "\(fewer.errors)"
            )
            let shown = try lint(folder, "--format", "sarif")
            #expect(try runs(shown.output).reduce(0, +) == 7000)
        }
    }

    private func runs(_ log: Data) throws -> [Int] {
        let log = try #require(try JSONSerialization.jsonObject(with: log) as? [String: Any])
        return try #require(log["runs"] as? [[String: Any]]).map { ($0["results"] as? [Any])?.count ?? -1 }
    }
}
