/// The condition of a rule: predicates, joined by all, any and not.
struct Condition: Sendable {
    enum Form { case all, any, not }

    /// A class, so that an evaluation counts no references and copies nothing.
    private final class Node: Sendable {
        let form: Form
        let parts: [Condition]
        let use: PredicateUse?

        init(_ form: Form, _ parts: [Condition], _ use: PredicateUse?) {
            (self.form, self.parts, self.use) = (form, parts, use)
        }
    }

    private let node: Node
    /// The form in which the parts are joined.
    var form: Form { node.form }
    /// The conditions that are joined, or the one that must not match; none for a predicate.
    var parts: [Condition] { node.parts }
    /// The predicate of a condition that is one.
    var use: PredicateUse? { node.use }

    private init(_ form: Form, _ parts: [Condition]) { node = Node(form, parts, nil) }
    private init(_ use: PredicateUse) { node = Node(.all, [], use) }
    private static func all(_ parts: [Condition]) -> Condition { Condition(.all, parts) }

    /// Creates a condition from a mapping. Each key is a predicate, `all`, `any` or `not`; several keys must all match.
    init(_ value: YAMLValue) throws(SourceError) {
        if let recorder = value.recorder {
            // Conditions hold conditions; their schema has a name.
            self = recorder.record(.reference(Self.schemaName), answer: .all([]))
            return
        }
        var parts: [Condition] = []
        for (key, value) in try value.pairs() {
            let name = try key.string()
            switch name {
            case "all": parts.append(.all(try Self.list(value)))
            case "any": parts.append(Condition(.any, try Self.list(value)))
            case "not": parts.append(Condition(.not, [try Condition(value)]))
            default:
                guard let type = Predicates.byKey[name] else {
                    throw key.unknown(
                        "condition", word: name, among: Predicates.all.map { $0.key } + ["all", "any", "not"])
                }
                let predicate = try type.init(value)
                parts.append(Condition(PredicateUse(predicate, text: "\(name): \(value.json.flow)")))
            }
        }
        guard !parts.isEmpty else { throw value.error("expected a condition") }
        // Predicates without cost are evaluated first.
        self = parts.count == 1 ? parts[0] : .all(parts.sorted { $0.cost < $1.cost })
    }

    private static func list(_ value: YAMLValue) throws(SourceError) -> [Condition] {
        var conditions: [Condition] = []
        for part in value.list() { conditions.append(try Condition(part)) }
        return conditions.sorted { $0.cost < $1.cost }
    }

    private var cost: Cost {
        use.map { type(of: $0.predicate).cost } ?? parts.map(\.cost).max() ?? .free
    }

    /// All predicates of the condition.
    var predicates: [any Predicate] { use.map { [$0.predicate] } ?? parts.flatMap(\.predicates) }

    /// Returns true if the condition matches. Adds evidence to the subject.
    func matches(_ evaluation: inout Evaluation) -> Bool {
        let node = node
        if let use = node.use { return use.predicate.matches(&evaluation) }
        let before = evaluation.evidence.count
        // By index: a loop over the array itself would count its references.
        var index = 0
        switch node.form {
        case .any:
            while index < node.parts.count {
                if node.parts[index].matches(&evaluation) { return true }
                index += 1
            }
            return false
        case .all:
            while index < node.parts.count {
                guard node.parts[index].matches(&evaluation) else {
                    evaluation.removeEvidence(after: before)
                    return false
                }
                index += 1
            }
            return true
        case .not:
            let holds = node.parts[0].matches(&evaluation)
            evaluation.removeEvidence(after: before)
            return !holds
        }
    }

    /// Returns true if the condition matches, without a change of the evaluation.
    func isMet(by evaluation: Evaluation) -> Bool {
        var copy = evaluation
        return matches(&copy)
    }

    /// Returns the text of the first predicate that does not match; nil if the condition matches.
    func refusal(for evaluation: inout Evaluation) -> String? {
        if let use { return use.predicate.matches(&evaluation) ? nil : use.text }
        switch form {
        case .any:
            var refusals: [String] = []
            for part in parts {
                guard let refusal = part.refusal(for: &evaluation) else { return nil }
                refusals.append(refusal)
            }
            return refusals.count == 1 ? refusals[0] : "none of " + refusals.joined(separator: " | ")
        case .all:
            for part in parts {
                if let refusal = part.refusal(for: &evaluation) { return refusal }
            }
            return nil
        case .not:
            let before = evaluation.evidence.count
            guard parts[0].matches(&evaluation) else { return nil }
            evaluation.removeEvidence(after: before)
            return "not { \(parts[0].text) }"
        }
    }

    /// As YAML on one line.
    private var text: String {
        if let use { return use.text }
        if form == .not { return "not: { \(parts[0].text) }" }
        return (form == .any ? "any: [" : "all: [") + parts.map { "{ \($0.text) }" }.joined(separator: ", ") + "]"
    }

    /// Its name among the schemas.
    static let schemaName = "condition"
}

/// A predicate in a rule. A class, so that an evaluation does not copy it.
final class PredicateUse: Sendable {
    let predicate: any Predicate
    /// The text in the rule file.
    let text: String

