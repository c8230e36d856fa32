import Foundation
import TestSupport
import Testing
import ToolSupport

/// Untrusted rules, which `rules test` runs and reports show.
@Suite("A hostile folder of rules") struct HostileRulesTests {
    private func withRule(_ text: String, _ body: (_ rules: String, _ folder: URL) throws -> Void) throws {
        try withScratch { folder throws in
            let rules = folder.appending(path: "rules")
            try FileManager.default.createDirectory(at: rules, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: rules.appending(path: "no-part.yml"))
            try body(rules.path, folder)
        }
    }

    private func rule(running statement: String) -> String {
        RulesToolTests.rule.replacing(
            "tmp/a.part: { age: 2d } }, finds",
            with: "tmp/a.part: { age: 2d }, tmp/x.db: { sqlite: [\(statement)] } }, finds")
    }

    @Test(
        "writes to no file outside its folder",
        arguments: [
            "\"ATTACH 'FOLDER/victim' AS v\", \"DELETE FROM v.t\"",
            "\"ATTACH 'FOLDER/new' AS n\", \"CREATE TABLE n.t(a)\"",
            "\"CREATE TABLE t(a)\", \"VACUUM INTO 'FOLDER/new'\"", "\"PRAGMA temp_store_directory = 'FOLDER'\"",
            "\"SELECT load_extension('FOLDER/new')\"", "\"CREATE VIRTUAL TABLE t USING csv(filename='FOLDER/victim')\"",
        ])
    func writing(statement: String) throws {
        try withRule("") { rules, folder throws in
            let victim = folder.appending(path: "victim").path
            try executeSQL("create table t(a); insert into t values('precious')", in: victim)
            let text = rule(running: statement.replacing("FOLDER", with: folder.path))
            try Data(text.utf8).write(to: URL(fileURLWithPath: rules + "/no-part.yml"))
            let run = try sandboxlint("rules", "test", rules)
            #expect(run.code == 1 && run.text.contains("4 examples of 1 rule: 1 failed."), "\(run.text)\(run.errors)")
            #expect(try executeSQL("select a from t", in: victim) == "precious\n")
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "new").path))
        }
    }

    @Test("does not run forever, whatever its examples do", .needs(.process), .timeLimit(.minutes(60)))
    func endless() throws {
        let endless = "\"WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c\""
        var text = rule(running: endless)
        for number in 0..<40 {
            text += "  - { title: a copy, tree: { tmp/\(number).db: { sqlite: [\(endless)] } } }\n"
        }
        try withRule(text) { rules, _ throws in
            let run = try Command("timeout", ["120", Command.sandboxlint, "rules", "test", rules])
            #expect(run.code == 1 && run.text.contains("takes too much time"), "\(run.code) \(run.text.prefix(300))")
            #expect(run.text.hasSuffix("44 examples of 1 rule: 44 failed.\n"))
        }
    }

    @Test("is read in bounded time: a file of 1 MB is refused, and at most 100 errors of a file are listed")
    func large() throws {
        let examples = (0..<4000).map { "  - { tre: { tmp/\($0): {} } }\n" }.joined()
        try withRule(RulesToolTests.rule + examples) { rules, folder throws in
            let many = try Command("timeout", ["120", Command.sandboxlint, "rules", "test", rules])
            #expect(many.code == 2 && many.errors.contains("\n100 errors, at most 100 of each file."))
            try Data(String(repeating: "# comment\n", count: 100_000).utf8).write(
                to: folder.appending(path: "rules/large.yml"))
            let run = try sandboxlint("rules", "test", rules + "/large.yml")
            #expect(run.code == 2 && run.errors.contains("large.yml: it is larger than 256 KiB."), "\(run.errors)")
        }
    }

    @Test(
        "prints no text that controls a terminal or starts a line",
        arguments: [
            ("title: a part is left", "title: \"a \\e[2J\"", "U+001B"),
            ("title: a part is left", "title: \"a \\n::error::x\"", "single line"),
            ("message: \"“{name}” is left\"", "message: \"\\u202e\"", "U+202E"),
            ("help: finish it", "help: \"a\\u2028b\"", "U+2028"), ("rationale: why", "rationale: \"a\\rb\"", "U+000D"),
            ("{ title: an old one", "{ title: \"\\b\"", "U+0008"),
            ("[\"https://example.com\"]", "[\"javascript:alert(1)\"]", "begins with https://"),
        ])
    func texts(old: String, new: String, reason: String) throws {
        let text = RulesToolTests.rule.replacing(old, with: new)
        #expect(text != RulesToolTests.rule)
        try withRule(text) { rules, _ throws in
            try withSample { path throws in
                for arguments in [["lint", path, "--rules", rules], ["rules", "test", rules]] {
                    let run = try sandboxlint(arguments)
                    #expect(run.code == 2 && run.errors.contains(reason), "\(run.errors)")
                    let shown = (run.text + run.errors).unicodeScalars
                    #expect(!shown.contains { $0 == "\u{1b}" || $0 == "\u{202e}" || $0 == "\u{2028}" || $0 == "\u{8}" })
                    #expect(!run.errors.contains("\n::"))
                }
            }
        }
    }

    @Test("prints its patterns and paths escaped, as evidence and for a failed example")
    func patterns() throws {
        let text = RulesToolTests.rule.replacing("\"*.part\"", with: "\"*\\u202e\\e*.part\"")
            .replacing("finds: tmp/a.part", with: "finds: \"tmp/\\u202e\\n::error::x\"")
        try withRule(text) { rules, folder throws in
            let file = "c/tmp/a\u{202e}\u{1b}b.part"
            try folder.write(to: file)
            try folder.setTimes("2020-01-01", of: file)
            for arguments in [
                ["lint", "c", "--rules", rules, "--select", "no-part"], ["rules", "test", rules],
                ["rules", "test", rules, "--mutants"], ["explain", "c", String(file.dropFirst(2)), "--rules", rules],
            ] {
                let run = try sandboxlint(arguments, in: folder)
                #expect(run.code == 1 || run.code == 0, "\(run.errors)")
                let shown = (run.text + run.errors).unicodeScalars
                #expect(!shown.contains { $0 == "\u{1b}" || $0 == "\u{202e}" }, "\(arguments)")
                #expect(!run.text.contains("\n::error"), "\(run.text)")
            }
        }
    }
}
