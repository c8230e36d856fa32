import Foundation
import TestSupport
import Testing

@Suite("A report") struct ReportTests {
    static let formats = [
        "text", "compact", "json", "jsonl", "sarif", "github", "gitlab", "junit", "checkstyle", "markdown", "csv",
    ]

    private func lint(_ folder: URL, _ arguments: String...) throws -> Command {
        try Command(
            Command.sandboxlint, ["lint", "build/app", "--select", ExpectedFinding.rules] + arguments, in: folder)
    }

    @Test("names each finding and its place, as a reader of someone else's sees it", arguments: formats)
    func places(format: String) throws {
        try ExpectedFinding.withRepository { folder throws in
            let run = try lint(folder, "--fail-on", "note", "--format", format, "--output", "\(format)=out")
            #expect(run.code == 1 && run.errors.isEmpty, "\(run.errors)")
            #expect(try run.output == Data(contentsOf: folder.appending(path: "out")))
            let report = try ReadReport(format, run.output)
            #expect(report.command.code == 0, "\(report.command.errors)")
            let expected: [String] = ExpectedFinding.all.map { finding in
                switch format {
                case "text", "json", "jsonl": finding.rowWithoutPlace
                // What is no line that someone wrote is not named twice.
                case "markdown" where finding.file.hasPrefix("build/"): finding.rowWithoutPlace
                default: finding.row
                }
            }
            // Those with a line of source come first.
            if format == "github" {
                #expect(report.rows.sorted() == expected.sorted())
                #expect(report.rows.prefix(4).allSatisfy { $0.contains(".swift\t") })
            } else {
                #expect(report.rows == expected)
            }
        }
    }

    @Test(
        "is refused by the reader when something is wrong with it, so that the reader would notice",
        arguments: [
            ("sarif", "\"uri\":\"Gone/", "\"uri\":\"/Gone/"),
            ("sarif", "\"uri\":\"Gone/Nowhere.swift\"", "\"uri\":\"\""),
            ("sarif", "\"uri\":\"Gone/", "\"uri\":\"file:///Gone/"),
            ("sarif", "\"startColumn\":1", "\"startColumn\":0"),
            ("sarif", "\"endColumn\":2", "\"endColumn\":1"), ("sarif", "\"primaryLocationLineHash\"", "\"other\""),
            ("sarif", "\"ruleIndex\":0,", "\"ruleIndex\":1,"), ("sarif", "\"columnKind\"", "\"columKind\""),
            ("sarif", "\"security-severity\"", "\"severity\""), ("sarif", "\"markdown\"", "\"mark\""),
            ("github", "::error file=", ":error file="), ("github", "::warning file=", "::warning\nfile="),
            ("github", "::notice file=", "::notice file=a,b,"), ("gitlab", "\"fingerprint\"", "\"print\""),
            ("gitlab", "[{", "\u{feff}[{"), ("gitlab", "\"begin\":7", "\"begin\":\"7\""),
            ("gitlab", "\"path\":\"Gone", "\"path\":\"/Gone"), ("junit", " hostname=\"localhost\"", ""),
            ("junit", "failures=\"14\"", "failures=\"13\""), ("junit", "<system-err></system-err>", ""),
            ("junit", "]]&gt;x", "]]&gt;<x"), ("checkstyle", " message=", " text="), ("checkstyle", "&gt;", "<"),
            ("markdown", "a&#124;b", "a|b"), ("markdown", "@<!-- -->", "@"), ("csv", "\r\n", "\n"),
            ("csv", "\r\nwarning", "\r\n=warning"), ("csv", "error,exclusion-lost", "error,,exclusion-lost"),
        ])
    func mutated(format: String, old: String, new: String) throws {
        try ExpectedFinding.withRepository { folder throws in
            let run = try lint(folder, "--fail-on", "note", "--format", format)
            #expect(run.text.contains(old))
            let report = try ReadReport(format, Data(run.text.replacing(old, with: new).utf8))
            #expect(report.command.code != 0)
        }
    }

