internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts

/// The main loop of a run: evaluates the rules for every item of a tree.
final class LintVisitor: TreeVisitor {
    let state: RunState
    let policy: Policy
    let findings: FindingAccumulator
    /// The suppressed findings.
    let suppressed = FindingAccumulator()
    let totals: Totals
    let progress: @Sendable (Int) -> Void
    /// Receives the sizes of all items, if requested.
    let map: StorageMapBuilder?
    /// The files that may have the content of others.
    let copyCandidates: CopyCandidates
    /// The files that can name others.
    let stores: StoreFiles
    /// The patterns of the configuration that are compared with the items.
    private let patterns: PatternUse

    init(
        _ state: RunState, map: StorageMapBuilder? = nil, patterns: PatternUse = PatternUse([]),
        copyCandidates: CopyCandidates = CopyCandidates(sizes: []), stores: StoreFiles = StoreFiles(mostItems: 0),
        progress: @escaping @Sendable (Int) -> Void
    ) {
        self.state = state
        policy = state.policy
        self.patterns = patterns
        (self.copyCandidates, self.stores) = (copyCandidates, stores)
        self.map = map
        self.progress = progress
        totals = Totals()
        findings = policy.reportsEach ? FindingAccumulator(limit: .max / 4) : FindingAccumulator()
    }

    func root(_ item: Item, directory: Directory) -> DirectoryContext {
        let context = DirectoryContext(root: item, directory, state: state)
        var accumulator = Accumulator()
        if !item.carriesAttributes { totals.counts.withLock { $0.carriesAttributes = false } }
        let name = ScannedName(item.name, names: policy.names)
        let traits = traits(of: item, name, context, directory.exclusion(stateOf: item), besides: .location)
        addSibling(item, name: name, traits: traits, size: nil, into: &accumulator)
        judge(item, traits, in: directory, context, ownLocation: .root, &accumulator)
        finish(directory, context: context, accumulator: accumulator)
        return context
    }

    func begin(_ directory: Directory, context: DirectoryContext) -> Accumulator {
        var accumulator = Accumulator()
        if context.isWeighed { accumulator.evidence = EvidenceCollector(directory, carried: context.carried) }
        if context.selector.needsCollisions { accumulator.names = NameCollisions() }
        if context.selector.comparesExclusions, directory.exclusion.state == .included {
            accumulator.exclusions = ExcludedSiblings(keepsAll: policy.reportsEach)
        }
        if let map { accumulator.map = map.contents() }
        accumulator.patterns = patterns.candidates(in: directory.path)
        return accumulator
    }

    func visit(
        _ items: DirectoryItems, context: DirectoryContext, into accumulator: inout Accumulator
    ) -> [Subdirectory<TreePosition<DirectoryContext>>] {
        // The parts of a large directory have the same siblings.
        if !items.isWhole, !accumulator.hasAllSiblings, context.selector.asksSiblings {
            accumulator.siblings = siblings(among: items, context)
            accumulator.hasAllSiblings = true
        }
        var traits: [ItemTraits] = []
        traits.reserveCapacity(items.count)
        // To make an item reads the names of its attributes.
        let all = (0..<items.count).map { items[$0] }
        stores.add(all, of: items.directory, context, run: state.run)
        var entered: [Entered] = []
        for (index, item) in all.enumerated() {
            if item.status.kind == .directory {
                let own = items.subdirectory(item)
                let inside = context.entering(item, directory: own, state: state)
                entered.append(
                    Entered(
                        index: index, directory: own, inside: inside, asItem: inside.asItem(of: context, state: state)
                    ))
                traits.append(examine(item, entered: entered[entered.count - 1], into: &accumulator))
            } else {
                traits.append(examine(item, among: items, context: context, into: &accumulator))
            }
        }
        judge(all, of: items.directory, traits: traits, entered: entered, context: context, into: &accumulator)
        return entered.map { Subdirectory(index: $0.index, data: TreePosition($0.directory, context: $0.inside)) }
    }

    func end(_ directory: Directory, context: DirectoryContext, accumulator: Accumulator) {
        var accumulator = accumulator
        if let contents = accumulator.map {
            map?.add(contents, at: directory.path, storage: StorageClass(directory.decision, included: .backedUp))
        }
        if let evidence = accumulator.evidence {
            state.evidence.add(evidence.directory, hours: evidence.hours)
            state.undeclared.add(evidence.undeclared, in: directory)
        }
        evaluateCollisions(in: directory, context, into: &accumulator)
        finish(directory, context: context, accumulator: accumulator)
        context.size.add(accumulator.counts.content.bytes)
        evaluateDeferred(directory, context: context, accumulator: accumulator)
        progress(accumulator.counts.content.items % Self.progressInterval)
    }

    func failed(_ failure: WalkFailure) {
        let incident = Incident(failure)
        totals.counts.withLock { $0.incidents.append(incident) }
    }

    // MARK: - Reading

