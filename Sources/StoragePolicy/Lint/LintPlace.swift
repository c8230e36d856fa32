internal import AppContainer
internal import ContainerTree

/// What the rules know of a directory before its items come.
struct LintPlace: Sendable {
    /// The signals that all its items share.
    let signals: Signals
    let registry: RegistryPosition
    /// The nearest directory, this one or above it in the same location, whose name is a cache's.
    let cacheDirectory: String?
    /// The masks that its items can still meet.
    let masks: [(mask: Signals, rule: Int)]
    /// Which of the rules' slots those masks ask for.
    let wanted: Signals

    init(_ directory: Directory, registry: RegistryPosition, cacheDirectory: String?, policy: Policy) {
        var signals = RuleScope.Place.of(directory.location).signal
        if directory.isBackedUp { signals.insert(.backedUp) }
        self.signals = signals
        self.registry = registry
        self.cacheDirectory = cacheDirectory
        masks = policy.masks(given: signals)
        let asked = masks.contains { policy.rules[$0.rule].asksSiblings } ? policy.appMade : []
        wanted = masks.reduce(asked) { $0.union($1.mask) }
    }

    private init(_ own: LintPlace, registry: RegistryPosition) {
        (signals, masks, wanted, cacheDirectory) = (own.signals, own.masks, own.wanted, own.cacheDirectory)
        self.registry = registry
    }

    /// This place, for judging the directory itself: by the registry it is an item of the one above.
    func judging(from above: LintPlace) -> LintPlace { LintPlace(self, registry: above.registry) }
}

extension Signals {
    static func exclusion(_ state: BackupExclusion.State) -> Signals {
        switch state {
        case .included: .included
        case .excluded: .excluded
        case .unknown: .unknown
        }
    }
}
