import AppContainer
import Foundation
@testable import SourceCode
@testable import PolicyTexts
@testable import StoragePolicy
import SystemPackage
import TestSupport
import Testing

@Suite("CodeEvidence") struct CodeEvidenceTests {
    private static let cache = """
        /// The timeline, cached until the next start.
        func save(_ data: Data) throws {
            try data.write(to: documentDirectory.appendingPathComponent("timeline.bin"))
        }
        """

    /// The evidence on a file of each path, with the source code that writes it.
    private func evidence(_ code: [String: String], selected: Bool = true, paths: String...) throws -> [String:
        [String]]
    {
        try withEvidence { fixture throws in
            for path in paths { try fixture.write(path) }
            return try withScratch { folder throws in
                for (path, text) in code { try folder.write(text, to: path) }
                let roots = SourceRoots(selected ? [folder.path] : nil, configuration: folder.path, besides: [])
                let source = AppSource(roots, besides: [], threads: 1)
                let linter = try Linter(catalogue: .embedded(), threads: 2).weighing(source)
                var found: [String: [String]] = [:]
                for record in try linter.evidence(in: fixture.container) {
                    let kinds = record.pieces.map(\.id).filter { CodeFact(rawValue: $0) != nil }
                    for name in record.names {
                        found[String(decoding: record.directory + Array("/".utf8) + name, as: UTF8.self)] =
                            kinds.sorted()
                    }
                }
                return found
            }
        }
    }

    @Test(
        "A fact of the code beside the line that writes a file is evidence on it",
        arguments: [
            (CodeFact.temporary, "let part = FileManager.default.temporaryDirectory"),
            (.downloads, "session.downloadTask(with: url)"),
        ])
    func facts(fact: CodeFact, line: String) throws {
        let write = "try data.write(to: documentDirectory.appendingPathComponent(\"timeline.bin\"))"
        let found = try evidence(
            ["App/Store.swift": line + "\n" + write], paths: "Documents/timeline.bin", "Documents/other.bin")
        #expect(found == ["Documents/timeline.bin": [fact.rawValue], "Documents/other.bin": []])
        #expect(
            try evidence(["App/Store.swift": write], paths: "Documents/timeline.bin") == ["Documents/timeline.bin": []])
    }

    @Test("A fact names the line that states it, and alone makes no warning")
    func finding() throws {
        try withEvidence { fixture throws in
            try fixture.write("Documents/timeline.bin")
            try withScratch { folder throws in
                try folder.write(
                    Self.cache + "\nlet part = temporaryDirectory; session.downloadTask(with: url)\n",
                    to: "App/Store.swift")
                let source = AppSource(
                    SourceRoots([folder.path], configuration: nil, besides: []), besides: [], threads: 1)
                let linter = try Linter(catalogue: .embedded(), now: firstDay + 86_400, threads: 2)
                func findings(_ linter: Linter) throws -> [Finding] {
                    try linter.lint(fixture.container).findings.filter { $0.rule.id == "likely-regenerable-in-backup" }
                }
                let found = try #require(try findings(linter.weighing(source)).first)
                #expect(found.severity == .note && (found.confidence ?? 1) <= 0.89)
                #expect(
                    found.evidence.contains { $0.kind == "code-downloads" && $0.value.hasSuffix("App/Store.swift:5") })
                #expect(try findings(linter).isEmpty)
            }
        }
    }

    @Test("Facts of the code do not raise a verdict to a warning, and lower none")
    func limit() throws {
        let model = try embeddedModel()
        let fact = PieceOfEvidence(CodeFact.temporary)
        let some = [PieceOfEvidence(id: "bundle-directory", 1)]
        #expect(Verdict(some + [fact], model: model).probability == model.weakLimit)
        let sure = [PieceOfEvidence(id: "archive-beside-unpacked", 1)]
        #expect(Verdict(sure, model: model).probability > 0.9)
        let both = Verdict(sure + [fact], model: model).probability
        #expect(abs(both - Verdict(sure, model: model).probability) < 0.001)
    }

    @Test("Source code that the user did not select changes no verdict")
    func unselected() throws {
        let code = ["App/Store.swift": Self.cache, ".git/HEAD": "x"]
        #expect(
            try evidence(code, selected: false, paths: "Documents/timeline.bin") == ["Documents/timeline.bin": []])
    }

    @Test("Facts beyond the lines nearby, or in lines that are too long, do not count")
    func distance() {
        func facts(_ lines: [String], at line: Int) -> [CodeFact] {
            CodeExcerpt(Array(lines.joined(separator: "\n").utf8), path: Array("App/Store.swift".utf8)).facts(at: line)
                .map(\.fact)
        }
        let gap = Array(repeating: "", count: 8)
        #expect(facts(["use(temporaryDirectory)"] + gap.dropLast() + ["write(b)"], at: 9) == [.temporary])
        #expect(facts(["use(temporaryDirectory)"] + gap + ["write(b)"], at: 10) == [])
        #expect(facts([String(repeating: " use(temporaryDirectory)", count: 200), "write(b)"], at: 2) == [])
        #expect(facts(["write(b)"], at: 7) == [])
        #expect(
            CodeExcerpt(Array("write(b)".utf8), path: Array("App/DownloadStore.swift".utf8)).facts(at: 1).map(\.fact)
                == [.downloads])
    }
}
