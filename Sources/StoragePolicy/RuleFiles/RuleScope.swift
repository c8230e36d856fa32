internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// Where a rule applies: in which locations, to what kind of item, in which state of exclusion.
struct RuleScope: Sendable {
    /// A word for a location, or several.
    enum Place: String, CaseIterable, Sendable {
        case backup, documents, library, caches, preferences, temporary, root
        case applicationSupport = "application-support"
    }
    /// A word for what an item is.
    enum Kind: String, CaseIterable, Sendable { case file, directory, link, special }

    let signals: [Signals]
    /// Each key with its words, and the signals of which one must be there.
    private let limits: [(key: String, words: [String], signals: [Signals])]

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["in", "kind", "exclusion"])
        let places = try fields["in"]?.words("location", Place.self) ?? []
        let kinds = try fields["kind"]?.words("kind", Kind.self) ?? []
        let states = try fields["exclusion"]?.words("state", ExclusionWord.self) ?? []
        limits = [
            ("in", places.map(\.rawValue), places.map(\.signal)), ("kind", kinds.map(\.rawValue), kinds.map(\.signal)),
            ("exclusion", states.map(\.rawValue), states.flatMap(\.signals)),
        ]
        var alternatives: [Signals] = [[]]
        for choices in limits.map(\.signals) where !choices.isEmpty {
            alternatives = alternatives.flatMap { old in choices.map { old.union($0) } }
        }
        signals = alternatives
    }

    /// The first key that keeps an item out of the scope, as a rule's file writes it; nil where it is in it.
    func refusal(_ signals: Signals) -> String? {
        let limit = limits.first {
            !$0.signals.isEmpty && signals.isDisjoint(with: $0.signals.reduce([]) { $0.union($1) })
        }
        return limit.map { "\($0.key): [\($0.words.joined(separator: ", "))]" }
    }

    /// What may be asked of the flag; where the input cannot tell, an item counts as included.
    private enum ExclusionWord: String, CaseIterable {
        case included, excluded

        var signals: [Signals] { self == .included ? [.included, .unknown] : [.excluded] }
    }
}

extension RuleScope.Place {
    var signal: Signals {
        switch self {
        case .backup: .backedUp
        case .documents: .documents
        case .library: .library
        case .applicationSupport: .applicationSupport
        case .caches: .caches
        case .preferences: .preferences
        case .temporary: .temporary
        case .root: .root
        }
    }

    /// The place that a location belongs to.
    static func of(_ location: Location) -> RuleScope.Place {
        switch location {
        case .documents, .documentsInbox: .documents
        case .applicationSupport: .applicationSupport
        case .caches, .urlCache, .backgroundDownloads, .snapshots: .caches
        case .preferences: .preferences
        case .temporary: .temporary
        case .root, .systemData, .storeKit, .metadata: .root
        default: .library
        }
    }
}

extension RuleScope.Kind {
    var signal: Signals {
        switch self {
        case .file: .file
        case .directory: .directory
        case .link: .link
        case .special: .special
        }
    }

    static func of(_ kind: FileKind) -> RuleScope.Kind {
        switch kind {
        case .file: .file
        case .directory: .directory
        case .symbolicLink: .link
        default: .special
        }
    }
}
