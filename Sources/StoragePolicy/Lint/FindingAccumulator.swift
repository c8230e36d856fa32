internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts
internal import TextOutput

/// All findings of a run, collected from several threads in bounded memory.
///
/// Each rule keeps its first findings by path. The rest becomes a few findings at directories, so that nothing is dropped,
/// none accuses far more than was judged, and the result does not depend on the order of arrival.
final class FindingAccumulator: Sendable {
    private let kept: LockedValue<[RuleIndex: PerRule]>
    private let deferred = LockedValue<[RuleIndex: [Held]]>([:])
    /// The rules with more findings than stores are searched for. They have none then.
    private let unsearched = LockedValue<Set<RuleIndex>>([])
    private let sums = LockedValue<[SumKey: Rest]>([:])
    private let limit: Int
    /// The maximum number of deferred findings of one rule. More are dropped and reported as an incident.
    static let deferredLimit = 50_000
    /// The maximum number of findings of one rule that depend on a value in a store. A container with more old files in tmp
    /// is not searched for each of their names.
    static let searchedLimit = 2_000

    typealias Held = FindingCandidate.Held

    private struct PerRule {
        var findings: [Held] = []
        var rest = RestByDirectory()
        /// The last path that was kept when there were too many: what comes after it is of the rest.
        var last: [UInt8]?

        mutating func add(_ finding: FindingCandidate) {
            guard let last, !finding.path.lexicographicallyPrecedes(last) else { return findings.append(Held(finding)) }
            addToRest(finding)
        }

        mutating func addToRest(_ finding: FindingCandidate) { rest.add(finding) }
    }

    /// Findings that are reported together, by their directories. Where there are too many, those of one depth are taken
    /// with the directory above them, which does not depend on their order.
    private struct RestByDirectory {
        private(set) var rests: [[UInt8]: Rest] = [:]
        /// The components of a path that tell directories apart.
        private var depth = 24
        private static let mostDirectories = 32

        mutating func add(_ finding: FindingCandidate) {
            let key = key(of: finding.path)
            var rest = rests.removeValue(forKey: key) ?? Rest(sharedPath: finding.path, first: finding)
            rest.add(finding, more: ItemSum(finding), at: finding.path)
            finding.size?.count(in: rest.size)
            rests[key] = rest
            while rests.count > Self.mostDirectories, depth > 0 { join() }
        }

        /// The first components of the path of the directory above an item.
        private func key(of path: [UInt8]) -> [UInt8] {
            let components = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            return Array(components.dropLast().prefix(depth).joined(separator: [UInt8(ascii: "/")]))
        }

        private mutating func join() {
            depth -= 1
            rests = rests.reduce(into: [:]) { joined, next in
                let components = next.key.split(separator: UInt8(ascii: "/"))
                let key = Array(components.prefix(depth).joined(separator: [UInt8(ascii: "/")]))
                guard var rest = joined.removeValue(forKey: key) else { return joined[key] = next.value }
                rest.add(next.value)
                joined[key] = rest
            }
        }
    }

    /// Findings that are reported as one.
    struct Rest {
        private(set) var findings = 0
        private var sum = ItemSum()
        private(set) var sharedPath: [UInt8]
        private(set) var first: FindingCandidate
        /// The content of directories.
        let size = DirectorySize()
        /// The separate findings, if each is reported.
        var each: [FindingCandidate] = []
        /// The safety of the fix for the least safe item.
        private(set) var fixSafety: RuleFix.Safety?
        var items: Int { sum.items }
        var bytes: UInt64 { sum.bytes }

        init(sharedPath: [UInt8], first: FindingCandidate) {
            (self.sharedPath, self.first) = (sharedPath, first)
        }

        fileprivate mutating func add(_ finding: FindingCandidate, more: ItemSum, at path: [UInt8]) {
            findings += 1
            sum.add(more)
            fixSafety = .least(fixSafety, finding.fixSafety)
            sharedPath = ItemPath.shared(sharedPath, path)
            if finding.path.lexicographicallyPrecedes(first.path) { first = finding }
        }

        fileprivate mutating func add(_ other: Rest) {
            findings += other.findings
            sum.add(other.sum)
            fixSafety = .least(fixSafety, other.fixSafety)
            sharedPath = ItemPath.shared(sharedPath, other.sharedPath)
            if other.first.path.lexicographicallyPrecedes(first.path) { first = other.first }
            other.size.count(in: size)
        }
    }

    /// The maximum number of findings of one rule in a report.
    static let standardLimit = 4_000

    init(limit: Int = standardLimit) {
        self.limit = limit
        kept = LockedValue([:])
    }

    func add(_ findings: [FindingCandidate], of rule: RuleIndex) {
        guard !findings.isEmpty else { return }
        kept.withLock { kept in
            for finding in findings { kept[rule, default: PerRule()].add(finding) }
            // Sorting only at an eighth more keeps the work in proportion to what comes in.
            if kept[rule, default: PerRule()].findings.count > limit + limit / 8 { Self.trim(&kept[rule], to: limit) }
        }
    }

