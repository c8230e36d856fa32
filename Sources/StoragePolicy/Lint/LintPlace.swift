internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import TextOutput

/// What the rules know of a directory before its items come.
final class LintPlace: Sendable {
    /// The signals that all its items share.
    let signals: Signals
    let registry: RegistryPosition
    /// The nearest directory, this one or above it in the same location, whose name is a cache's.
    let cacheDirectory: String?
    /// The same of logs.
    let logDirectory: String?
    /// The directory itself, as it was met.
    let status: FileStatus
    let profile: LintProfile
    /// Whether the files are candidates for a verdict: backed up, and in a place where apps keep data of their own.
    let isWeighed: Bool
    /// Whether this is, or lies in, a directory of the system's.
    private let isSystem: Bool
    /// What this directory and those above it carry of suppressions.
    let carried: [Suppressions.Carried]
    /// Whether it is a directory's own place, not that of the directory as an item.
    let isOwn: Bool

    /// The container's own directory.
    convenience init(root item: Item, _ directory: Directory, policy: Policy) {
        self.init(
            item, directory, registry: RegistryPosition(policy.registry), caches: nil, logs: nil, isSystem: false,
            carried: [], policy: policy)
    }

    /// A directory in this one.
    func entering(_ item: Item, _ directory: Directory, policy: Policy) -> LintPlace {
        let name = String(decoding: item.name, as: UTF8.self).lowercased()
        func named(_ names: Set<String>, _ above: String?) -> String? {
            names.contains(name) ? ByteText.escaped(Array(item.name)) : (directory.isLocation ? nil : above)
        }
        return LintPlace(
            item, directory, registry: registry.entering(item.name), caches: named(InsideTest.names, cacheDirectory),
            logs: named(InsideTest.logNames, logDirectory),
            isSystem: isSystem || policy.model?.vocabulary.isSystem(name, in: directory) ?? false, carried: carried,
            policy: policy)
    }

    private init(
        _ item: Item, _ directory: Directory, registry: RegistryPosition, caches: String?, logs: String?,
        isSystem: Bool, carried above: [Suppressions.Carried], policy: Policy
    ) {
        var signals = RuleScope.Place.of(directory.location).signal
        if directory.isBackedUp { signals.formUnion(.backedUp) }
        if policy.kind == .group { signals.formUnion(.group) }
        if caches != nil { signals.formUnion(.insideCache) }
        if logs != nil { signals.formUnion(.insideLogs) }
        if directory.isLocation { signals.formUnion(.direct) }
        for slot in policy.slots.locations where slot.locations.contains(directory.location) {
            signals.formUnion(slot.signal)
        }
        signals.formUnion(policy.declared)
        self.signals = signals
        self.registry = registry
        cacheDirectory = caches
        logDirectory = logs
        status = item.status
        profile = policy.profile(signals)
        carried = above + policy.suppressions.read(item, at: directory.path)
        isOwn = true
        self.isSystem = isSystem
        isWeighed = policy.model != nil && !isSystem && directory.isWeighed
    }

    private init(_ own: LintPlace, in above: LintPlace, policy: Policy) {
        // What is asked of the directory that an item lies in is asked of the one above.
        let position = policy.slots.byDirectory.union([.direct])
        signals = own.signals.subtracting(position).union(above.signals.intersection(position))
        profile = policy.profile(signals)
        (cacheDirectory, logDirectory, status) = (own.cacheDirectory, own.logDirectory, own.status)
        registry = above.registry
        carried = own.carried
        isOwn = false
        (isSystem, isWeighed) = (own.isSystem, false)
    }

    /// This place, for judging the directory itself: by what is true of its own, but as an item of the one above.
    func judging(from above: LintPlace, policy: Policy) -> LintPlace { LintPlace(self, in: above, policy: policy) }
}

extension Directory {
    /// Whether an app keeps data of its own here that goes into backups.
    fileprivate var isWeighed: Bool {
        isBackedUp && exclusion.state != .excluded
            && [.documents, .applicationSupport, .library, .root].contains(location)
    }
}

extension Vocabulary {
    /// Whether a directory of Library, or of a group's root, is the system's.
    fileprivate func isSystem(_ name: String, in directory: Directory) -> Bool {
        (system.contains(name) || name.hasPrefix("com.apple."))
            && directory.depth <= (directory.location == .root ? 1 : 2)
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
