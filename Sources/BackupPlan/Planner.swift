internal import AppContainer
internal import DatabaseInspection
internal import ContainerTree
internal import FileSystem

/// The accumulator for the items of one directory.
struct PlanAccumulator {
    /// Items that are not in the plan yet; their names are in `names`.
    var records: [PlanRecord] = []
    var names: [UInt8] = []
    /// The device of each item.
    var devices: [UInt64] = []
    /// The attribute names of the items that have any, by index in `records`.
    var attributes: [(record: Int, names: [String])] = []
    /// The content of an excluded directory.
    var excludedContent = PlanSum()
    var regenerable = RegenerableSum()
    var carriesAttributes = true
    /// The included items with access control lists.
    var accessLists = Loss(.accessList)
}

/// A visitor that builds a plan from the items of a tree.
struct Planner: TreeVisitor {
    let container: Container
    let rules: PlanRules
    let builder = PlanBuilder()

    /// The number of items that are moved into the plan at once.
    private static let batch = 512

    func root(_ item: Item, _ directory: Directory) -> DirectoryContext {
        let verdict = rules.verdict(ofMarksOn: item) ?? PlanVerdict(reason: .userData, decider: PlanDecider(.root))
        let number = builder.newDirectory()
        var accumulator = PlanAccumulator()
        add(item, verdict, in: PlanRecord.none, directory: number, &accumulator)
        builder.take(&accumulator)
        return DirectoryContext(directory, number: number, verdict: verdict, in: nil, of: container, rules)
    }

    func begin(_ directory: Directory, _ context: DirectoryContext) -> PlanAccumulator { PlanAccumulator() }

    func visit(_ item: Item, in directory: Directory, _ context: DirectoryContext, _ accumulator: inout PlanAccumulator)
    {
        if context.isExcluded {
            accumulator.excludedContent.add(bytes: item.status.isFile ? item.status.size : 0)
            if context.isUserLocation, context.verdict.reason.isByMark { warnOfDatabase(item, in: directory) }
            return
        }
        let verdict = rules.verdict(on: item, in: context, path: directory.path(of: item))
        let isRegenerable = verdict.reason.decision == .include && item.status.isFile && isRegenerable(item)
        add(
            item, verdict, in: context.number, directory: PlanRecord.none, isRegenerable: isRegenerable, &accumulator)
        if verdict.reason.decision == .include {
            note(item, in: directory, isRegenerable: isRegenerable, &accumulator)
        } else if context.isUserLocation, verdict.reason.isByMark {
            warnOfDatabase(item, in: directory)
        }
    }

    func enter(
        _ item: Item, _ subdirectory: Directory, in directory: Directory, _ context: DirectoryContext,
        _ accumulator: inout PlanAccumulator
    ) -> DirectoryContext {
        if context.isExcluded {
            accumulator.excludedContent.add(bytes: 0)
            return DirectoryContext(
                subdirectory, number: context.number, verdict: context.verdict, in: context, of: container, rules)
        }
        var verdict = rules.verdict(on: item, in: context, path: subdirectory.path)
        if verdict.reason == .userData, subdirectory.isLocation {
            verdict = PlanVerdict(reason: .userData, decider: PlanDecider(subdirectory.location))
        }
        if verdict.reason.decision == .include, item.entry.hasAccessList {
            accumulator.accessLists.add(subdirectory.path)
        }
        let number = builder.newDirectory()
        add(item, verdict, in: context.number, directory: number, &accumulator)
        return DirectoryContext(subdirectory, number: number, verdict: verdict, in: context, of: container, rules)
    }

    func end(_ directory: Directory, _ context: DirectoryContext, _ accumulator: PlanAccumulator) {
        var accumulator = accumulator
        builder.take(&accumulator, endOf: context, location: directory.location)
    }

    func failed(_ failure: WalkFailure) { builder.add(PlanIncident(failure)) }

    private func add(
        _ item: Item, _ verdict: PlanVerdict, in parent: UInt32, directory: UInt32, isRegenerable: Bool = false,
        _ accumulator: inout PlanAccumulator
    ) {
        if !item.attributes.isEmpty { accumulator.attributes.append((accumulator.records.count, item.attributes)) }
        if !item.carriesAttributes { accumulator.carriesAttributes = false }
        accumulator.records.append(
            PlanRecord(
                item.status, nameStart: accumulator.names.count, nameLength: item.name.count, in: parent,
                directory: directory, verdict: verdict, isRegenerable: isRegenerable))
        accumulator.names.append(contentsOf: item.name)
        accumulator.devices.append(item.status.identity.device)
        if accumulator.records.count >= Self.batch { builder.take(&accumulator) }
    }

