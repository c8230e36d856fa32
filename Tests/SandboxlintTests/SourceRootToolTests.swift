import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

@Suite("Findings with the line that writes their items") struct SourceRootToolTests {
    private static let token = "ghp_q7Zk2Xv9LpR4tW8sYb3Nq7Zk2Xv9LpR4tW8s"
    private static let configuration = """
        must-exclude: [Documents/timeline-cache.json]
        now: 2030-01-01

        """

    /// A git work tree `app` with source code and a configuration, and a container `c` beside it.
    private func withProject(_ extra: String = "", _ body: (URL) throws -> Void) throws {
        try withScratch { folder throws in
            _ = try Container.create(
                at: FilePath(folder.appending(path: "c").path), bundleIdentifier: "com.example.app")
            try folder.write("x", to: "c/Documents/timeline-cache.json", "c/tmp/export-1.csv", "c/tmp/export-2.csv")
            try folder.write(
                """
                struct TimelineCache {
                    func save(_ data: Data) throws {
                        let folder = FileManager.default.urls(for: .documentDirectory, in: .userDomainMask)[0]
                        try data.write(to: folder.appendingPathComponent("timeline-cache.json")) // \(Self.token)
                    }
                    func export(_ data: Data, id: Int) throws {
                        let file = FileManager.default.temporaryDirectory.appendingPathComponent("export-\\(id).csv")
                        try data.write(to: file)
                    }
                }
                """, to: "app/Sources/TimelineCache.swift")
            try folder.makeDirectories("app/.git", "app/Sub")
            try folder.write(Self.configuration + extra, to: "app/.sandboxlint.yml")
            try body(folder)
        }
    }

    /// Lints the container from the work tree, or from a directory of it.
    private func lint(_ folder: URL, _ arguments: String...) throws -> Command {
        try sandboxlint(
            ["lint", "../c", "--select", "exclusion-lost,stale-tmp"] + arguments, in: folder.appending(path: "app"))
    }

    @Test("name both lines, if the code excludes the URL of an item that is not excluded", .needs(.externalProgram))
    func exclusion() throws {
        try withProject { folder throws in
            try folder.write(
                """
                struct TimelineCache {
                    func save(_ data: Data) throws {
                        var url = URL.documentsDirectory.appending(path: "timeline-cache.json")
                        try data.write(to: url)
                        var values = URLResourceValues()
                        values.isExcludedFromBackup = true
                        try url.setResourceValues(values)
                    }
                }
                """, to: "app/Sources/TimelineCache.swift")
            let sentence =
                "Sources/TimelineCache.swift:7 excludes what Sources/TimelineCache.swift:3 writes, and the item is not excluded"
            #expect(try lint(folder).text.contains("   = exclusion lost  \(sentence)"))
            let explained = try sandboxlint(
                "explain", "../c", "Documents/timeline-cache.json", in: folder.appending(path: "app"))
            #expect(explained.text.contains("lost: \(sentence)"), "\(explained.text)")
        }
        try withProject { folder throws in
            #expect(try !lint(folder).text.contains("exclusion lost  "))
        }
    }

    private static let written = "   = written by  Sources/TimelineCache.swift:4  ("

    @Test(
        "have the line of the git work tree in each format, with the item beside it", .needs(.externalProgram),
        arguments: [
            ("text", "   = written by  Sources/TimelineCache.swift:4  ("),
            ("github", "file=Sources/TimelineCache.swift,line=4,title=exclusion-lost::"),
            ("gitlab", "\"location\":{\"path\":\"Sources/TimelineCache.swift\",\"lines\":{\"begin\":4}}"),
            ("sarif", "\"artifactLocation\":{\"uri\":\"Sources/TimelineCache.swift\"},\"region\":{\"startLine\":4,"),
            (
                "sarif",
                "\"relatedLocations\":[{\"id\":1,\"physicalLocation\":{\"artifactLocation\":{\"uri\":\"Documents/"
            ),
            ("sarif", "This line probably writes the item"), ("github", "This line probably writes the item"),
            ("gitlab", "This line probably writes the item"),
            ("csv", ",Sources/TimelineCache.swift,4,Documents/timeline-cache.json,"),
            ("markdown", "<code>Sources/TimelineCache.swift&#58;4</code> ("),
            ("json", "\"writtenBy\":[{\"file\":\"Sources/TimelineCache.swift\",\"line\":4,\"confidence\":0.8"),
            ("html", "Sources/TimelineCache.swift:4"),
        ])
    func formats(format: String, expected: String) throws {
        try withProject { folder throws in
            let run = try lint(folder, "--format", format)
            #expect(run.code == 1)
            #expect(run.text.contains(expected), "\(run.text)")
            #expect(!run.text.contains(Self.token))
            if ["github", "gitlab", "sarif", "csv", "json"].contains(format) {
                let read = try ReadReport(format, run.output)
                #expect(read.command.code == 0, "\(read.command.errors)")
            }
        }
    }

