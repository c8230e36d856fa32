import AppContainer
import Foundation
import SystemPackage
import TestSupport
import Testing
import ToolSupport

/// A finding that every report must contain.
struct ExpectedFinding: Hashable {
    let severity: String
    let rule: String
    /// The position that it points at.
    let file: String
    let line: Int

    init(_ severity: String, _ rule: String, _ file: String, _ line: Int) {
        (self.severity, self.rule, self.file, self.line) = (severity, rule, file, line)
    }

    var row: String { "\(severity)\t\(rule)\t\(file)\t\(line)" }

    /// The row with an absolute path.
    func row(in folder: String) -> String { "\(severity)\t\(rule)\t\(folder)/\(file)\t\(line)" }

    var rowWithoutPlace: String { "\(severity)\t\(rule)\t-\t-" }

    /// The findings for the repository, its configuration and its container, in the order of reports.
    static let all = [
        ExpectedFinding("error", "regenerable-in-documents", "build/app/Documents/five/e.jpg", 1),
        ExpectedFinding("error", "regenerable-in-documents", "Twins/Twin.swift", 5),
        ExpectedFinding("error", "regenerable-in-documents", "Sources/Reader/Covers.swift", 12),
        ExpectedFinding("error", "regenerable-in-documents", "Sources/Shelf/Same.swift", 9),
        ExpectedFinding("error", "regenerable-in-documents", "Gone/Nowhere.swift", 7),
        ExpectedFinding("error", "exclusion-lost", ".sandboxlint.yml", 4),
        ExpectedFinding("warning", "stale-tmp", "build/app/tmp/a/caf%E9", 1),
        ExpectedFinding("warning", "stale-tmp", "build/app/tmp/b/new%0Aline", 1),
        ExpectedFinding("warning", "stale-tmp", "build/app/tmp/c/]]>x", 1),
        ExpectedFinding("warning", "stale-tmp", "build/app/tmp/d/50%250A", 1),
        ExpectedFinding("warning", "stale-tmp", "build/app/tmp/e/::error::x", 1),
        ExpectedFinding("warning", "stale-tmp", "build/app/tmp/f/a|b`<i>@you &amp;", 1),
        ExpectedFinding("warning", "stale-tmp", "build/app/tmp/g/tab%09esc%1B[31m", 1),
        ExpectedFinding("note", "redundant-exclusion", "build/app/Library/Caches/com.example.app/flagged", 1),
    ]

    /// The arguments that select the findings.
    static let rules = "regenerable-in-documents,exclusion-lost,stale-tmp,redundant-exclusion"

    /// Creates the repository, with the container in `build/app`.
    static func withRepository<Result>(_ body: (URL) throws -> Result) throws -> Result {
        try withScratch { folder throws in
            try folder.makeDirectories(".git", "build")
            try folder.write(
                to: "Sources/Reader/Covers.swift", "Sources/A/Twin.swift", "Sources/B/Twin.swift",
                "Sources/Shelf/Same.swift", "Tests/ShelfTests/Same.swift")
            try folder.write(
                """
                now: 2026-01-01
                must-exclude:
                  - "Library/Application Support/com.example.app/Maps/1*"
                  - "Library/Application Support/com.example.app/Maps/*.map"

                """, to: ".sandboxlint.yml")
            let container = try Container.create(
                at: FilePath(folder.appending(path: "build/app").path), bundleIdentifier: "com.example.app")
            let url = try #require(URL(string: "https://example.com/a.jpg"))
            for name in ["one/a", "two/b", "three/c", "four/d", "five/e"] {
                try container.save(
                    "x", to: .documents / "\(name).jpg", options: .init(provenance: .downloaded(from: url)))
            }
            try container.save("x", to: .applicationSupport / "Maps/1.map")
            try container.save("x", to: .caches / "flagged")
            try container.excludeFromBackup(.caches / "flagged")
            let (app, attribute) = (folder.appending(path: "build/app"), "user.appcontainer.source")
            for (source, path) in [
                ("Reader/Covers.swift:12", "one/a"), ("Gone/Nowhere.swift:7", "two/b"),
                ("Shelf/Same.swift:9", "three/c"),
                ("Twins/Twin.swift:5", "four/d"), ("../../etc.swift:3", "five/e"),
            ] { try AttributeTool.set(attribute, to: source, of: "Documents/\(path).jpg", in: app) }
            try AttributeTool.remove(
                attribute, of: "Library/Application Support/com.example.app/Maps/1.map",
                "Library/Caches/com.example.app/flagged", in: app)
            try app.write(to: "Library/Caches/com.example.app/Nowhere.swift")
            let temporary = app.appending(path: "tmp")
            try temporary.makeDirectories("a")
            if Platform.allowsAnyNames { try temporary.write(toBytes: Array("a/caf".utf8) + [0xe9]) }
            try temporary.write(
                to: "b/new\nline", "c/]]>x", "d/50%0A", "e/::error::x", "f/a|b`<i>@you &amp;", "g/tab\tesc\u{1b}[31m")
            try temporary.setAllTimes("2025-06-01T00:00:00Z") { path, _ in path.contains("/") }
            return try body(folder)
        }
    }
}

/// Reads a report with third-party readers (sarif-pydantic, sarif-tools, junitparser and lxml of PyPI) and schemas.
struct ReadReport {
    private static let root = URL(fileURLWithPath: #filePath).appending(path: "../../..").standardized

    /// The folder with the published schemas of SARIF and JUnit, which are not part of this repository:
    /// `SANDBOXLINT_SCHEMAS`, or `../shared/data`; nil without such a folder.
    static let schemas: String? = {
        let named = ProcessInfo.processInfo.environment["SANDBOXLINT_SCHEMAS"]
        let folder = named ?? root.appending(path: "../shared/data").standardized.path
        return FileManager.default.fileExists(atPath: folder + "/sarif-schema-2.1.0.json") ? folder : nil
    }()

    let rows: [String]
    let command: Command

    init(_ format: String, _ report: Data) throws {
        command = try withScratch { folder throws in
            let file = folder.appending(path: "report")
            try report.write(to: file)
            return try Command(
                Command.python(),
                [Self.root.appending(path: "Tests/Reports/check-report").path, format, file.path],
                environment: Self.schemas.map { ["SANDBOXLINT_SCHEMAS": $0] } ?? [:])
        }
        rows = command.text.split(separator: "\n").map(String.init)
    }
}

/// Runs the tool as a user who is not root, in a folder that is accessible to all.
func unprivileged(_ arguments: [String], in folder: URL) throws -> Command {
    guard getuid() == 0 else { return try sandboxlint(arguments, in: folder) }
    let copy = folder.appending(path: "sandboxlint").path
    try FileManager.default.copyItem(atPath: Command.sandboxlint, toPath: copy)
    try setMode("755", of: folder.path)
    return try Command("env", Command.unprivileged + [copy] + arguments, in: folder)
}