    /// Counts a file, link or special file, and returns its traits.
    private func examine(
        _ item: Item, among items: DirectoryItems, context: DirectoryContext, into accumulator: inout Accumulator
    ) -> ItemTraits {
        let directory = items.directory
        count(item, into: &accumulator)
        var name = ScannedName(item.name, names: policy.names)
        let decision = directory.decision(for: item)
        let availability = directory.availability(of: item)
        if availability != .evicted, let word = ContentExtension.word(of: item, name.pathExtension, in: directory) {
            name.pathExtension = word
        }
        copyCandidates.add(item, availability, in: directory)
        if item.status.isFile {
            if item.status.isDataless {
                accumulator.counts.incidents.append(
                    Incident(path: directory.path(of: item), reason: .notDownloaded))
            }
            accumulator.counts.content.addBytes(
                item.status.size, isBackedUp: decision.isIncludedByLocation && availability != .evicted)
            accumulator.counts.datedFiles += 1
            let modified = item.status.modified
            if modified < accumulator.counts.earliest { accumulator.counts.earliest = modified }
            if accumulator.counts.latest < modified { accumulator.counts.latest = modified }
        }
        let traits = traits(
            of: item, name, context, directory.exclusion(stateOf: item), availability,
            isElsewhere: decision.state == .excluded && !decision.reason.isByMark,
            // A proof by traffic stands in for the attribute of an origin.
            besides: state.run.traffic?[directory.path(of: item)] == nil ? [] : .attributes)
        addSibling(item, name: name, traits: traits, size: nil, into: &accumulator)
        if !item.attributes.isEmpty { state.suppressions.read(item, at: directory.path(of: item)) }
        var account: FileAccount?
        if traits.contains(.backedUp) {
            account = accumulator.evidence?.add(
                item, name: name, itemTraits: traits, among: items, context: context, state: state)
        }
        accumulator.map?.add(
            item.name,
            storage: StorageClass(decision, availability, included: account?.storage ?? .backedUp),
            bytes: item.status.isFile ? item.status.size : 0)
        return traits
    }

    /// Counts a directory, and returns its traits as an item of its parent.
    private func examine(_ item: Item, entered: Entered, into accumulator: inout Accumulator) -> ItemTraits {
        count(item, into: &accumulator)
        accumulator.evidence?.addSubdirectory(item)
        accumulator.map?.addSubdirectory()
        let name = ScannedName(item.name, names: policy.names)
        let traits = traits(
            of: item, name, entered.asItem, entered.directory.exclusion.state, isDirectory: true,
            besides: entered.directory.isLocation ? .location : [])
        addSibling(item, name: name, traits: traits, size: entered.asItem.size, into: &accumulator)
        return traits
    }

    @inline(__always)
    private func count(_ item: Item, into accumulator: inout Accumulator) {
        accumulator.counts.content.addItem()
        if accumulator.counts.content.items % Self.progressInterval == 0 { progress(Self.progressInterval) }
        if !accumulator.patterns.isEmpty { patterns.compare(item.name, with: accumulator.patterns) }
    }

    /// Adds an item to what its siblings are compared with.
    @inline(__always)
    private func addSibling(
        _ item: Item, name: ScannedName, traits: ItemTraits, size: DirectorySize?,
        into accumulator: inout Accumulator
    ) {
        // macOS puts com.apple.provenance on the files that apps write, also on copies that lost all other attributes.
        if item.attributes.contains(where: { $0 != "com.apple.provenance" }) { accumulator.counts.hasAttributes = true }
        accumulator.names?.add(item.name, name.scan, item.status, size)
        if !accumulator.hasAllSiblings { accumulator.siblings.add(name, traits: traits, appMade: policy.appMade) }
    }

    /// Returns the counters of all items of a large directory, from a listing of its names.
    private func siblings(among items: DirectoryItems, _ context: DirectoryContext) -> Siblings {
        var siblings = Siblings()
        items.forEachName { bytes, kind in
            let item = Item(WalkEntry(name: bytes, status: FileStatus(kind: kind, size: 1)))
            let name = ScannedName(bytes, names: policy.names)
            let own = kind == .directory ? items.subdirectory(item) : nil
            let decision = own?.decision ?? items.directory.decision(for: item)
            let traits = traits(
                of: item, name, context, items.directory.exclusion.state, isDirectory: kind == .directory,
                isElsewhere: own == nil && decision.state == .excluded && !decision.reason.isByMark,
                besides: own?.isLocation ?? false ? .location : [])
            siblings.add(name, traits: traits, appMade: policy.appMade)
        }
        return siblings
    }

    /// Returns the traits of an item that are known without reading its content, and `others`, which only the caller
    /// knows: that it is a location, or what was found when the whole directory was read.
    ///
    /// A directory is an item of its parent.
    @inline(__always)
    func traits(
        of item: Item, _ name: ScannedName, _ context: DirectoryContext, _ exclusion: BackupState,
        _ availability: Availability = .present, isDirectory: Bool = false, isElsewhere: Bool = false,
        besides others: ItemTraits
    ) -> ItemTraits {
        let selector = context.selector
        var traits = context.traits.union(others).union(name.traits)
        traits.formUnion(.of(item.status, availability))
        // In a directory that is backed up, backups omit some items for their kind or place.
        if isElsewhere { traits = traits.subtracting(.backedUp) }
        if exclusion == .excluded || traits.contains(.backedUp) { traits.formUnion(.exclusion(exclusion)) }
        if !item.attributes.isEmpty { traits.formUnion(.attributes) }
        if !item.marks.isEmpty { traits.formUnion(.marked) }
        if isDirectory || !others.isEmpty || context.isWeighed || selector.wanted.contains(.registered) {
            if context.isRegistered(item) { traits.formUnion(.registered) }
        }
        if item.mayHaveForeignMark { traits.formUnion(.foreignMark) }
        if NameScan.isHash(name.bytes) { traits.formUnion(.hashNamed) }
        if NameScan.isOdd(name.bytes, scan: name.scan) { traits.formUnion(.oddlyNamed) }
        traits.formUnion(selector.allocatedTraits(of: name, item.status))
        return traits
    }
}
