@testable import PolicyFixes
@testable import PolicyRecords
@testable import PolicyTexts
@testable import PolicyValues
@testable import StoragePolicy
import Testing

@Suite("Rule files") struct RuleFileTests {
    private static func file(_ change: (String) -> String = { $0 }) -> String {
        change(
            """
            id: my-rule
            number: 900
            group: stale
            severity: note
            since: 0.1.0
            title: a title
            message: "a message"
            help: help
            rationale: why
            references: ["https://example.com"]
            applies: { in: temporary, kind: file }
            when: { name: ["*.part"] }
            bad:
              - { tree: { tmp/a.part: {} }, finds: tmp/a.part }
              - { tree: { tmp/b.part: {} }, finds: tmp/b.part }
            good:
              - { tree: { tmp/a: {} } }
              - { tree: { tmp/b: {} } }
            """)
    }

    @Test("A valid rule is read")
    func right() throws {
        #expect(try Rule(file: "my.yml", text: Self.file()).id == "my-rule")
    }

    @Test("An unknown key is shown with file, line, column, a caret and the nearest key")
    func unknownKey() {
        let text = Self.file { $0.replacing("severity:", with: "severty:") }
        let error = #expect(throws: SourceError.self) { try Rule(file: "rules/my.yml", text: text) }
        #expect(
            error?.description.split(separator: "\n").map(String.init) == [
                "rules/my.yml:4:1: unknown key “severty”; known: aggregate, aliases, applies, bad, fix, good, group, "
                    + "guards, help, id, levels, measures, message, number, optional, rationale, references, severity, since, stage, swift, "
                    + "thresholds, title, unless, when",
                "4 | severty: note",
                "  | ^^^^^^^ did you mean “severity”?",
            ])
    }

    @Test(
        "An error is reported at its line",
        arguments: [
            ("severity: note", "severity: bad", 4, "unknown severity “bad”"),
            ("in: temporary", "in: temporry", 11, "unknown location “temporry”"),
            ("name: [\"*.part\"]", "nmae: x", 12, "unknown condition “nmae”"),
            ("name: [\"*.part\"]", "older-than: 7w", 12, "expected a duration"),
            ("number: 900", "number: many", 2, "expected a whole number"),
            ("id: my-rule\n", "", 1, "the key “id” is missing"),
            ("  - { tree: { tmp/b: {} } }", "", 16, "at least two good examples"),
            ("group: stale", "group: [stale", 3, "invalid YAML"),
            ("title: a title", "title: t\nfix: { safety: safe, title: t, action: del }", 7, "unknown action “del”"),
            (
                "title: a title", "title: t\nfix: { safety: safe, title: t, action: move, to: tmp }", 7,
                "`move` needs `to` and `safety: asks`"
            ),
            (
                "title: a title", "title: t\nfix: { safety: safe, title: t, action: set-flag, with: x }", 7,
                "“with” is only valid with remove and move"
            ),
            (
                "title: a title", "title: t\nfix: { safety: safe, title: t, action: clear-attributes }", 7,
                "`clear-attributes` needs `attributes`"
            ),
            ("title: a title", "title: t\nswift: exclude-directry", 7, "unknown remedy “exclude-directry”"),
            ("title: a title", "title: t\nswift: [none, delete]", 7, "“none” cannot be combined with remedies"),
            ("title: a title", "title: t\nswift: { title: t }", 7, "the key “code” is missing"),
            ("title: a title", "title: t\nswift: { title: t, code: {} }", 7, "code for at least one module"),
            ("title: a title", "title: t\nswift: { title: t, code: { UIKit: \"\" } }", 7, "expected one to 10 lines"),
            ("title: a title", "title: t\nswift: { title: t, code: { ui-kit: f() } }", 7, "the name of a Swift module"),
            ("title: a title", "title: t\nswift: { title: t, code: { UIKit: \"```\" } }", 7, "must not contain ```"),
            ("title: a title", "title: t\nswift: { title: t, code: { UIKit: \"\\e[2J\" } }", 7, "control characters"),
        ])
    func wrong(old: String, new: String, line: Int, message: String) {
        let text = Self.file { $0.replacing(old, with: new) }
        let error = #expect(throws: SourceError.self) { try Rule(file: "my.yml", text: text) }
        #expect(error?.message.contains(message) == true, "\(error?.description ?? "")")
        #expect(abs((error?.line ?? -9) - line) <= 1)
    }

    enum Hostile: String, CaseIterable {
        case brackets, dashes, braces, huge, empty, nul, selfReference

        var text: String {
            switch self {
            case .brackets: String(repeating: "[", count: 100_000)
            case .dashes: String(repeating: "- ", count: 100_000)
            case .braces: String(repeating: "{a: ", count: 50_000)
            case .huge: String(repeating: "x", count: 300_000)
            case .empty: ""
            case .nul: "\u{0}"
            case .selfReference: "a: &a [*a]"
            }
        }
    }

    @Test("Hostile YAML is an error, not a crash", arguments: Hostile.allCases)
    func hostile(input: Hostile) {
        #expect(throws: SourceError.self) { try Rule(file: "my.yml", text: input.text) }
    }

    @Test("An unknown rule is reported with the nearest known one")
    func unknownRule() throws {
        var catalogue = try Catalogue.embedded()
        let error = #expect(throws: UnknownRule.self) { try catalogue.restrict(select: ["stale-tpm"], ignore: []) }
        #expect(error?.suggestion == "stale-tmp")
        try catalogue.restrict(select: ["stale", "78"], ignore: ["stale-tmp"])
        let ids = catalogue.rules.map(\.id)
        #expect(ids.contains("atomic-write-leftover") && ids.contains("special-or-escaping-link"))
        #expect(!ids.contains("stale-tmp") && catalogue.rules.allSatisfy { $0.group == .stale || $0.number == 78 })
    }

    @Test("An optional rule is enabled only by its id or number, or by the configuration")
    func optional() throws {
        func ids(select: [String], _ configuration: String = "bundle-id: com.example.app") throws -> [String] {
            var catalogue = try Catalogue.embedded()
            try catalogue.restrict(select: select, ignore: [])
            let configuration = try Configuration(file: "c.yml", text: configuration)
            return try Linter(catalogue: catalogue, configuration: configuration).forms.map(\.rule.id)
        }
        let rule = "archive-unsafe-class"
        #expect(try !ids(select: []).contains(rule))
        #expect(try !ids(select: ["archive"]).contains(rule))
        #expect(try ids(select: ["archive", "73"]).contains(rule))
        #expect(try ids(select: [rule]) == [rule])
        #expect(try ids(select: [], "rules: { \(rule): { severity: warning } }").contains(rule))
        #expect(try !Linter().forms.contains { $0.rule.isOptional })
    }
}
