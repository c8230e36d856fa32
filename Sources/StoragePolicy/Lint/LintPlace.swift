internal import AppContainer
internal import ContainerTree

/// What the rules know of a directory before its items come.
final class LintPlace: Sendable {
    /// The signals that all its items share.
    let signals: Signals
    let registry: RegistryPosition
    /// The nearest directory, this one or above it in the same location, whose name is a cache's.
    let cacheDirectory: String?
    let profile: LintProfile
    /// Whether it is a directory's own place, not that of the directory as an item.
    let isOwn: Bool

    init(_ directory: Directory, registry: RegistryPosition, cacheDirectory: String?, policy: Policy) {
        var signals = RuleScope.Place.of(directory.location).signal
        if directory.isBackedUp { signals.insert(.backedUp) }
        if policy.kind == .group { signals.insert(.group) }
        if cacheDirectory != nil { signals.insert(.insideCache) }
        if directory.isLocation { signals.insert(.direct) }
        for slot in policy.slots.locations where slot.locations.contains(directory.location) {
            signals.formUnion(slot.signal)
        }
        self.signals = signals
        self.registry = registry
        self.cacheDirectory = cacheDirectory
        profile = policy.profile(signals)
        isOwn = true
    }

    private init(_ own: LintPlace, in above: LintPlace, policy: Policy) {
        // What is asked of the directory that an item lies in is asked of the one above.
        let position = policy.slots.byDirectory.union([.direct])
        signals = own.signals.subtracting(position).union(above.signals.intersection(position))
        profile = policy.profile(signals)
        cacheDirectory = own.cacheDirectory
        registry = above.registry
        isOwn = false
    }

    /// This place, for judging the directory itself: by what is true of its own, but as an item of the one above.
    func judging(from above: LintPlace, policy: Policy) -> LintPlace { LintPlace(self, in: above, policy: policy) }
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
