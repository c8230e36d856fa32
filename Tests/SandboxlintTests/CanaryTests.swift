import Foundation
import TestSupport
import Testing
import ToolSupport

/// Creates a container with 200 invented secrets in every form that the rules detect, and searches all output for them.
@Suite("A secret in a container", .needs([.externalProgram, .long])) struct CanaryTests {
    private static let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized

    private func canaries(_ arguments: String...) throws -> Command {
        try Command("python3", [Self.root.appending(path: "Tests/Reports/canaries").path] + arguments)
    }

    /// All output is in `folder/written`, in which `container` is linted.
    private func withCanaries<Result>(_ body: (_ folder: URL, _ list: String) throws -> Result) throws -> Result {
        try withScratch { folder throws in
            let list = folder.appending(path: "list").path
            let written = folder.appending(path: "written")
            try FileManager.default.createDirectory(at: written, withIntermediateDirectories: true)
            let planted = try canaries("plant", folder.appending(path: "container").path, list)
            #expect(planted.code == 0, "\(planted.errors)")
            return try body(folder, list)
        }
    }

    private func keep(_ run: Command, _ name: String, in folder: URL) throws {
        try run.output.write(to: folder.appending(path: "written/\(name).out"))
        try Data(run.errors.utf8).write(to: folder.appending(path: "written/\(name).err"))
    }

    @Test("is found by the rules, and by the search that the others rely on")
    func found() throws {
        try withCanaries { folder, list throws in
            let run = try sandboxlint(["lint", "container", "--format", "compact"], in: folder)
            let rules = [
                "secret-in-preferences", "secret-in-backed-up-file", "credential-in-url-cache", "private-key-file",
                "session-cookie-in-backup", "origin-url-leak",
            ]
            let lines = run.text.split(separator: "\n")
            for rule in rules { #expect(lines.count { $0.contains("[\(rule)]") } >= 5, "\(rule)") }
            #expect(lines.count { line in rules.contains { line.contains("[\($0)]") } } >= 190)
            let attributes = try AttributeTool.listing(below: folder.appending(path: "container"))
            try Data(attributes.utf8).write(to: folder.appending(path: "attributes"))
            try Command.setUp("tar", ["cf", "files", "container"], in: folder)
            let search = try canaries(
                "search", list, folder.appending(path: "attributes").path, folder.appending(path: "files").path)
            #expect(search.text.hasSuffix("200 of 200 found\n"))
            for (name, arguments) in [("base64", ["-w0"]), ("od", ["-An", "-v", "-tx1"])] {
                let encoded = try Command(name, arguments + ["files"], in: folder)
                try Data(encoded.text.filter { !$0.isWhitespace }.utf8).write(to: folder.appending(path: "encoded"))
                let search = try canaries("search", list, folder.appending(path: "encoded").path)
                #expect(search.code == 1 && search.text.contains(" of 200 found"), "\(name)")
            }
        }
    }

    @Test("is not in any report, message, trace or timing, in any encoding, in part or as a whole")
    func nowhere() throws {
        try withCanaries { folder, list throws in
            func lint(_ name: String, _ arguments: [String], environment: [String: String] = [:]) throws {
                let run = try sandboxlint(arguments, in: folder, environment: environment)
                #expect(!run.output.isEmpty || !run.errors.isEmpty, "\(name)")
                try keep(run, name, in: folder)
            }
            try Data("rules: [\n".utf8).write(to: folder.appending(path: "broken.yml"))
            try Data("must-exclude: [\"**\"]\ndownloaded: \"Documents/**\"\n".utf8)
                .write(to: folder.appending(path: "all.yml"))
            let summary = ["GITHUB_STEP_SUMMARY": folder.appending(path: "written/summary").path]
            try Data().write(to: folder.appending(path: "written/summary"))
            let outputs = ReportTests.formats.map { "--output=\($0)=written/all.\($0)" }
            let every = ["lint", "container", "--select", "health-data-in-backup,backup,privacy,database,preferences"]
            for format in ReportTests.formats {
                try lint("shown-\(format)", ["lint", "container", "--color", "always", "--format", format])
            }
            try lint("outputs", ["lint", "container", "--timings", "-j", "2"] + outputs, environment: summary)
            try lint("declared", every + ["--config", "all.yml", "--format", "json"])
            try lint("broken", ["lint", "container", "--config", "broken.yml", "--output=json=written/broken.json"])
            try lint("unwritable", ["lint", "container", "--output", "json=/none/out.json"])
            try lint("missing", ["lint", "container/Documents", "container/none", "--format", "sarif"])
            try lint("layout", ["layout", "container", "--anonymize"])
            let files = try FileManager.default.subpathsOfDirectory(
                atPath: folder.appending(path: "container").path
            ).sorted()
            let sorts = Dictionary(files.map { (URL(fileURLWithPath: $0).pathExtension, $0) }) { first, _ in first }
            #expect(sorts.count >= 10)
            for (sort, path) in sorts {
                try lint("explain-\(sort)", ["explain", "container", path])
                try lint("explain-json-\(sort)", ["explain", "container", path, "--format", "json"])
            }
            let unreadable = "chmod 000 Library/Preferences Documents/*.json Library/Caches/com.example.app/*/Cache.db"
            #expect(
                try Command("sh", ["-c", unreadable], in: folder.appending(path: "container")).code == 0)
            let run = try unprivileged(["lint", "container", "--format", "json"], in: folder)
            #expect(run.code == 3 && run.text.contains("permission-denied"), "\(run.errors)")
            try keep(run, "unreadable", in: folder)

            let written = folder.appending(path: "written")
            let names = try FileManager.default.contentsOfDirectory(atPath: written.path)
            #expect(names.count >= 60)
            let search = try Command(
                "python3",
                [Self.root.appending(path: "Tests/Reports/canaries").path, "search", list]
                    + names.map { written.appending(path: $0).path })
            #expect(search.code == 0 && search.text == "0 of 200 found\n", "\(search.text)\(search.errors)")
        }
    }
}