    init(_ predicate: any Predicate, text: String) {
        self.predicate = predicate
        self.text = text
    }
}

extension Condition {
    /// The needs of the condition besides the item.
    var needs: PredicateNeeds { predicates.reduce(into: []) { $0.formUnion($1.needs) } }
}

/// The predicates that rules may use.
enum Predicates {
    static let byKey = Dictionary(all.map { ($0.key, $0) }) { first, _ in first }
    static let all: [any Predicate.Type] = [
        AgePredicate.self,
        AheadPredicate.self,
        ArchivePredicate.self,
        AttributePredicate.self,
        AttributesPredicate.self,
        AvailabilityPredicate.self,
        CollidesPredicate.self,
        CompanionPredicate.self,
        ContainerKindPredicate.self,
        ContainsPredicate.self,
        ContentPredicate.self,
        ContradictsPredicate.self,
        CookiePredicate.self,
        CopiedPredicate.self,
        DamagePredicate.self,
        DanglingPredicate.self,
        DataValuePredicate.self,
        DatesVaryPredicate.self,
        DeclaredPredicate.self,
        DirectPredicate.self,
        DocumentTypePredicate.self,
        DomainPredicate.self,
        DuplicatePredicate.self,
        EditedPredicate.self,
        EmptyPredicate.self,
        EntropyPredicate.self,
        ExceptionPredicate.self,
        ExpiredPredicate.self,
        ExtensionPredicate.self,
        ExternalDataPredicate.self,
        FetchedByAppPredicate.self,
        ExclusionMissingPredicate.self,
        ExclusionValuePredicate.self,
        ForeignMarkPredicate.self,
        FreePagesPredicate.self,
        FreshInstallPredicate.self,
        IdentityPredicate.self,
        InsidePredicate.self,
        KindPredicate.self,
        LiesInPredicate.self,
        LinkPredicate.self,
        LocationPredicate.self,
        MagicPredicate.self,
        MarkedPredicate.self,
        NameShapePredicate.self,
        NamePredicate.self,
        OriginPredicate.self,
        ParentPredicate.self,
        PartOfPredicate.self,
        PathPredicate.self,
        PrivateKeyPredicate.self,
        PropertyListPredicate.self,
        ProtectionPredicate.self,
        ReferencedPredicate.self,
        AddressedPredicate.self,
        RegistryPredicate.self,
        RemovedByPredicate.self,
        SecretPredicate.self,
        SharedDocumentsPredicate.self,
        SiblingPredicate.self,
        SiblingsPredicate.self,
        SizePredicate.self,
        DatabasePredicate.self,
        StoredPathPredicate.self,
        SupersededPredicate.self,
        SystemDirectoryPredicate.self,
        URLCachePredicate.self,
        StatedSourcePredicate.self, UndeclaredPredicate.self,
        VerdictPredicate.self,
        WithoutAttributesPredicate.self,
    ]
}

extension Condition {
    /// Returns the prefilters of the condition, which are alternatives.
    func prefilters(_ allocator: inout TraitAllocator) -> [Prefilter] {
        if let predicate = use?.predicate {
            let traits = predicate.requiredTraits(&allocator)
            return [Prefilter(must: traits, mustNot: [], isWhole: predicate.isDecided(by: traits))]
        }
        switch form {
        case .all:
            var alternatives = [Prefilter(must: [], mustNot: [], isWhole: true)]
            for part in parts {
                let choices = part.prefilters(&allocator)
                let joined = Set(
                    alternatives.flatMap { old in
                        choices.map {
                            Prefilter(
                                must: old.must.union($0.must), mustNot: old.mustNot.union($0.mustNot),
                                isWhole: old.isWhole && $0.isWhole)
                        }
                    })
                // Beyond this number the part is left to the tests.
                alternatives =
                    joined.count <= 64
                    ? Array(joined)
                    : alternatives.map { Prefilter(must: $0.must, mustNot: $0.mustNot, isWhole: false) }
            }
            return alternatives
        case .any:
            let choices = parts.flatMap { $0.prefilters(&allocator) }
            guard let open = choices.first(where: { $0.must.isEmpty && $0.mustNot.isEmpty }) else { return choices }
            // Any item may pass, but those that a choice decides by its traits alone need no further test.
            return open.isWhole ? [open] : choices.filter(\.isWhole) + [open]
        case .not:
            // A part decided by one trait fails for items with the trait; the predicates decide the rest.
            let choices = parts[0].prefilters(&allocator)
            let decided = choices.filter { $0.isWhole && $0.mustNot.isEmpty && $0.must.count == 1 }
            let refused = decided.reduce(ItemTraits()) { $0.union($1.must) }
            // Without the one trait that a test needs, what it refuses is settled as well: a word that the
            // configuration does not say, an item that the registry does not know.
            if decided.isEmpty, choices.count == 1, let asked = choices.first?.must, asked.count == 1,
                allocator.isSeldom(asked)
            {
                return [
                    Prefilter(must: [], mustNot: asked, isWhole: true),
                    Prefilter(must: asked, mustNot: [], isWhole: false),
                ]
            }
            return [Prefilter(must: [], mustNot: refused, isWhole: decided.count == choices.count)]
        }
    }
}
