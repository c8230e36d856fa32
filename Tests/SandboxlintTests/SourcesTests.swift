import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("The source files of a configuration") struct SourcesTests {
    /// A repository with a container, two source files and a configuration in a folder of its own.
    private func withRepository(_ sources: String, _ body: (URL) throws -> Void) throws {
        try withSample { path throws in
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            try folder.makeDirectories(".git", "config")
            try folder.write(to: "Sources/App/Covers.swift", "Sources/App/Store.swift")
            // A debug build records the line of the test.
            for item in ["Documents/images/a.jpg", "Library/Caches/com.example.app/flagged", "tmp/old.part"] {
                try AttributeTool.remove(
                    "user.appcontainer.source", of: item, in: folder.appending(path: "sample"))
            }
            try Data("now: 2026-01-01\nsources:\n\(sources)".utf8).write(to: folder.appending(path: "config/lint.yml"))
            try body(folder)
        }
    }

    private func lint(_ folder: URL, _ arguments: String...) throws -> Command {
        let words = ["lint", "sample", "--config", "config/lint.yml", "--select", "stale-tmp,1,redundant-exclusion"]
        return try sandboxlint(words + arguments, in: folder)
    }

    private static let sources = """
          "**": ../Sources/App/Store.swift
          "tmp/**": ../Sources/App/Covers.swift:42
          "tmp/*.map": ../Sources/App/Store.swift:9

        """

    @Test(
        "are the place of a finding in each format, relative to the repository", .needs(.externalProgram),
        arguments: [
            ("github", "::warning file=Sources/App/Covers.swift,line=42,title=stale-tmp::"),
            ("gitlab", "\"location\":{\"path\":\"Sources/App/Covers.swift\",\"lines\":{\"begin\":42}}"),
            ("sarif", "\"artifactLocation\":{\"uri\":\"Sources/App/Covers.swift\"},\"region\":{\"startLine\":42,"),
            ("junit", "at Sources/App/Covers.swift:42"), ("csv", ",Sources/App/Covers.swift,42,tmp/old.part,"),
            ("checkstyle", "<file name=\"Sources/App/Covers.swift\">\n<error line=\"42\""),
            ("markdown", "<code>Sources/App/Covers.swift&#58;42</code>"),
            ("json", "\"source\":{\"file\":\"Sources/App/Covers.swift\",\"line\":42}"),
            ("text", "   = written by  Sources/App/Covers.swift:42\n"),
        ])
    func formats(format: String, expected: String) throws {
        try withRepository(Self.sources) { folder throws in
            let run = try lint(folder, "--format", format)
            #expect(run.text.contains(expected), "\(run.text)")
            #expect(run.errors.split(separator: "\n").count == 1 && run.errors.contains("“tmp/*.map” of `sources`"))
            // A glob without a line is line 1, and the longest glob that matches counts.
            #expect(run.text.contains("Sources/App/Store.swift") && !run.text.contains("Store.swift:9"), "\(run.text)")
            #expect(try ReadReport(format, run.output).command.code == 0)
        }
    }

    @Test("have an absolute path in compact, where Xcode opens them")
    func compact() throws {
        try withRepository(Self.sources) { folder throws in
            let run = try lint(folder, "--format", "compact", "--quiet")
            let top = folder.resolvingSymlinksInPath().path
            let lines = run.text.split(separator: "\n").map(String.init)
            #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("\(top)/Sources/App/") }, "\(run.text)")
            let stale = try #require(lines.first { $0.hasSuffix(" [stale-tmp]") })
            #expect(stale.hasPrefix("\(top)/Sources/App/Covers.swift:42: warning: "), "\(stale)")
            let files = lines.compactMap { $0.split(separator: ":").first.map(String.init) }
            #expect(files.allSatisfy { FileManager.default.fileExists(atPath: $0) })
        }
    }

    @Test("do not replace the source that an item records, nor a suppression or a fingerprint")
    func recorded() throws {
        try withRepository("  \"**\": ../Sources/App/Store.swift:7\n") { folder throws in
            try AttributeTool.set(
                "user.appcontainer.source", to: "App/Covers.swift:3", of: "Documents/images/a.jpg",
                in: folder.appending(path: "sample"))
            let text = try lint(folder, "--format", "github").text
            #expect(text.contains("file=Sources/App/Covers.swift,line=3,title=regenerable-in-documents"), "\(text)")
            #expect(text.contains("file=Sources/App/Store.swift,line=7,title=stale-tmp"))
            func fingerprints(_ arguments: String...) throws -> [String] {
                let words = ["lint", "sample", "--select", "stale-tmp,1", "--now", "2026-01-01", "--format", "json"]
                let run = try sandboxlint(words + arguments, in: folder)
                return run.text.matches(of: /"fingerprint":"([^"]+)"/).map { String($0.1) }
            }
            #expect(try fingerprints("--config", "config/lint.yml") == fingerprints("--isolated"))
        }
    }

    @Test("that do not exist are a note on standard error with their line, and do not change the exit code")
    func missing() throws {
        try withRepository("  \"tmp/**\": ../Sources/Gone.swift:3\n") { folder throws in
            let run = try lint(folder, "--format", "github")
            #expect(
                run.errors
                    == "sandboxlint: config/lint.yml:3: the source file “../Sources/Gone.swift” does not exist. Correct the path under `sources`.\n"
            )
            #expect(run.code == 1 && run.text.contains("file=Sources/Gone.swift,line=3,"), "\(run.text)")
        }
    }

    @Test(
        "are checked: an error has the line and the column",
        arguments: [
            ("  \"tmp/**\": Store.swift:0", "3:13", "a source file and a line"),
            ("  \"tmp/**\": Store.swift:x", "3:13", "a source file and a line"),
            ("  \"tmp/**\": Store.swift:99999999999", "3:13", "a source file and a line"),
            ("  \"tmp/**\": a:b:3", "3:13", "a source file and a line"),
            ("  \"tmp/**\": Sources/", "3:13", "a source file and a line"),
            ("  \"tmp/**\": \"\"", "3:13", "a source file"),
            ("  \"tmp/**\": /etc/passwd:1", "3:13", "relative to the configuration"),
            ("  \"tmp/**\": ~/a.swift", "3:13", "relative to the configuration"),
            ("  \"tmp/**\": [a.swift]", "3:13", "expected text"),
            ("  \"tmp/**\": \"a\\eb.swift:1\"", "3:13", "control characters"),
            ("  ../x: a.swift:1", "3:3", "stay inside it"), ("  /x: a.swift:1", "3:3", "stay inside it"),
            ("  \"\": a.swift:1", "3:3", "expected a glob"), ("  - a", "3:3", "expected a mapping"),
        ])
    func errors(line: String, position: String, message: String) throws {
        try withRepository("\(line)\n") { folder throws in
            let run = try lint(folder)
            #expect(
                run.code == 2 && run.errors.hasPrefix("sandboxlint: config/lint.yml:\(position): "), "\(run.errors)")
            #expect(run.errors.contains(message), "\(run.errors)")
        }
    }

    @Test(
        "are merged by glob with those of an extended file, each relative to its own file, and are listed by config show"
    )
    func merged() throws {
        try withRepository(Self.sources) { folder throws in
            let own = "extends: config/lint.yml\nsources: { \"tmp/**\": Sources/App/Store.swift:5 }\n"
            try Data(own.utf8).write(to: folder.appending(path: ".sandboxlint.yml"))
            let run = try sandboxlint("lint", "sample", "--select", "stale-tmp,1", "--format", "github", in: folder)
            #expect(run.text.contains("file=Sources/App/Store.swift,line=5,title=stale-tmp"), "\(run.text)")
            #expect(run.text.contains("file=Sources/App/Store.swift,line=1,title=regenerable-in-documents"))
            let shown = try sandboxlint("config", "show", in: folder).text
            #expect(
                shown.contains(/sources\.tmp\/\*\* +"Sources\/App\/Store\.swift:5"  \.sandboxlint\.yml:2\n/), "\(shown)"
            )
            #expect(
                shown.contains(/sources\.\*\* +"\.\.\/Sources\/App\/Store\.swift"  config\/lint\.yml:3\n/), "\(shown)")
            let set = try sandboxlint(
                "lint", "sample", "--select", "stale-tmp", "--format", "github", "--set",
                "sources={ tmp/old.part: Sources/App/Covers.swift:8 }", in: folder)
            #expect(set.text.contains("file=Sources/App/Covers.swift,line=8,"), "\(set.text)")
        }
    }
}
