internal import AppContainer
internal import FileSystem

/// The compiled rules of one run for one container, with the registry, the configuration and the time.
final class Policy: Sendable {
    /// A rule and its prefilters. An item must pass one of them before the rule is evaluated.
    struct Compiled: Sendable {
        let rule: Rule
        /// The paths for which the rule is evaluated; nil for all.
        let paths: RulePaths?
        let prefilters: [Prefilter]
        /// The needs of its condition besides the item.
        let needs: PredicateNeeds
        /// True if only the sum of what it finds counts.
        let isSummed: Bool
    }

    let rules: [Compiled]
    /// Every mask of every rule, flat, for the one loop that each item passes.
    let masks: [RuleSelector.Mask]
    let allocator: TraitAllocator
    /// The globs of all rules.
    let names: NameMatcher
    let appMade: ItemTraits
    /// The traits of the declarations that the configuration uses.
    let declared: ItemTraits
    let registry: Registry
    /// The matching states of the registry's patterns at directories.
    let positions: RegistryPositions
    let configuration: Configuration
    let bundleIdentifier: String?
    let kind: Container.Kind
    let now: Timestamp
    let timings: Timings
    private let selectors = LockedValue<[ItemTraits: RuleSelector]>([:])
    /// The names collected for container questions.
    let notes: ContainerNotes
    /// The suppressions.
    let suppressions: Suppressions
    /// True if every finding is reported separately, without a limit.
    let reportsEach: Bool
    /// The model that weighs evidence; nil if no rule needs a verdict.
    let model: EvidenceModel?
    /// The candidates for a verdict.
    let evidence = EvidenceAccumulator()
    /// The web addresses in the app's own data.
    let addresses = AddressIndex()
    /// Evidence from the columns of databases.
    let databases = DatabaseEvidence()
    /// Other trees that may hold the same files.
    let references: [ReferenceTree]
    /// The files that nothing accounts for.
    let undeclared = UndeclaredAccumulator()
    /// True if the app was installed and launched once and never used.
    let isFreshInstall: Bool
    /// The events that the run plays on a model of the container; nil without events.
    let events: EventsOfRun?
    /// Receives what the run learns of items, for explaining and for fitting the weights.
    let observer: (any LintObserver)?

    init(
        forms: [RuleForm], registry: Registry, configuration: Configuration, bundleIdentifier: String?,
        kind: Container.Kind, now: Timestamp, timings: Timings, suppressions: Suppressions,
        reportsEach: Bool = false, isFreshInstall: Bool = false, events: EventsOfRun? = nil,
        model: EvidenceModel? = nil,
        observer: (any LintObserver)? = nil, references: [ReferenceTree] = [],
        notingReferencesIn notes: ContainerNotes? = nil
    ) {
        var allocator = TraitAllocator(playingEvents: events != nil)
        self.notes = notes ?? ContainerNotes()
        appMade = allocator.pathExtension(Siblings.appMadeExtensions)
        rules = forms.map { form in
            let rule = form.rule
            let conditions = rule.condition.prefilters(&allocator)
            // Where the configuration has a word, or a level is to be found, the traits are not the whole answer.
            let isPlain =
                rule.levels.isEmpty && form.paths == nil && !configuration.ignoresSomething
                && !suppressions.concerns(rule) && !reportsEach && observer?.observedItems.isNone ?? true
            let prefilters = rule.scope.traits.flatMap { scope in
                conditions.map {
                    Prefilter(
                        must: scope.union($0.must), mustNot: $0.mustNot, isWhole: isPlain && $0.isWhole)
                }
            }
            return Compiled(
                rule: rule, paths: form.paths, prefilters: Array(Set(prefilters)),
                needs: rule.condition.needs,
                isSummed: !reportsEach && rule.aggregate.map { $0.scope != .directory } ?? false)
        }
        masks = rules.enumerated().flatMap { index, rule in
            rule.prefilters.map { ($0, RuleIndex(position: index)) }
        }
        self.allocator = allocator
        let globs = allocator.names.flatMap { allocation in allocation.globs.map { ($0, allocation.trait) } }
        names = NameMatcher(globs)
        declared = allocator.declarations.filter { configuration.says($0.words) }.reduce([]) { $0.union($1.trait) }
        self.registry = registry
        positions = RegistryPositions(registry)
        self.configuration = configuration
        self.bundleIdentifier = bundleIdentifier
        self.kind = kind
        self.now = now
        self.timings = timings
        self.suppressions = suppressions
        self.reportsEach = reportsEach
        self.isFreshInstall = isFreshInstall
        self.events = events
        self.model = model
        self.observer = observer
        self.references = references
    }

    /// Returns true if the configuration ignores an item.
    func isIgnored(_ evaluation: Evaluation) -> Bool {
        configuration.ignoresSomething && configuration.declares(evaluation.path, .ignore)
    }

    /// Returns the suppression of a rule's finding about an item. Totals are suppressed as a whole, so this is nil for
    /// them.
    func suppressionSource(_ rule: RuleIndex, _ evaluation: Evaluation) -> Suppressions.Source? {
        guard rules[rule].rule.aggregate == nil else { return nil }
        return suppressions.source(for: rules[rule].rule, at: evaluation.path, evaluation.context.carried)
    }

    /// Returns the rule selector for a directory in which every item has these traits.
    func selector(for fixed: ItemTraits) -> RuleSelector {
        selectors.withLock { selectors in
            if let known = selectors[fixed] { return known }
            let selector = RuleSelector(fixed, policy: self)
            selectors[fixed] = selector
            return selector
        }
    }
}

/// The index of a rule among the compiled rules of a run.
struct RuleIndex: Hashable, Comparable, Sendable {
    let position: Int

    /// The index of the only rule of a separate accumulator.
    static let only = RuleIndex(position: 0)

    static func < (left: RuleIndex, right: RuleIndex) -> Bool { left.position < right.position }
}

extension Array {
    @inline(__always)
    subscript(rule: RuleIndex) -> Element { self[rule.position] }
}
