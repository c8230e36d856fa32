internal import AppContainer
internal import ContainerTree

/// What a plan knows of a directory before its items come.
struct PlanPlace: Sendable {
    /// The directory's number in the plan; within what is left out, that of the topmost directory that is.
    let number: UInt32
    /// What was decided of the directory.
    let verdict: PlanVerdict
    /// Who decides of what lies in it and carries no mark.
    let kept: PlanVerdict
    /// Names in it that belong to the system's table though they may be no directories, and are left out.
    private let locations: [[UInt8]: PlanVerdict]
    /// Whether what lies here and is left out all the same may be missed.
    let isOfUser: Bool
    /// Whether only Documents and Library are taken here.
    let isAppRoot: Bool

    var isLeftOut: Bool { verdict.reason.decision == .exclude }

    /// The place of a directory of the tree; `parent` is nil for the container itself.
    init(_ directory: Directory, number: UInt32, verdict: PlanVerdict, in parent: PlanPlace?, of container: Container) {
        self.number = number
        self.verdict = verdict
        let location = directory.location
        guard directory.isLocation || parent == nil else {
            // Nothing of the table begins here, so all is as in the directory above.
            kept = parent?.kept ?? verdict
            locations = [:]
            isOfUser = parent?.isOfUser ?? false
            isAppRoot = false
            return
        }
        kept = PlanVerdict(reason: .userData, decider: PlanDecider(location))
        isAppRoot = location == .root && container.kind == .application
        let userLocations: Set<Location> = [.documents, .documentsInbox, .applicationSupport]
        isOfUser = userLocations.contains(location) || (location == .root && container.kind == .group)
        var locations: [[UInt8]: PlanVerdict] = [:]
        for row in Location.table where row != .root {
            guard let verdict = Self.verdict(on: row) else { continue }
            let parts = row.path.split(separator: "/")
            if parts.dropLast().joined(separator: "/") == location.path, let name = parts.last {
                locations[Array(name.utf8)] = verdict
            }
        }
        self.locations = locations
    }

    /// What the table decides of an item in this directory; nil where backups take it.
    func tableVerdict(on item: Item) -> PlanVerdict? {
        if !locations.isEmpty, let verdict = locations[Array(item.name)] { return verdict }
        guard isAppRoot, !Self.backedUpInRoot.contains(where: { item.name.elementsEqual($0.utf8) }) else { return nil }
        return PlanVerdict(reason: .notBackedUpDirectory, decider: PlanDecider(.root))
    }

    private static let backedUpInRoot = Location.table.filter { $0.backup == .backedUp && !$0.path.contains("/") }
        .map(\.path)

    /// Where it is not known whether backups take a location it is kept: a backup may hold too much, not too little.
    private static func verdict(on location: Location) -> PlanVerdict? {
        guard location.backup == .notBackedUp else { return nil }
        let reason: PlanReason =
            switch location {
            case .caches: .caches
            case .temporary: .temporary
            default: location.isSystemOwned ? .systemState : .notBackedUpDirectory
            }
        return PlanVerdict(reason: reason, decider: PlanDecider(location))
    }
}
