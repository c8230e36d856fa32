import Foundation
@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import TestSupport
import Testing

@Suite("Remedies in Swift") struct SwiftRemedyTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../..").standardized
    private static let files = ["backup", "databases", "files", "values"]

    private func text(_ name: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: "rules/remedies/\(name).yml"), encoding: .utf8)
    }

    @Test("Each file of remedies is valid, each remedy has one name, and the build contains all of them")
    func valid() throws {
        let names = try FileManager.default.contentsOfDirectory(
            atPath: Self.root.appending(path: "rules/remedies").path)
        #expect(names.sorted() == Self.files.map { "\($0).yml" })
        let tables = try Self.files.map { try SwiftRemedy.table(YAMLValue(file: $0, text: text($0))) }
        let all = tables.flatMap { Array($0) }
        #expect(Set(all.map(\.key)).count == all.count)
        #expect(Dictionary(all.map { ($0.key, $0.value) }) { $1 } == SwiftRemedy.builtIn)
    }

    @Test("Every built-in rule states its remedies, or states that no call is the remedy")
    func stated() throws {
        let rules = try Catalogue.embedded().rules
        #expect(rules.filter { $0.remedies == nil }.map(\.id) == [])
        // Something that the app should not have done, or that only a person can decide.
        #expect(
            rules.filter(\.swift.isEmpty).map(\.id) == [
                "sqlite-corrupt", "appledouble-residue", "xattr-evidence-missing", "extension-magic-mismatch",
                "mtime-in-future", "container-identity-mismatch", "stale-baseline-entry", "content-elsewhere",
                "key-value-store-damaged", "recording-unfinished",
            ])
    }

    @Test("Every remedy belongs to a rule, and every name in a rule to a remedy")
    func used() throws {
        let used = Set(try Catalogue.embedded().rules.flatMap(\.swift))
        #expect(Set(SwiftRemedy.builtIn.values) == used)
        for rule in try Catalogue.embedded().rules {
            // Reads the whole file, and reports an unknown name.
            #expect(try Rule(file: rule.file, text: rule.text).swift == rule.swift)
        }
    }

    @Test("An own rule can contain code, name a remedy of this build, and name one of its folder, which comes first")
    func own() throws {
        try withScratch { folder throws in
            let rule = try text(of: "stale-tmp").replacing("id: stale-tmp", with: "id: own")
                .replacing("number: 25", with: "number: 901")
                .replacing(
                    "swift: [delete-after-use, clear-tmp]",
                    with: """
                        swift:
                          - delete
                          - ours
                          - title: do it
                            code: { OurKit: "try clean()" }
                        """)
            try Data(rule.utf8).write(to: folder.appending(path: "own.yml"))
            try FileManager.default.createDirectory(
                at: folder.appending(path: "remedies"), withIntermediateDirectories: false)
            let remedies = "ours: { title: a, code: { A: b } }\ndelete: { title: c, code: { C: d } }\n"
            try Data(remedies.utf8).write(to: folder.appending(path: "remedies/a.yml"))

            var catalogue = try Catalogue.embedded()
            try catalogue.add(folder: folder.path)
            let configuration = try Configuration(file: "c.yml", text: "rules: { own: { days: 3 } }")
            let linter = try Linter(catalogue: catalogue, configuration: configuration)
            // Also with settings.
            for own in [try catalogue.rule("own")] + linter.forms.map(\.rule).filter({ $0.id == "own" }) {
                #expect(own.swift.map(\.title) == ["c", "a", "do it"])
                #expect(own.swift.map { $0.codes.map(\.module) } == [["C"], ["A"], ["OurKit"]])
            }
            try FileManager.default.removeItem(at: folder.appending(path: "remedies/a.yml"))
            var other = try Catalogue.embedded()
            let error = #expect(throws: SourceError.self) { try other.add(folder: folder.path) }
            #expect(error?.message.hasPrefix("unknown remedy “ours”; known: ") == true)
        }
    }

    private func text(of rule: String) throws -> String { try Catalogue.embedded().rule(rule).text }

    @Test("Markdown contains the title as a sentence and a block of code for each module")
    func markdown() throws {
        let remedy = try #require(
            try SwiftRemedy.table(
                YAMLValue(
                    file: "r",
                    text: "a:\n  title: do it\n  code:\n    A: |\n      try a()\n      b()\n    C: |\n      c()\n"))[
                    "a"])
        #expect(
            remedy.markdown
                == "Do it:\n\nWith A:\n\n```swift\ntry a()\nb()\n```\n\nWith C:\n\n```swift\nc()\n```\n")
    }
}
