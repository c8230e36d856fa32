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
}
