import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("The JUnit report") struct JUnitReportTests {
    @Test("has the date of --now, or else that of the run")
    func moment() throws {
        try withSample { path throws in
            let given = try sandboxlint("lint", path, "--format", "junit", "--now", "2026-01-31T12:30:45Z")
            #expect(given.text.contains(" timestamp=\"2026-01-31T12:30:45\" "))
            // A report for a given date does not depend on the speed of the machine.
            #expect(given.text.matches(of: #/ time="([0-9.]+)"/#).allSatisfy { Double($0.1) == 0 })
            let before = Date(timeIntervalSinceNow: -1)
            let run = try sandboxlint("lint", path, "--format", "junit").text
            let match = try #require(run.firstMatch(of: /timestamp="([^"]+)"/))
            let moment = try Date(String(match.1) + "Z", strategy: .iso8601)
            #expect(moment >= Date(timeIntervalSince1970: before.timeIntervalSince1970.rounded(.down)))
            #expect(moment <= Date())
            let wrong = try sandboxlint(
                "lint", path, "--format", "junit", "--select", "x", "--now", "2026-01-31T12:30:45Z")
            #expect(wrong.code == 2 && wrong.text.contains(" timestamp=\"2026-01-31T12:30:45\" "))
        }
    }

    @Test(
        "lets a rule that finds nothing pass, and skips a finding below --fail-on with its text",
        .needs(.externalProgram))
    func tests() throws {
        try ExpectedFinding.withRepository { folder throws in
            let run = try lint(folder, "--format", "junit", "--output", "gitlab=out.json")
            let report = try ReadReport("junit", run.output)
            #expect(report.rows == ExpectedFinding.all.prefix(6).map(\.row))
            #expect(run.text.contains("tests=\"14\" failures=\"6\" errors=\"0\" skipped=\"8\""))
            #expect(run.text.contains("<system-out>warning: "))
            let time = try #require(run.text.firstMatch(of: /<testsuite [^>]* time="([0-9.]+)">/))
            #expect(Double(time.1).map { $0 > 0 } ?? false, "\(time.1)")
            #expect(run.text.contains(#/name="stale-tmp: tmp/a/caf%E9" time="0\.\d{6}"><skipped message="warning: /#))
            #expect(
                run.text.components(separatedBy: "</skipped></testcase>").count == 9
                    && !run.text.contains(/time="[0-9.]+"\/>/))
            let clean = try lint(
                folder, "--format", "junit", "--ignore", "exclusion-lost,stale-tmp", "--fail-on", "never")
            #expect(clean.code == 0 && clean.text.contains("failures=\"0\""))
            let reason = "suppressions=[{ path: tmp/**, rule: stale, reason: sent <later>, owner: o }]"
            let skipped = try lint(folder, "--format", "junit", "--set", reason)
            #expect(try ReadReport("junit", skipped.output).command.code == 0)
            #expect(skipped.text.contains("errors=\"0\" skipped=\"8\""))
            #expect(
                skipped.text.contains(
                    /name="stale-tmp: tmp\/a\/caf%E9" time="[0-9.]+"><skipped message="sent &lt;later&gt; \(--set, o\)"\/>/
                ))
            let none = try sandboxlint(
                ["lint", "build/app", "--select", "orphan-wal", "--format", "junit"], in: folder)
            #expect(
                none.text.contains(
                    /<testcase classname="com\.example\.app\.database" name="orphan-wal" time="0\.\d+"\/>/))
        }
    }

    private func lint(_ folder: URL, _ arguments: String...) throws -> Command {
        try sandboxlint(
            ["lint", "build/app", "--select", ExpectedFinding.rules] + arguments, in: folder)
    }
}
