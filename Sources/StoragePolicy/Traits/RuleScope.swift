internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The scope of a rule: locations, kinds of items, and exclusion states.
struct RuleScope: Sendable {
    /// A word for a location, or several.
    enum LocationName: String, CaseIterable, Sendable {
        case backup, documents, library, caches, preferences, temporary, root
        case applicationSupport = "application-support"
    }
    /// A word for what an item is.
    enum Kind: String, CaseIterable, Sendable { case file, directory, link, special }

    let traits: [ItemTraits]
    /// Each key with its words, and the traits of which one must be there.
    private let limits: [(key: String, words: [String], traits: [ItemTraits])]

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["in", "kind", "exclusion"])
        let locations = try fields["in"]?.words("location", type: LocationName.self) ?? []
        let kinds = try fields["kind"]?.words("kind", type: Kind.self) ?? []
        let states = try fields["exclusion"]?.words("state", type: ExclusionWord.self) ?? []
        limits = [
            ("in", locations.map(\.rawValue), locations.map(\.trait)),
            ("kind", kinds.map(\.rawValue), kinds.map(\.trait)),
            ("exclusion", states.map(\.rawValue), states.flatMap(\.traits)),
        ]
        var alternatives: [ItemTraits] = [[]]
        for choices in limits.map(\.traits) where !choices.isEmpty {
            alternatives = alternatives.flatMap { old in choices.map { old.union($0) } }
        }
        traits = alternatives
    }

    /// The first key that keeps an item out of the scope, as a rule's file writes it; nil where it is in it.
    func refusal(_ traits: ItemTraits) -> String? {
        let limit = limits.first {
            !$0.traits.isEmpty && traits.isDisjoint(with: $0.traits.reduce([]) { $0.union($1) })
        }
        return limit.map { "\($0.key): [\($0.words.joined(separator: ", "))]" }
    }

    /// The exclusion states. An item with an unknown state counts as included.
    private enum ExclusionWord: String, CaseIterable {
        case included, excluded

        var traits: [ItemTraits] { self == .included ? [.included, .unknown] : [.excluded] }
    }
}

extension RuleScope.LocationName {
    var trait: ItemTraits {
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

    /// The name of a location in rules.
    static func of(_ location: Location) -> RuleScope.LocationName {
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
    var trait: ItemTraits {
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
