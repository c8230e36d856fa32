public import StoragePolicy
public import TextOutput

/// The documentation of rules as text or JSON.
public struct RuleText {
    private let rules: [Rule]

    /// Creates the documentation of some rules, in output order.
    public init(_ rules: [Rule]) { self.rules = rules }

    /// The text: a table with one line per rule, or several on a narrow terminal.
    public func list(style: Style) -> String { RuleTable(rules).text(style: style) }

    /// The whole rule file, except the content of examples.
    public func explanation(style: Style) -> String {
        rules.map { rule in
            var text = "\(style.bold(rule.id))  (rule \(rule.number), \(rule.group.rawValue), "
            text +=
                "\(style.severity(rule.severity, text: rule.severity.rawValue)), \(rule.stage.rawValue), since \(rule.since))\n"
            if rule.isOptional {
                text +=
                    "  Disabled by default. Enable it under `rules` in the configuration, or with --select and its id.\n"
            }
            text += "\n  \(rule.title)\n\n\(Self.wrapped(rule.rationale))\n"
            text += "\(style.bold("What to do"))\n\(Self.wrapped(rule.help))"
            if let fix = rule.fix { text += Self.wrapped("Fix (\(fix.label())): \(fix.title).") }
            if let precision = rule.precision {
                let findings = precision.right + precision.wrong
                text += Self.wrapped(
                    "Regression corpus: \(precision.right) of \(Quantity.count(findings, "finding")) as labelled. See rules/PRECISION.md for real apps."
                )
            }
            text += RemedyText(rule.swift).text(style: style)
            if !rule.guards.isEmpty {
                text += "\n\(style.bold("Exceptions"))\n" + rule.guards.map { Self.wrapped($0) }.joined()
            }
            text += "\n\(style.bold("Examples with findings"))\n" + rule.bad.map { "  \($0.title)\n" }.joined()
            text += "\n\(style.bold("Examples without findings"))\n" + rule.good.map { "  \($0.title)\n" }.joined()
            return text + "\n\(style.bold("References"))\n" + rule.references.map { "  \($0)\n" }.joined()
        }.joined(separator: "\n")
    }

    /// The line below a list of the rules whose ids begin with a word.
    public func matches(_ word: String) -> String {
        "\(Quantity.count(rules.count, "rule")) with the prefix “\(word)”; `sandboxlint explain ID` explains a rule.\n"
    }

    /// An array of objects.
    public func json(to output: @escaping (String) -> Void) {
        var json = JSONWriter(to: output)
        self.json(nil, in: &json)
        output("\n")
    }

    /// The array as an element or as the value of a key.
    func json(_ key: String?, in json: inout JSONWriter) {
        json.array(key) { json in
            for rule in rules {
                json.object { json in
                    json.field("id", rule.id)
                    json.field("number", rule.number)
                    json.field("group", rule.group.rawValue)
                    json.field("severity", rule.severity.rawValue)
                    json.field("stage", rule.stage.rawValue)
                    json.field("since", rule.since)
                    json.field("optional", rule.isOptional)
                    json.field("title", rule.title)
                    json.field("rationale", rule.rationale)
                    json.field("help", rule.help)
                    json.array("guards") { json in rule.guards.forEach { json.element($0) } }
                    json.array("references") { json in rule.references.forEach { json.element($0) } }
                    json.field("fix", rule.fix?.title)
                    RemedyText(rule.swift).json("swift", in: &json)
                    if let precision = rule.precision {
                        json.object("measured") { json in
                            json.field("right", precision.right)
                            json.field("wrong", precision.wrong)
                        }
                    } else {
                        json.field("measured", nil)
                    }
                }
            }
        }
    }

    /// Returns lines of at most 78 columns, indented by two.
    private static func wrapped(_ text: String) -> String {
        var lines: [String] = []
        for word in text.split(whereSeparator: \.isWhitespace) {
            if let last = lines.last, last.count + 1 + word.count <= 78 {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append("  " + word)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}
