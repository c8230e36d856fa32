import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint rules") struct RulesToolTests {
    private static let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized

    /// A custom rule: `.part` files in tmp that are older than a day.
    static let rule = """
        id: no-part
        number: 900
        group: stale
        severity: error
        since: 0.1.0
        title: a part is left
        message: "“{name}” is left"
        help: finish it
        rationale: why
        references: ["https://example.com"]
        applies: { in: temporary, kind: file }
        when: { all: [{ name: "*.part" }, { older-than: 1d }] }
        bad:
          - { title: an old one, tree: { tmp/a.part: { age: 2d } }, finds: tmp/a.part }
          - { tree: { tmp/b/b.part: { age: 2d } }, finds: tmp/b/b.part }
        good:
          - { title: a young one, tree: { tmp/a.part: {} } }
          - { title: elsewhere, tree: { Documents/b.part: { age: 2d } } }

        """

    private func withRule(_ text: String, _ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            try Data(text.utf8).write(to: folder.appending(path: "no-part.yml"))
            try body(folder)
        }
    }

    @Test("The examples of a folder's rules are run, and a failure lists the expected and the actual findings")
    func examples() throws {
        try withRule(Self.rule) { folder throws in
            let run = try sandboxlint("rules", "test", folder.path)
            #expect(run.code == 0 && run.text == "4 examples of 1 rule: all passed.\n", "\(run.text)\(run.errors)")
        }
        let changed = Self.rule.replacing("a.part: {}", with: "a.part: { age: 3d }")
            .replacing("finds: tmp/b/b.part", with: "finds: tmp/b/c.part")
        try withRule(changed) { folder throws in
            let run = try sandboxlint("rules", "test", folder.path)
            #expect(run.code == 1)
            let file = folder.appending(path: "no-part.yml").path
            #expect(
                run.text == """
                    \(file):15:5: no-part, bad 2
                      expected  tmp/b/c.part
                      found     tmp/b/b.part

                    \(file):17:5: no-part, good 1: a young one
                      expected  nothing
                      found     tmp/a.part

                    4 examples of 1 rule: 2 failed.

                    """)
            let json = try sandboxlint("rules", "test", folder.path, "--format", "json").output
            let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
            let failures = try #require(object["failures"] as? [[String: Any]])
            #expect(failures.map { $0["example"] as? String } == ["bad 2", "good 1"])
            #expect(failures[0]["found"] as? [String] == ["tmp/b/b.part"])
        }
    }

    @Test("All errors of all files are listed with line and column, and the examples of the other rules are run")
    func allErrors() throws {
        let wrong = Self.rule.replacing("number: 900", with: "number: many").replacing("group:", with: "grup:")
            .replacing("rationale: why\n", with: "").replacing("name: \"*.part\"", with: "nmae: x")
            .replacing("older-than: 1d", with: "older-than: 7w").replacing(
                "tmp/a.part: {}", with: "tmp/a.part: { aeg: 1d }"
            )
            .replacing("  - { tree: { tmp/b/b.part: { age: 2d } }, finds: tmp/b/b.part }\n", with: "")
        try withRule(wrong) { folder throws in
            try Data(Self.rule.utf8).write(to: folder.appending(path: "right.yml"))
            try Data(Self.rule.replacing("id: no-part", with: "id: other").utf8).write(
                to: folder.appending(path: "same.yml"))
            try Data("a: [".utf8).write(to: folder.appending(path: "syntax.yml"))
            let run = try sandboxlint("rules", "test", folder.path)
            #expect(run.code == 2 && run.text == "4 examples of 1 rule: all passed.\n", "\(run.text)")
            let lines = run.errors.split(separator: "\n").filter { $0.hasPrefix(folder.path) }.map {
                String($0.dropFirst(folder.path.count + 1))
            }
            let expected = [
                "no-part.yml:1:1: the key “rationale” is missing", "no-part.yml:2:9: expected a whole number",
                "no-part.yml:3:1: unknown key “grup”", "no-part.yml:11:17: unknown condition “nmae”",
                "no-part.yml:11:42: expected a duration", "no-part.yml:13:3: a rule needs at least two bad examples",
                "no-part.yml:15:49: unknown key “aeg”", "same.yml:2:9: the number 900 is also that of “no-part” in ",
                "syntax.yml:2:1: invalid YAML",
            ]
            #expect(lines.count == expected.count, "\(run.errors)")
            for (line, start) in zip(lines, expected) { #expect(line.hasPrefix(start)) }
            #expect(run.errors.contains("\n9 errors"), "\(run.errors)")
            let json = try sandboxlint("rules", "test", folder.path, "--format", "json").output
            let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
            let errors = try #require(object["errors"] as? [[String: Any]])
            #expect(errors.map { $0["line"] as? Int } == [1, 2, 3, 11, 11, 13, 15, 2, 2])
            let one = try sandboxlint("rules", "test", folder.appending(path: "right.yml").path)
            #expect(one.code == 0 && one.text == "4 examples of 1 rule: all passed.\n", "\(one.errors)")
        }
    }

    @Test("The rules of this build are tested with those of --rules")
    func builtIn() throws {
        try withRule(Self.rule) { folder throws in
            let run = try sandboxlint("rules", "test", "--rules", folder.path, "--select", "no-part,stale-tmp")
            #expect(run.code == 0 && run.text.contains("of 2 rules: all passed"), "\(run.text)\(run.errors)")
        }
    }

    @Test("A mutant that no example detects is listed, and too many of them fail the run")
    func mutants() throws {
        try withRule(Self.rule) { folder throws in
            let run = try sandboxlint("rules", "test", folder.path, "--mutants")
            #expect(run.code == 1)
            #expect(
                run.text == """
                    no-part: 2 of 4 not detected
                      without applies.kind: file
                      without when.all.0: { name: "*.part" }
                    2 of 4 mutants detected: 50 % (minimum 90 %).

                    """, "\(run.text)")
            #expect(try sandboxlint("rules", "test", folder.path, "--mutants", "--at-least", "50").code == 0)
        }
        let better =
            Self.rule + """
                  - { title: another name, tree: { tmp/a.whole: { age: 2d } } }
                  - { title: a directory, tree: { tmp/d.part/: { age: 2d } } }

                """
        try withRule(better) { folder throws in
            let run = try sandboxlint("rules", "test", folder.path, "--mutants")
            #expect(run.code == 0 && run.text == "4 of 4 mutants detected: 100 % (minimum 90 %).\n", "\(run.text)")
        }
    }

    @Test("The rule pages in the repository are up to date; `sandboxlint rules docs` regenerates them")
    func documents() throws {
        try withScratch { folder throws in
            #expect(try sandboxlint("rules", "docs", folder.path).code == 0)
            let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
            #expect(names.count >= 13)
            for name in names {
                let written = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
                let kept = try? String(contentsOf: Self.root.appending(path: "rules/\(name)"), encoding: .utf8)
                #expect(kept == written, "rules/\(name) is stale")
            }
            let kept = try FileManager.default.contentsOfDirectory(atPath: Self.root.appending(path: "rules/docs").path)
            #expect(Set(kept) == Set(names.filter { $0.hasPrefix("docs/") }.map { String($0.dropFirst(5)) }))
        }
    }

    @Test("FORMAT.md documents every key, location, test and recipe of the schema")
    func format() throws {
        let text = try String(contentsOf: Self.root.appending(path: "rules/FORMAT.md"), encoding: .utf8)
        let schema = try #require(
            try JSONSerialization.jsonObject(with: sandboxlint("rules", "schema").output) as? [String: Any])
        func keys(_ value: Any?) -> [String] {
            ((value as? [String: Any])?["properties"] as? [String: Any]).map { Array($0.keys) } ?? []
        }
        let condition = (schema["$defs"] as? [String: Any])?["condition"]
        let words = keys(schema) + keys(condition)
        #expect(words.count > 40)
        for word in words { #expect(text.contains("`\(word)`") || text.contains("`\(word):"), "\(word)") }
    }

    @Test(
        "The list has the group, the default, the fix and the stage of each rule, and --group and --select restrict it")
    func list() throws {
        let all = try sandboxlint("rules", "list").text.split(separator: "\n").map(String.init)
        let json = try JSONSerialization.jsonObject(with: sandboxlint("rules", "list", "--format", "json").output)
        let rules = try #require(json as? [[String: Any]])
        #expect(all.count == rules.count + 1)
        let names = ["no", "rule", "group", "default", "fix", "stage", "title"]
        #expect(all[0].split(separator: " ").map(String.init) == names)
        for (line, rule) in zip(all.dropFirst(), rules) {
            let cells = line.split(separator: #/  +/#).map { $0.trimmingCharacters(in: .whitespaces) }
            let isOptional = try #require(rule["optional"] as? Bool)
            let texts = ["id", "group", isOptional ? "" : "severity", "", "stage", "title"].map { rule[$0] as? String }
            #expect(cells.count == 7 && cells[0] == "\(rule["number"] ?? "")", "\(line)")
            for (cell, text) in zip(cells.dropFirst(), texts) where text != nil { #expect(cell == text, "\(line)") }
            #expect((cells[3] == "off") == isOptional, "\(line)")
            #expect((cells[4] == "none") == (rule["fix"] as? String == nil), "\(line)")
        }
        #expect(
            Set(all.dropFirst().map { $0.split(separator: #/  +/#)[4] }).isSuperset(of: ["safe", "by hand", "--unsafe"])
        )
        func ids(_ arguments: String...) throws -> [String] {
            let run = try sandboxlint(["rules", "list", "--format", "json"] + arguments)
            let listed = try JSONSerialization.jsonObject(with: run.output) as? [[String: Any]]
            return (listed ?? []).compactMap { $0["id"] as? String }
        }
        let loss = rules.filter { $0["group"] as? String == "loss" }.compactMap { $0["id"] as? String }
        #expect(try !loss.isEmpty && ids("--group", "loss") == loss && ids("--select", "loss") == loss)
        #expect(try ids("--select", "stale-tmp,1") == ["regenerable-in-documents", "stale-tmp"])
        #expect(try ids("--group", "stale", "--group", "backup", "--select", "25,1,18").count == 2)
        let wrong = try sandboxlint("rules", "list", "--group", "bakcup")
        #expect(wrong.code == 2 && wrong.errors.contains("- backup"), "\(wrong.errors)")
        #expect(try sandboxlint("rules", "list", "--select", "nothing").code == 2)
    }
}
