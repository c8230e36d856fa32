internal import AppContainer
internal import FileSystem
internal import PolicyTexts
internal import SourceCode

/// The state of one run for one container: its compiled rules, its context, and what it finds besides findings.
final class RunState: Sendable {
    let policy: Policy
    let run: RunContext
    /// The suppressions.
    let suppressions: Suppressions
    /// The candidates for a verdict.
    let evidence = EvidenceAccumulator()
    /// Other trees that may hold the same files.
    let references: [ReferenceTree]
    /// The source code whose facts are evidence; nil unless the user selected it.
    let source: AppSource?
    /// The files that nothing accounts for.
    let undeclared = UndeclaredAccumulator()
    /// Receives what the run learns of items, for explaining and for fitting the weights.
    let observer: (any LintObserver)?

    init(
        forms: [RuleForm], registry: Registry, configuration: Configuration, bundleIdentifier: String?,
        kind: Container.Kind, now: Timestamp, timings: Timings, suppressions: Suppressions,
        reportsEach: Bool = false, isFreshInstall: Bool = false, events: EventsOfRun? = nil,
        model: EvidenceModel? = nil,
        observer: (any LintObserver)? = nil, references: [ReferenceTree] = [], source: AppSource? = nil,
        notingReferencesIn notes: ContainerNotes? = nil, traffic: TrafficProofs? = nil
    ) {
        run = RunContext(
            registry: registry, configuration: configuration, bundleIdentifier: bundleIdentifier, kind: kind, now: now,
            timings: timings, isFreshInstall: isFreshInstall, events: events, model: model,
            notes: notes ?? ContainerNotes(), traffic: traffic)
        let isObserved = !(observer?.observedItems.isNone ?? true)
        policy = Policy(
            forms: forms, configuration: configuration, now: now, reportsEach: reportsEach,
            playingEvents: events != nil
        ) { rule in
            !reportsEach && !isObserved && !configuration.ignoresSomething && !suppressions.concerns(rule)
        }
        self.suppressions = suppressions
        self.observer = observer
        self.references = references
        self.source = source
    }

    /// Returns the suppression of a rule's finding about an item. Totals are suppressed as a whole, so this is nil for
    /// them.
    func suppressionSource(_ rule: Rule, evaluation: Evaluation) -> Suppressions.Source? {
        guard rule.aggregate == nil else { return nil }
        return suppressions.source(for: rule, at: evaluation.path, evaluation.context.carried)
    }
}