    /// Adds a finding that depends on questions about the whole container.
    func addDeferred(_ finding: FindingCandidate, of rule: RuleIndex) {
        let isSearched = finding.questions.contains(.isNamedByStore)
        guard !isSearched || !isUnsearched(rule) else { return }
        deferred.withLock { deferred in
            if deferred[rule, default: []].count < (isSearched ? Self.searchedLimit : Self.deferredLimit) {
                deferred[rule, default: []].append(Held(finding))
            } else if isSearched {
                unsearched.withLock { _ = $0.insert(rule) }
                deferred[rule] = []
            }
        }
    }

    /// Returns true if a rule has more findings than stores are searched for.
    func isUnsearched(_ rule: RuleIndex) -> Bool { unsearched.withLock { $0.contains(rule) } }

    /// Returns the rules with a deferred finding that depends on such a question.
    func rules(asking isAsked: (ContainerQuestion) -> Bool) -> [RuleIndex] {
        deferred.withLock { deferred in
            deferred.filter { $0.value.contains { $0.candidate.questions.contains(where: isAsked) } }.map(\.key)
        }
    }

    /// Returns and removes the deferred findings of each rule, sorted by path.
    func takeDeferred() -> [RuleIndex: [Held]] {
        deferred.withLock { deferred in
            defer { deferred = [:] }
            return deferred.mapValues { $0.sorted(by: Held.precedes) }
        }
    }

    /// Adds up what a rule with a budget found in one directory.
    func sum(_ group: FindingGroup, of key: SumKey, in directory: Directory, keepingEach: Bool) {
        guard var first = group.findings.first else { return }
        // The first of several depends on the order, so the exclusion is the directory’s.
        if group.items > 1 { first.exclusion = directory.exclusion }
        let path = group.items > 1 ? directory.path : first.path
        sums.withLock { sums in
            var sum = sums[key] ?? Rest(sharedPath: path, first: first)
            if keepingEach { sum.each += group.findings }
            sum.add(first, more: group.total, at: path)
            sums[key] = sum
        }
    }

    /// Adds a finding to the total of a rule with a budget for the container.
    func addToTotal(_ finding: FindingCandidate, of rule: RuleIndex) {
        sums.withLock { sums in
            let key = SumKey(rule: rule, part: .whole)
            var sum = sums[key] ?? Rest(sharedPath: finding.path, first: finding)
            sum.add(finding, more: ItemSum(finding), at: finding.path)
            sums[key] = sum
        }
    }

    /// Returns and removes the totals of each rule with a budget.
    func takeSums() -> [(key: SumKey, sum: Rest)] {
        sums.withLock { sums in
            defer { sums = [:] }
            return sums.sorted { $0.key.order < $1.key.order }.map { ($0.key, $0.value) }
        }
    }

    /// Returns and removes the findings of each rule, by the index of the rule.
    func takeAll() -> [RuleIndex: [Held]] {
        kept.withLock { kept in
            var all: [RuleIndex: [Held]] = [:]
            // Taken out one by one, so that no list is there twice.
            for rule in Array(kept.keys) {
                Self.trim(&kept[rule], to: limit)
                guard var perRule = kept.removeValue(forKey: rule) else { continue }
                perRule.findings += perRule.rest.rests.values.map { Held(Self.finding(for: $0)) }
                    .sorted(by: Held.precedes)
                all[rule] = perRule.findings
            }
            return all
        }
    }

    private static func trim(_ perRule: inout PerRule?, to limit: Int) {
        guard var kept = perRule, kept.findings.count > limit else { return }
        perRule = nil
        kept.findings.sort(by: Held.precedes)
        for held in kept.findings[limit...] { kept.addToRest(held.candidate) }
        kept.findings.removeSubrange(limit...)
        kept.last = kept.findings.last?.candidate.path
        perRule = kept
    }

    private static func finding(for rest: Rest) -> FindingCandidate {
        let first = rest.first
        return FindingCandidate(
            rule: first.rule, severity: first.severity, path: rest.sharedPath, items: rest.items, bytes: rest.bytes,
            size: rest.size,
            summary: rest.findings == 1
                ? first.summary : "\(Quantity.count(rest.items, "more item")) in this directory: \(first.rule.title)",
            evidence: [
                Evidence(
                    kind: "not-listed", value: "\(Quantity.count(rest.findings, "finding")) above the limit of the rule"
                )
            ],
            exclusion: .included, location: first.location, isBackedUp: first.isBackedUp,
            after: first.after, part: .rest, fixSafety: rest.fixSafety)
    }
}

/// The key of a total: the findings of a rule in the container, in a location, or in the directory of an SDK.
struct SumKey: Hashable {
    enum Part: Hashable {
        case whole
        case location(String)
        /// An entry of the registry, by its index.
        case entry(Int)
    }
    let rule: RuleIndex
    let part: Part

    /// The whole before its parts, so that a part at the same path is not reported again.
    var order: (RuleIndex, Int, Int, String) {
        switch part {
        case .whole: (rule, 0, 0, "")
        case .location(let path): (rule, 1, 0, path)
        case .entry(let index): (rule, 2, index, "")
        }
    }
}

extension ItemSum {
    fileprivate init(_ finding: FindingCandidate) {
        self.init()
        add(items: finding.items, bytes: finding.bytes)
    }
}
