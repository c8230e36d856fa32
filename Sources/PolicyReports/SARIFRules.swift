internal import StoragePolicy
internal import TextOutput

/// The rules in SARIF, with the properties that GitHub uses to sort and show alerts.
struct SARIFRules {
    private let rules: [Rule]
    private let indices: [String: Int]

    init(_ rules: [Rule]) {
        self.rules = rules
        indices = Dictionary(uniqueKeysWithValues: rules.enumerated().map { ($1.id, $0) })
    }

    func index(of rule: Rule) -> Int? { indices[rule.id] }

    func write(to json: inout JSONWriter) {
        json.array("rules") { json in
            for rule in rules { json.object { Self.write(rule, into: &$0) } }
        }
    }

    private static func write(_ rule: Rule, into json: inout JSONWriter) {
        json.field("id", rule.id)
        if !rule.aliases.isEmpty {
            json.array("deprecatedIds") { json in rule.aliases.forEach { json.element($0) } }
        }
        json.object("shortDescription") { $0.field("text", shortened(rule.title)) }
        json.object("fullDescription") { $0.field("text", shortened(rule.rationale)) }
        json.object("help") { json in
            json.field("text", ([rule.help] + rule.references).joined(separator: "\n"))
            json.field("markdown", RuleMarkdown(rule).text)
        }
        if let page = Project.page(of: rule) { json.field("helpUri", page) }
        json.object("defaultConfiguration") { json in
            json.field("level", rule.severity.rawValue)
            json.field("enabled", !rule.isOptional)
        }
        json.object("properties") { json in
            if let precision = rule.precision { json.field("precision", word(for: precision)) }
            json.field("problem.severity", rule.severity == .note ? "recommendation" : rule.severity.rawValue)
            if rule.group == .privacy { json.field("security-severity", security(of: rule)) }
            json.array("tags") { json in
                // GitHub uses the severity of rules with this tag.
                if rule.group == .privacy { json.element("security") }
                json.element(rule.group.rawValue)
            }
        }
    }

    /// The precision in GitHub's terms, from the lower bound of the measurement in `rules/PRECISION.md`: more than nine, seven
    /// or five in ten.
    private static func word(for precision: RulePrecision) -> String {
        switch precision.assured {
        case 0.9...: "very-high"
        case 0.7...: "high"
        case 0.5...: "medium"
        default: "low"
        }
    }

    private static func security(of rule: Rule) -> String {
        switch rule.severity {
        case .error: "7.5"
        case .warning: "5.0"
        case .note: "2.5"
        }
    }

    /// GitHub accepts at most 1,024 characters.
    private static func shortened(_ text: String) -> String {
        text.utf16.count <= 1024 ? text : String(text.prefix(500)) + "…"
    }
}

/// The documentation of a rule as Markdown.
struct RuleMarkdown {
    private let rule: Rule

    init(_ rule: Rule) { self.rule = rule }

    var text: String {
        var text = "\(rule.rationale)\n\n**What to do:** \(rule.help)\n"
        if let fix = rule.fix { text += "\n**Fix** (\(fix.label())): \(fix.title)\n" }
        text += RemedyText(rule.swift).markdown
        if !rule.guards.isEmpty {
            text += "\n**Exceptions**\n\n" + rule.guards.map { "- \($0)\n" }.joined()
        }
        if !rule.references.isEmpty {
            text += "\n**References**\n\n" + rule.references.map { "- <\($0)>\n" }.joined()
        }
        return text
    }
}
