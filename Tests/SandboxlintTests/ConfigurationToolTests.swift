import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint, configured") struct ConfigurationToolTests {
    /// The sample container in a separate folder, in which files are written.
    private func withProject(_ files: [String: String], _ body: (URL, String) throws -> Void) throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            for (name, text) in files {
                let file = folder.appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            try body(folder, path)
        }
    }

    @Test("The nearest file in the input's directory or a parent is used; --config and --isolated take precedence")
    func discovery() throws {
        let off = "rules: { regenerable-in-documents: off }"
        try withProject([".sandboxlint.yml": off, "other.yml": "rules: { stale-tmp: off }"]) { folder, path throws in
            #expect(try sandboxlint("lint", path).code == 0)
            #expect(try sandboxlint("lint", path, "--isolated").code == 1)
            #expect(try sandboxlint("lint", path, "--config", folder.appending(path: "other.yml").path).code == 1)
            #expect(try sandboxlint("lint", path, "--isolated", "--config", "x").code == 2)
            #expect(
                try sandboxlint(
                    "lint", path, "--isolated", "--set",
                    off.replacing(": { ", with: ".")
                        .replacing(": off }", with: "=off")
                ).code == 0)
            // A container does not configure its own lint.
            let own = URL(fileURLWithPath: path).appending(path: ".sandboxlint.yml")
            try Data("rules: { regenerable-in-documents: error }".utf8).write(to: own)
            #expect(try sandboxlint("lint", path).code == 0)
        }
    }

    @Test("A run in a working directory that was removed ends, with the result of any other", .needs(.externalProgram))
    func removedDirectory() throws {
        try withProject([:]) { folder, path throws in
            try folder.makeDirectories("elsewhere")
            let elsewhere = folder.appending(path: "elsewhere")
            for words in [
                [Command.sandboxlint, "lint", path, "--format", "compact"],
                [Command.sandboxlint, "lint", path, "--format", "sarif"], [Command.sandboxlint, "rules", "list"],
                [Command.sandboxlint, "explain", path, "Documents"], [Command.sandboxbackup, "plan", path],
                [Command.sandboxfm, "ls", path, "--class"], [Command.sandboxfm, "du", path],
            ] {
                let usual = try Command(words[0], Array(words.dropFirst()), in: elsewhere)
                let script = #"mkdir gone && cd gone && rmdir ../gone && exec "$@""#
                let run = try Command("sh", ["-c", script, "sh"] + words, in: folder, limit: .seconds(300))
                #expect(run.code == usual.code && run.code < 2, "\(words): \(run.errors)")
                #expect(run.text.count { $0 == "\n" } == usual.text.count { $0 == "\n" }, "\(words): \(run.text)")
            }
        }
    }

    @Test(
        "An input that is the working directory and holds containers is configured by its own file, and no other folder is"
    )
    func folderOfContainers() throws {
        try withScratch { folder throws in
            let off = "rules: { stale-tmp: off }\n"
            try folder.makeDirectories("project/build/app/Documents", "delivery/app/Documents")
            try folder.write("x", to: "project/build/app/tmp/old.bin", "delivery/app/tmp/old.bin")
            try folder.setTimes("2025-01-01", of: "project/build/app/tmp/old.bin", "delivery/app/tmp/old.bin")
            try folder.write(off, to: "project/.sandboxlint.yml", "delivery/.sandboxlint.yml")
            func count(_ arguments: String..., in directory: String) throws -> Int {
                let words = ["lint"] + arguments + ["--now", "2026-01-01", "--format", "compact", "--fail-on", "never"]
                let run = try sandboxlint(words, in: folder.appending(path: directory))
                #expect(run.code == 0, "\(run.errors)")
                return run.text.split(separator: "\n").count { $0.contains("[stale-tmp]") }
            }
            #expect(try count(".", in: "project") == 0)
            #expect(try count("build/app", in: "project") == 0)
            #expect(try count(folder.appending(path: "project/build/app").path, in: "/") == 0)
            // The working directory takes precedence, and a delivered folder is data.
            #expect(try count("../project/build/app", in: "delivery") == 0)
            #expect(try count("delivery", in: ".") == 1)
            #expect(try count("delivery/app", in: ".") == 0)
            // A link into a container does not lead to its file.
            try folder.write(off, to: "project/build/app/.sandboxlint.yml")
            try folder.remove("project/.sandboxlint.yml")
            try folder.makeLink("project/.sandboxlint.yml", to: "build/app/.sandboxlint.yml")
            #expect(try count(".", in: "project") == 1)
        }
    }

    @Test("A loop of links is no configuration")
    func loop() throws {
        try withProject([:]) { folder, path throws in
            try folder.makeLink(".sandboxlint.yml", to: "other.yml")
            try folder.makeLink("other.yml", to: ".sandboxlint.yml")
            #expect(try sandboxlint("lint", path, in: folder).code == 1)
            let named = try sandboxlint("lint", path, "--config", ".sandboxlint.yml", in: folder)
            #expect(named.code == 2 && named.errors.contains(".sandboxlint.yml: "), "\(named.errors)")
        }
    }

    @Test("An input that is given twice is linted once, also by another spelling, a link, or inside another input")
    func twice() throws {
        try withProject([:]) { folder, path throws in
            try folder.makeLink("twin", to: "sample")
            func findings(_ inputs: String...) throws -> [String] {
                let run = try sandboxlint(
                    ["lint"] + inputs + ["--now", "2026-01-01", "--format", "json", "--fail-on", "never"], in: folder)
                let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
                #expect((report["inputs"] as? [Any])?.count == 1, "\(inputs)")
                let findings = try #require(report["findings"] as? [[String: Any]])
                return findings.compactMap { $0["fingerprint"] as? String }
            }
            let once = try findings("sample")
            #expect(once.count > 1)
            for inputs in [["sample", "sample"], ["sample", "./sample/"], ["twin", path], ["sample/../twin", "."]] {
                #expect(try findings(inputs[0], inputs[1]) == once, "\(inputs)")
            }
        }
    }

    @Test("A control character in it is reported with its line, and does not reach the terminal")
    func control() throws {
        try withProject([".sandboxlint.yml": "now: 2026-01-01\nbundle-id: \"a\u{1b}[31m\"\n"]) { _, path throws in
            let run = try sandboxlint("lint", path)
            #expect(run.code == 2 && run.errors.contains(".sandboxlint.yml:2:1: invalid YAML: control characters"))
            #expect(!run.errors.contains("\u{1b}"), "\(run.errors)")
        }
    }

    @Test("Files above the top of a repository are ignored, and the working directory's file is the fallback")
    func bounds() throws {
        let off = "rules: { regenerable-in-documents: off }"
        try withProject([".sandboxlint.yml": off, "repository/.git/HEAD": "x", "elsewhere/.git": "x"]) {
            folder, path throws in
            let inside = folder.appending(path: "repository/build/c").path
            try FileManager.default.createDirectory(
                at: folder.appending(path: "repository/build"), withIntermediateDirectories: true)
            try FileManager.default.moveItem(atPath: path, toPath: inside)
            let elsewhere = folder.appending(path: "elsewhere")
            #expect(try sandboxlint("lint", inside, in: elsewhere).code == 1)
            #expect(try sandboxlint("lint", inside, in: folder).code == 0)
            #expect(try sandboxlint("lint", "build/c", in: folder.appending(path: "repository")).code == 1)
        }
    }

    @Test("`config show` prints each value and its origin")
    func show() throws {
        let files = [
            ".sandboxlint.yml": "extends: base.yml\nuser-data: [\"Documents/*.sqlite\"]\n",
            "base.yml": "# base\nrules: { stale-tmp: { severity: note, days: 14 } }\n",
        ]
        try withProject(files) { folder, _ throws in
            let text = try sandboxlint("config", "show", "sample", "--set", "bundle-id=com.x.y", in: folder).text
            #expect(
                text == """
                    bundle-id                 "com.x.y"  --set
                    rules.stale-tmp.days      14  base.yml:2
                    rules.stale-tmp.severity  "note"  base.yml:2
                    user-data                 ["Documents/*.sqlite"]  .sandboxlint.yml:2

                    """)
            let json = try sandboxlint("config", "show", "--format", "json", in: folder).output
            let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
            #expect(object["files"] as? [String] == ["base.yml", ".sandboxlint.yml"])
            let values = try #require(object["values"] as? [[String: Any]])
            #expect(
                values.map { $0["key"] as? String } == [
                    "rules.stale-tmp.days", "rules.stale-tmp.severity", "user-data",
                ])
            #expect((values[0]["setBy"] as? [String: Any])?["line"] as? Int == 2)
        }
    }

    @Test("`config show` of an item prints what applies to its path, with overrides")
    func showItem() throws {
        let file = """
            ignore: ["tmp/keep/**"]
            rules: { stale-tmp: { severity: note, days: 14 } }
            overrides:
              - paths: ["tmp/**"]
                rules: { stale-tmp: { days: 20 } }
              - paths: ["tmp/exports/**"]
                rules: { stale-tmp: { days: 30 } }
            suppressions:
              - { path: "tmp/exports/**", rule: stale-tmp, reason: sent }

            """
        try withProject([".sandboxlint.yml": file]) { folder, path throws in
            let exports = """
                rules.stale-tmp.days      30  .sandboxlint.yml:7
                rules.stale-tmp.severity  "note"  .sandboxlint.yml:2
                suppressions.0            {"path": "tmp/exports/**", "rule": "stale-tmp", "reason": "sent"}  .sandboxlint.yml:9

                """
            let runs = [["sample", "tmp/exports/a.bin"], ["sample/tmp/exports/a.bin"], ["tmp/exports/a.bin"]]
            for arguments in runs {
                let run = try sandboxlint(["config", "show"] + arguments, in: folder)
                #expect(run.text == exports, "\(arguments): \(run.text)\(run.errors)")
            }
            try folder.write("ignore: [tmp/keep]\n", to: "less.yml")
            let none = try sandboxlint("config", "show", path, "tmp/b", "--config", "less.yml", in: folder)
            #expect(none.code == 0 && none.text == "No values for the item are set in less.yml.\n", "\(none.errors)")
            let keep = try sandboxlint("config", "show", path, "tmp/keep/a", in: folder).text
            #expect(
                keep == """
                    ignore                    "tmp/keep/**"  .sandboxlint.yml:1
                    rules.stale-tmp.days      20  .sandboxlint.yml:5
                    rules.stale-tmp.severity  "note"  .sandboxlint.yml:2

                    """)
        }
    }

    @Test(
        "An error exits with 2 and shows its line, a caret, and the nearest name",
        arguments: [
            (["--set", "rules.stale-tpm=off"], "--set:1:7: there is no rule “stale-tpm”"),
            (["--set", "rules.stale-tmp.days=x"], "  |                      ^"),
            (["--set", "nonsense"], "expected KEY=VALUE"),
            (["--config", "missing.yml"], "missing.yml: the file does not exist"),
            (["--set", "bundel-id=x"], "did you mean “bundle-id”?"),
            (["--rules", "missing"], "the folder of rules cannot be read"),
            (["--set", "rules-folder=missing"], "the folder of rules cannot be read"),
        ])
    func mistakes(arguments: [String], hint: String) throws {
        try withSample { path throws in
            let run = try sandboxlint(["lint", path] + arguments)
            #expect(run.code == 2 && run.output.isEmpty)
            #expect(run.errors.contains(hint), "\(run.errors)")
        }
    }

    @Test("`now` is the date that ages are computed from, unless --now is given")
    func now() throws {
        try withProject([".sandboxlint.yml": "now: 2025-06-02\n"]) { _, path throws in
            #expect(try !sandboxlint("lint", path, "--select", "25").text.contains("stale-tmp"))
            #expect(try sandboxlint("lint", path, "--select", "25", "--now", "2025-07-01").text.contains("30 days"))
        }
    }

    @Test("A folder of additional rules is set by --rules or by the configuration, relative to its file")
    func ownRules() throws {
        let files = [
            "lint/rules/no-part.yml": RulesToolTests.rule,
            "lint/c.yml": "rules-folder: rules\nrules: { no-part: note }\n",
        ]
        try withProject(files) { folder, path throws in
            let rules = folder.appending(path: "lint/rules").path
            let select = ["--select", "no-part", "--fail-on", "note"]
            #expect(
                try sandboxlint(["lint", path, "--rules", rules] + select).text.contains(
                    "error[no-part]"))
            let run = try sandboxlint(["lint", path, "--config", "lint/c.yml"] + select, in: folder)
            #expect(run.text.contains("note[no-part]"), "\(run.errors)")
            #expect(try sandboxlint("rules", "list", "--rules", rules).text.contains("900  "))
        }
    }

    @Test(
        "`init` writes a commented file that is valid, suggests values from the container, and never overwrites a file")
    func initialize() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let store = URL(fileURLWithPath: path).appending(path: "Library/Application Support/Notes")
            try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
            try Data("SQLite format 3\0".utf8 + [UInt8](repeating: 0, count: 100)).write(
                to: store.appending(path: "a.sqlite"))
            #expect(try sandboxlint("init", "sample", in: folder).code == 0)
            let text = try String(contentsOf: folder.appending(path: ".sandboxlint.yml"), encoding: .utf8)
            #expect(text.contains("\nbundle-id: com.example.app\n"))
            #expect(text.contains("  - \"Library/Application Support/Notes/*.sqlite\"\n"))
            let shown = try sandboxlint("config", "show", in: folder)
            #expect(shown.code == 0 && shown.text.contains("bundle-id"), "\(shown.errors)")
            // A database that was suggested is not listed again.
            #expect(!text.contains("Notes/**"))
            let again = try sandboxlint("init", in: folder)
            #expect(again.code == 2 && again.errors.contains("already exists"))
            #expect(try String(contentsOf: folder.appending(path: ".sandboxlint.yml"), encoding: .utf8) == text)
        }
    }

    @Test("`init` suggests a pattern where the evidence is certain, and asks about the others, with size and kinds")
    func candidates() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            for (directory, names) in [
                ("Documents/Receipts", ["0scan.png", "1scan.png", "2scan.png"]),
                ("Documents/clips", ["one.mp4", "two.mp4", "three.mp4"]),
            ] {
                let place = URL(fileURLWithPath: path).appending(path: directory)
                try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
                for name in names { try Data(count: 200_000).write(to: place.appending(path: name)) }
            }
            let films = ["one", "two", "three"].map { "https://example.com/v/\($0).mp4" }
            try JSONSerialization.data(withJSONObject: ["films": films]).write(
                to: URL(fileURLWithPath: path).appending(path: "Documents/films.json"))
            #expect(try sandboxlint("init", "sample", in: folder).code == 0)
            let file = folder.appending(path: ".sandboxlint.yml")
            let text = try String(contentsOf: file, encoding: .utf8)
            for (heading, glob, facts) in [
                ("# downloaded:\n", "Documents/clips/**", "600 KB in 3 videos; looks re-downloadable ("),
                ("# Undecided: ", "Documents/Receipts/**", "600 KB in 3 pictures; undecided"),
            ] {
                let section = try #require(text.components(separatedBy: "\n\(heading)").dropFirst().first, "\(text)")
                let lines = section.split(separator: "\n").drop { !$0.hasPrefix("#   - ") }.prefix {
                    $0.hasPrefix("#   - ")
                }
                #expect(lines.contains { $0.hasPrefix("#   - \"\(glob)\"  # \(facts)") }, "\(heading): \(lines)")
            }
            // Only comments were added, and uncommented they are a configuration.
            #expect(try !sandboxlint("config", "show", in: folder).text.contains("clips"))
            let used = text.replacing("\n# downloaded:\n#   - ", with: "\ndownloaded:\n  - ")
            try Data(used.utf8).write(to: file)
            #expect(
                try sandboxlint("config", "show", in: folder).text.contains("downloaded  [\"Documents/clips/**\""))
        }
    }
}
