import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("sandboxlint merge", .timeLimit(.minutes(60))) struct MergeToolTests {
    private static let formats = [
        "text", "compact", "json", "jsonl", "sarif", "github", "gitlab", "junit", "checkstyle", "markdown", "csv",
    ]

    /// Containers of several apps beside a configuration, with findings of many kinds, and a copy of the first container.
    private func withFleet(_ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            let url = try #require(URL(string: "https://example.com/a.jpg"))
            try Data(
                """
                now: 2026-01-01
                must-exclude: ["Documents/model.bin"]
                ignore: ["tmp/ignored/**"]
                suppressions:
                  - { path: "tmp/known/**", rule: stale-tmp, reason: uploaded later, owner: reader }
                  - { path: "Documents/a.part", rule: partial-download, reason: only in one container }

                """.utf8
            ).write(to: folder.appending(path: ".sandboxlint.yml"))
            try FileManager.default.createDirectory(
                at: folder.appending(path: ".git"), withIntermediateDirectories: false)
            for (index, name) in ["one", "two", "three"].enumerated() {
                let container = try Container.create(
                    at: FilePath(folder.appending(path: name).path), bundleIdentifier: "com.example.\(name)")
                try container.save(
                    Data([0xff, 0xd8]), to: .documents / "images/a.jpg",
                    options: .init(provenance: .downloaded(from: url)))
                try container.save("x", to: .documents / "model.bin")
                if index == 1 { try container.save("x", to: .documents / "a.part") }
                for file in ["old.part", "known/b.part", "ignored/c.part", "50%\n.part", "caf\u{e9}.part"] {
                    try container.save("\(index)", to: .temporary / file)
                }
                try container.save("", to: .documents / "empty.json")
                try URL(fileURLWithPath: container.path(.temporary).string).setAllTimes("2025-06-01T00:00:00Z")
            }
            try folder.copyAll("one", to: "again")
            try body(folder)
        }
    }

    @Test("The page of merged reports lists the directories of undecided files that findings name")
    func undecided() throws {
        try withScratch { folder throws in
            for name in ["one", "two"] {
                try folder.write(
                    String(repeating: "x", count: 3_000_000), to: "\(name)/Documents/packs/level-\(name).bin")
            }
            for name in ["one", "two"] {
                let run = try sandboxlint(
                    "lint", name, "--isolated", "--output", "json=\(name).json", "--quiet", in: folder)
                #expect(run.errors.isEmpty)
            }
            let page = try merge("one.json", "two.json", "--format", "html", in: folder).text
            #expect(page.contains("Undecided: declare what these files are"))
            for name in ["one", "two"] { #expect(page.contains("\(name): Documents/packs: 3 MB in 1 "), "\(page)") }
        }
    }

    /// Lints each container by itself into a report with its name.
    private func lint(_ names: [String], in folder: URL) throws {
        for name in names {
            let run = try sandboxlint("lint", name, "--output", "json=\(name).json", "--quiet", in: folder)
            #expect(run.code == 1, "\(run.errors)")
        }
    }

    private func merge(_ arguments: String..., in folder: URL) throws -> Command {
        try sandboxlint(["merge"] + arguments, in: folder)
    }

    @Test("The merged reports of three apps are the report of one run over all of them", arguments: formats)
    func equal(format: String) throws {
        try withFleet { folder throws in
            try lint(["one", "two", "three"], in: folder)
            let whole = try sandboxlint("lint", "one", "two", "three", "--format", format, in: folder)
            let merged = try merge("one.json", "two.json", "three.json", "--format", format, in: folder)
            #expect(merged.code == 1 && whole.code == 1 && merged.errors.isEmpty, "\(merged.errors)")
            // A short text counts what does not fit.
            let isWhole = whole.text.contains("stale-tmp") && whole.text.contains("model.bin")
            #expect(isWhole || format == "text" && whole.text.contains("\n… "))
            // A merged report has no times.
            let times = /time="[^"]*"/
            #expect(merged.text.replacing(times, with: "") == whole.text.replacing(times, with: ""))
        }
    }

    @Test("A merged report can be merged again, and fingerprints of two containers of one app are those of one run")
    func again() throws {
        try withFleet { folder throws in
            let others = ["lint", "one", "two", "again", "--format", "json", "--ignore", "91,92"]
            for name in ["one", "two", "again"] {
                let run = try sandboxlint(
                    "lint", name, "--output", "json=\(name).json", "--ignore", "91,92", in: folder)
                #expect(run.code == 1, "\(run.errors)")
            }
            let whole = try sandboxlint(others, in: folder)
            #expect(try merge("one.json", "two.json", "--output", "json=first.json", in: folder).code == 1)
            let merged = try merge("first.json", "again.json", "--format", "json", in: folder)
            #expect(merged.text == whole.text, "\(merged.errors)")
            let prints = merged.text.matches(of: /"fingerprint":"([0-9a-f]+)"/).map { String($0.output.1) }
            #expect(Set(prints).count == prints.count)
        }
    }

    @Test("A container of several reports with the same result is counted once, and the report says so")
    func duplicates() throws {
        try withFleet { folder throws in
            try lint(["one", "two"], in: folder)
            try folder.copyAll("one.json", to: "retried.json")
            let once = try merge("one.json", "two.json", in: folder)
            let twice = try merge("one.json", "two.json", "retried.json", in: folder)
            #expect(twice.text == once.text)
            #expect(
                twice.errors
                    == "sandboxlint: 1 container of several reports with the same result is counted once: one\n")
            let json = try merge("one.json", "retried.json", "--format", "json", in: folder).text
            #expect(
                json.contains(#""notes":["1 container of several reports with the same result is counted once: one"]"#))
        }
    }

    @Test("Different containers with the same name are preceded by the names of their reports")
    func sameName() throws {
        try withFleet { folder throws in
            try lint(["one"], in: folder)
            try folder.move("one.json", to: "a.json")
            try folder.remove("one/tmp/old.part")
            try lint(["one"], in: folder)
            try folder.move("one.json", to: "b.json")
            let run = try merge("a.json", "b.json", "--format", "compact", in: folder)
            #expect(run.errors.contains("are preceded by the name of their report: one\n"), "\(run.errors)")
            #expect(run.text.contains("a.json/one") || run.text.contains("one/tmp/old.part"), "\(run.text)")
            let json = try merge("a.json", "b.json", "--format", "json", in: folder).text
            #expect(json.contains(#""label":"a.json/one""#) && json.contains(#""label":"b.json/one""#))
            #expect(json.contains(#""apps":[{"bundleID":"com.example.one","containers":2,"#))
        }
    }

    @Test("The totals of each app are in the text, in Markdown and in JSON")
    func totals() throws {
        try withFleet { folder throws in
            try lint(["one", "two"], in: folder)
            let text = try merge("one.json", "two.json", in: folder).text
            #expect(text.contains("\n2 apps\n  com.example."), "\(text)")
            let markdown = try merge("one.json", "two.json", "--format", "markdown", in: folder).text
            #expect(markdown.contains("\n### Apps\n") && markdown.contains("<code>com.example.two</code> | 1 |"))
            let object = try JSONSerialization.jsonObject(
                with: merge("one.json", "two.json", "--format", "json", in: folder).output)
            let apps = try #require((object as? [String: Any])?["apps"] as? [[String: Any]])
            #expect(apps.map { $0["bundleID"] as? String } == ["com.example.one", "com.example.two"])
            #expect(apps.allSatisfy { $0["items"] as? Int ?? 0 > 5 })
        }
    }

    @Test(
        "The exit code follows --fail-on, as in one run",
        arguments: [([], 1), (["--fail-on", "never"], 0), (["--select", "1"], 2), (["--max-warnings", "0"], 1)])
    func exitCodes(arguments: [String], code: Int) throws {
        try withFleet { folder throws in
            try lint(["one"], in: folder)
            let run = try sandboxlint(["merge", "one.json"] + arguments, in: folder)
            #expect(Int(run.code) == code, "\(run.errors)")
        }
    }

    @Test("An incomplete run makes the merged report incomplete, with its reason")
    func incomplete() throws {
        try withFleet { folder throws in
            try lint(["one"], in: folder)
            let run = try sandboxlint("lint", "two", "missing", "--output", "json=two.json", in: folder)
            #expect(run.code == 3)
            let merged = try merge("one.json", "two.json", "--fail-on", "never", in: folder)
            #expect(
                merged.code == 3 && merged.text.contains("failed: cannot open the directory “missing”"),
                "\(merged.text)")
            let json = try merge("one.json", "two.json", "--format", "json", in: folder).text
            #expect(json.contains(#""complete":false"#))
            // A report that only states it.
            let text = try String(contentsOf: folder.appending(path: "one.json"), encoding: .utf8)
            try Data(text.replacing(#""complete":true"#, with: #""complete":false"#).utf8)
                .write(to: folder.appending(path: "one.json"))
            let other = try merge("one.json", in: folder)
            #expect(other.code == 3 && other.text.contains("failed: the run of one.json was incomplete"))
        }
    }

    @Test(
        "A file that is not a complete report is named with the reason, and the others are merged",
        arguments: [
            ("{}", "it is not a sandboxlint report"), ("[]", "it is not a sandboxlint report"),
            ("", "it is not a sandboxlint report"), ("hello", "it is not a sandboxlint report"),
            (
                #"{"schema":"sandboxlint-report/2"}"#,
                "the report has the format sandboxlint-report/2; this version of sandboxlint reads sandboxlint-report/1"
            ),
            (#"{"schema":"sandboxlint-report/1"}"#, "the report is damaged: tool is missing or invalid"),
            (#"{"schema":"sandboxlint-report/1","#, "damaged or truncated"),
            (#"{"a":"# + String(repeating: "[", count: 500_000), "it is not a sandboxlint report"),
        ])
    func damaged(text: String, reason: String) throws {
        try withFleet { folder throws in
            try lint(["one"], in: folder)
            try Data(text.utf8).write(to: folder.appending(path: "bad.json"))
            let run = try merge("bad.json", "one.json", in: folder)
            #expect(run.code == 3 && run.errors.hasPrefix("sandboxlint: bad.json: "), "\(run.errors.prefix(300))")
            #expect(run.errors.contains(reason), "\(run.errors.prefix(300))")
            #expect(run.text.contains("stale-tmp") && run.text.contains("failed: bad.json: "))
        }
    }

    @Test(
        "A changed value of a report is an error that names it",
        arguments: [
            (#""rule":"stale-tmp""#, #""rule":"stale-tpm""#, "the rule “stale-tpm”, which is unknown"),
            (#""severity":"error""#, #""severity":"fatal""#, "findings.0.severity is missing or invalid"),
            (#""location":"Documents","backedUp""#, #""location":"Dokumente","backedUp""#, ".location is missing"),
            (#""input":0,"path":"Documents/images"#, #""input":9,"path":"Documents/images"#, ".input is missing"),
            (#""state":"included""#, #""state":"both""#, ".exclusion.state is missing or invalid"),
            (#""items":"#, #""items":-"#, "a number is out of range"),
            (#""exclusionEvidence":"xattr""#, #""exclusionEvidence":"none ""#, "inputs.0.exclusionEvidence is missing"),
            (#","rules":""#, #","norules":""#, "the report is damaged: tool.rules is missing or invalid"),
            (#","exclusion":{"#, #","other":{"#, "findings.0.exclusion is missing or invalid"),
        ])
    func changed(old: String, new: String, reason: String) throws {
        try withFleet { folder throws in
            try lint(["one"], in: folder)
            let file = folder.appending(path: "one.json")
            let text = try String(contentsOf: file, encoding: .utf8)
            let range = try #require(text.firstRange(of: old))
            try Data(text.replacingCharacters(in: range, with: new).utf8).write(to: file)
            let run = try merge("one.json", in: folder)
            #expect(run.code == 3 && run.errors.contains(reason), "\(run.errors)")
            #expect(run.errors.hasPrefix("sandboxlint: one.json: "))
        }
    }

    @Test("A truncated report, a missing one, a directory and a pipe are errors, and no byte is waited for")
    func unreadable() throws {
        try withFleet { folder throws in
            try lint(["one"], in: folder)
            let whole = try Data(contentsOf: folder.appending(path: "one.json"))
            for length in [1, 100, whole.count / 2, whole.count - 3] {
                try whole.prefix(length).write(to: folder.appending(path: "cut.json"))
                let run = try merge("cut.json", in: folder)
                #expect(run.code == 3 && run.errors.hasPrefix("sandboxlint: cut.json: "), "\(run.errors)")
            }
            try createPipe(folder.path + "/pipe")
            for name in ["missing.json", "one", "pipe"] {
                let run = try merge(name, in: folder)
                #expect(run.code == 3 && run.errors.contains("\(name): it cannot be read"), "\(run.errors)")
            }
            try folder.makeHole("large.json", size: 65 << 20)
            #expect(try merge("large.json", in: folder).errors.contains("it is larger than 64 MiB"))
        }
    }

    @Test("Reports of another version or of other rules are merged with a note")
    func versions() throws {
        try withFleet { folder throws in
            try lint(["one", "two"], in: folder)
            let file = folder.appending(path: "two.json")
            let text = try String(contentsOf: file, encoding: .utf8)
            let old = try #require(text.firstMatch(of: /"version":"([^"]+)"/))
            try Data(text.replacing(old.output.0, with: #""version":"0.0.9""#).utf8).write(to: file)
            let run = try merge("one.json", "two.json", in: folder)
            #expect(
                run.code == 1 && run.errors.contains("1 report of another version (0.0.9): two.json."), "\(run.errors)")
            try Data(text.replacing(/"rules":"[0-9a-f]{16}"/, with: #""rules":"0000000000000000""#).utf8)
                .write(to: file)
            let other = try merge("one.json", "two.json", in: folder)
            #expect(other.code == 1 && other.errors.contains("1 report with other rules than this run: two.json."))
        }
    }

    @Test("Findings of own rules need the folder of the rules")
    func ownRules() throws {
        try withFleet { folder throws in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "rules"), withIntermediateDirectories: false)
            try Data(RulesToolTests.rule.utf8).write(to: folder.appending(path: "rules/no-part.yml"))
            let lint = ["lint", "one", "--rules", "rules", "--format", "json"]
            let whole = try sandboxlint(lint, in: folder)
            try whole.output.write(to: folder.appending(path: "one.json"))
            let without = try merge("one.json", in: folder)
            #expect(without.code == 3 && without.errors.contains("Specify the folder of the rule with --rules"))
            let with = try merge("one.json", "--rules", "rules", "--format", "json", in: folder)
            #expect(with.text == whole.text && with.errors.isEmpty, "\(with.errors)")
        }
    }

    @Test("Texts of a report cannot control a terminal or write a command of GitHub")
    func hostile() throws {
        try withFleet { folder throws in
            try lint(["one"], in: folder)
            let file = folder.appending(path: "one.json")
            var text = try String(contentsOf: file, encoding: .utf8)
            let evil = #"\u001b[31m\u202e\r\n::error::x\n"#
            text.replace(/"path":"/, with: #""path":"\#(evil)"#)
            text.replace(/"message":"/, with: #""message":"\#(evil)"#)
            text.replace(/"value":"/, with: #""value":"\#(evil)"#)
            text.replace(/"reason":"/, with: #""reason":"\#(evil)"#)
            try Data(text.utf8).write(to: file)
            for format in Self.formats {
                let run = try merge("one.json", "--format", format, in: folder)
                #expect([1, 3].contains(run.code), "\(format): \(run.errors)")
                let controls = run.text.unicodeScalars.filter {
                    [.control, .format].contains($0.properties.generalCategory) && $0 != "\n" && $0 != "\r"
                }
                #expect(controls.isEmpty, "\(format)")
                #expect(!run.text.contains("\n::error::x"), "\(format)")
            }
        }
    }

    @Test("The shell commands of the page on CI lint containers in parallel and merge the reports", .needs(.process))
    func shell() throws {
        try withFleet { folder throws in
            try folder.makeDirectories("containers")
            for name in ["one", "two", "three"] { try folder.move(name, to: "containers/\(name)") }
            let block = try #require(DocumentationPage("docs/ci.md").blocks("bash").first)
            let tools = URL(filePath: Command.sandboxlint).deletingLastPathComponent().path
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let merged = try Command(
                "bash", ["-e", "-c", block.text + "\n"], in: folder, environment: ["PATH": "\(tools):\(path)"])
            #expect(merged.code == 1 && merged.text.contains("\n3 apps\n"), "\(merged.text)\(merged.errors)")
        }
    }

    @Test("A report is not overwritten by the merged one")
    func overwriting() throws {
        try withFleet { folder throws in
            try lint(["one"], in: folder)
            let run = try merge("one.json", "--output", "json=./one.json", in: folder)
            #expect(run.code == 2 && run.errors.contains("must not be overwritten"), "\(run.errors)")
        }
    }

    @Test("A report of many findings is merged completely")
    func large() throws {
        try withFleet { folder throws in
            try lint(["one"], in: folder)
            let file = folder.appending(path: "one.json")
            let object = try JSONSerialization.jsonObject(with: try Data(contentsOf: file))
            var report = try #require(object as? [String: Any])
            let first = try #require((report["findings"] as? [[String: Any]])?.first)
            report["findings"] = (0..<5_000).map { number in
                first.merging(["path": "Documents/\(number % 50)/\(number).jpg"]) { $1 }
            }
            try JSONSerialization.data(withJSONObject: report).write(to: file)
            let run = try merge("one.json", "--format", "csv", in: folder)
            #expect(run.code == 1 && run.text.split(separator: "\r\n").count == 5_001, "\(run.errors)")
        }
    }
}
