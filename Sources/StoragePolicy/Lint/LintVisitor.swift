internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The main loop of a run: evaluates the rules for every item of a tree.
struct LintVisitor: TreeVisitor {
    let policy: Policy
    let findings: FindingAccumulator
    /// The suppressed findings.
    let suppressed = FindingAccumulator()
    let totals: Totals
    let progress: @Sendable (Int) -> Void
    /// Receives the sizes of all items, if requested.
    let map: StorageMapBuilder?
    /// The patterns of the configuration that are compared with the items.
    private let patterns: PatternUse

    init(
        policy: Policy, map: StorageMapBuilder? = nil, patterns: PatternUse = PatternUse([]),
        progress: @escaping @Sendable (Int) -> Void
    ) {
        self.policy = policy
        self.patterns = patterns
        self.map = map
        self.progress = progress
        totals = Totals()
        findings = policy.reportsEach ? FindingAccumulator(limit: .max / 4) : FindingAccumulator()
    }

    private func emptyGroup(_ rule: RuleIndex) -> FindingGroup {
        if policy.reportsEach { return FindingGroup(limit: .max) }
        // Each file with a secret has to be dealt with, so each is listed.
        let isPrivacy = policy.rules[rule].rule.group == .privacy
        return FindingGroup(limit: isPrivacy ? FindingGroup.privacyLimit : FindingGroup.limit)
    }

    func root(_ item: Item, _ directory: Directory) -> DirectoryContext {
        let context = DirectoryContext(root: item, directory, policy: policy)
        var accumulator = Accumulator()
        if !item.carriesAttributes { totals.counts.withLock { $0.carriesAttributes = false } }
        let name = ScannedName(item.name, policy.names)
        evaluate(item, name, in: directory, context, ownLocation: .root, &accumulator)
        finish(directory, context, accumulator)
        return context
    }