    @Test("A line below 80 % is in the text, and no annotation points at it")
    func unsure() throws {
        try withProject { folder throws in
            try folder.remove("app/Sources/TimelineCache.swift")
            try folder.write("load(\"timeline-cache.json\")\n", to: "app/Sources/A.swift")
            let json = try lint(folder, "--format", "json").text
            let confidence = try #require(json.firstMatch(of: /"confidence":(0\.\d+)\}\]/).flatMap { Double($0.1) })
            #expect((0.5..<0.8).contains(confidence), "\(json)")
            #expect(try lint(folder).text.contains("= written by  Sources/A.swift:1  ("))
            #expect(try !lint(folder, "--format", "sarif").text.contains("Sources/A.swift"))
            #expect(try !lint(folder, "--format", "github").text.contains("Sources/A.swift"))
        }
    }

    @Test(
        "The option takes precedence over the key, the key over the git work tree, and none turns it off",
        arguments: [
            ("", [], true), ("source-root: none\n", [], false), ("source-root: Sources\n", [], true),
            ("source-root: [Sub, Sources]\n", [], true), ("source-root: [Sub]\n", [], false),
            ("source-root: none\n", ["--source-root", "."], true), ("", ["--source-root", "none"], false),
            ("", ["--source-root", "Sub", "--source-root", "Sources"], true),
            ("source-root: Sources\n", ["--source-root", "Sub"], false),
            ("", ["--set", "source-root=none"], false),
        ])
    func selection(key: String, arguments: [String], isFound: Bool) throws {
        try withProject(key) { folder throws in
            let run = try sandboxlint(["lint", "../c"] + arguments, in: folder.appending(path: "app"))
            #expect(run.code == 1)
            #expect(run.text.contains(Self.written) == isFound, "\(run.text)\(run.errors)")
        }
    }

