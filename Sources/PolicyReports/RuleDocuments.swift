package import StoragePolicy

/// The rules' documentation as Markdown, made of their files: a page a rule, and an index.
package struct RuleDocuments {
    private let rules: [Rule]

    package init(_ catalogue: Catalogue) { rules = catalogue.rules }

    /// Every document: its path in the folder of the rules, and its text.
    package var files: [(path: String, text: String)] {
        [("README.md", index)] + rules.map { ("docs/\($0.id).md", page($0)) }
    }

    private static let notice = "<!-- Written by `sandboxlint rules docs` from the rules' files; change those. -->\n"

    private var index: String {
        var text = Self.notice
        text += """

            # Rules

            \(rules.count) rules in \(Set(rules.map(\.group)).count) groups. How a rule is written: [FORMAT.md](FORMAT.md).
            Each name leads to what the rule looks for, why, and its examples, which are its tests.

            """
        for group in RuleGroup.allCases {
            let members = rules.filter { $0.group == group }
            if members.isEmpty { continue }
            text += "\n## \(group.rawValue)\n\n| # | rule | severity | finds | fix |\n|---|---|---|---|---|\n"
            for rule in members {
                let stage = rule.stage == .stable ? "" : " (\(rule.stage.rawValue))"
                text += "| \(rule.number) | [\(rule.id)](docs/\(rule.id).md)\(stage) | \(rule.severity.rawValue) "
                text += "| \(Self.cell(rule.title)) | \(Self.fix(of: rule)) |\n"
            }
        }
        return text
    }

    private func page(_ rule: Rule) -> String {
        var text = Self.notice
        text += "\n# \(rule.id)\n\n\(rule.title.prefix(1).uppercased() + rule.title.dropFirst()).\n\n"
        text +=
            "Rule \(rule.number) · group \(rule.group.rawValue) · \(rule.severity.rawValue) · \(rule.stage.rawValue)"
        text += " · since \(rule.since)\n"
        if rule.isOptional {
            text += "\nOptional: it is put only where its id selects it, or a configuration names it.\n"
        }
        if !rule.aliases.isEmpty { text += "\nAlso known as \(rule.aliases.joined(separator: ", ")).\n" }
        text += "\n## Why\n\n\(rule.rationale)\n\n## What to do\n\n\(Self.sentence(rule.help))\n"
        if let fix = rule.fix {
            text += "\nFix (\(fix.safety.rawValue)): \(Self.sentence(fix.title)) "
            text += fix.isMechanical ? "`sandboxlint fix` does it.\n" : "It takes a person.\n"
        }
        if !rule.guards.isEmpty {
            text += "\n## What is let be\n\n" + rule.guards.map { "- \($0)\n" }.joined()
        }
        text += "\n## What decides\n\n" + Self.yaml(["thresholds", "applies", "when", "levels", "aggregate"], of: rule)
        if !rule.thresholds.isEmpty {
            text += "\nA configuration may set "
            text += rule.thresholds.map { "`\($0.name)` (\($0.standard))" }.joined(separator: ", ") + ".\n"
        }
        text += "\n## Found\n\n" + Self.yaml(["bad"], of: rule) + "\n## Not found\n\n" + Self.yaml(["good"], of: rule)
        return text + "\n## References\n\n" + rule.references.map { "- <\($0)>\n" }.joined()
    }

    private static func fix(of rule: Rule) -> String {
        rule.fix.map { $0.safety.rawValue + ($0.isMechanical ? "" : ", by hand") } ?? ""
    }

    private static func yaml(_ keys: [String], of rule: Rule) -> String {
        "```yaml\n" + keys.compactMap { rule.lines(of: $0) }.joined() + "```\n"
    }

    private static func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }

    private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
