/// How bad a finding is.
public enum Severity: String, Sendable, CaseIterable, Comparable {
    case error, warning, note

    private var rank: Int {
        switch self {
        case .error: 2
        case .warning: 1
        case .note: 0
        }
    }
    /// A note is less than a warning, which is less than an error.
    public static func < (left: Severity, right: Severity) -> Bool { left.rank < right.rank }
}

/// What a rule is about.
public enum RuleGroup: String, Sendable, CaseIterable {
    case backup, loss, stale, layout, privacy, database, preferences, archive, portability, integrity
}

/// How far a rule can be relied on.
public enum RuleStage: String, Sendable, CaseIterable { case stable, preview, deprecated }

/// What is done about a finding, and whether that can do harm.
public struct RuleFix: Sendable, Hashable {
    /// Whether a person must agree first.
    public enum Safety: String, Sendable, CaseIterable { case safe, asks }
    /// Whether a person must agree first.
    public let safety: Safety
    /// What it does, in one phrase.
    public let title: String
}

/// One rule of the policy, as its YAML file says it.
public final class Rule: Sendable {
    /// Its name; never changes its meaning.
    public let id: String
    /// Its row in the catalogue.
    public let number: Int
    /// What it is about.
    public let group: RuleGroup
    /// How bad a finding is.
    public let severity: Severity
    /// How far it can be relied on.
    public let stage: RuleStage
    /// The version that brought it.
    public let since: String
    /// What it looks for, in one phrase.
    public let title: String
    /// What a finding says; `{name}` and its like are filled in.
    public let message: String
    /// What to do about it.
    public let help: String
    /// Why it matters.
    public let rationale: String
    /// Where that is written.
    public let references: [String]
    /// What looks like a finding and is none.
    public let guards: [String]
    /// What can be done about it.
    public let fix: RuleFix?
    /// Whether its findings are bytes that could be had again.
    public let measuresRegenerable: Bool

    /// Whether it is put only where it is asked for by its own id or number.
    public let isOptional: Bool

    /// Names it had before; they still name it.
    public let aliases: [String]

    let scope: RuleScope
    let condition: Condition
    let levels: [RuleLevel]
    let aggregate: Aggregate?
    /// What it must find.
    package let bad: [RuleExample]
    /// What it must let be.
    package let good: [RuleExample]

    private static let keys: Set<String> = [
        "id", "aliases", "number", "group", "severity", "stage", "since", "title", "message", "help", "rationale",
        "references",
        "guards", "fix", "measures", "applies", "when", "levels", "aggregate", "bad",
        "good", "optional",
    ]

    /// A rule from its file's text.
    ///
    /// - Throws: What is wrong, at its line and column: a key or word that is not known, one that is missing, a
    ///   condition that cannot hold, fewer than two examples of either sort.
    package init(file: String, text: String) throws(SourceError) {
        let top = try YAMLValue(file: file, text: text)
        let fields = try top.fields(Self.keys)
        func required(_ key: String) throws(SourceError) -> YAMLValue { try top.required(key, of: fields) }
        id = try required("id").string()
        aliases = try fields["aliases"]?.strings() ?? []
        number = try required("number").integer()
        group = try required("group").word("group", RuleGroup.self)
        severity = try required("severity").word("severity", Severity.self)
        stage = try fields["stage"]?.word("stage", RuleStage.self) ?? .stable
        since = try required("since").string()
        title = try required("title").string()
        message = try required("message").string()
        help = try required("help").string()
        rationale = try required("rationale").string()
        references = try required("references").strings()
        guards = try fields["guards"]?.strings() ?? []
        isOptional = try fields["optional"]?.boolean() ?? false
        measuresRegenerable = try fields["measures"]?.word("measure", Measure.self) == .regenerable
        if let value = fields["fix"] {
            let fix = try value.fields(["safety", "title"])
            self.fix = RuleFix(
                safety: try value.required("safety", of: fix).word("safety", RuleFix.Safety.self),
                title: try value.required("title", of: fix).string())
        } else {
            fix = nil
        }
        scope = try RuleScope(required("applies"))
        condition = try Condition(required("when"))
        var levels: [RuleLevel] = []
        for level in fields["levels"]?.list() ?? [] { levels.append(try RuleLevel(level)) }
        self.levels = levels
        aggregate = try fields["aggregate"].map { value throws(SourceError) in try Aggregate(value) }
        bad = try RuleExample.list(required("bad"), mustFind: true)
        good = try RuleExample.list(required("good"), mustFind: false)
        for (key, examples) in [("bad", bad), ("good", good)] where examples.count < 2 {
            throw try required(key).error("a rule needs at least two \(key) examples")
        }
    }

    private enum Measure: String, CaseIterable { case regenerable }
}
