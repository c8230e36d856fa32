public import StoragePolicy
public import TextOutput

/// A group of rules as text or as JSON.
public struct GroupText {
    private let group: RuleGroup
    private let rules: [Rule]

    /// A group and its rules.
    public init(_ group: RuleGroup, _ rules: [Rule]) { (self.group, self.rules) = (group, rules) }

    /// The text: the subject of the group and a line for each rule.
    public func text(style: Style) -> String {
        """
        \(style.bold(group.rawValue))  (group, \(Quantity.count(rules.count, "rule")))

          \(group.summary)

        \(RuleText(rules).list(style: style))
        `sandboxlint explain ID` explains a rule; `--select \(group.rawValue)` runs only these.

        """
    }

    /// The JSON object: the group, its subject and its rules.
    public func json(to output: @escaping (String) -> Void) {
        var json = JSONWriter(to: output)
        json.object { json in
            json.field("group", group.rawValue)
            json.field("summary", group.summary)
            RuleText(rules).json("rules", in: &json)
        }
        output("\n")
    }
}

extension RuleGroup {
    /// The subject of the group's rules, in one sentence.
    var summary: String {
        switch self {
        case .backup: "What backups contain: too much, such as downloads, or too little, such as excluded user data."
        case .loss: "User data where the system deletes it, or where no backup includes it."
        case .stale: "Leftovers: files that are no longer used, and caches over their limit."
        case .layout: "Files in a location that is meant for something else."
        case .privacy: "Secrets and personal data that are readable in files, or included in backups."
        case .database: "SQLite databases that are damaged, incomplete or in the wrong location."
        case .preferences:
            "Preferences with absolute paths, large values, another app's identifier or an invalid format."
        case .archive: "Archives and property lists that are damaged, or that another version cannot read safely."
        case .portability: "Names, attributes and links that do not survive a copy to another system."
        case .integrity: "Files whose content does not match their name, date or size, and duplicates."
        case .exceptions: "Suppressions and entries of the baseline that are expired, unused or malformed."
        }
    }
}
