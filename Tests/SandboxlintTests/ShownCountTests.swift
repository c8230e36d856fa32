import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("Numbers and labels of a report") struct ShownCountTests {
    private static let id = "0E51B748-1CAE-4B41-9D42-6AA70BBCFAD9"
    private static let directory = "c/Library/Application Support/com.example.app"

    private func withContainer(_ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            try folder.makeDirectories("c/Documents", "c/Library/Caches", "c/tmp", Self.directory)
            try body(folder)
        }
    }

    private func findings(_ folder: URL, _ rule: String, _ options: String...) throws -> [[String: Any]] {
        let run = try sandboxlint(
            ["lint", "c", "--isolated", "--select", rule, "--format", "json"] + options, in: folder)
        let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
        return try #require(report["findings"] as? [[String: Any]])
    }

    private func evidence(_ finding: [String: Any], _ kind: String) -> String? {
        (finding["evidence"] as? [[String: Any]])?.first { $0["kind"] as? String == kind }?["value"] as? String
    }

    /// JSON in the text of JSON in the text of JSON.
    private func nested(_ values: [String: String]) throws -> Data {
        func text(_ value: [String: String]) throws -> String {
            String(decoding: try JSONSerialization.data(withJSONObject: value, options: .sortedKeys), as: UTF8.self)
        }
        return Data(try text(["x": text(["y": text(values)])]).utf8)
    }

    @Test("A path is counted once for each text that has it, also if the text is in JSON in JSON")
    func paths() throws {
        try withContainer { folder throws in
            let path = "/var/mobile/Containers/Data/Application/\(Self.id)/Documents/a.jpg"
            try nested(["a": path, "b": path]).write(to: folder.appending(path: "\(Self.directory)/n.json"))
            let found = try findings(folder, "absolute-container-path")
            #expect(found.count == 1)
            #expect(evidence(try #require(found.first), "paths") == "2")
            #expect(evidence(try #require(found.first), "key") == "/x/y/a")
        }
    }

    @Test("A secret is counted once, also if it is in JSON in JSON")
    func secrets() throws {
        try withContainer { folder throws in
            let token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
            try nested(["note": token]).write(to: folder.appending(path: "\(Self.directory)/n.json"))
            let found = try findings(folder, "secret-in-backed-up-file")
            #expect(found.count == 1)
            #expect(evidence(try #require(found.first), "secrets") ?? "1" == "1")
        }
    }

    @Test("One file is not “1 files”, and a report has sizes in one unit")
    func oneFile() throws {
        try withContainer { folder throws in
            try folder.makeSparse("c/Documents/shelf/book.epub", size: 3_000_000)
            let run = try sandboxlint("lint", "c", "--isolated", "--verbose", in: folder)
            #expect(run.text.contains("3 MB in 1 file in every backup"), "\(run.text)")
            #expect(run.text.firstMatch(of: /\b1 (files|items|findings|bytes)\b|[0-9] [KMG]iB/) == nil, "\(run.text)")
        }
    }

    @Test("A directory has the size of all files below it in each report")
    func directory() throws {
        try withContainer { folder throws in
            try folder.write(Data(count: 1_000), to: "\(Self.directory)/PortraitSegmenter.mlmodelc/coremldata.bin")
            try folder.write(Data(count: 900_000), to: "\(Self.directory)/PortraitSegmenter.mlmodelc/w/weight.bin")
            let rule = "code-or-model-bundle-in-backup"
            let text = try sandboxlint("lint", "c", "--isolated", "--select", rule, in: folder).text
            #expect(text.contains("PortraitSegmenter.mlmodelc   (901 KB)"), "\(text)")
            let found = try findings(folder, rule)
            #expect(found.first?["bytes"] as? Int == 901_000 && found.first?["items"] as? Int == 1)
            for (format, size) in [
                ("sarif", "\"bytes\":901000"), ("csv", ",1,901000,"), ("markdown", "| 901 KB |"), ("html", "901 KB"),
            ] {
                let run = try sandboxlint("lint", "c", "--isolated", "--select", rule, "--format", format, in: folder)
                #expect(run.text.contains(size), "\(format): \(run.text.suffix(2_000))")
            }
            let statistics = try sandboxlint("lint", "c", "--isolated", "--select", rule, "--statistics", in: folder)
            #expect(statistics.text.contains("1      1  901 KB"), "\(statistics.text)")
        }
    }

    @Test("A log is reported by one rule, the one with the most specific cause")
    func logs() throws {
        try withContainer { folder throws in
            let own = Self.directory
            let text = "2026-01-01 12:00 started\n"
            let rules = [
                "\(own)/sync/app.log": "logs-in-backup", "\(own)/Logs/2026-01-01": "logs-in-backup",
                "c/Documents/Logs/.trace.log": "logs-in-backup", "c/Library/Logs/app.log.1": "logs-in-backup",
                "\(own)/private/app.log": "exclusion-lost", "\(own)/derived/app.log": "regenerable-in-app-support",
                "c/Documents/derived/app.log": "regenerable-in-documents",
                "\(own)/Logs/db/LOG": "engine-files-in-backup",
                "\(own)/large/app.log": "large-file-in-backup", "c/Documents/swiftybeaver.log": "superseded-location",
                "\(own)/fetched/app.log": "download-origin-in-backup",
            ]
            try folder.write(text, to: "\(own)/Cache/Logs/app.log", "c/Library/Caches/swiftybeaver.log")
            for path in rules.keys { try folder.write(text, to: path) }
            try folder.write(text, to: "\(own)/tagged/app.log")
            try folder.write("Signature: 8a477f597d28d172789f06886806bc55\n", to: "\(own)/tagged/CACHEDIR.TAG")
            try folder.write("MANIFEST-000001\n", to: "\(own)/Logs/db/CURRENT")
            try folder.write(Data(repeating: 0x61, count: 51 << 20), to: "\(own)/large/app.log")
            try AttributeTool.set(
                "user.com.apple.quarantine", to: "0083;59b926ad;com.example.app;6BD8E4E6", of: "\(own)/fetched/app.log",
                in: folder)
            try folder.write(
                "bundle-id: com.example.app\ncaches: ['**/derived/**']\nmust-exclude: ['**/private/*.log']\n",
                to: "configuration.yml")
            let chosen = Set(rules.values).union([
                "cache-directory-misplaced", "foreign-exclusion-only", "hidden-user-document",
            ])
            let run = try sandboxlint(
                "lint", "c", "--config", "configuration.yml", "--select", chosen.sorted().joined(separator: ","),
                "--format", "json", in: folder)
            let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            let findings = try #require(report["findings"] as? [[String: Any]])
            let found = findings.map { "\($0["path"] ?? "") \($0["rule"] ?? "")" }.sorted()
            let expected = rules.map { "\($0.key.dropFirst(2)) \($0.value)" }
            let directories = ["Cache cache-directory-misplaced", "tagged foreign-exclusion-only"]
            #expect(found == (expected + directories.map { "\(own.dropFirst(2))/\($0)" }).sorted())
        }
    }

    @Test(
        "Several rules with one remedy have one block; if verbose, each help and each fix names its rule",
        arguments: ["warning", "note"])
    func labels(severity: String) throws {
        try withContainer { folder throws in
            try folder.makeHole("c/tmp/old.part", size: 10)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: 1_700_000_000)],
                ofItemAtPath: folder.appending(path: "c/tmp/old.part").path)
            try Data("x".utf8).write(to: folder.appending(path: "c/Documents/a.txt"))
            let arguments = [
                "lint", "c", "--isolated", "--now", "2026-01-01", "--set", "rules.partial-download=\(severity)",
            ]
            let short = try sandboxlint(arguments, in: folder).text
            #expect(short.contains("\nwarning[stale-tmp, partial-download]: “old.part” has been in tmp"), "\(short)")
            #expect(short.matches(of: #/= help /#).count == 1 && short.matches(of: #/= fix /#).count == 1, "\(short)")
            let run = try sandboxlint(arguments + ["--verbose"], in: folder)
            for rule in ["stale-tmp", "partial-download"] {
                #expect(run.text.contains("= help     \(rule): "), "\(run.text)")
                #expect(run.text.contains("= fix      \(rule): "), "\(run.text)")
            }
        }
    }
}
