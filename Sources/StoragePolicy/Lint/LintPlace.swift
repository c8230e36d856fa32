internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// What the rules know of a directory before its items come.
struct LintPlace: Sendable {
    /// The signals that all its items share.
    let signals: Signals
    let registry: GlobPosition
    let declared: GlobPosition
    /// The nearest directory, this one or above it in the same location, whose name is of that sort.
    let inside: [InsideTest.Word: String]
    /// The directory itself, as it was met.
    let status: FileStatus
    /// The masks that its items can still meet.
    let masks: [(mask: Signals, rule: Int)]
    /// Which of the rules' slots those masks ask for.
    let wanted: Signals

    /// The container's own directory.
    init(root item: Item, _ directory: Directory, policy: Policy) {
        self.init(
            item, directory, registry: GlobPosition(policy.registry.entries.map(\.path)),
            declared: GlobPosition(policy.configuration.declarations.map(\.glob)), inside: [:], policy: policy)
    }

    /// A directory in this one.
    func entering(_ item: Item, _ directory: Directory, policy: Policy) -> LintPlace {
        var inside = directory.isLocation ? [:] : inside
        let name = String(decoding: item.name, as: UTF8.self).lowercased()
        for word in InsideTest.Word.allCases where word.names.contains(name) {
            inside[word] = ByteText.escaped(Array(item.name))
        }
        return LintPlace(
            item, directory, registry: registry.entering(item.name), declared: declared.entering(item.name),
            inside: inside, policy: policy)
    }

    private init(
        _ item: Item, _ directory: Directory, registry: GlobPosition, declared: GlobPosition,
        inside: [InsideTest.Word: String], policy: Policy
    ) {
        var signals = RuleScope.Place.of(directory.location).signal
        if directory.isBackedUp { signals.insert(.backedUp) }
        if directory.location == .documentsInbox { signals.insert(.inbox) }
        self.signals = signals
        self.registry = registry
        self.declared = declared
        self.inside = inside
        status = item.status
        masks = policy.masks(given: signals)
        let asked = masks.contains { policy.rules[$0.rule].asksSiblings } ? policy.appMade : []
        wanted = masks.reduce(asked) { $0.union($1.mask) }
    }

    private init(_ own: LintPlace, registry: GlobPosition, declared: GlobPosition) {
        (signals, masks, wanted, inside, status) = (own.signals, own.masks, own.wanted, own.inside, own.status)
        (self.registry, self.declared) = (registry, declared)
    }

    /// This place, for judging the directory itself: by its path it is an item of the one above.
    func judging(from above: LintPlace) -> LintPlace {
        LintPlace(self, registry: above.registry, declared: above.declared)
    }
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