    @Test("holds no path of the machine where the container lies elsewhere, and no cell that a spreadsheet runs")
    func elsewhere() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path)
            for name in ["=cmd()", "+1", "-1", "@a"] { try Data().write(to: folder.appending(path: name)) }
            try withScratch { other throws in
                for format in Self.formats {
                    let arguments = ["lint", path, "--now", "2026-01-01", "--format", format]
                    let run = try Command(Command.sandboxlint, arguments, in: other)
                    let named = run.text.components(separatedBy: folder.deletingLastPathComponent().path).count - 1
                    // JSON tells the input as it was given.
                    #expect(named == (format.hasPrefix("json") ? 1 : 0), "\(format)")
                    #expect(try ReadReport(format, run.output).command.code == 0, "\(format)")
                    guard format == "csv" else { continue }
                    for name in ["=cmd()", "+1", "-1", "@a"] { #expect(run.text.contains(",\"'\(name)\",")) }
                }
            }
        }
    }

    @Test(
        "is refused by the schema that OASIS or Ant's users publish, too, so that all reports here are held to it",
        .enabled(if: ReadReport.schemas != nil, "SANDBOXLINT_SCHEMAS names no folder with them, so none was asked"),
        arguments: [
            ("sarif", "\"level\":\"note\"", "\"level\":\"info\"", "OASIS's schema: 'info'"),
            ("sarif", "\"columnKind\"", "\"columKind\"", "OASIS's schema: Additional properties"),
            ("junit", " package=\"sandboxlint\"", "", "'package' is required"),
        ])
    func published(format: String, old: String, new: String, reason: String) throws {
        try ExpectedFinding.withRepository { folder throws in
            let run = try lint(folder, "--format", format)
            let report = try ReadReport(format, Data(run.text.replacing(old, with: new).utf8))
            #expect(report.command.code == 1 && report.command.errors.contains(reason), "\(report.command.errors)")
        }
    }

    @Test("tells more than a hundred items of one directory as one", arguments: formats)
    func many(format: String) throws {
        try ExpectedFinding.withRepository { folder throws in
            let made = "cd build/app/tmp && mkdir many && touch -d 2025-06-01T00:00:00Z many/{1..150}"
            #expect(try Command("bash", ["-c", made], in: folder).code == 0)
            let run = try lint(folder, "--fail-on", "note", "--format", format)
            #expect(run.code == 1 && run.text.contains("150 items"), "\(run.text)")
            let report = try ReadReport(format, run.output)
            #expect(report.command.code == 0, "\(report.command.errors)")
            #expect(report.rows.count == ExpectedFinding.all.count + 1)
        }
    }

    @Test("names what was not looked at", arguments: formats)
    func incomplete(format: String) throws {
        try ExpectedFinding.withRepository { folder throws in
            let caches = folder.appending(path: "build/app/Library/Caches").path
            #expect(try Command("chmod", ["-R", "a+rX", folder.path]).code == 0)
            #expect(try Command("chmod", ["000", caches]).code == 0)
            let run = try unprivileged(
                ["lint", "build/app", "--select", "stale-tmp", "--fail-on", "note", "--format", format], in: folder)
            #expect(run.code == 3, "\(run.errors)")
            let report = try ReadReport(format, run.output)
            #expect(report.command.code == 0, "\(report.command.errors)")
            #expect(report.rows.count { $0.contains("stale-tmp") } == 7)
            let shown = run.text.replacing("&#45;", with: "-")
            #expect(shown.contains("Library/Caches") && shown.contains("permission-denied"), "\(shown)")
        }
    }

    @Test("tells findings of two containers apart that are otherwise the same", arguments: formats)
    func twice(format: String) throws {
        try withSample { path throws in
            let run = try sandboxlint("lint", path, path, "--now", "2026-01-01", "--format", format)
            let report = try ReadReport(format, run.output)
            #expect(report.command.code == 0 && report.rows.count >= 2, "\(report.command.errors)")
        }
    }

    @Test("of SARIF says how precise a rule is, by what was measured, and nothing of a rule that was not")
    func precision() throws {
        try withSample { path throws in
            let own = """
                id: own-rule
                number: 900
                group: stale
                severity: note
                stage: stable
                since: 0.1.0
                title: t
                applies: { in: temporary, kind: file }
                when: { name: x }
                message: m
                help: h
                rationale: r
                references: ["https://example.com"]
                bad:
                  - tree: { tmp/x: {} }
                    finds: tmp/x
                  - tree: { tmp/a/x: {} }
                    finds: tmp/a/x
                good:
                  - tree: { tmp/y: {} }
                  - tree: { tmp/z: {} }

                """
            let rules = URL(fileURLWithPath: path).deletingLastPathComponent().appending(path: "rules")
            try FileManager.default.createDirectory(at: rules, withIntermediateDirectories: true)
            try Data(own.utf8).write(to: rules.appending(path: "own.yml"))
            let run = try sandboxlint("lint", path, "--rules", rules.path, "--format", "sarif")
            #expect(try ReadReport("sarif", run.output).command.code == 0, "\(run.errors)")
            let precisions = try withScratch { folder throws in
                let file = folder.appending(path: "r")
                try run.output.write(to: file)
                let script =
                    "import json,sys\nfor r in json.load(open(sys.argv[1]))['runs'][0]['tool']['driver']['rules']: "
                    + "print(r['id'], r['properties'].get('precision'))"
                return try Command("python3", ["-c", script, file.path]).text.split(separator: "\n")
            }
            // 72 of 72, 11 of 11 and none: rules/PRECISION.md.
            #expect(precisions.contains("regenerable-in-documents very-high"))
            #expect(precisions.contains("orphan-wal high"))
            #expect(precisions.contains("unused-suppression None") && precisions.contains("own-rule None"))
        }
    }

    @Test("of JUnit lets a rule that finds nothing pass, and a finding below --fail-on too, which the suite then tells")
    func tests() throws {
        try ExpectedFinding.withRepository { folder throws in
            let run = try lint(folder, "--format", "junit", "--output", "gitlab=out.json")
            let report = try ReadReport("junit", run.output)
            #expect(report.rows == ExpectedFinding.all.prefix(6).map(\.row))
            #expect(run.text.contains("tests=\"14\" failures=\"6\""))
            #expect(run.text.contains("<system-out>warning: "))
            let clean = try lint(
                folder, "--format", "junit", "--ignore", "exclusion-lost,stale-tmp", "--fail-on", "never")
            #expect(clean.code == 0 && clean.text.contains("failures=\"0\""))
            let reason = "suppressions=[{ path: tmp/**, rule: stale, reason: sent <later>, owner: o }]"
            let skipped = try lint(folder, "--format", "junit", "--set", reason)
            #expect(try ReadReport("junit", skipped.output).command.code == 0)
            #expect(skipped.text.contains("errors=\"0\" skipped=\"7\""))
            #expect(
                skipped.text.contains(
                    "name=\"stale-tmp: tmp/a/caf%E9\" time=\"0\"><skipped message=\"sent &lt;later&gt; (--set, o)\"/>"))
            let none = try Command(
                Command.sandboxlint, ["lint", "build/app", "--select", "orphan-wal", "--format", "junit"], in: folder)
            #expect(
                none.text.contains("<testcase classname=\"com.example.app.database\" name=\"orphan-wal\" time=\"0\"/>"))
        }
    }
}
