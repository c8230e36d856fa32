import Foundation
import TestSupport
import Testing
import ToolSupport

/// Names as macOS writes them, decomposed, and names as a person types them, composed; and the other way round.
@Suite("Names with accents") struct PatternSpellingTests {
    private func withContainer(_ body: (_ folder: URL, _ typed: (String) -> String) throws -> Void) throws {
        for isTypedComposed in [true, false] {
            let form = { (text: String, isComposed: Bool) in
                isComposed ? text.precomposedStringWithCanonicalMapping : text.decomposedStringWithCanonicalMapping
            }
            try withScratch { folder throws in
                let stored = form("Entw\u{fc}rfe/Gr\u{f6}\u{df}e.bin", !isTypedComposed)
                try folder.write("x", to: "app/tmp/\(stored)", "app/Documents/\(stored)")
                try folder.setTimes("2025-01-01", of: "app/tmp/\(stored)")
                try body(folder) { form($0, isTypedComposed) }
            }
        }
    }

    @Test("match patterns of the configuration, and paths and patterns of the three tools")
    func tools() throws {
        try withContainer { folder, typed throws in
            let lint = ["lint", "app", "--select", "stale-tmp", "--now", "2026-01-01", "--strict"]
            #expect(try sandboxlint(lint, in: folder).code == 1)
            let path = typed("tmp/Entw\u{fc}rfe/Gr\u{f6}\u{df}e.bin")
            for pattern in [path, typed("tmp/Entw\u{fc}rfe/**"), typed("**/Gr\u{f6}*"), typed("tmp/*\u{fc}rfe/*")] {
                try folder.write("ignore: ['\(pattern)']\n", to: ".sandboxlint.yml")
                let run = try sandboxlint(lint, in: folder)
                #expect(run.code == 0 && run.errors.isEmpty, "\(pattern): \(run.errors)")
            }
            try folder.remove(".sandboxlint.yml")
            let explained = try sandboxlint("explain", "app", path, "--now", "2026-01-01", in: folder)
            #expect(explained.code == 0 && explained.text.contains("stale-tmp"), "\(explained.errors)")
            for argument in [path, typed("tmp/Entw\u{fc}rfe"), typed("tmp/Entw\u{fc}*/*")] {
                let listed = try sandboxfm("ls", "app", argument, in: folder)
                #expect(listed.code == 0, "\(argument): \(listed.errors)")
            }
            #expect(try sandboxfm("cat", "app", path, in: folder).text == "x")
            let document = typed("Documents/Entw\u{fc}rfe/Gr\u{f6}\u{df}e.bin")
            #expect(try sandboxbackup("plan", "app", "--explain", document, in: folder).code == 0)
            let plan = try sandboxbackup(
                "plan", "app", "--format", "jsonl", "--exclude", typed("Gr\u{f6}\u{df}e.bin"), in: folder)
            let line = plan.text.split(separator: "\n").first { $0.contains("e.bin") && $0.contains("Documents") }
            #expect(line?.contains("\"exclude\"") == true, "\(plan.text)")
            let created = try sandboxbackup("create", "app", "--repository", "r", in: folder)
            #expect(created.code == 0, "\(created.errors)")
            let dumped = try sandboxbackup("dump", "latest", document, "--repository", "r", in: folder)
            #expect(dumped.code == 0 && dumped.text == "x", "\(dumped.errors)")
        }
    }

    @Test("Names that are equal only after case folding are different")
    func caseFolding() throws {
        try withContainer { folder, typed throws in
            try folder.write(
                "ignore: ['\(typed("tmp/entw\u{fc}rfe/**"))', 'tmp/Entw\u{fc}rfe/GR\u{d6}SSE.bin']\n",
                to: ".sandboxlint.yml")
            let run = try sandboxlint(
                "lint", "app", "--select", "stale-tmp", "--now", "2026-01-01", "--strict", in: folder)
            #expect(run.code == 1)
        }
    }

    @Test("A pattern of the configuration that matches nothing is noted with its line, once for all inputs")
    func unused() throws {
        try withContainer { folder, _ throws in
            try folder.write("x", to: "other/Documents/gone/a.txt")
            try folder.write(
                "user-data: ['Documents/**']\nignore:\n- 'Documents/gone/**'\n- 'tmp/*.log'\n- '**/*.bin'\n"
                    + "overrides:\n- { paths: ['Documents/no.txt'], rules: { stale-tmp: off } }\n",
                to: ".sandboxlint.yml")
            let one = try sandboxlint("lint", "app", "--format", "json", "--fail-on", "never", in: folder)
            let notes = one.errors.split(separator: "\n").map(String.init)
            let expected = [
                ".sandboxlint.yml:3: the pattern “Documents/gone/**” of `ignore` matches no item.",
                ".sandboxlint.yml:4: the pattern “tmp/*.log” of `ignore` matches no item.",
                ".sandboxlint.yml:7: the pattern “Documents/no.txt” of `overrides` matches no item.",
            ]
            #expect(notes == expected.map { "sandboxlint: \($0) Correct the pattern, or remove it." }, "\(one.errors)")
            let report = try #require(try JSONSerialization.jsonObject(with: one.output) as? [String: Any])
            #expect((report["notes"] as? [String])?.suffix(3) == expected[...], "\(report["notes"] ?? "")")
            let both = try sandboxlint("lint", "app", "other", "--fail-on", "never", in: folder)
            #expect(!both.errors.contains("gone") && both.errors.contains("tmp/*.log"), "\(both.errors)")
        }
    }
}
