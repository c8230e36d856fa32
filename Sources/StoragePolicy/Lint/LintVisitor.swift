internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import Synchronization

/// Puts every item of a tree before the rules: the one loop that a run spends its time in.
struct LintVisitor: TreeVisitor {
    let policy: Policy
    let findings: FindingStore
    /// Those that a suppression lets be.
    let excused = FindingStore()
    let totals: Totals
    let progress: @Sendable (Int) -> Void

    init(policy: Policy, progress: @escaping @Sendable (Int) -> Void) {
        self.policy = policy
        self.progress = progress
        totals = Totals()
        findings = policy.tellsEach ? FindingStore(limit: .max / 4) : FindingStore()
    }

    private var emptyGroup: FindingGroup { FindingGroup(limit: policy.tellsEach ? .max : FindingGroup.limit) }

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
            /// Findings that the configuration leaves out.
            var suppressed = 0
            /// What lies in each location, and not in one below it.
            var locations: [Location: LintReport.Content] = [:]
        }
        let counts = Mutex(Counts())
    }

    /// What is gathered while one directory is read.
    struct Tally {
        var counts = Totals.Counts()
        var siblings = Siblings()
        var names: NameCollisions?
        var flags: FlaggedSiblings?
        /// The rules that the item at hand is put before; kept for its memory.
        var due: [LintProfile.Due] = []
        var kept = KeptItems()
        var decided: [DecidedGroup] = []
        var groups: [Int: FindingGroup] = [:]
        var pending: [Pending: FindingGroup] = [:]
        var excused: [Excused: FindingGroup] = [:]
        /// The candidates for a verdict, where there can be any.
        var evidence: EvidenceCollector?

        /// How much a rule has found so far, whether or not it is let be.
        func found(by rule: Int) -> Int {
            (groups[rule]?.items ?? 0) + excused.reduce(0) { $0 + ($1.key.rule == rule ? $1.value.items : 0) }
        }
    }

    /// What a suppression lets be, of one rule.
    struct Excused: Hashable {
        let rule: Int
        let source: Suppressions.Source
        /// The question about the siblings that must be answered first.
        let question: SiblingQuestion?
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

    func begin(_ directory: Directory, _ place: LintPlace) -> Tally {
        var tally = Tally()
        if place.isWeighed { tally.evidence = EvidenceCollector(directory, carried: place.carried) }
        if place.profile.asksCollisions { tally.names = NameCollisions() }
        if place.profile.asksFlags, directory.exclusion.state == .included {
            tally.flags = FlaggedSiblings(keepsAll: policy.tellsEach)
        }
        return tally
    }

    func visit(_ item: Item, in directory: Directory, _ place: LintPlace, _ tally: inout Tally) {
        let size = item.status.size
        count(&tally)
        if item.status.isFile {
            tally.counts.bytes += size
            let isIncluded = item.marks.isEmpty && directory.exclusion.state != .excluded
            if directory.isBackedUp && isIncluded { tally.counts.backedUpBytes += size }
            tally.counts.datedFiles += 1
            let modified = item.status.modified
            if modified < tally.counts.earliest { tally.counts.earliest = modified }
            if tally.counts.latest < modified { tally.counts.latest = modified }
            tally.siblings.files += 1
        }
        let registered =
            place.profile.wanted.contains(.registered) && place.registry.hasMatch(item.name, isDirectory: false)
        judge(item, in: directory, place, ownLocation: nil, registered: registered, &tally)
        tally.evidence?.add(item, in: directory, place, policy)
    }

    func enter(
        _ item: Item, _ subdirectory: Directory, in directory: Directory, _ place: LintPlace, _ tally: inout Tally
    ) -> LintPlace {
        count(&tally)
        tally.evidence?.addSubdirectory(item)
        let own = place.entering(item, subdirectory, policy: policy)
        // A directory is judged where it lies, by what is true of its own place.
        let judging = own.judging(from: place, policy: policy)
        let registered = place.registry.hasMatch(item.name, isDirectory: true)
        judge(
            item, in: directory, judging, ownLocation: subdirectory.isLocation ? subdirectory.location : nil,
            registered: registered, &tally, as: subdirectory)
        return own
    }

    func end(_ directory: Directory, _ place: LintPlace, _ tally: Tally) {
        var tally = tally
        if let evidence = tally.evidence {
            policy.evidence.add(evidence.directory, hours: evidence.hours)
            policy.undeclared.add(evidence.undeclared, in: directory)
        }
        judgeCollisions(in: directory, place, &tally)
        judgeKept(in: directory, place, &tally)
        finish(directory, place, tally)
        judgeAfterwards(directory, place, tally)
        progress(tally.counts.items % Self.told)
    }

    func failed(_ failure: WalkFailure) {
        let incident = Incident(path: failure.path, reason: failure.reason)
        totals.counts.withLock { $0.incidents.append(incident) }
    }

    // MARK: - Judging one item

    private func judge(
        _ item: Item, in directory: Directory, _ place: LintPlace, ownLocation: Location?, registered: Bool,
        _ tally: inout Tally, as own: Directory? = nil
    ) {
        let exclusion = own?.exclusion.state ?? directory.exclusion(stateOf: item)
        var signals = place.signals.union(.exclusion(exclusion))
        signals.formUnion(.of(item.status))
        if ownLocation != nil { signals.formUnion(.location) }
        if !item.attributes.isEmpty {
            signals.formUnion(.attributes)
            tally.counts.hasAttributes = true
        }
        if !item.marks.isEmpty { signals.formUnion(.marked) }
        if registered { signals.formUnion(.registered) }
        if ForeignMarkTest.isPossible(item) { signals.formUnion(.foreignMark) }
        let profile = place.profile
        if profile.wanted.contains(.hashNamed), NameShapeTest.isHash(item.name) { signals.formUnion(.hashNamed) }
        if tally.names != nil || profile.wanted.contains(.oddlyNamed) {
            let scan = NameScan(item.name)
            if NameScan.isOdd(item.name, scan) { signals.formUnion(.oddlyNamed) }
            tally.names?.add(item.name, scan, item.status)
        }
        signals.formUnion(profile.slots(of: item.name, item.status))
        count(signals, item, &tally)

        if let trace = policy.trace, trace.path == directory.path(of: item) {
            let subject = Subject(
                ItemFacts(item, in: directory, place, signals, ownLocation: ownLocation, policy: policy))
            trace.keep(subject, as: own, policy.rules)
        }
        if item.status.kind != .directory { policy.suppressions.read(item, at: directory.path(of: item)) }
        tally.due.removeAll(keepingCapacity: true)
        profile.collect(&signals, item.name, &tally.due)
        guard !tally.due.isEmpty else {
            tally.flags?.add(item, signals, isKept: true)
            return
        }
        let asked = tally.flags == nil ? nil : tally.due.first { policy.rules[$0.rule].asksFlags }?.rule
        let before = asked.map { tally.found(by: $0) }
        // A directory is judged by its own place, and there are few; so it is asked at once.
        let isDecided =
            own == nil && place.isOwn && place.carried.isEmpty && !Suppressions.isCarried(by: item)
            && keepDecided(item, in: directory, signals, exclusion, &tally)
        if !isDecided {
            let facts = ItemFacts(item, in: directory, place, signals, ownLocation: ownLocation, policy: policy)
            put(Subject(facts), before: tally.due, own: own, &tally)
        }
        // What such a rule has found already is not found again when the directory has been read.
        let isKept = before == asked.map { tally.found(by: $0) }
        tally.flags?.add(item, signals, isKept: isKept)
    }

    /// Keeps or counts the item for the rules that its signals have decided; true if there is no other.
    private func keepDecided(
        _ item: Item, in directory: Directory, _ signals: Signals, _ exclusion: BackupExclusion.State,
        _ tally: inout Tally
    ) -> Bool {
        var number: Int?
        var isLast = true
        for due in tally.due {
            guard due.isDecided else {
                isLast = false
                continue
            }
            let place =
                tally.decided.firstIndex { $0.rule == due.rule }
                ?? {
                    tally.decided.append(DecidedGroup(rule: due.rule))
                    return tally.decided.count - 1
                }()
            if tally.decided[place].isFull {
                tally.decided[place].count(known(due.rule, item, signals, exclusion, directory))
            } else {
                let kept = number ?? tally.kept.keep(item, signals)
                number = kept
                tally.decided[place].keep(kept)
            }
        }
        if !isLast { tally.due.removeAll { $0.isDecided } }
        return isLast
    }

    /// Makes findings of the items that were kept: all of them where they are few, and one where all are told as one.
    private func judgeKept(in directory: Directory, _ place: LintPlace, _ tally: inout Tally) {
        for decided in tally.decided {
            let due = [LintProfile.Due(rule: decided.rule, isDecided: false)]
            let areOne = decided.others.items > 0 && policy.rules[decided.rule].rule.aggregate == nil
            for (index, number) in decided.kept.enumerated() {
                tally.kept.withItem(number) { item, signals in
                    if areOne, index > 0 {
                        let state = directory.exclusion(stateOf: item)
                        tally.groups[decided.rule]?.count(known(decided.rule, item, signals, state, directory))
                    } else {
                        let facts = ItemFacts(item, in: directory, place, signals, policy: policy)
                        put(Subject(facts), before: due, own: nil, &tally)
                    }
                }
            }
            tally.groups[decided.rule]?.count(decided.others)
        }
    }

    func put(
        _ subject: Subject, before rules: [LintProfile.Due], own: Directory?, _ tally: inout Tally
    ) {
        for due in rules {
            guard policy.timings.isOn else {
                ask(due.rule, subject, own: own, &tally)
                continue
            }
            policy.timings.measure(rule: policy.rules[due.rule].rule.id) { ask(due.rule, subject, own: own, &tally) }
        }
        for reason in subject.facts.incidents {
            tally.counts.incidents.append(Incident(path: subject.directory.path(of: subject.item), reason: reason))
        }
    }

    /// The items whose names collide, as far as they are still known: by name, kind and size.
    private func judgeCollisions(in directory: Directory, _ place: LintPlace, _ tally: inout Tally) {
        guard let names = tally.names else { return }
        if names.isFull {
            tally.counts.incidents.append(Incident(path: directory.path, reason: "too-many-names-to-compare"))
        }
        for collision in names.collisions() {
            collision.name.withUnsafeBytes { name in
                let item = Item(
                    name: name, status: collision.status, attributes: [], carriesAttributes: true, source: NothingMore()
                )
                var signals = place.signals.union(.exclusion(directory.exclusion.state)).union(.colliding)
                signals.formUnion(.of(item.status))
                if place.registry.hasMatch(name, isDirectory: item.status.kind == .directory) {
                    signals.formUnion(.registered)
                }
                signals.formUnion(place.profile.slots(of: name, item.status))
                if NameScan.isOdd(name, NameScan(name)) { signals.formUnion(.oddlyNamed) }
                if NameShapeTest.isHash(name) { signals.formUnion(.hashNamed) }
                var due: [LintProfile.Due] = []
                place.profile.collectLate(.colliding, &signals, name, &due)
                let facts = ItemFacts(
                    item, in: directory, place, signals, collidesWith: collision.other, policy: policy)
                put(Subject(facts), before: due, own: nil, &tally)
            }
        }
    }

    private func count(_ signals: Signals, _ item: Item, _ tally: inout Tally) {
        if signals.isSuperset(of: [.file, .backedUp]) { tally.siblings.logs.add(item.name) }
        if signals.isSuperset(of: [.file, .hashNamed]) { tally.siblings.hashNamed += 1 }
        if !tally.siblings.isAppMade, signals.contains(.registered) || signals.isSuperset(of: policy.appMade) {
            tally.siblings.isAppMade = true
        }
    }

    private func ask(_ rule: Int, _ subject: Subject, own: Directory?, _ tally: inout Tally) {
        if let paths = policy.rules[rule].paths, !paths.takes(subject.path) { return }
        let condition = policy.rules[rule].rule.condition
        var subject = subject
        let excuse = policy.excuse(rule, subject)
        // Of what is summed up only how much it is counts, and where.
        subject.isQuiet =
            excuse == nil && tally.groups[rule].map { $0.isFull || policy.rules[rule].isSummed } ?? false
        if condition.holds(for: &subject) {
            guard !policy.isIgnored(subject) else {
                tally.counts.suppressed += 1
                return
            }
            if let excuse {
                var finding = finding(rule, subject, own: own)
                finding.excuse = excuse
                guard finding.questions.isEmpty else { return findings.hold(finding, of: rule) }
                return tally.excused[Excused(rule: rule, source: excuse, question: nil), default: .init()].add(finding)
            }
            // Of many findings in one directory only their number and bytes are told.
            if subject.isQuiet {
                if subject.questions.isEmpty {
                    return tally.groups[rule, default: emptyGroup].count(known(rule, subject, own))
                }
                subject = subject.unasked
                guard condition.holds(for: &subject) else { return }
            }
            let finding = finding(rule, subject, own: own)
            guard finding.questions.isEmpty else { return findings.hold(finding, of: rule) }
            tally.groups[rule, default: emptyGroup].add(finding)
        } else if let question = subject.asked {
            let pending = Pending(rule: rule, question: question)
            subject = subject.unasked
            subject.assumedOfSiblings = true
            subject.isQuiet = tally.pending[pending]?.isFull ?? false
            guard condition.holds(for: &subject) else { return }
            guard !policy.isIgnored(subject) else { return }
            if let excuse {
                let excused = Excused(rule: rule, source: excuse, question: question)
                tally.excused[excused, default: emptyGroup].add(finding(rule, subject, own: own))
            } else if subject.isQuiet, subject.questions.isEmpty {
                tally.pending[pending, default: emptyGroup].count(known(rule, subject, own))
            } else {
                tally.pending[pending, default: emptyGroup].add(finding(rule, subject, own: own))
            }
        }
    }

    /// What is told of one finding among many.
    private func known(
        _ index: Int, _ item: Item, _ signals: Signals, _ state: BackupExclusion.State, _ directory: Directory,
        _ level: RuleLevel? = nil
    ) -> FindingGroup.Known {
        let rule = policy.rules[index].rule
        return FindingGroup.Known(
            severity: rule.group == .backup && state == .unknown ? .note : level?.severity ?? rule.severity,
            message: level?.message, bytes: item.status.isFile ? item.status.size : 0,
            isBackedUp: signals.contains(.backedUp) && state != .excluded, name: item.name, directory: directory)
    }

    private func known(_ index: Int, _ subject: Subject, _ own: Directory?) -> FindingGroup.Known {
        var judged = subject
        return known(
            index, subject.item, subject.signals,
            own?.exclusion.state ?? subject.directory.exclusion(stateOf: subject.item), subject.directory,
            policy.rules[index].rule.levels.first { $0.condition.holds(for: &judged) })
    }

    private func finding(_ index: Int, _ subject: Subject, own: Directory?) -> Finding {
        let rule = policy.rules[index].rule
        var judged = subject
        // Asked only of who tells each, which is who fixes.
        let isFixable = policy.tellsEach && rule.fix?.condition?.holds(for: &judged) ?? (rule.fix?.action != nil)
        let known = known(index, subject, own)
        return Finding(
            rule: rule, severity: known.severity, path: subject.directory.path(of: subject.item), items: 1,
            bytes: known.bytes, largest: nil, summary: nil, template: known.message, evidence: subject.evidence,
            exclusion: own?.exclusion ?? subject.directory.exclusion(of: subject.item),
            location: (own ?? subject.directory).location, isBackedUp: known.isBackedUp, questions: subject.questions,
            source: subject.source, isFixable: isFixable)
    }
}
