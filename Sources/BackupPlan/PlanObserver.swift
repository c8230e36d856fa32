internal import AppContainer
internal import ContainerTree
internal import DatabaseInspection
internal import FileSystem

/// The observer of the items of a plan while they can be read: databases that are left out, evicted files, and access
/// lists.
final class PlanObserver: Sendable {
    struct Seen: Sendable {
        var warnings: [PlanWarning] = []
        /// The included files whose content cannot be read without a download.
        var incidents: [PlanIncident] = []
        /// The included items with access control lists.
        var accessLists = Loss(.accessList)
    }

    private let container: Container
    private let seen = LockedValue(Seen())

    init(_ container: Container) { self.container = container }

    /// The results so far.
    var result: Seen { seen.withLock { $0 } }

    func observe(_ item: Item, directory: Directory, decision: BackupDecision) {
        if decision.isStored {
            if item.status.isDataless, item.status.isFile {
                let incident = PlanIncident(evicted: directory.path(of: item))
                seen.withLock { $0.incidents.append(incident) }
            }
            guard item.entry.hasAccessList else { return }
            let path = item.status.kind == .directory ? directory.path : directory.path(of: item)
            seen.withLock { $0.accessLists.add(path) }
        } else if decision.reason.isByMark, item.status.isFile, mayBeUserData(directory.location) {
            warnOfDatabase(item, in: directory)
        }
    }

    private func mayBeUserData(_ location: Location) -> Bool {
        switch location {
        case .documents, .documentsInbox, .applicationSupport: true
        case .root: container.kind == .group
        default: false
        }
    }

    private func warnOfDatabase(_ item: Item, in directory: Directory) {
        // Pages have at least 512 bytes, and a database consists of whole pages.
        guard item.status.size >= 512, item.status.size % 512 == 0, !(item.maker?.isRegenerable ?? false),
            let bytes = item.entry.bytes(DatabaseHeader.size, at: 0), DatabaseHeader(bytes) != nil
        else { return }
        let warning = PlanWarning(.databaseLeftOut, path: directory.path(of: item), bytes: item.status.size)
        seen.withLock { $0.warnings.append(warning) }
    }
}
