internal import FileSystem
internal import PolicyRules

/// A rule, as defined by its YAML file.
public final class Rule: Sendable {
    /// Its name; never changes its meaning.
    public let id: String
    /// Its row in the catalogue.
    public let number: Int
    /// The subject area.
    public let group: RuleGroup
    /// The severity of a finding.
    public let severity: Severity
    /// The configured severity; nil if not configured.
    let configuredSeverity: Severity?
    /// The maturity.
    public let stage: RuleStage
    /// The version that introduced the rule.
    public let since: String
    /// The title, in one phrase.
    public let title: String
    /// The message of a finding, with placeholders such as `{name}`.
    public let message: String
    /// The solution.
    public let help: String
    /// The reason for the rule.
    public let rationale: String
    /// Links to documentation.
    public let references: [String]
    /// Items that resemble findings but are not reported.
    public let guards: [String]
    /// The fix, if the rule has one.
    public let fix: RuleFix?
    /// Swift code for the app that remedies the findings; empty where no call is the remedy.
    public var swift: [SwiftRemedy] { remedies?.all ?? [] }
    /// The remedies in Swift; nil if the file does not state them.
    let remedies: RuleRemedies?
    /// The ids of rules whose findings about an item take the place of its own.
    let unless: Set<String>
    /// True if its findings are re-downloadable or regenerable.
    public let measuresRegenerable: Bool

    /// True if it is enabled only by its own id or number.
    public let isOptional: Bool

    /// Names it had before; they still name it.
    public let aliases: [String]
    /// The configurable values, as configured.
    package let thresholds: [Threshold]
    /// The file as given.
    package let file: String

    /// The text of the file.
    package let text: String
    /// The remedies of the rule's folder, by name.
    private let ownRemedies: [String: SwiftRemedy]
    let scope: RuleScope
    let condition: Condition
    /// The problem of suppressions or baselines that it reports, instead of items.
    package let exception: ExceptionWord?
    /// The confidence at which it reports, where it rests on weighed evidence.
    let verdict: VerdictLimits?
    /// The settings for reporting undeclared files.
    package let listedUndeclared: Int?
    /// True if its sum contains the files whose tags and the app's own data state the same address.
    let sumsStatedSources: Bool
    package let levels: [RuleLevel]
    package let aggregate: Aggregate?
    /// True if a configuration can set a budget for it.
    package var hasBudget: Bool { aggregate != nil }
    /// The examples that it must report.
    package var bad: [RuleExample] { proof.bad }
    /// The examples that it must not report.
    package var good: [RuleExample] { proof.good }

    private typealias Examples = (bad: [RuleExample], good: [RuleExample])
    /// The examples, once they have been read.
    private let read: LockedValue<Examples?>

    private static let keys: Set<String> = [
        "id", "aliases", "number", "group", "severity", "stage", "since", "title", "message", "help", "rationale",
        "references",
        "guards", "fix", "swift", "measures", "applies", "when", "levels", "aggregate", "bad",
        "good", "optional", "thresholds", "unless",
    ]

    /// Every name it goes by.
    package var names: [String] { [id] + aliases }

    /// A rule from its file's text.
    ///
    /// - Throws: The first error, with its line and column: a key or word that is not known, one that is missing, a
    ///   condition that cannot hold, fewer than two examples of either sort.
    package convenience init(file: String, text: String) throws(SourceError) {
        try self.init(file: file, text: text, remedies: [:])
    }

    /// A rule from its file's text, which may name remedies of its folder.
    convenience init(file: String, text: String, remedies: [String: SwiftRemedy]) throws(SourceError) {
        try self.init(YAMLValue(file: file, text: text), file: file, text: text, remedies: remedies)
    }

    /// Returns the rule with the settings of a configuration.
    ///
    /// - Throws: An invalid setting, with its position in the configuration.
    func with(_ setting: RuleSetting?) throws(SourceError) -> Rule {
        guard let setting else { return self }
        return try Rule(
            YAMLValue(file: file, text: text), file: file, text: text, setting: setting, remedies: ownRemedies)
    }