    func begin(_ directory: Directory, _ context: DirectoryContext) -> Accumulator {
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

    func visit(_ item: Item, in directory: Directory, _ context: DirectoryContext, _ accumulator: inout Accumulator) {
        count(&accumulator)
        if !accumulator.patterns.isEmpty { patterns.compare(item.name, with: accumulator.patterns) }
        let name = ScannedName(item.name, policy.names)
        let decision = directory.decision(for: item)
        let availability = directory.availability(of: item)
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
        let traits = evaluate(
            item, name, in: directory, context, ownLocation: nil, &accumulator, availability,
            isElsewhere: decision.state == .excluded && !decision.reason.isByMark)
        var account: FileAccount?
        if traits.contains(.backedUp) {
            account = accumulator.evidence?.add(item, name, traits, in: directory, context, policy)
        }
        accumulator.map?.add(
            item.name,
            StorageClass(decision, availability, included: account?.isUndecided ?? false ? .undecided : .backedUp),
            bytes: item.status.isFile ? item.status.size : 0)
    }

    func enter(
        _ item: Item, _ subdirectory: Directory, in directory: Directory, _ context: DirectoryContext,
        _ accumulator: inout Accumulator
    ) -> DirectoryContext {
        count(&accumulator)
        if !accumulator.patterns.isEmpty { patterns.compare(item.name, with: accumulator.patterns) }
        accumulator.evidence?.addSubdirectory(item)
        accumulator.map?.addSubdirectory()
        let own = context.entering(item, subdirectory, policy: policy)
        // A directory is evaluated as an item of its parent, with its own context.
        let asItem = own.asItem(of: context, policy: policy)
        evaluate(
            item, ScannedName(item.name, policy.names), in: directory, asItem,
            ownLocation: subdirectory.isLocation ? subdirectory.location : nil,
            &accumulator, as: subdirectory)
        return own
    }

    func end(_ directory: Directory, _ context: DirectoryContext, _ accumulator: Accumulator) {
        var accumulator = accumulator
        if let contents = accumulator.map {
            map?.add(contents, at: directory.path, StorageClass(directory.decision, included: .backedUp))
        }
        if let evidence = accumulator.evidence {
            policy.evidence.add(evidence.directory, hours: evidence.hours)
            policy.undeclared.add(evidence.undeclared, in: directory)
        }
        evaluateCollisions(in: directory, context, &accumulator)
        evaluateRetained(in: directory, context, &accumulator)
        finish(directory, context, accumulator)
        context.size.add(accumulator.counts.content.bytes)
        evaluateDeferred(directory, context, accumulator)
        progress(accumulator.counts.content.items % Self.progressInterval)
    }

    func failed(_ failure: WalkFailure) {
        let incident = Incident(failure)
        totals.counts.withLock { $0.incidents.append(incident) }
    }

    // MARK: - Evaluation of one item

    /// Returns the traits of the item.
    @discardableResult
    private func evaluate(
        _ item: Item, _ name: ScannedName, in directory: Directory, _ context: DirectoryContext,
        ownLocation: Location?, _ accumulator: inout Accumulator, _ availability: Availability = .present,
        as own: Directory? = nil, isElsewhere: Bool = false
    ) -> ItemTraits {
        let exclusion = own?.exclusion.state ?? directory.exclusion(stateOf: item)
        let traits = traits(
            of: item, name, context, exclusion, availability, isDirectory: own != nil,
            isElsewhere: isElsewhere,
            besides: ownLocation == nil ? [] : .location)
        // macOS puts com.apple.provenance on the files that apps write, also on copies that lost all other attributes.
        if item.attributes.contains(where: { $0 != "com.apple.provenance" }) { accumulator.counts.hasAttributes = true }
        // The size of the container itself is in every report.
        let size = own == nil ? nil : context.size
        accumulator.names?.add(item.name, name.scan, item.status, size)
        count(traits, name, &accumulator)

        if let observer = policy.observer, observer.observedItems.contains(directory.path(of: item)) {
            let evaluation = Evaluation(
                ItemFacts(item, in: directory, context, traits, ownLocation: ownLocation, policy: policy))
            observer.observe(evaluation, as: own, policy.rules)
        }
        if item.status.kind != .directory { policy.suppressions.read(item, at: directory.path(of: item)) }
        accumulator.candidates.removeAll(keepingCapacity: true)
        context.selector.collect(traits, &accumulator.candidates)
        // The temporary file of a save is a leftover and nothing else.
        if AtomicWrite.isStagingName(item.name) {
            accumulator.candidates.removeAll { policy.rules[$0.rule].rule.group != .stale }
        }
        guard !accumulator.candidates.isEmpty else {
            accumulator.exclusions?.add(item, name, traits, isKept: true)
            return traits
        }
        let asked =
            accumulator.exclusions == nil
            ? nil : accumulator.candidates.first { policy.rules[$0.rule].needs.contains(.siblingExclusions) }?.rule
        let before = asked.map { accumulator.found(by: $0) }
        // There are few directories, and each has its own context, so they are evaluated immediately.
        let isDecided =
            own == nil && context.isOwn && context.carried.isEmpty && !Suppressions.isCarried(by: item)
            && retainDecided(item, in: directory, context, traits, exclusion, &accumulator)
        if !isDecided {
            let facts = ItemFacts(
                item, in: directory, context, traits, ownLocation: ownLocation, size: size, policy: policy)
            evaluate(accumulator.candidates, for: Evaluation(facts), own: own, into: &accumulator)
        }
        // What such a rule has found already is not found again when the directory has been read.
        let isKept = before == asked.map { accumulator.found(by: $0) }
        accumulator.exclusions?.add(item, name, traits, isKept: isKept)
        return traits
    }

    /// Returns the traits of an item that are known without reading its content, and `others`, which only the caller
    /// knows: that it is a location, or what was found when the whole directory was read.
    ///
    /// A directory is an item of its parent.
    @inline(__always)
    func traits(
        of item: Item, _ name: ScannedName, _ context: DirectoryContext, _ exclusion: BackupExclusion.State,
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
        if ForeignMarkPredicate.isPossible(item) { traits.formUnion(.foreignMark) }
        if NameShapePredicate.isHash(name.bytes) { traits.formUnion(.hashNamed) }
        if NameScan.isOdd(name.bytes, name.scan) { traits.formUnion(.oddlyNamed) }
        traits.formUnion(selector.allocatedTraits(of: name, item.status))
        return traits
    }

    func evaluate(
        _ candidates: [RuleCandidate], for evaluation: Evaluation, own: Directory?,
        into accumulator: inout Accumulator
    ) {
        for candidate in candidates {
            guard policy.timings.isOn else {
                evaluateRule(candidate.rule, evaluation, own: own, &accumulator)
                continue
            }
            policy.timings.measure(rule: policy.rules[candidate.rule].rule.id) {
                evaluateRule(candidate.rule, evaluation, own: own, &accumulator)
            }
        }
        for reason in evaluation.facts.incidents {
            accumulator.counts.incidents.append(
                Incident(path: evaluation.directory.path(of: evaluation.item), reason: reason))
        }
    }

    /// Evaluates the items whose names collide. Their name, kind and size are available, their content is not.
    private func evaluateCollisions(
        in directory: Directory, _ context: DirectoryContext, _ accumulator: inout Accumulator
    ) {
        guard let names = accumulator.names else { return }
        if names.isFull {
            accumulator.counts.incidents.append(Incident(path: directory.path, reason: .tooManyNamesToCompare))
        }
        for collision in names.collisions() {
            collision.name.withUnsafeBytes { name in
                let item = Item(WalkEntry(name: name, status: collision.status))
                let traits = traits(
                    of: item, ScannedName(name, policy.names), context, directory.exclusion.state, besides: .colliding)
                var candidates: [RuleCandidate] = []
                context.selector.collectLate(.colliding, traits, &candidates)
                let facts = ItemFacts(
                    item, in: directory, context, traits, collidesWith: collision.other, size: collision.size,
                    policy: policy)
                evaluate(candidates, for: Evaluation(facts), own: nil, into: &accumulator)
            }
        }
    }

    private func count(_ traits: ItemTraits, _ name: ScannedName, _ accumulator: inout Accumulator) {
        if traits.isSuperset(of: Self.backedUpFile) { accumulator.siblings.logs.add(name) }
        if !accumulator.siblings.isAppMade, traits.contains(.registered) || traits.isSuperset(of: policy.appMade) {
            accumulator.siblings.isAppMade = true
        }
    }

    private static let backedUpFile: ItemTraits = [.file, .backedUp]

    private func evaluateRule(
        _ rule: RuleIndex, _ evaluation: Evaluation, own: Directory?, _ accumulator: inout Accumulator
    ) {
        if let paths = policy.rules[rule].paths, !paths.takes(evaluation.path) { return }
        let condition = policy.rules[rule].rule.condition
        let suppressionSource = policy.suppressionSource(rule, evaluation)
        var evaluation = evaluation
        // Of what is summed up only how much it is counts, and where.
        evaluation.isQuiet =
            suppressionSource == nil
            && accumulator.groups.index(forKey: rule).map {
                policy.rules[rule].isSummed || accumulator.groups.values[$0].isFull
            } ?? false
        if condition.matches(&evaluation) {
            if evaluation.questions.contains(.isNamedByStore), findings.isUnsearched(rule) { return }
            guard !policy.isIgnored(evaluation) else {
                accumulator.counts.suppressed += 1
                return
            }
            if let suppressionSource {
                var finding = finding(rule, evaluation, own: own)
                finding.suppressionSource = suppressionSource
                guard finding.questions.isEmpty else { return findings.addDeferred(finding, of: rule) }
                return accumulator.suppressed[
                    Suppressed(rule: rule, source: suppressionSource, question: nil), default: .init()
                ].add(finding)
            }
            // For many findings in one directory, only their number and size are reported.
            if evaluation.isQuiet {
                if evaluation.questions.isEmpty {
                    return accumulator.groups[rule, default: emptyGroup(rule)].count(known(rule, evaluation, own))
                }
                evaluation = evaluation.unevaluated
                guard condition.matches(&evaluation) else { return }
            }
            let finding = finding(rule, evaluation, own: own)
            guard finding.questions.isEmpty else { return findings.addDeferred(finding, of: rule) }
            accumulator.groups[rule, default: emptyGroup(rule)].add(finding)
        } else if let question = evaluation.siblingQuestion {
            let pending = Pending(rule: rule, question: question)
            evaluation = evaluation.unevaluated
            evaluation.assumedSiblingAnswer = true
            evaluation.isQuiet = accumulator.pending[pending]?.isFull ?? false
            guard condition.matches(&evaluation) else { return }
            guard !policy.isIgnored(evaluation) else { return }
            if let suppressionSource {
                let suppressed = Suppressed(rule: rule, source: suppressionSource, question: question)
                accumulator.suppressed[suppressed, default: emptyGroup(rule)].add(finding(rule, evaluation, own: own))
            } else if evaluation.isQuiet, evaluation.questions.isEmpty {
                accumulator.pending[pending, default: emptyGroup(rule)].count(known(rule, evaluation, own))
            } else {
                accumulator.pending[pending, default: emptyGroup(rule)].add(finding(rule, evaluation, own: own))
            }
        }
    }

    /// Returns the properties of one finding in a combined finding.
    func known(
        _ index: RuleIndex, _ item: Item, _ traits: ItemTraits, _ state: BackupExclusion.State, _ directory: Directory,
        _ context: DirectoryContext, _ level: RuleLevel? = nil, size: DirectorySize? = nil, as own: Directory? = nil
    ) -> FindingGroup.Known {
        let rule = policy.rules[index].rule
        return FindingGroup.Known(
            severity: rule.group == .backup && state == .unknown ? .note : level?.severity ?? rule.severity,
            message: level?.message, bytes: item.status.isFile ? item.status.size : 0,
            size: rule.aggregate == nil ? size : nil,
            isBackedUp: (own?.decision ?? directory.decision(for: item)).isIncludedByLocation
                && !traits.contains(.evicted),
            fixSafety: rule.fix.map { FixPermission.safety(of: $0, for: item, in: directory, context, policy) },
            name: item.name, directory: directory)
    }

    private func known(_ index: RuleIndex, _ evaluation: Evaluation, _ own: Directory?) -> FindingGroup.Known {
        let levels = policy.rules[index].rule.levels
        var level: RuleLevel?
        if !levels.isEmpty {
            var copy = evaluation
            level = levels.first { $0.condition.matches(&copy) }
        }
        return known(
            index, evaluation.item, evaluation.traits,
            own?.exclusion.state ?? evaluation.directory.exclusion(stateOf: evaluation.item), evaluation.directory,
            evaluation.context, level, size: evaluation.facts.setting.size, as: own)
    }

    private func finding(_ index: RuleIndex, _ evaluation: Evaluation, own: Directory?) -> FindingCandidate {
        let rule = policy.rules[index].rule
        var copy = evaluation
        let isFixable = rule.fix?.condition?.matches(&copy) ?? true
        let known = known(index, evaluation, own)
        return FindingCandidate(
            rule: rule, severity: known.severity, path: evaluation.directory.path(of: evaluation.item),
            bytes: known.bytes, size: known.size, template: known.message, evidence: evaluation.evidence,
            exclusion: own?.exclusion ?? evaluation.directory.exclusion(of: evaluation.item),
            location: (own ?? evaluation.directory).location, isBackedUp: known.isBackedUp,
            questions: evaluation.questions,
            source: evaluation.source, after: evaluation.cause,
            isFixable: isFixable, fixSafety: known.fixSafety)
    }
}
