import Foundation
import TestSupport
import Testing
import ToolSupport

/// Checks real files against the schemas that the tool prints, with jsonschema from PyPI.
@Suite("The JSON Schemas", .needs(.externalProgram)) struct SchemaTests {
    private static let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized

    private func check(_ schema: String, _ files: [URL], strict: Bool = false) throws -> Command {
        try withScratch { folder throws in
            let file = folder.appending(path: "schema.json")
            try sandboxlint("rules", "schema", schema).output.write(to: file)
            return try Command(
                Command.python(),
                [Self.root.appending(path: "Tests/check-schema").path, file.path] + (strict ? ["--strict"] : [])
                    + files.map(\.path))
        }
    }

    @Test("Every rule file is valid")
    func rules() throws {
        let folder = Self.root.appending(path: "rules")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            .filter { name in
                name.hasSuffix(".yml") && !["registry/", "evidence/", "remedies/"].contains(where: name.hasPrefix)
            }
        #expect(names.count >= 12)
        let run = try check("rule", names.map { folder.appending(path: $0) })
        #expect(run.code == 0 && run.text == "\(names.count) files, 0 errors\n", "\(run.text)\(run.errors)")
    }

    @Test(
        "Files that the reader rejects are not valid either",
        arguments: [
            ("severity: warning", "severity: bad"), ("in: temporary", "in: temporry"),
            ("older-than: $days", "oldr: 1d"),
            ("older-than: $days", "older-than: 7w"), ("number: 25", "number: many"), ("id: stale-tmp\n", ""),
            ("kind: file", "kid: file"), ("finds: tmp/upload.part", "found: tmp/upload.part"),
            ("age: 8d", "aged: 8d"), ("safety: safe", "safety: yes"),
        ])
    func refused(old: String, new: String) throws {
        try withScratch { folder throws in
            let text = try String(contentsOf: Self.root.appending(path: "rules/stale/stale-tmp.yml"), encoding: .utf8)
            #expect(text.contains(old))
            let file = folder.appending(path: "rule.yml")
            try Data(text.replacing(old, with: new).utf8).write(to: file)
            let run = try check("rule", [file])
            #expect(run.code == 1 && run.text.hasSuffix("1 files, 1 errors\n"), "\(run.text)\(run.errors)")
            let other = try sandboxlint("rules", "test", folder.path)
            #expect(other.code == 2, "\(other.text)")
        }
    }

    @Test("A configuration with every key is valid, and one with an error is not")
    func configuration() throws {
        try withScratch { folder throws in
            let file = folder.appending(path: ".sandboxlint.yml")
            let whole = """
                extends: [base.yml]
                bundle-id: com.example.app
                modules: [Reader]
                now: 2026-01-31
                rules-folder: rules
                rules:
                  redundant-exclusion: off
                  stale-tmp: { severity: note, days: 14 }
                overrides:
                  - paths: "tmp/exports/**"
                    rules: { stale-tmp: { severity: off } }
                budgets: { regenerable-budget: 4MiB, tmp-budget: 0 }
                user-data: ["Documents/*.sqlite"]
                downloaded: []
                must-exclude: a
                must-include: b
                synced: c
                caches: d
                ignore: e
                suppressions:
                  - { path: "tmp/**", rule: [25, backup], reason: r, owner: o, until: 2026-06-30 }
                baseline: baseline.txt
                sources: { "tmp/**": "Sources/Store.swift:42", a/b: Store.swift }

                """
            try Data(whole.utf8).write(to: file)
            #expect(try check("config", [file]).text == "1 files, 0 errors\n")
            for (old, new) in [
                ("days: 14", "days: [14]"), ("budgets:", "budget:"), ("4MiB", "4XB"), ("note", "loud"),
                ("reason: r, ", ""), ("swift:42", "swift:0"), ("swift:42", "swift:42:1"),
                (": Store.swift", ": /Store.swift"),
                (": Store.swift", ": Store/"),
            ] {
                try Data(whole.replacing(old, with: new).utf8).write(to: file)
                #expect(try check("config", [file]).code == 1, "\(new)")
            }
        }
    }

    /// Runs check-jsonschema of PyPI, as an editor or a hook would.
    private func checkJSONSchema(_ schema: String, _ text: String) throws -> Command {
        try withScratch { folder throws in
            let (file, checked) = (folder.appending(path: "schema.json"), folder.appending(path: "file.yml"))
            try sandboxlint("rules", "schema", schema).output.write(to: file)
            try Data(text.utf8).write(to: checked)
            return try Command(
                Command.python(), ["-m", "check_jsonschema", "--schemafile", file.path, checked.path])
        }
    }

    @Test(
        "check-jsonschema accepts configurations with rules of this build, and own rules if a folder is configured",
        arguments: [
            "rules: { stale-tmp: off }", "rules: { stale-tmp: { days: 3 } }", "budgets: { tmp-budget: 1MiB }",
            "suppressions: [{ path: 'tmp/**', rule: [25, stale, tmp-budget], reason: r }]",
            "rules-folder: rules\nrules: { my-rule: note }\nsuppressions: { path: a, rule: my-rule, reason: r }",
            "overrides: [{ paths: a, rules: { stale-tmp: note } }]", "# nothing",
        ])
    func validRuleNames(text: String) throws {
        let run = try checkJSONSchema("config", text)
        #expect(run.code == 0, "\(run.text)\(run.errors)")
    }

    @Test(
        "check-jsonschema rejects configurations with unknown rules, as the reader does",
        arguments: [
            "rules: { stale-tpm: off }", "budgets: { tmp-bugdet: 1MiB }", "budgets: { stale-tmp: 1MiB }",
            "suppressions: [{ path: 'tmp/**', rule: [25, stael], reason: r }]",
            "suppressions: { path: a, rule: 9999, reason: r }", "rules-folder: rules\nrules: { my-rule: loud }",
            "overrides: [{ paths: a, rules: { stale-tpm: note } }]", "rulez: {}",
        ])
    func invalidRuleNames(text: String) throws {
        let run = try checkJSONSchema("config", text)
        #expect(run.code == 1 && run.text.contains("Schema validation errors"), "\(run.text)\(run.errors)")
        try withScratch { folder throws in
            try Data(text.utf8).write(to: folder.appending(path: ".sandboxlint.yml"))
            try FileManager.default.createDirectory(
                at: folder.appending(path: "rules"), withIntermediateDirectories: true)
            #expect(try sandboxlint("config", "show", in: folder).code == 2)
        }
    }

    @Test("check-jsonschema accepts a new rule and a new configuration, and rejects the rule after a typing error")
    func newFiles() throws {
        try withScratch { folder throws in
            #expect(try sandboxlint("rules", "new", "my-rule", in: folder).code == 0)
            #expect(try sandboxlint("init", in: folder).code == 0)
            let rule = try String(contentsOf: folder.appending(path: "rules/my-rule.yml"), encoding: .utf8)
            let configuration = try String(contentsOf: folder.appending(path: ".sandboxlint.yml"), encoding: .utf8)
            for (schema, text) in [("rule", rule), ("config", configuration)] {
                #expect(
                    text.hasPrefix(
                        "# yaml-language-server: $schema=/usr/local/share/sandboxlint/schemas/\(schema).json\n"))
                let run = try checkJSONSchema(schema, text)
                #expect(run.code == 0, "\(run.text)\(run.errors)")
            }
            let wrong = try checkJSONSchema("rule", rule.replacing("extension:", with: "extenson:"))
            #expect(wrong.code == 1 && wrong.text.contains("extenson"), "\(wrong.text)\(wrong.errors)")
        }
    }

    @Test("Every key of a rule, every condition and every key of a configuration has a description")
    func descriptions() throws {
        func properties(_ schema: Any?) throws -> [String: [String: Any]] {
            try #require((schema as? [String: Any])?["properties"] as? [String: [String: Any]])
        }
        func read(_ name: String) throws -> [String: Any] {
            try #require(
                try JSONSerialization.jsonObject(with: sandboxlint("rules", "schema", name).output) as? [String: Any])
        }
        let (rule, configuration) = (try read("rule"), try read("config"))
        let conditions = try properties((rule["$defs"] as? [String: Any])?["condition"])
            .filter { !["all", "any", "not"].contains($0.key) }
        #expect(conditions.count > 60)
        for all in [try properties(rule), conditions, try properties(configuration)] {
            for (key, value) in all { #expect(value["description"] is String, "\(key)") }
            #expect(all.count { $0.value["examples"] != nil } * 10 >= all.count * 8)
        }
    }

    @Test("A report is valid, and the schema contains every key in it")
    func report() throws {
        try withSample { path throws in
            let file = URL(fileURLWithPath: path).deletingLastPathComponent().appending(path: "report.json")
            try withWeighed(path)
            let suppressions = "suppressions=[{ path: tmp/**, rule: stale, reason: r }]"
            for arguments in [
                [path], [path, path, "missing"],
                ["--fresh-install", "--set", "budgets.undeclared-bulk-in-backup=0", path], ["--select", "8", path],
                ["--set", suppressions, path],
            ] {
                let run = try sandboxlint(["lint", "--format", "json"] + arguments)
                try run.output.write(to: file)
                let checked = try check("report", [file], strict: true)
                #expect(checked.code == 0, "\(checked.text)\(checked.errors)")
            }
        }
    }

    @Test("A difference of containers or reports is valid, and the schema contains every key in it")
    func difference() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let (other, report) = (folder.appending(path: "other").path, folder.appending(path: "report.json"))
            try folder.copyAll("sample", to: "other")
            let mark = "user.com.apple.metadata:com_apple_backup_excludeItem"
            try AttributeTool.set(mark, to: "x", of: other + "/Documents/images")
            try folder.remove("other/tmp/old.part")
            try sandboxlint("lint", path, "--format", "json").output.write(to: report)
            for before in [path, report.path] {
                let file = folder.appending(path: "diff.json")
                try sandboxlint("diff", before, other, "--format", "json").output.write(to: file)
                let checked = try check("diff", [file], strict: true)
                #expect(checked.code == 0, "\(checked.text)\(checked.errors)")
            }
        }
    }
    @Test("The totals of reports are valid, the schema contains every key in them, and it refuses another type")
    func trend() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let (report, file) = (folder.appending(path: "report.json"), folder.appending(path: "trend.json"))
            try sandboxlint("lint", path, "--format", "json").output.write(to: report)
            // One container, and one that is incomplete.
            let second = folder.appending(path: "second.json")
            try sandboxlint("lint", path, "missing", "--format", "json").output.write(to: second)
            for reports in [[report.path], [report.path, second.path, report.path]] {
                let run = try sandboxlint(["trend"] + reports + ["--format", "json"])
                #expect(run.code == 0, "\(run.errors)")
                try run.output.write(to: file)
                let checked = try check("trend", [file], strict: true)
                #expect(checked.code == 0, "\(checked.text)\(checked.errors)")
            }
            let wrong = try String(contentsOf: file, encoding: .utf8).replacing("\"bytes\":", with: "\"byte\":")
            try Data(wrong.utf8).write(to: file)
            let refused = try check("trend", [file])
            #expect(refused.code == 1 && refused.text.contains("bytes"), "\(refused.text)\(refused.errors)")
        }
    }
}
