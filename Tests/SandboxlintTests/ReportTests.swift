import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("A report") struct ReportTests {
    static let formats = [
        "text", "compact", "json", "jsonl", "sarif", "github", "gitlab", "junit", "checkstyle", "markdown", "csv",
    ]

    private func lint(_ folder: URL, _ arguments: String...) throws -> Command {
        try sandboxlint(
            ["lint", "build/app", "--select", ExpectedFinding.rules] + arguments, in: folder)
    }

    @Test(
        "lists each finding and its path, according to a third-party reader", .needs(.externalProgram),
        arguments: formats)
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
                // An item that is its own anchor is not listed twice.
                case "markdown" where finding.file.hasPrefix("build/"): finding.rowWithoutPlace
                // Xcode needs an absolute path. A file that is not in the repository has none.
                case "compact" where !["Gone", "Twins"].contains(finding.file.prefix { $0 != "/" }):
                    finding.row(in: Self.physical(folder))
                default: finding.row
                }
            }
            // Findings with a line of source code come first.
            if format == "text" {
                // Causes come by size.
                #expect(report.rows.sorted() == expected.sorted())
            } else if format == "github" {
                #expect(report.rows.sorted() == expected.sorted())
                #expect(report.rows.prefix(4).allSatisfy { $0.contains(".swift\t") })
            } else {
                #expect(report.rows == expected)
            }
        }
    }

    /// The path of a folder without links.
    private static func physical(_ folder: URL) -> String { folder.resolvingSymlinksInPath().path }

    @Test(
        "is refused by the reader if it is wrong, which proves that the reader detects errors",
        .needs(.externalProgram),
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
            ("markdown", "a&#124;b", "a|b"), ("markdown", "@<!-- -->", "@"), ("markdown", "&#60;i&#62;", "<i>"),
            ("markdown", "<details>", "<details onclick=a>"), ("markdown", "\n</details>", ""),
            ("junit", " time=\"0.", " time=\"9."), ("sarif", "\"kind\":\"item\"", "\"kind\":\"\""),
            ("csv", "\r\n", "\n"),
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

    @Test(
        "contains no path of the machine if the container is elsewhere, and no cell that a spreadsheet executes",
        .needs(.externalProgram))
    func elsewhere() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path)
            for name in ["=cmd()", "+1", "-1", "@a"] { try Data().write(to: folder.appending(path: name)) }
            try withScratch { other throws in
                for format in Self.formats {
                    let arguments = ["lint", path, "--now", "2026-01-01", "--format", format]
                    let run = try sandboxlint(arguments, in: other)
                    let named = run.text.components(separatedBy: folder.deletingLastPathComponent().path).count - 1
                    // JSON contains the input as it was given, and Xcode needs absolute paths.
                    #expect(format == "compact" ? named > 1 : named == (format.hasPrefix("json") ? 1 : 0), "\(format)")
                    #expect(try ReadReport(format, run.output).command.code == 0, "\(format)")
                    guard format == "csv" else { continue }
                    for name in ["=cmd()", "+1", "-1", "@a"] { #expect(run.text.contains(",\"'\(name)\",")) }
                }
            }
        }
    }

    @Test(
        "is also checked against the schemas that OASIS and users of Ant publish, which refuse wrong reports",
        .needs(.externalProgram),
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

    @Test("groups more than a hundred items in one directory", .needs(.externalProgram), arguments: formats)
    func many(format: String) throws {
        try ExpectedFinding.withRepository { folder throws in
            for number in 1...150 { try folder.write(to: "build/app/tmp/many/\(number)") }
            try folder.appending(path: "build/app/tmp/many").setAllTimes("2025-06-01T00:00:00Z") { !$1 }
            let run = try lint(folder, "--fail-on", "note", "--format", format)
            // In the text report, the items are a part of the cause.
            #expect(run.code == 1 && (format == "text" || run.text.contains("150 items")), "\(run.text)")
            let report = try ReadReport(format, run.output)
            #expect(report.command.code == 0, "\(report.command.errors)")
            // The text report counts the items of a cause.
            #expect(report.rows.count == ExpectedFinding.all.count + (format == "text" ? 150 : 1))
        }
    }

    @Test("lists items that were not read", .needs(.externalProgram), arguments: formats)
    func incomplete(format: String) throws {
        try ExpectedFinding.withRepository { folder throws in
            try folder.allowReading()
            try folder.setMode("000", of: "build/app/Library/Caches")
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

    @Test(
        "names the container of each finding where several have the same name, or one line of source wrote both",
        .needs(.externalProgram))
    func containers() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try folder.makeDirectories("repository/.git", "before", "after")
            for copy in ["before/app", "after/app"] { try folder.copyAll("sample", to: copy) }
            func lint(_ format: String, _ inputs: String...) throws -> String {
                let arguments = ["--now", "2026-01-01", "--select", "1,25", "--format", format]
                let run = try sandboxlint(
                    ["lint"] + inputs + arguments, in: folder.appending(path: "repository"))
                #expect(try ReadReport(format, run.output).command.code == 0, "\(format)")
                return run.text
            }
            let github = try lint("github", "../before/app", "../after/app").split(separator: "\n")
            #expect(github.count == 4 && Set(github).count == 4)
            for name in ["before/app", "after/app"] {
                // Each finding has a line of source code, which is the same for both.
                for rule in ["stale-tmp", "regenerable-in-documents"] {
                    #expect(github.contains { $0.contains("title=\(rule)::") && $0.contains(" (in \(name))%0A") })
                }
            }
            let sarif = try lint("sarif", "../before/app", "../after/app")
            let log = try #require(try JSONSerialization.jsonObject(with: Data(sarif.utf8)) as? [String: Any])
            let results = try #require((log["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]])
            let texts = results.compactMap { ($0["message"] as? [String: Any])?["text"] as? String }
            #expect(texts.count == 4 && Set(texts).count == 4)
            #expect(
                results.map { ($0["properties"] as? [String: Any])?["container"] as? String } == [
                    "before/app", "after/app", "before/app", "after/app",
                ])
            for format in ["gitlab", "markdown"] {
                let text = try lint(format, "../before/app", "../after/app")
                #expect(text.contains("(in before/app)") && text.contains("(in after/app)"), "\(text)")
            }
            // With one container, there is nothing to distinguish.
            for format in Self.formats { #expect(try !lint(format, "../before/app").contains("before/app)")) }
            try folder.copyAll("before/app", to: "repository/build")
            let mixed = try lint("github", "build", "../after/app")
            #expect(mixed.contains(" (in build)%0A") && mixed.contains(" (in app)%0A"), "\(mixed)")
        }
    }

    @Test("contains the remedy: the help, the fix and the page of the rule")
    func remedies() throws {
        try ExpectedFinding.withRepository { folder throws in
            let link = try ProjectAddress().link
            func page(of rule: String) -> String? { link.map { "\($0)/blob/main/rules/docs/\(rule).md" } }
            let rule = try JSONSerialization.jsonObject(
                with: sandboxlint("explain", "stale-tmp", "--format", "json").output)
            let stale = try #require((rule as? [[String: Any]])?.first)
            let (help, fix) = try (#require(stale["help"] as? String), #require(stale["fix"] as? String))
            let sarif = try lint(folder, "--format", "sarif")
            let log = try #require(try JSONSerialization.jsonObject(with: sarif.output) as? [String: Any])
            let run = try #require((log["runs"] as? [[String: Any]])?.first)
            let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
            #expect(driver["informationUri"] as? String == link)
            let rules = try #require(driver["rules"] as? [[String: Any]])
            for rule in rules {
                let id = try #require(rule["id"] as? String)
                #expect(rule["helpUri"] as? String == page(of: id))
                #expect(
                    FileManager.default.fileExists(atPath: Workflow.root.appending(path: "rules/docs/\(id).md").path))
            }
            let results = try #require(run["results"] as? [[String: Any]])
            let texts = results.filter { $0["ruleId"] as? String == "stale-tmp" }.compactMap {
                ($0["message"] as? [String: Any])?["text"] as? String
            }
            let remedy = "\nhelp: \(help)\nfix (needs --unsafe): \(fix); `sandboxlint fix --unsafe` applies it"
            #expect(texts.count == 7 && texts.allSatisfy { $0.hasSuffix(".\(remedy)") }, "\(texts)")

            let markdown = try lint(folder, "--format", "markdown").text.replacing(/&#(\d+);/) { match in
                Unicode.Scalar(UInt32(match.1) ?? 0).map(String.init) ?? ""
            }
            let code = "<code>stale-tmp</code>"
            let name = page(of: "stale-tmp").map { "[\(code)](\($0))" } ?? code
            #expect(
                markdown.contains(
                    " | 7 | 0 bytes | help: \(help)<br>fix (needs --unsafe): \(fix); "
                ),
                "\(markdown)")
            #expect(
                markdown.contains("<br>\(name) | 7 |") && markdown.contains("| warning | a file in tmp is older than"),
                "\(markdown)")
            let gitlab = try lint(folder, "--format", "gitlab").text
            #expect(
                gitlab.contains(
                    ". help: \(help). fix (needs --unsafe): \(fix); `sandboxlint fix --unsafe` applies it\""),
                "\(gitlab)")
            let junit = try lint(folder, "--format", "junit", "--fail-on", "note").text
            #expect(junit.contains("&#10;help: \(help)") || junit.contains("\nhelp: \(help)"), "\(junit)")
        }
    }

    @Test("has no link to the project until it has an address", arguments: formats)
    func address(format: String) throws {
        let address = try ProjectAddress()
        try withSample { path throws in
            let text = try sandboxlint("lint", path, "--format", format).text
            #expect(address.link != nil || !text.contains(address.reported))
            if format == "sarif" { #expect(text.contains("informationUri") == (address.link != nil)) }
        }
    }

    @Test(
        "links rules that are not built in to one of their references, never to a missing page",
        .needs(.externalProgram))
    func ownRules() throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let rules = folder.appending(path: "rules/stale")
            try FileManager.default.createDirectory(at: rules, withIntermediateDirectories: true)
            let original = try String(
                contentsOf: Workflow.root.appending(path: "rules/stale/stale-tmp.yml"), encoding: .utf8)
            for (name, number, reference) in [
                ("plain", 900, "https://example.com/a"), ("odd", 901, "https://a.b/)[x](y"),
            ] {
                let own = original.replacing("id: stale-tmp\n", with: "id: \(name)\n")
                    .replacing("number: 25\n", with: "number: \(number)\n")
                    .replacing(/references:\n(  - .*\n)+/, with: "references: [\"\(reference)\"]\n")
                try Data(own.utf8).write(to: rules.appending(path: "\(name).yml"))
            }
            let arguments = ["lint", "sample", "--rules", "rules", "--select", "plain,odd", "--now", "2026-01-01"]
            let markdown = try sandboxlint(arguments + ["--format", "markdown"], in: folder)
            #expect(
                markdown.text.contains("<br>[<code>plain</code>](https://example.com/a), <code>odd</code> | 2 |"),
                "\(markdown.text)")
            let sarif = try sandboxlint(arguments + ["--format", "sarif"], in: folder)
            #expect(try ReadReport("sarif", sarif.output).command.code == 0)
            #expect(
                !sarif.text.contains("docs/plain.md") && sarif.text.contains("\"helpUri\":\"https://example.com/a\""))
        }
    }

    @Test("distinguishes equal findings of two containers", .needs(.externalProgram), arguments: formats)
    func twice(format: String) throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try folder.copyAll("sample", to: "copy")
            let run = try sandboxlint(
                "lint", path, folder.appending(path: "copy").path, "--now", "2026-01-01", "--format", format)
            let report = try ReadReport(format, run.output)
            #expect(report.command.code == 0 && report.rows.count >= 2, "\(report.command.errors)")
        }
    }

    @Test("of SARIF contains the measured precision of a rule, and none for other rules", .needs(.externalProgram))
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
            let sarif = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            let tool = try #require((sarif["runs"] as? [[String: Any]])?.first?["tool"] as? [String: Any])
            let ruleset = try #require((tool["driver"] as? [String: Any])?["rules"] as? [[String: Any]])
            let precisions = ruleset.map { rule in
                let precision = (rule["properties"] as? [String: Any])?["precision"] as? String
                return "\(rule["id"] ?? "") \(precision ?? "None")"
            }
            // 72 of 72, 11 of 11 and none: rules/PRECISION.md.
            #expect(precisions.contains("regenerable-in-documents very-high"))
            #expect(precisions.contains("orphan-wal high"))
            #expect(precisions.contains("unused-suppression None") && precisions.contains("own-rule None"))
        }
    }

    @Test(
        "never proposes to exclude a directory in which the app keeps other data, whatever one SDK has scattered there")
    func sharedDirectory() throws {
        try withScratch { folder throws in
            let documents = folder.appending(path: "Documents")
            for path in ["shader_cache/CanvasShaderRD/a.cache", "logs/godot2026-11-24.log", "saves/slot1.save"] {
                let file = documents.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(repeating: 7, count: 5_000).write(to: file)
            }
            for format in ["text", "html", "markdown"] {
                let report = try sandboxlint(["lint", folder.path, "--isolated", "--format", format], in: folder)
                #expect(report.text.contains("Godot"), "\(format)")
                #expect(!report.text.contains("exclude the directory Documents from"), "\(format): \(report.text)")
            }
        }
    }
}
