internal import AppContainer
internal import FileSystem
internal import Synchronization

/// The rules as one lint run applies them to one container: compiled, with the registry, the configuration
/// and the time.
final class Policy: Sendable {
    /// A rule, and the signals of which one set must be there before it is asked.
    struct Compiled: Sendable {
        let rule: Rule
        /// The paths it is asked about; nil for all.
        let paths: RulePaths?
        let needs: [SignalNeed]
        let needsVaryingDates: Bool
        let asksSiblings: Bool
        let asksFlags: Bool
        /// Whether only the sum of what it finds counts.
        let isSummed: Bool
    }

    let rules: [Compiled]
    /// Every mask of every rule, flat, for the one loop that each item passes.
    let masks: [LintProfile.Mask]
    let slots: SignalSlots
    let appMade: Signals
    /// The words that the configuration says of anything.
    let declared: Signals
    let registry: Registry
    let configuration: Configuration
    let bundleIdentifier: String?
    let kind: Container.Kind
    let now: Timestamp
    let timings: Timings
    private let profiles = Mutex<[Signals: LintProfile]>([:])
    /// What is noted on the way, for questions about the whole container.
    let notes: ContainerNotes
    /// What is let be.
    let suppressions: Suppressions
    /// What keeps what becomes of one item, where that is asked for.
    let trace: ItemTrace?
    /// Whether every finding is told by itself, however many there are.
    let tellsEach: Bool
    /// How evidence is weighed; nil where no rule asks for a verdict.
    let model: EvidenceModel?
    /// The candidates for a verdict.
    let evidence = EvidenceStore()
    /// The web addresses in the app's own data.
    let addresses = AddressIndex()
    /// Evidence from the columns of databases.
    let databases = DatabaseEvidence()
    /// Other trees that may hold the same files.
    let references: [ReferenceTree]
    /// The files that nothing accounts for.
    let undeclared = UndeclaredStore()
    /// Whether the app has been installed and launched once, and nobody has used it.
    let isFreshInstall: Bool
    /// Receives every verdict, for explaining and for fitting the weights.
    let observer: (any VerdictObserver)?

    init(
        forms: [RuleForm], registry: Registry, configuration: Configuration, bundleIdentifier: String?,
        kind: Container.Kind, now: Timestamp, timings: Timings, suppressions: Suppressions, trace: ItemTrace? = nil,
        tellsEach: Bool = false, isFreshInstall: Bool = false, model: EvidenceModel? = nil,
        observer: (any VerdictObserver)? = nil, references: [ReferenceTree] = [],
        notingReferencesIn notes: ContainerNotes? = nil
    ) {
        var slots = SignalSlots(notingReferences: notes != nil)
        self.notes = notes ?? ContainerNotes()
        appMade = slots.pathExtension(SiblingTest.extensions)
        rules = forms.map { form in
            let rule = form.rule
            let conditions = rule.condition.needs(&slots)
            // Where the configuration has a word, or a level is to be found, the signals are not the whole answer.
            let isPlain =
                rule.levels.isEmpty && form.paths == nil && !configuration.ignoresSomething && trace == nil
                && !suppressions.concerns(rule) && !tellsEach
            let needs = rule.scope.signals.flatMap { scope in
                conditions.map {
                    SignalNeed(
                        must: scope.union($0.must), mustNot: $0.mustNot, isWhole: isPlain && $0.isWhole)
                }
            }
            return Compiled(
                rule: rule, paths: form.paths, needs: Array(Set(needs)),
                needsVaryingDates: rule.condition.tests.contains { $0 is DatesVaryTest },
                asksSiblings: rule.condition.tests.contains { $0 is SiblingTest },
                asksFlags: rule.condition.tests.contains { $0 is FlagMissingTest },
                isSummed: !tellsEach && rule.aggregate.map { $0.scope != .directory } ?? false)
        }
        masks = rules.enumerated().flatMap { index, rule in rule.needs.map { ($0, index) } }
        self.slots = slots
        declared = slots.declarations.filter { configuration.says($0.words) }.reduce([]) { $0.union($1.signal) }
        self.registry = registry
        self.configuration = configuration
        self.bundleIdentifier = bundleIdentifier
        self.kind = kind
        self.now = now
        self.timings = timings
        self.suppressions = suppressions
        self.trace = trace
        self.tellsEach = tellsEach
        self.isFreshInstall = isFreshInstall
        self.model = model
        self.observer = observer
        self.references = references
    }

    /// Whether the configuration lets nothing be said of an item.
    func isIgnored(_ subject: Subject) -> Bool {
        configuration.ignoresSomething && configuration.declares(subject.path, .ignore)
    }

    /// What lets a rule's finding about an item be. What is summed up is let be as a whole, or not.
    func excuse(_ rule: Int, _ subject: Subject) -> Suppressions.Source? {
        guard rules[rule].rule.aggregate == nil else { return nil }
        return suppressions.source(for: rules[rule].rule, at: subject.path, subject.place.carried)
    }

    /// What can matter in a directory all of whose items have these signals.
    func profile(_ fixed: Signals) -> LintProfile {
        profiles.withLock { profiles in
            if let known = profiles[fixed] { return known }
            let profile = LintProfile(fixed, policy: self)
            profiles[fixed] = profile
            return profile
        }
    }
}