    /// Records warnings about an included item.
    private func note(
        _ item: Item, in directory: Directory, isRegenerable: Bool, _ accumulator: inout PlanAccumulator
    ) {
        if item.entry.hasAccessList { accumulator.accessLists.add(directory.path(of: item)) }
        if item.status.isFile {
            if isRegenerable { accumulator.regenerable.add(directory.path(of: item), item.status.size) }
        } else if let target = item.entry.linkTarget(), StaleContainerPath.isIn(target, apartFrom: container.location) {
            builder.add(PlanWarning(.linkToOldContainer, directory.path(of: item)))
        }
    }

    private func warnOfDatabase(_ item: Item, in directory: Directory) {
        // Pages have at least 512 bytes, and a database consists of whole pages.
        guard item.status.isFile, item.status.size >= 512, item.status.size % 512 == 0, !isRegenerable(item),
            let bytes = item.entry.bytes(DatabaseHeader.size, at: 0), DatabaseHeader(bytes) != nil
        else { return }
        builder.add(PlanWarning(.databaseLeftOut, directory.path(of: item), bytes: item.status.size))
    }

    private func isRegenerable(_ item: Item) -> Bool {
        guard item.attributes.contains(Provenance.makerAttribute),
            let value = item.entry.attribute(Provenance.makerAttribute),
            let origin = Provenance.Maker(rawValue: String(decoding: value, as: UTF8.self))
        else { return false }
        return origin == .downloaded || origin == .derived
    }
}

/// The state that applies to all items of a directory.
struct DirectoryContext: Sendable {
    /// The number of the directory in the plan; below an excluded directory, the number of the topmost one.
    let number: UInt32
    /// The verdict on the directory itself.
    let verdict: PlanVerdict
    /// The verdict on items of the directory that have no attribute or flag of their own.
    let kept: PlanVerdict
    /// The verdicts on names that the location table excludes, whatever their kind.
    private let locations: [[UInt8]: PlanVerdict]
    /// True if excluded items of this directory may be user data.
    let isUserLocation: Bool
    /// True in the root of an app container, where only Documents and Library are included.
    let isAppRoot: Bool
    /// True if the content of the directory is excluded because of its CACHEDIR.TAG.
    private let isTaggedCache: Bool

    var isExcluded: Bool { verdict.reason.decision == .exclude }

    /// Creates the context of a directory; `parent` is nil for the container itself.
    init(
        _ directory: Directory, number: UInt32, verdict: PlanVerdict, in parent: DirectoryContext?,
        of container: Container, _ rules: PlanRules
    ) {
        self.number = number
        self.verdict = verdict
        isTaggedCache =
            verdict.reason.decision == .include && rules.excludesContent(of: directory.path, in: container)
        let location = directory.location
        guard directory.isLocation || parent == nil else {
            // No location begins here, so the context of the parent applies.
            kept = parent?.kept ?? verdict
            locations = [:]
            isUserLocation = parent?.isUserLocation ?? false
            isAppRoot = false
            return
        }
        kept = PlanVerdict(reason: .userData, decider: PlanDecider(location))
        isAppRoot = location == .root && container.kind == .application
        let userLocations: Set<Location> = [.documents, .documentsInbox, .applicationSupport]
        isUserLocation = userLocations.contains(location) || (location == .root && container.kind == .group)
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

    /// Returns the verdict of the location table on an item of this directory, or nil if the item is backed up.
    func tableVerdict(on item: Item) -> PlanVerdict? {
        if !locations.isEmpty, let verdict = locations[Array(item.name)] { return verdict }
        guard isAppRoot, !Self.backedUpInRoot.contains(where: { item.name.elementsEqual($0.utf8) }) else { return nil }
        return PlanVerdict(reason: .notBackedUpDirectory, decider: PlanDecider(.root))
    }

    /// Returns the verdict on an item of a directory with a CACHEDIR.TAG, or nil if the directory has none. The directory and
    /// the tag are included, so that the restored directory is a cache again.
    func tagVerdict(on item: Item) -> PlanVerdict? {
        guard isTaggedCache, !item.name.elementsEqual(ExclusionMark.cacheTag.rawValue.utf8) else { return nil }
        return PlanVerdict(reason: .tagFile, decider: .cacheTag)
    }

    private static let backedUpInRoot = Location.table.filter { $0.backup == .backedUp && !$0.path.contains("/") }
        .map(\.path)

    /// Returns the verdict on a location. A location whose backup behavior is unknown is included: too much in a backup
    /// is better than too little.
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
