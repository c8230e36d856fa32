internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import Synchronization
internal import SystemPackage

/// Puts every item of a tree before the rules: the one loop that a run spends its time in.
struct LintVisitor: TreeVisitor {
    let policy: Policy
    let findings = FindingStore()
    let totals: Totals
    let progress: @Sendable (Int) -> Void

    /// What a run counts, and what it could not look at.
    final class Totals: Sendable {
        struct Counts {
            var items = 0
            var bytes: UInt64 = 0
            var backedUpBytes: UInt64 = 0
            var earliest = Timestamp(seconds: .max)
            var latest = Timestamp(seconds: .min)
            var datedFiles = 0
            var incidents: [Incident] = []
            var carriesAttributes = true
            /// Whether any item has an attribute.
            var hasAttributes = false
        }
        let counts = Mutex(Counts())
    }

    /// What is gathered while one directory is read.
    struct Tally {
        var counts = Totals.Counts()
        var siblings = Siblings()
        var flags = FlaggedSiblings()
        var groups: [Int: FindingGroup] = [:]
        var pending: [Pending: FindingGroup] = [:]
    }

    /// A rule whose answer hangs on the siblings.
    struct Pending: Hashable {
        let rule: Int
        let question: SiblingQuestion
    }

    func root(_ item: Item, _ directory: Directory) -> LintPlace {
        let place = LintPlace(root: item, directory, policy: policy)
        var tally = Tally()
        if !item.carriesAttributes { totals.counts.withLock { $0.carriesAttributes = false } }
        judge(item, in: directory, place, ownLocation: .root, registered: false, &tally)
        finish(directory, place, tally)
        return place
    }

    func begin(_ directory: Directory, _ place: LintPlace) -> Tally { Tally() }

    func visit(_ item: Item, in directory: Directory, _ place: LintPlace, _ tally: inout Tally) {
        let size = item.status.size
        tally.counts.items += 1
        if item.status.kind == .file {
            tally.counts.bytes += size
            let isIncluded = item.marks.isEmpty && directory.exclusion.state != .excluded
            if directory.isBackedUp && isIncluded { tally.counts.backedUpBytes += size }
            tally.counts.datedFiles += 1
            let modified = item.status.modified
            if modified < tally.counts.earliest { tally.counts.earliest = modified }
            if modified > tally.counts.latest { tally.counts.latest = modified }
        }
        let registered = place.registry.hasMatch(item.name, isDirectory: false)
        judge(item, in: directory, place, ownLocation: nil, registered: registered, &tally)
    }

    func enter(
        _ item: Item, _ subdirectory: Directory, in directory: Directory, _ place: LintPlace, _ tally: inout Tally
    ) -> LintPlace {
        tally.counts.items += 1
        let own = place.entering(item, subdirectory, policy: policy)
        // A directory is judged where it lies, by what is true of its own place.
        let judging = own.judging(from: place)
        let registered = place.registry.hasMatch(item.name, isDirectory: true)
        judge(
            item, in: directory, judging, ownLocation: subdirectory.isLocation ? subdirectory.location : nil,
            registered: registered, &tally, as: subdirectory)
        return own
    }

    func end(_ directory: Directory, _ place: LintPlace, _ tally: Tally) {
        finish(directory, place, tally)
        judgeAfterwards(directory, place, tally)
        progress(tally.counts.items)
    }

    func failed(_ failure: WalkFailure) {
        let incident = Incident(path: failure.path, reason: Self.reason(failure.errno))
        totals.counts.withLock { $0.incidents.append(incident) }
    }

    private static func reason(_ errno: Errno) -> String {
        switch errno {
        case .permissionDenied, .notPermitted: "permission-denied"
        case .noSuchFileOrDirectory, .notDirectory: "vanished"
        case .tooManySymbolicLinkLevels: "replaced-by-a-link"
        case .fileNameTooLong: "too-deep"
        case .tooManyOpenFiles, .tooManyOpenFilesInSystem: "too-many-open-files"
        case .ioError: "input-output-error"
        default: "errno-\(errno.rawValue)"
        }
    }

    // MARK: - Judging one item

