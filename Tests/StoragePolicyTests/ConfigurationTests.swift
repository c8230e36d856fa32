import AppContainer
import Foundation
import PolicyAuthoring
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("Configuration") struct ConfigurationTests {
    /// Files written into a scratch directory; the first is read.
    private func reading(_ files: KeyValuePairs<String, String>, set: [String] = []) throws -> Configuration {
        try withScratch { folder throws in
            for (name, text) in files {
                let file = folder.appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            return try Configuration.read(folder.appending(path: files.first?.key ?? "").path, setting: set)
        }
    }

    private func shown(_ configuration: Configuration) -> [String] {
        configuration.entries.map { entry in
            let file = entry.position.file.split(separator: "/").last ?? ""
            return "\(entry.key)=\(entry.value.compact) \(file):\(entry.position.line)"
        }
    }

    @Test("Each value keeps its origin: the nearer file takes precedence, rules are merged by name, options come last")
    func layers() throws {
        let configuration = try reading(
            [
                "a.yml": "extends: base/b.yml\nmodules: [Reader]\nrules:\n  stale-tmp: { days: 14 }\n",
                "base/b.yml": "extends: c.yml\nmodules: [Old, Older]\nrules: { stale-tmp: note, 9: off }\n",
                "base/c.yml": "bundle-id: com.example.base\nbudgets: { x: 1MiB }\n",
            ], set: ["rules.stale-tmp.days=3", "user-data=[a/*, \"b, c\"]"])
        #expect(
            shown(configuration) == [
                "budgets.x=\"1MiB\" c.yml:2", "bundle-id=\"com.example.base\" c.yml:1", "modules=[\"Reader\"] a.yml:2",
                "rules.9.severity=\"off\" b.yml:3", "rules.stale-tmp.days=\"3\" --set:1",
                "rules.stale-tmp.severity=\"note\" b.yml:3", "user-data=[\"a/*\", \"b, c\"] --set:1",
            ])
        #expect(configuration.files.map { $0.split(separator: "/").last } == ["c.yml", "b.yml", "a.yml"])
        #expect(configuration.modules == ["Reader"] && configuration.bundleIdentifier == "com.example.base")
    }

    @Test(
        "A cycle, an endless chain and a missing file are errors at the line of `extends`",
        arguments: [
            ("extends: a.yml", "extends this file, which is a cycle"),
            ("extends: b.yml", "extends this file, which is a cycle"),
            ("extends: missing.yml", "the file does not exist"), ("extends: folder", "it is not a file"),
            ("extends: https://example.com/x.yml", "only local files"),
        ])
    func extending(text: String, message: String) {
        let error = #expect(throws: SourceError.self) {
            try reading(["a.yml": text, "b.yml": "extends: ./a.yml", "folder/x": ""])
        }
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        #expect(error?.line == 1 && error?.column == 10)
    }

    @Test(
        "A file that several files extend is read once: thirty names in each of eight files cost eight reads"
    )
    func fanOut() throws {
        let configuration = try withScratch { folder throws in
            for number in 0..<7 {
                let names = Array(repeating: "\(number + 1).yml", count: 30).joined(separator: ", ")
                let text = "extends: [\(names)]\noverrides: [{ paths: [a], rules: { stale-tmp: note } }]\n"
                try Data(text.utf8).write(to: folder.appending(path: "\(number).yml"))
            }
            try Data("ignore: [x]\n".utf8).write(to: folder.appending(path: "7.yml"))
            return try Configuration.read(folder.appending(path: "0.yml").path)
        }
        #expect(configuration.files.count == 8 && configuration.overrides.count == 7)
    }

    @Test("A file that two files extend is applied before both, so that neither loses its own values")
    func diamond() throws {
        let configuration = try reading([
            "a.yml": "extends: [b.yml, c.yml]\n", "b.yml": "extends: d.yml\nmodules: [B]\n",
            "c.yml": "extends: d.yml\nbundle-id: com.example.c\n", "d.yml": "modules: [D]\nbundle-id: com.example.d\n",
        ])
        #expect(configuration.modules == ["B"] && configuration.bundleIdentifier == "com.example.c")
    }

    @Test(
        "The number and the size of files in `extends` are bounded",
        arguments: [(65, 10, "more than 64 files"), (10, 200_000, "larger than 1 MiB")])
    func bounds(count: Int, size: Int, message: String) throws {
        let error = #expect(throws: SourceError.self) {
            try withScratch { folder throws in
                let names = (0..<count).map { "\($0).yml" }
                for name in names {
                    let text = "# " + String(repeating: "x", count: size) + "\n"
                    try Data(text.utf8).write(to: folder.appending(path: name))
                }
                let text = "extends: [\(names.joined(separator: ", "))]\n"
                try Data(text.utf8).write(to: folder.appending(path: "top.yml"))
                return try Configuration.read(folder.appending(path: "top.yml").path)
            }
        }
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
    }

    @Test("Nine levels of `extends` are one too many")
    func deep() throws {
        let error = #expect(throws: SourceError.self) {
            try withScratch { folder throws in
                for number in 0..<12 {
                    let text = "extends: \(number + 1).yml"
                    try Data(text.utf8).write(to: folder.appending(path: "\(number).yml"))
                }
                return try Configuration.read(folder.appending(path: "0.yml").path)
            }
        }
        #expect(error?.message.contains("more than 8 levels of `extends`") == true)
    }

    @Test(
        "An error is reported at its line, with the nearest name",
        arguments: [
            ("user-dta: []", 1, 1, "unknown key “user-dta”", "user-data"),
            ("rules: { stale-tmp: loud }", 1, 21, "unknown severity “loud”", nil),
            ("rules:\n  stale-tpm: off", 2, 3, "there is no rule “stale-tpm”", "stale-tmp"),
            ("rules:\n  stale-tmp: { dais: 3 }", 2, 22, "no threshold “dais”", "days"),
            ("rules:\n  stale-tmp: { days: soon }", 2, 22, "expected a duration", nil),
            ("overrides:\n  - paths: [a]\n    rules: { stale-tmp: { days: x } }", 3, 33, "expected a duration", nil),
            ("overrides: [{ rules: {} }]", 1, 13, "the key “paths” is missing", nil),
            ("budgets: { stale-tmp: 1MiB }", 1, 23, "has no budget", nil),
            ("ignore: [../x]", 1, 10, "relative to the container", nil),
            ("now: yesterday", 1, 6, "expected a date", nil),
        ] as [(String, Int, Int, String, String?)])
    func wrong(text: String, line: Int, column: Int, message: String, suggestion: String?) throws {
        let catalogue = try Catalogue.embedded()
        let error = #expect(throws: SourceError.self) {
            try Linter(catalogue: catalogue, configuration: Configuration(file: "c.yml", text: text))
        }
        #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        #expect(error?.line == line && error?.column == column, "\(error?.description ?? "")")
        #expect(error?.suggestion == suggestion)
    }

    @Test("A file with only comments, or with a key without a value, sets nothing")
    func empty() throws {
        #expect(try Configuration(file: "c.yml", text: "# nothing\n").entries.isEmpty)
        let configuration = try Configuration(file: "c.yml", text: "ignore:\n")
        #expect(!configuration.declares(Array("Documents".utf8), word: .ignore))
    }

    @Test("The example of every key is valid", arguments: ConfigurationKey.allCases)
    func examples(key: ConfigurationKey) throws {
        let configuration = try Configuration(file: "c.yml", text: key.example)
        if key != .budgets { _ = try Linter(catalogue: .embedded(), configuration: configuration) }
        #expect(configuration.entries.isEmpty == (key == .extends))
        #expect(!key.summary.isEmpty)
    }

    @Test(
        "Settings of a rule apply: severity, threshold, off, and by path",
        arguments: [
            ("", ["warning tmp/a/ten", "warning tmp/b/ten"]), ("rules: { stale-tmp: off }", []),
            ("rules: { stale-tmp: error }", ["error tmp/a/ten", "error tmp/b/ten"]),
            ("rules: { stale-tmp: { days: 11 } }", []),
            ("overrides: [{ paths: [tmp/a/**], rules: { stale-tmp: off } }]", ["warning tmp/b/ten"]),
            (
                "rules: { stale-tmp: { days: 11 } }\noverrides: [{ paths: tmp/b/*, rules: { stale-tmp: { days: 9 } } }]",
                ["warning tmp/b/ten"]
            ),
            (
                """
                rules: { stale-tmp: off }
                overrides:
                  - { paths: [tmp/**], rules: { stale-tmp: note } }
                  - { paths: [tmp/b/**], rules: { stale-tmp: error } }
                """, ["error tmp/b/ten", "note tmp/a/ten"]
            ),
            ("ignore: [tmp/a]", ["warning tmp/a/ten", "warning tmp/b/ten"]),
            ("ignore: [tmp/a/**]", ["warning tmp/b/ten"]),
        ])
    func deciding(text: String, expected: [String]) throws {
        try withScratch { folder throws in
            let path = FilePath(folder.appending(path: "c").path)
            let container = try Container.create(at: path, bundleIdentifier: "com.example.app")
            try container.save("x", to: .documents / "new")
            for name in ["a/ten", "b/ten"] {
                try container.save("x", to: .temporary / name)
                let file = try container.path(.temporary / name).string
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSince1970: TimeInterval(ExampleRun.now - 864_000))],
                    ofItemAtPath: file)
            }
            let configuration = try Configuration(file: "c.yml", text: text)
            var catalogue = try Catalogue.embedded()
            try catalogue.restrict(select: ["stale-tmp"], ignore: [])
            let linter = try Linter(catalogue: catalogue, configuration: configuration, now: ExampleRun.now)
            let report = try linter.lint(container)
            #expect(report.findings.map { "\($0.severity.rawValue) \($0.displayPath)" } == expected)
            #expect(report.suppressed == (text == "ignore: [tmp/a/**]" ? 1 : 0))
        }
    }
}