    init(
        _ top: YAMLValue, file: String = "", text: String = "", setting: RuleSetting? = nil,
        remedies own: [String: SwiftRemedy] = [:], isProven: Bool = false
    ) throws(SourceError) {
        self.file = file
        self.text = text
        ownRemedies = own
        let fields = try top.fields(Self.keys)
        func required(_ key: String) throws(SourceError) -> YAMLValue { try top.required(key, of: fields) }
        id = try required("id").shownString()
        aliases = try fields["aliases"]?.shownStrings() ?? []
        number = try required("number").integer()
        group = try required("group").word("group", type: RuleGroup.self)
        let severity = try required("severity").word("severity", type: Severity.self)
        configuredSeverity = setting?.level?.value.severity
        self.severity = configuredSeverity ?? severity
        stage = try fields["stage"]?.word("stage", type: RuleStage.self) ?? .stable
        since = try required("since").shownString()
        title = try required("title").shownString()
        message = try required("message").shownString()
        help = try required("help").shownString()
        rationale = try required("rationale").shownString(mayHaveLines: true)
        references = try Self.references(required("references"))
        guards = try fields["guards"]?.shownStrings() ?? []
        isOptional = try fields["optional"]?.boolean() ?? false
        unless = Set(try fields["unless"]?.strings() ?? [])
        measuresRegenerable = try fields["measures"]?.word("measure", type: Measure.self) == .regenerable
        fix = try fields["fix"].map { value throws(SourceError) in try RuleFix(value) }
        remedies = try fields["swift"].map { value throws(SourceError) in
            try RuleRemedies(value, among: own, isProven: isProven || setting != nil)
        }
        let set = try Threshold.all(fields["thresholds"], setting: setting)
        thresholds = set.map(\.threshold)
        let values = Dictionary(set.map { ($0.threshold.name, $0.value) }) { $1 }
        scope = try RuleScope(required("applies"))
        let when = try required("when")
        condition = try Condition(when.substituting(values))
        let tests = condition.predicates
        exception = tests.lazy.compactMap { ($0 as? ExceptionPredicate)?.word }.first
        verdict = tests.lazy.compactMap { ($0 as? VerdictPredicate)?.limits }.first
        listedUndeclared = tests.lazy.compactMap { ($0 as? UndeclaredPredicate)?.listed }.first
        sumsStatedSources = tests.contains { $0 is StatedSourcePredicate }
        let alone = [
            exception == nil ? nil : ExceptionPredicate.key, verdict == nil ? nil : VerdictPredicate.key,
            listedUndeclared == nil ? nil : UndeclaredPredicate.key,
        ].compactMap(\.self)
        if let key = alone.first, tests.count > 1 {
            throw when.error("“\(key)” cannot be combined with other conditions")
        }
        var levels: [RuleLevel] = []
        for level in fields["levels"]?.list() ?? [] {
            levels.append(try RuleLevel(level.substituting(values), severity: setting?.level?.value.severity))
        }
        self.levels = levels
        aggregate = try fields["aggregate"].map { value throws(SourceError) in try Aggregate(value.substituting(values))
        }
        if listedUndeclared != nil, aggregate?.scope != .container, when.recorder == nil {
            throw when.error("“\(UndeclaredPredicate.key)” needs an aggregate per container")
        }
        if sumsStatedSources, aggregate?.scope != .container, when.recorder == nil {
            throw when.error("“\(StatedSourcePredicate.key)” needs an aggregate per container")
        }
        read = LockedValue(isProven ? nil : try Self.examples(top, fields: fields))
    }

    /// Returns the rule of another text, which may name the same remedies.
    package func with(text: String) throws(SourceError) -> Rule {
        try Rule(file: file, text: text, remedies: ownRemedies)
    }

    /// Addresses of the web: reports make links of them.
    private static func references(_ value: YAMLValue) throws(SourceError) -> [String] {
        var addresses: [String] = []
        for address in value.list() {
            let text = try address.shownString()
            guard value.recorder != nil || text.hasPrefix("https://") else {
                throw address.error("expected a URL that begins with https://")
            }
            addresses.append(text)
        }
        return addresses
    }

    private static func examples(
        _ top: YAMLValue, fields: [String: YAMLValue]
    ) throws(SourceError) -> (bad: [RuleExample], good: [RuleExample]) {
        let (bad, good) = (try top.required("bad", of: fields), try top.required("good", of: fields))
        let examples = (
            try RuleExample.list(bad, mustFind: true), try RuleExample.list(good, mustFind: false)
        )
        guard examples.0.count >= 2 else { throw bad.error("a rule needs at least two bad examples") }
        guard examples.1.count >= 2 else { throw good.error("a rule needs at least two good examples") }
        return examples
    }

    private var proof: Examples {
        read.withLock { read in
            if let read { return read }
            let top = try? YAMLValue(file: file, text: text)
            let examples = top.flatMap { top in
                (try? top.fields(Self.keys)).flatMap { try? Self.examples(top, fields: $0) }
            }
            // Invalid examples are ignored here; the tests of the build detect them.
            let found = examples ?? ([], [])
            read = found
            return found
        }
    }

    /// A rule of this build, whose examples the build's tests have proven: they are read when they are asked for, since
    /// a lint asks for none.
    convenience init(proven file: EmbeddedFiles.File) throws(SourceError) {
        let value = YAMLValue(file)
        try self.init(value, file: value.position.file, text: file.text, isProven: true)
    }

    private enum Measure: String, CaseIterable { case regenerable }
}

/// `levels: [{ severity: warning, when: {…}, message: … }]`: a finding is of the first level whose condition holds,
/// and of the rule's own severity where none does.
package struct RuleLevel: Sendable {
    package let severity: Severity
    let condition: Condition
    package let message: String?

    /// A level of a rule's file; what a configuration says stands for its severity.
    init(_ value: YAMLValue, severity configured: Severity? = nil) throws(SourceError) {
        let fields = try value.fields(["severity", "when", "message"])
        let own = try value.required("severity", of: fields).word("severity", type: Severity.self)
        severity = configured ?? own
        condition = try Condition(try value.required("when", of: fields))
        message = try fields["message"]?.shownString()
    }
}

extension Rule {
    /// Returns true if both rules are evaluated for the same items.
    package func hasSamePrefilters(as other: Rule) -> Bool { traitSets == other.traitSets }

    /// The required and the excluded traits of each prefilter.
    private var traitSets: Set<[ItemTraits]> {
        var allocator = TraitAllocator()
        let prefilters = condition.prefilters(&allocator)
        return Set(scope.traits.flatMap { scope in prefilters.map { [scope.union($0.must), $0.mustNot] } })
    }
}
