import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint diff") struct DiffToolTests {
    /// A sample and a copy of it in the working directory of the commands.
    private func withPair(_ body: (_ folder: URL, _ copy: String) throws -> Void) throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let copy = folder.appending(path: "copy").path
            try folder.copyAll("sample", to: "copy")
            try body(folder, copy)
        }
    }

    private func diff(_ arguments: String..., in folder: URL) throws -> Command {
        try sandboxlint(["diff", "--now", "2026-01-01"] + arguments, in: folder)
    }

    @Test("A copy is reported as unchanged")
    func same() throws {
        try withPair { folder, _ throws in
            let run = try diff("sample", "copy", "--fail-on", "note", "--fail-on-growth", "0", in: folder)
            #expect(run.code == 0 && run.text.contains("Findings: 0 new, 0 fixed, "), "\(run.text)\(run.errors)")
            #expect(run.text.contains("Backup exclusions: unchanged."))
        }
    }

    @Test("New and fixed findings, bytes by location and changed exclusions are reported")
    func changes() throws {
        try withPair { folder, copy throws in
            try folder.remove("copy/tmp/old.part")
            let mark = "user.com.apple.metadata:com_apple_backup_excludeItem"
            try AttributeTool.set(mark, to: "x", of: copy + "/Documents/images")
            try Data(count: 5_000).write(to: URL(fileURLWithPath: copy + "/Documents/images/new.bin"))
            let run = try diff("sample", "copy", in: folder)
            #expect(run.text.contains(/- warning\[stale-tmp[^\]]*\] tmp\/old.part\n/))
            #expect(run.text.contains("  Documents: "))
            #expect(run.text.contains("5 KB (+5 KB); backed up 2 bytes → 0 bytes (−2 bytes)\n"), "\(run.text)")
            // A new file has no earlier state.
            #expect(run.text.contains("  Documents/images: included → excluded  (2 items, 2 bytes)\n"))
            #expect(run.text.contains("Backup exclusions: 1 change."))
        }
    }

    @Test(
        "New findings and growth fail the run if the options request it",
        arguments: [
            (["--fail-on", "note"], 1), (["--fail-on", "never"], 0), (["--fail-on-growth", "4KB"], 1),
            (["--fail-on-growth", "4KiB"], 1), (["--fail-on-growth", "5000"], 0), (["--fail-on-growth", "10MB"], 0),
            (["--fail-on-growth", "much"], 2), (["--fail-on-growth", "-1"], 2),
        ])
    func gates(arguments: [String], code: Int) throws {
        try withPair { folder, copy throws in
            try Data(count: 5_000).write(to: URL(fileURLWithPath: copy + "/Documents/a.log"))
            try Data().write(to: URL(fileURLWithPath: copy + "/Documents/b.json"))
            let run = try sandboxlint(
                ["diff", "sample", "copy", "--now", "2026-01-01", "--fail-on", "never"] + arguments, in: folder)
            #expect(Int(run.code) == code, "\(run.text)\(run.errors)")
        }
    }

    @Test("A report of an earlier run replaces its container, and only exclusions are not compared")
    func report() throws {
        try withPair { folder, copy throws in
            let report = folder.appending(path: "report.json")
            try sandboxlint("lint", "sample", "--now", "2026-01-01", "--format", "json", in: folder).output
                .write(to: report)
            try folder.remove("copy/tmp/old.part")
            let run = try diff("report.json", "copy", in: folder)
            #expect(run.code == 0 && run.text.contains(/- warning\[stale-tmp[^\]]*\] tmp\/old.part\n/), "\(run.errors)")
            #expect(run.text.contains("Findings: 0 new, ") && run.text.contains("  tmp: 1 → 0 items"))
            #expect(run.text.contains("not compared, because reports do not contain them."))
        }
    }

    @Test(
        "A path that is neither a container nor a valid report exits with 3 and a reason",
        arguments: [
            ("{}", "it is not a sandboxlint report"), ("{\"schema\": \"x\"}", "it is not a sandboxlint report"),
            (
                "{\"schema\": \"sandboxlint-report/2\"}",
                "the report has the format sandboxlint-report/2; this version of sandboxlint reads sandboxlint-report/1"
            ),
            ("{\"schema\": \"sandboxlint-report/1\"}", "the report is damaged: tool is missing or invalid"),
            ("{\"a\":" + String(repeating: "[", count: 500_000), "it is not a sandboxlint report"),
            ("hello", "Not a directory"), ("", "Not a directory"),
        ])
    func damaged(text: String, reason: String) throws {
        try withPair { folder, _ throws in
            try Data(text.utf8).write(to: folder.appending(path: "r"))
            let run = try diff("r", "copy", in: folder)
            #expect(run.code == 3 && run.errors.contains(reason), "\(run.errors.prefix(300))")
            #expect(run.output.isEmpty)
        }
    }

    @Test("A report cannot control a terminal")
    func hostile() throws {
        try withPair { folder, _ throws in
            let finding = """
                {"fingerprint": "0000000000000000", "rule": "a\\u001b[31m", "severity": "error", "path": "b\\u202e\\u0007",
                 "items": 1, "bytes": 18446744073709551615, "message": "c\\r\\n\\u009b", "input": 0, "evidence": [],
                 "exclusion": {"state": "included", "decidedBy": "none", "at": null}, "location": "Documents",
                 "backedUp": true, "group": "stale", "pointer": null, "after": null, "confidence": null, "largest": null,
                 "source": null, "fix": null}
                """
            let text = """
                {"schema": "sandboxlint-report/1", "now": null, "inputs": [], "apps": [],
                 "tool": {"name": "sandboxlint", "version": "0", "rules": "0000000000000000"}, "usedSuppressions": [],
                 "failures": [], "incidents": [], "suppressed": [], "accepted": [],
                 "complete": true, "findings": [\(finding), \(finding)],
                 "locations": [{"location": "d\\u001b", "items": 1, "bytes": 18446744073709551615, "backedUpBytes": 0}],
                 "summary": {"items": 4294967295, "bytes": 18446744073709551615, "backedUpBytes": 18446744073709551615,
                             "regenerableBackedUpBytes": 0, "undecidedBackedUpBytes": 0, "fixable": 0,
                             "findings": {"error": 2, "warning": 0, "note": 0},
                             "suppressed": 4294967295, "baselined": 4294967295}}
                """
            try Data(text.utf8).write(to: folder.appending(path: "r.json"))
            for format in ["text", "json", "markdown", "html"] {
                for paths in [["r.json", "copy"], ["copy", "r.json"], ["r.json", "r.json"]] {
                    let run = try sandboxlint(["diff", "--format", format] + paths, in: folder)
                    #expect([0, 1].contains(run.code), "\(run.errors)")
                    let controls = run.text.unicodeScalars.filter {
                        [.control, .format].contains($0.properties.generalCategory) && $0 != "\n"
                    }
                    #expect(controls.isEmpty && !run.output.isEmpty)
                }
            }
        }
    }
}
