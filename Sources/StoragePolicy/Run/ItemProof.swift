internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The class of an item, which decides about backups and about deletion.
public enum ItemClass: String, Sendable, CaseIterable {
    /// The user made or chose it, and would miss it.
    case userData = "user-data"
    /// State of the app that the user would notice: settings, credentials, queues.
    case appState = "app-state"
    /// The app can download or compute it again.
    case regenerable
    /// It has no use after the operation that wrote it.
    case temporary
    /// A log, a report or a measurement.
    case log
    /// The system keeps it.
    case system
    /// The evidence does not decide.
    case undecided

    /// True if backups may omit an item of which this class is proven: the user loses nothing by it.
    package var mayLeaveBackups: Bool { [.regenerable, .temporary, .log].contains(self) }

    /// The class in words.
    package var phrase: String {
        switch self {
        case .userData: "user data"
        case .appState: "state of the app"
        case .regenerable: "re-downloadable or regenerable"
        case .temporary: "temporary"
        case .log: "a log or report"
        case .system: "the system’s"
        case .undecided: "undecided"
        }
    }
}

/// The class of an item as far as it is proven: by an attribute that the library wrote, by recorded traffic with its bytes, or
/// by an entry of the registry whose public source documents the content.
enum ItemProof: Hashable, Sendable {
    case maker(Provenance.Maker)
    case traffic(TrafficProof)
    case registry(RegistryEntry.Holds)

    init?(of item: Item, in parent: Directory, _ context: DirectoryContext, run: RunContext) {
        let origin = Self.origin(of: item, in: parent, run)
        // An earlier record says nothing of what an SDK keeps in the same file for the user.
        if let origin, !origin.isDownload {
            self = origin
        } else if let holds = Self.holds(of: item, context, registry: run.registry) {
            let registered = Self.registry(holds)
            self = registered.isKept ? registered : origin ?? registered
        } else if let origin {
            self = origin
        } else {
            return nil
        }
    }

    /// Returns the proof that the attributes of an item and recorded traffic give. Of both, the one for data that would be
    /// missed counts first.
    static func origin(of item: Item, in parent: Directory, _ run: RunContext) -> ItemProof? {
        let maker = item.maker.map(ItemProof.maker)
        guard let proof = run.traffic?[parent.path(of: item)] else { return maker }
        if let maker, maker.isKept || proof.direction == .downloaded { return maker }
        return .traffic(proof)
    }

    /// If there are several entries, one for data that would be missed counts first.
    private static func holds(of item: Item, _ context: DirectoryContext, registry: Registry) -> RegistryEntry.Holds? {
        let entries = context.registry.matches(item.name, isDirectory: item.status.kind == .directory)
            .map { registry.entries[$0] }.filter(\.isProof)
        return (entries.first(where: \.isKept) ?? entries.first)?.holds
    }

    /// The proven class; nil for a companion, whose class is that of its database.
    var itemClass: ItemClass? {
        switch self {
        case .maker(let maker): maker.itemClass
        case .traffic(let proof): proof.direction == .uploaded ? .userData : .regenerable
        case .registry(.userData): .userData
        case .registry(.deviceBound): .appState
        case .registry(.regenerable): .regenerable
        case .registry(.diagnostics): .log
        case .registry(.companion): nil
        }
    }

    /// The maker that an attribute or recorded traffic proves.
    var maker: Provenance.Maker? {
        switch self {
        case .maker(let maker): maker
        case .traffic(let proof): proof.direction == .uploaded ? .user : .downloaded
        case .registry: nil
        }
    }

    private var isKept: Bool {
        if case .registry(let holds) = self {
            return holds == .userData || holds == .deviceBound || holds == .companion
        }
        return itemClass == .userData || itemClass == .appState
    }

    /// True if only recorded traffic proves that the item is re-downloadable.
    var isDownload: Bool {
        if case .traffic(let proof) = self { return proof.direction == .downloaded }
        return false
    }
}

extension Provenance.Maker {
    fileprivate var itemClass: ItemClass {
        switch self {
        case .user, .imported: .userData
        case .app: .appState
        case .downloaded, .derived: .regenerable
        }
    }
}