    func judge(
        _ item: Item, in directory: Directory, _ place: LintPlace, ownLocation: Location?, registered: Bool,
        _ tally: inout Tally, as own: Directory? = nil, afterwards: Afterwards? = nil
    ) {
        let exclusion = own?.exclusion.state ?? directory.exclusion(stateOf: item)
        var signals = place.signals.union(.exclusion(exclusion))
        signals.formUnion(RuleScope.Kind.of(item.status.kind).signal)
        if ownLocation != nil { signals.formUnion(.location) }
        if !item.attributes.isEmpty {
            signals.formUnion(.attributes)
            tally.counts.hasAttributes = true
        }
        if !item.marks.isEmpty { signals.formUnion(.marked) }
        if registered { signals.formUnion(.registered) }
        if NameShapeTest.isHash(item.name) { signals.formUnion(.hashNamed) }
        if ForeignMarkTest.isPossible(item) { signals.formUnion(.foreignMark) }
        if place.declared.hasMatch(item.name, isDirectory: item.status.kind == .directory) {
            guard !isIgnored(item, place) else { return }
            signals.formUnion(.declared)
        }
        if let afterwards { signals.formUnion(afterwards.signal) }
        fillSlots(&signals, item, place.wanted)
        count(signals, item, &tally)

        var facts: ItemFacts?
        var lastRule = -1
        var mayLackFlag = true
        // What was judged before is not judged again afterwards.
        let needed = afterwards?.signal ?? []
        for (mask, rule) in place.masks
        where mask.isSubset(of: signals) && needed.isSubset(of: mask) && rule != lastRule {
            lastRule = rule
            let known = facts ?? ItemFacts(item, in: directory, policy: policy)
            facts = known
            var subject = Subject(known, place: place, signals: signals, ownLocation: ownLocation)
            if let evidence = afterwards?.evidence { subject.evidence.append(evidence) }
            let isFound = policy.timings.measure(rule: policy.rules[rule].rule.id) {
                ask(rule, subject, own: own, &tally)
            }
            if isFound, policy.rules[rule].asksFlaggedSiblings { mayLackFlag = false }
        }
        if policy.asksFlaggedSiblings, afterwards == nil, item.status.kind == .file, item.carriesAttributes,
            place.signals.contains(.backedUp), directory.exclusion.state == .included
        {
            tally.flags.add(item, isHash: signals.contains(.hashNamed), isKept: mayLackFlag)
        }
        for reason in facts?.incidents ?? [] {
            tally.counts.incidents.append(Incident(path: directory.path(of: item), reason: reason))
        }
    }

    private func isIgnored(_ item: Item, _ place: LintPlace) -> Bool {
        place.declared.matches(item.name, isDirectory: item.status.kind == .directory)
            .contains { policy.configuration.declarations[$0].word == .ignore }
    }

    private func fillSlots(_ signals: inout Signals, _ item: Item, _ wanted: Signals) {
        let slots = policy.slots
        guard wanted.rawValue >> Signals.firstSlot != 0 else { return }
        for slot in slots.names where !wanted.isDisjoint(with: slot.signal) {
            if slot.globs.contains(where: { $0.matches(item.name) }) { signals.formUnion(slot.signal) }
        }
        for slot in slots.ages where !wanted.isDisjoint(with: slot.signal) {
            if policy.now.seconds - item.status.modified.seconds >= slot.seconds { signals.formUnion(slot.signal) }
        }
        for slot in slots.sizes where !wanted.isDisjoint(with: slot.signal) {
            if item.status.size >= slot.bytes { signals.formUnion(slot.signal) }
        }
        let word = PathExtension.word(of: item.name)
        guard word != 0 else { return }
        for slot in slots.extensions where !wanted.isDisjoint(with: slot.signal) {
            if slot.words.contains(word) { signals.formUnion(slot.signal) }
        }
    }

    private func count(_ signals: Signals, _ item: Item, _ tally: inout Tally) {
        if signals.contains(.file) {
            tally.siblings.files += 1
            if signals.contains(.hashNamed) { tally.siblings.hashNamed += 1 }
            if signals.contains(.backedUp) { tally.siblings.logs.add(item.name) }
        }
        if !tally.siblings.isAppMade, signals.contains(.registered) || signals.isSuperset(of: policy.appMade) {
            tally.siblings.isAppMade = true
        }
    }

