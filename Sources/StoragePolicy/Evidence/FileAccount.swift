internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The account that the configuration, attributes and the registry give of a file in a backed-up location.
enum FileAccount: Hashable, Sendable {
    /// Nothing says what the file is, so that evidence is weighed. A registry entry that proves nothing may bear on it;
    /// -1 for none.
    case candidate(registryEntry: Int32)
    /// An attribute of its own excludes it from backups.
    case excluded
    /// The system keeps it about the container.
    case system
    /// The configuration ignores it.
    case ignored
    /// The configuration says what it is.
    case declared(Configuration.Word)
    /// Its attributes or the registry prove that the user would miss it.
    case userData
    /// Its attributes or the registry prove that it is re-downloadable, a log or a report.
    case regenerable
    /// An attribute says where it came from. That proves nothing: a browser marks what the user chose, and an app what it
    /// fetched for itself. The name of such a file is not weighed.
    case fetched
    /// It is a part of a database, and is judged with it.
    case part

    /// The class of an included file on maps, until weighed evidence and findings decide.
    var storage: StorageClass {
        switch self {
        case .candidate, .fetched, .part: .undecided
        case .regenerable, .declared(.downloaded), .declared(.caches), .declared(.temporary): .redownloadable
        case .excluded, .system, .ignored, .declared, .userData: .backedUp
        }
    }

    /// True if proof or the configuration decides the class.
    var isDecided: Bool {
        switch self {
        case .system, .declared, .userData, .regenerable: true
        case .candidate, .excluded, .ignored, .fetched, .part: false
        }
    }

    init(
        of item: Item, isRegistered: Bool, in parent: Directory, _ context: DirectoryContext, run: RunContext
    ) {
        guard item.marks.isEmpty else {
            self = .excluded
            return
        }
        if parent.path.isEmpty, item.name.elementsEqual(Location.metadata.path.utf8) {
            self = .system
        } else if let declared = Self.declaration(of: item, in: parent, run) {
            self = declared
        } else if let proven = Self.origin(of: item, in: parent, isRegistered: isRegistered, context, run: run) {
            self = proven
        } else if isRegistered {
            self = Self.registered(item, context: context, registry: run.registry)
        } else {
            self = .candidate(registryEntry: -1)
        }
    }

    private static func declaration(
        of item: Item, in parent: Directory, _ run: RunContext
    ) -> FileAccount? {
        let words = run.words(declaring: parent.path(of: item))
        return words.contains(.ignore) ? .ignored : words.first.map { .declared($0) }
    }

    /// The account that the attributes of the file, or recorded traffic with its bytes, give.
    private static func origin(
        of item: Item, in parent: Directory, isRegistered: Bool, _ context: DirectoryContext, run: RunContext
    ) -> FileAccount? {
        guard !item.attributes.isEmpty || run.traffic != nil else { return nil }
        guard var proof = ItemProof.origin(of: item, in: parent, run) else {
            return item.attributes.contains(where: downloads.contains) ? .fetched : nil
        }
        if proof.isDownload, isRegistered { proof = ItemProof(of: item, in: parent, context, run: run) ?? proof }
        switch proof.itemClass {
        case .userData, .appState: return .userData
        case .regenerable: return .regenerable
        default: return nil
        }
    }

    /// The attributes that downloads carry.
    private static let downloads: Set<String> = [Provenance.originAttribute, FetchedByAppPredicate.quarantine]

    private static func registered(_ item: Item, context: DirectoryContext, registry: Registry) -> FileAccount {
        let matches = context.registry.matches(item.name, isDirectory: false)
        guard let first = matches.first else { return .candidate(registryEntry: -1) }
        let entries = registry.entries
        // A companion is judged with its database.
        let proofs = matches.filter { entries[$0].isProof && entries[$0].holds != .companion }
        guard proofs.isEmpty else {
            return proofs.contains { entries[$0].isKept } ? .userData : .regenerable
        }
        return .candidate(registryEntry: Int32(clamping: matches.first { entries[$0].isKept } ?? first))
    }
}

extension RegistryEntry {
    /// True if a public source documents the content.
    var isProof: Bool { verified == .source || verified == .thread }
    /// True if losing it would cost the user something.
    var isKept: Bool { holds == .userData || holds == .deviceBound || holds == .companion }
}