    @Test("The verdicts, the fingerprints and the exit code are those without source code")
    func verdicts() throws {
        try withProject { folder throws in
            func facts(_ run: Command) throws -> [[String]] {
                let object = try JSONSerialization.jsonObject(with: run.output) as? [String: Any]
                return try #require(object?["findings"] as? [[String: Any]]).map { finding in
                    ["rule", "severity", "path", "message", "fingerprint", "confidence"].map {
                        "\(finding[$0] ?? "")"
                    }
                }
            }
            let (with, without) = (
                try lint(folder, "--format", "json"), try lint(folder, "--format", "json", "--source-root", "none")
            )
            #expect(try facts(with) == facts(without))
            #expect(with.code == without.code)
            #expect(!without.text.contains("writtenBy"))
        }
    }

    @Test("A recorded line and a declared one take precedence")
    func precedence() throws {
        try withProject("sources: { \"tmp/**\": Sources/Other.swift:7 }\n") { folder throws in
            try folder.write("", to: "app/Sources/Other.swift")
            try AttributeTool.set(
                "user.appcontainer.source", to: "App/Store.swift:3", of: "c/Documents/timeline-cache.json", in: folder)
            let text = try lint(folder).text
            #expect(text.contains("= written by  App/Store.swift:3\n"), "\(text)")
            #expect(text.contains("= written by  Sources/Other.swift:7\n"))
            #expect(!text.contains("TimelineCache.swift"))
        }
    }

    @Test("explain prints the text of the line without its secret, and the change of the code")
    func explain() throws {
        try withProject { folder throws in
            let run = try sandboxlint(
                "explain", "../c", "Documents/timeline-cache.json", in: folder.appending(path: "app"))
            #expect(run.text.contains("  written by   Sources/TimelineCache.swift:4  ("), "\(run.text)")
            #expect(run.text.contains("try data.write(to: folder.appendingPathComponent(\"timeline-cache.json\"))"))
            #expect(run.text.contains("<GitHub token>") && !run.text.contains(Self.token))
            #expect(run.text.contains("+ values.isExcludedFromBackup = true"))
            let none = try sandboxlint(
                "explain", "../c", "Documents/timeline-cache.json", "--source-root", "none",
                in: folder.appending(path: "app"))
            #expect(none.code == 0 && !none.text.contains("written by"))
        }
    }

    @Test("A fix and a verbose lint show the change of the call in Swift, and change no source code")
    func change() throws {
        try withProject("caches: [tmp/export-1.csv]\n") { folder throws in
            let source = folder.appending(path: "app/Sources/TimelineCache.swift")
            let before = try Data(contentsOf: source)
            let fix = try sandboxlint(
                "fix", "../c", "--diff", "--select", "exclusion-lost", in: folder.appending(path: "app"))
            for line in [
                "  Sources/TimelineCache.swift:4  (writes Documents/timeline-cache.json, ",
                "    + var item = folder.appendingPathComponent(\"timeline-cache.json\")\n",
                "    + try item.setResourceValues(values)\n",
            ] { #expect(fix.text.contains(line), "\(fix.text)") }
            #expect(try lint(folder, "--verbose").text.contains("= in code  Sources/TimelineCache.swift:4\n"))
            #expect(try Data(contentsOf: source) == before)
            // Only Swift has a change.
            try folder.remove("app/Sources/TimelineCache.swift")
            try folder.write(
                "await File(join((await getApplicationDocumentsDirectory()).path, 'timeline-cache.json')).writeAsString('');",
                to: "app/lib/cache.dart")
            let dart = try lint(folder, "--verbose").text
            #expect(dart.contains("written by  lib/cache.dart:1") && !dart.contains("in code"), "\(dart)")
        }
    }

    @Test("A re-downloadable file in Documents leads to the constant of Library/Caches")
    func caches() throws {
        try withProject("caches: [Documents/timeline-cache.json]\n") { folder throws in
            let fix = try sandboxlint(
                "fix", "../c", "--diff", "--select", "regenerable-in-documents", in: folder.appending(path: "app"))
            #expect(
                fix.text.contains("    - let folder = FileManager.default.urls(for: .documentDirectory,"), "\(fix.text)"
            )
            #expect(fix.text.contains("    + let folder = FileManager.default.urls(for: .cachesDirectory,"))
        }
    }

    @Test("A merged report has the lines of the reports")
    func merged() throws {
        try withProject { folder throws in
            try lint(folder, "--format", "json").output.write(to: folder.appending(path: "report.json"))
            let run = try sandboxlint("merge", "report.json", in: folder)
            #expect(run.text.contains(Self.written), "\(run.text)\(run.errors)")
        }
    }

    @Test("A selected directory without source code is reported once, and a missing one is an error of the option")
    func missing() throws {
        try withProject("source-root: [gone]\n") { folder throws in
            let key = try lint(folder)
            #expect(key.code == 1)
            #expect(key.errors.split(separator: "\n").count == 1)
            #expect(key.errors.contains("gone” cannot be opened"), "\(key.errors)")
            let empty = try lint(folder, "--source-root", "Sub")
            #expect(empty.code == 1)
            #expect(empty.errors == "sandboxlint: the source roots contain no source code.\n")
            #expect(try lint(folder, "--source-root", "gone").code == 2)
            let inside = try lint(folder, "--source-root", "../c/Documents")
            #expect(inside.code == 2 && inside.errors.contains("inside the container"))
        }
    }

    @Test("A lint without findings, and one that prints statistics, read no source code")
    func unread() throws {
        try withProject("source-root: [gone]\n") { folder throws in
            // A root that cannot be opened is reported as soon as source code is needed.
            #expect(try lint(folder, "--statistics").errors.isEmpty)
            try folder.remove("c/Documents/timeline-cache.json", "c/tmp/export-1.csv", "c/tmp/export-2.csv")
            let run = try lint(folder)
            #expect(run.code == 0 && !run.errors.contains("cannot be opened"), "\(run.errors)")
        }
    }
}
