internal import AppContainer
internal import FileSystem

/// The rules as one lint run applies them to one container: compiled, with the registry, the configuration
/// and the time.
final class Policy: Sendable {
    /// A rule, and the signals of which one set must be there before it is asked.
    struct Compiled: Sendable {
        let rule: Rule
        let masks: [Signals]
        let needsVaryingDates: Bool
        let asksSiblings: Bool
        let asksFlaggedSiblings: Bool
        /// Whether only the sum of what it finds counts.
        let isSummed: Bool
    }

    let rules: [Compiled]
    /// Every mask of every rule, flat, for the one loop that each item passes.
    let masks: [(mask: Signals, rule: Int)]
    let slots: SignalSlots
    let asksFlaggedSiblings: Bool
    let asksEmptyDirectories: Bool
    let appMade: Signals
    let registry: Registry
    let configuration: Configuration
    let bundleIdentifier: String?
    let kind: Container.Kind
    let now: Timestamp
    let timings: Timings
    /// What is noted on the way, for questions about the whole container.
    let notes = ContainerNotes()

    init(
        rules: [Rule], registry: Registry, configuration: Configuration, bundleIdentifier: String?,
        kind: Container.Kind, now: Timestamp, timings: Timings
    ) {
        var slots = SignalSlots()
        appMade = slots.pathExtension(SiblingTest.extensions)
        self.rules = rules.map { rule in
            let conditions = rule.condition.signals(&slots)
            let masks = rule.scope.signals.flatMap { scope in conditions.map { scope.union($0) } }
            return Compiled(
                rule: rule, masks: Array(Set(masks)),
                needsVaryingDates: rule.condition.tests.contains { $0 is DatesVaryTest },
                asksSiblings: rule.condition.tests.contains { $0 is SiblingTest },
                asksFlaggedSiblings: rule.condition.tests.contains { $0 is FlagMissingTest },
                isSummed: rule.aggregate.map { $0.scope != .directory } ?? false)
        }
        masks = self.rules.enumerated().flatMap { index, rule in rule.masks.map { ($0, index) } }
        self.slots = slots
        asksFlaggedSiblings = self.rules.contains { $0.asksFlaggedSiblings }
        asksEmptyDirectories = rules.contains { $0.condition.tests.contains { $0 is EmptyTest } }
        self.registry = registry
        self.configuration = configuration
        self.bundleIdentifier = bundleIdentifier
        self.kind = kind
        self.now = now
        self.timings = timings
    }

    /// The masks that an item of a directory with these signals can still meet.
    func masks(given fixed: Signals) -> [(mask: Signals, rule: Int)] {
        let varying = Signals([
            .file, .directory, .link, .special, .included, .excluded, .unknown, .attributes, .marked, .registered,
            .hashNamed, .location, .declared, .foreignMark, .emptyDirectory, .flagMissing,
        ]).union(Signals(rawValue: ~0 << Signals.firstSlot))
        return masks.filter { $0.mask.subtracting(varying).isSubset(of: fixed) }
    }
}
