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

/// Files in backups that neither the configuration nor proof accounts for.
@Suite("Undeclared files in backups", .needs(.long)) struct UndeclaredTests {
    private static let rule = "undeclared-bulk-in-backup"

    private func lint(
        _ container: Container, _ configuration: String = "budgets: { undeclared-bulk-in-backup: 0 }",
        threads: Int = 2, isFreshInstall: Bool = false
    ) throws -> Finding? {
        var catalogue = try Catalogue.embedded()
        try catalogue.restrict(select: [Self.rule], ignore: [])
        let report = try Linter(
            catalogue: catalogue, configuration: Configuration(file: "c.yml", text: configuration),
            now: ExampleRun.now, threads: threads, isFreshInstall: isFreshInstall
        ).lint(container)
        #expect(report.isComplete && report.findings.count <= 1)
        return report.findings.first
    }

    private func directories(_ finding: Finding?) -> [String] {
        (finding?.evidence ?? []).filter { $0.kind == UndeclaredDirectory.evidenceKind }.map(\.value)
    }

    private func withContainer(_ files: [(String, Int)], _ body: (Container) throws -> Void) throws {
        try withScratch { folder throws in
            let path = folder.appending(path: "c").path
            let container = try Container.create(at: FilePath(path), bundleIdentifier: "com.example.app")
            for (name, size) in files {
                let file = URL(fileURLWithPath: path).appending(path: name)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(count: size).write(to: file)
            }
            try body(container)
        }
    }

    @Test("The total is exact above the limit of directories, with any number of threads")
    func exact() throws {
        let shelves = (0..<200).map { ("Documents/shelf/\($0)/book.epub", 1_000 + $0) }
        let many = (0..<300).map { ("Library/Application Support/dir\($0)/a.bin", 10 + $0) }
        try withContainer(shelves + many + [("Documents/one.txt", 7), ("Documents/maps/a/b/c/d.bin", 5_000)]) {
            made throws in
            let bytes = (shelves + many).reduce(0) { $0 + $1.1 } + 5_007
            let findings = try [1, 2, 8].map { try lint(made, threads: $0) }
            for finding in findings {
                #expect(finding?.bytes == UInt64(bytes) && finding?.items == 502)
                #expect(directories(finding) == directories(findings[0]) && finding?.message == findings[0]?.message)
            }
            let listed = directories(findings[0])
            #expect(listed.count == 4, "\(listed)")
            #expect(listed[0].hasPrefix("Documents/shelf: 220 KB in 200 documents"), "\(listed)")
            #expect(listed[1].hasPrefix("Library/Application Support: 47.9 KB in 300 data files"), "\(listed)")
            #expect(listed[2].hasPrefix("Documents/maps/a: 5 KB in 1 data file, "), "\(listed)")
            #expect(listed[3].hasPrefix("Documents: 7 bytes in 1 text file, "), "\(listed)")
        }
    }

    @Test("The total is exact above the limit of candidates for a verdict", .timeLimit(.minutes(60)))
    func dropped() throws {
        let long = String(repeating: "x", count: 200)
        let files = (0..<9_000).map { ("Documents/\($0 % 100)/\(long)\($0)/\(long).bin", 3) }
        try withContainer(files) { container throws in
            let finding = try lint(container)
            #expect(finding?.bytes == 27_000 && finding?.items == 9_000)
            #expect(directories(finding).count == 5)
            var catalogue = try Catalogue.embedded()
            try catalogue.restrict(select: ["likely-regenerable-in-backup"], ignore: [])
            let weighed = try Linter(catalogue: catalogue).lint(container)
            #expect(weighed.incidents.map(\.reason.rawValue) == ["too-much-to-weigh"])
            #expect(weighed.isComplete)
        }
    }

    @Test("A word of the configuration is suggested only where strong evidence is the same for all files")
    func words() throws {
        let files =
            (1...3).map { ("Documents/Papers/paper \($0).pdf", 4_000 + $0) }
            + (1...6).map { ("Documents/stickers/emoji_\($0)@2x.png", 1_000) }
            + ["one", "two"].map { ("Documents/clips/\($0).mp4", 2_000) }
            + ["one", "two", "birthday"].map { ("Documents/mixed/m-\($0).mp4", 3_000) }
        try withContainer(files) { container throws in
            let addresses = ["one.mp4", "two.mp4", "m-one.mp4", "m-two.mp4"].map { "https://example.com/v/\($0)" }
            try container.save(
                JSONSerialization.data(withJSONObject: ["films": addresses]),
                to: .applicationSupport / "catalogue.json")
            let directories = try Linter().undeclaredDirectories(in: container)
            let words = Dictionary(uniqueKeysWithValues: directories.map { ($0.displayPath, $0.word?.rawValue) })
            #expect(words["Documents/clips"] == "downloaded")
            // Names alone do not decide, nor does a pattern that is right for most files.
            for path in ["Documents/Papers", "Documents/stickers", "Documents/mixed"] {
                #expect(words[path] == .some(nil), "\(path)")
            }
            let whole =
                "budgets: { undeclared-bulk-in-backup: 0 }\nuser-data: ['Documents/**', 'Library/Application Support/**']\n"
            #expect(try lint(container, whole) == nil)
            #expect(try lint(container, whole, isFreshInstall: true)?.severity == .error)
        }
    }

    @Test("A name that a pattern cannot express is listed without a suggested line")
    func names() throws {
        try withContainer([("Documents/a*b/1.bin", 100), ("Documents/q\"q/1.bin", 50)]) { container throws in
            let listed = directories(try lint(container))
            #expect(listed.count == 2 && listed.allSatisfy { !$0.contains("declare it") }, "\(listed)")
        }
    }

    @Test("A budget sets the limit of the total, and a suppression of the configuration hides the finding")
    func budget() throws {
        try withContainer([("Documents/films/1.mov", 3_000_000)]) { container throws in
            #expect(try lint(container, "bundle-id: com.example.app")?.severity == .warning)
            #expect(try lint(container, "budgets: { undeclared-bulk-in-backup: 3MB }") == nil)
            #expect(try lint(container, "rules: { undeclared-bulk-in-backup: note }")?.severity == .note)
            let suppression = "suppressions: [{ path: \"Documents/**\", rule: \(Self.rule), reason: films }]"
            #expect(try lint(container, suppression) == nil)
            #expect(try lint(container, "ignore: [\"Documents/films/**\"]", isFreshInstall: true) == nil)
        }
    }

    @Test(
        "The condition must be the only one of its rule, with a budget for the container",
        arguments: [
            ("when: { undeclared: { listed: 5 } }", "when: { undeclared: { listed: 5 }, name: x }"),
            ("listed: 5", "listed: 0"), ("per: container", "per: directory"),
        ])
    func refused(old: String, new: String) throws {
        let text = try Catalogue.embedded().rule(Self.rule).text
        #expect(text.contains(old))
        #expect(throws: SourceError.self) { try Rule(file: "r.yml", text: text.replacing(old, with: new)) }
    }
}
