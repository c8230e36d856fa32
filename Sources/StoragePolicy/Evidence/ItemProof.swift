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

/// The class of an item as far as it is proven: by an attribute that the library wrote, or by an entry of the registry whose
/// public source documents the content.
enum ItemProof: Hashable, Sendable {
    case maker(Provenance.Maker)
    case registry(RegistryEntry.Holds)

    init?(of item: Item, _ context: DirectoryContext, _ registry: Registry) {
        if let maker = item.maker {
            self = .maker(maker)
        } else if let holds = Self.holds(of: item, context, registry) {
            self = .registry(holds)
        } else {
            return nil
        }
    }

    /// Of several entries, one for data that would be missed counts first.
    private static func holds(of item: Item, _ context: DirectoryContext, _ registry: Registry) -> RegistryEntry.Holds?
    {
        let entries = context.registry.matches(item.name, isDirectory: item.status.kind == .directory)
            .map { registry.entries[$0] }.filter(\.isProof)
        return (entries.first(where: \.isKept) ?? entries.first)?.holds
    }

    /// The proven class; nil for a companion, whose class is that of its database.
    var itemClass: ItemClass? {
        switch self {
        case .maker(.user), .maker(.imported), .registry(.userData): .userData
        case .maker(.app), .registry(.deviceBound): .appState
        case .maker(.downloaded), .maker(.derived), .registry(.regenerable): .regenerable
        case .registry(.diagnostics): .log
        case .registry(.companion): nil
        }
    }
}