    /// Asks a rule; whether it objects, as far as the item alone tells.
    private func ask(_ rule: Int, _ subject: Subject, own: Directory?, _ tally: inout Tally) -> Bool {
        let compiled = policy.rules[rule]
        var subject = subject
        if compiled.rule.condition.holds(for: &subject) {
            // Of what is summed up only how much it is counts, and where.
            if compiled.isSummed, tally.groups[rule] != nil {
                tally.groups[rule]?.add(bytes: subject.item.status.kind == .file ? subject.item.status.size : 0)
                return true
            }
            let finding = finding(rule, subject, own: own)
            if finding.questions.isEmpty {
                tally.groups[rule, default: FindingGroup()].add(finding)
            } else {
                findings.hold(finding, of: rule)
            }
            return true
        }
        guard let question = subject.asked else { return false }
        subject.assumedOfSiblings = true
        guard compiled.rule.condition.holds(for: &subject) else { return false }
        let finding = finding(rule, subject, own: own)
        tally.pending[Pending(rule: rule, question: question), default: FindingGroup()].add(finding)
        return false
    }

    private func finding(_ index: Int, _ subject: Subject, own: Directory?) -> Finding {
        let rule = policy.rules[index].rule
        let exclusion = own?.exclusion ?? subject.directory.exclusion(of: subject.item)
        let path = subject.directory.path(of: subject.item)
        let isUnsure = rule.group == .backup && exclusion.state == .unknown
        var judged = subject
        let level = rule.levels.first { $0.condition.holds(for: &judged) }
        return Finding(
            rule: rule, severity: isUnsure ? .note : level?.severity ?? rule.severity, path: path, items: 1,
            bytes: subject.item.status.kind == .file ? subject.item.status.size : 0, largest: nil,
            summary: nil, template: level?.message, evidence: subject.evidence, exclusion: exclusion,
            location: (own ?? subject.directory).location,
            isBackedUp: subject.signals.contains(.backedUp) && exclusion.state != .excluded,
            questions: subject.questions)
    }

    // MARK: - When a directory has been read

    private func finish(_ directory: Directory, _ place: LintPlace, _ tally: Tally) {
        report(tally, in: directory, place)
        totals.counts.withLock { counts in
            counts.items += tally.counts.items
            counts.bytes += tally.counts.bytes
            counts.backedUpBytes += tally.counts.backedUpBytes
            counts.incidents += tally.counts.incidents
            counts.hasAttributes = counts.hasAttributes || tally.counts.hasAttributes
            counts.datedFiles += tally.counts.datedFiles
            counts.earliest = min(counts.earliest, tally.counts.earliest)
            counts.latest = max(counts.latest, tally.counts.latest)
        }
    }

    /// Brings what was found in a directory to the findings.
    func report(_ tally: Tally, in directory: Directory, _ place: LintPlace) {
        for (rule, group) in tally.groups { report(group, of: rule, in: directory, place) }
        for (pending, group) in tally.pending where tally.siblings.answer(pending.question) {
            report(group.adding(tally.siblings.evidence(of: pending.question)), of: pending.rule, in: directory, place)
        }
    }

    private func report(_ group: FindingGroup, of rule: Int, in directory: Directory, _ place: LintPlace) {
        let compiled = policy.rules[rule].rule
        guard let aggregate = compiled.aggregate else {
            return findings.add(group.reported(in: directory.path, exclusion: directory.exclusion), of: rule)
        }
        switch aggregate.scope {
        case .container: findings.sum(group, of: SumKey(rule: rule, part: .whole), in: directory)
        case .location:
            findings.sum(group, of: SumKey(rule: rule, part: .location(directory.location.path)), in: directory)
        case .directory:
            let budget = policy.configuration.budgets[compiled.id]
            guard aggregate.isPassed(items: group.items, bytes: group.bytes, budget: budget) else { return }
            findings.add([group.whole(at: directory.path, exclusion: directory.exclusion)].compactMap { $0 }, of: rule)
        }
        guard aggregate.hasRegistryLimits else { return }
        for entry in place.registry.taken where policy.registry.entries[entry].limit != nil {
            findings.sum(group, of: SumKey(rule: rule, part: .entry(entry)), in: directory)
        }
    }
}
