internal import AppContainer
internal import ContainerTree
internal import Synchronization

/// All findings of a run, collected from several threads in bounded memory.
///
/// Each rule keeps its first findings by path. The rest becomes one finding at their common directory, so that nothing
/// is dropped and the result does not depend on the order of arrival.
final class FindingAccumulator: Sendable {
    private let kept: Mutex<[Int: PerRule]>
    private let held = Mutex<[Int: [Finding]]>([:])
    private let sums = Mutex<[SumKey: Rest]>([:])
    private let limit: Int
    /// The maximum number of deferred findings of one rule. More are dropped and reported as an incident.
    static let heldLimit = 50_000

    private struct PerRule {
        var findings: [Finding] = []
        var rest: Rest?
        /// The last path that was kept when there were too many: what comes after it is of the rest.
        var last: [UInt8]?

        mutating func add(_ finding: Finding) {
            guard let last, !finding.path.lexicographicallyPrecedes(last) else { return findings.append(finding) }
            addToRest(finding)
        }

        mutating func addToRest(_ finding: Finding) {
            var sum = rest ?? Rest(sharedPath: finding.path, first: finding)
            sum.findings += 1
            sum.items += finding.items
            sum.bytes += finding.bytes
            sum.sharedPath = FindingAccumulator.shared(sum.sharedPath, finding.path)
            if finding.path.lexicographicallyPrecedes(sum.first.path) { sum.first = finding }
            rest = sum
        }
    }

    /// Findings that are reported as one.
    struct Rest {
        var findings = 0
        var items = 0
        var bytes: UInt64 = 0
        var sharedPath: [UInt8]
        var first: Finding
        /// The separate findings, if each is reported.
        var each: [Finding] = []
    }

    init(limit: Int = 4_000) {
        self.limit = limit
        kept = Mutex([:])
    }

    func add(_ findings: [Finding], of rule: Int) {
        guard !findings.isEmpty else { return }
        kept.withLock { kept in
            for finding in findings { kept[rule, default: PerRule()].add(finding) }
            // Sorting only at half as many again keeps the work in proportion to what comes in.
            if kept[rule, default: PerRule()].findings.count > limit + limit / 2 { Self.trim(&kept[rule], to: limit) }
        }
    }

    /// Keeps a finding until the whole container has been read.
    func hold(_ finding: Finding, of rule: Int) {
        held.withLock { if $0[rule, default: []].count < Self.heldLimit { $0[rule, default: []].append(finding) } }
    }

    /// The rules of which a finding waits for the answer to such a question.
    func rulesHolding(_ isAsked: (ContainerQuestion) -> Bool) -> [Int] {
        held.withLock { held in
            held.filter { $0.value.contains { $0.questions.contains(where: isAsked) } }.map(\.key)
        }
    }

    /// The findings that wait, by the rule's index, sorted by path.
    func takeHeld() -> [Int: [Finding]] {
        held.withLock { held in
            defer { held = [:] }
            return held.mapValues { $0.sorted { $0.path.lexicographicallyPrecedes($1.path) } }
        }
    }

    /// Adds up what a rule with a budget found in one directory.
    func sum(_ group: FindingGroup, of key: SumKey, in directory: Directory, keepingEach: Bool) {
        guard var first = group.findings.first else { return }
        // Which of several came first is chance; what is said is true of the directory.
        if group.items > 1 { first.exclusion = directory.exclusion }
        let path = group.items > 1 ? directory.path : first.path
        sums.withLock { sums in
            var sum = sums[key] ?? Rest(sharedPath: path, first: first)
            sum.findings += 1
            if keepingEach { sum.each += group.findings }
            sum.items += group.items
            sum.bytes += group.bytes
            sum.sharedPath = Self.shared(sum.sharedPath, path)
            if first.path.lexicographicallyPrecedes(sum.first.path) { sum.first = first }
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
    func takeAll() -> [Int: [Finding]] {
        kept.withLock { kept in
            var all: [Int: [Finding]] = [:]
            // Taken out one by one, so that nothing is there twice.
            for rule in Array(kept.keys) {
                Self.trim(&kept[rule], to: limit)
                guard var perRule = kept.removeValue(forKey: rule) else { continue }
                if let rest = perRule.rest { perRule.findings.append(Self.finding(for: rest)) }
                all[rule] = perRule.findings
            }
            return all
        }
    }

    private static func trim(_ perRule: inout PerRule?, to limit: Int) {
        guard var kept = perRule, kept.findings.count > limit else { return }
        perRule = nil
        kept.findings.sort { $0.path.lexicographicallyPrecedes($1.path) }
        for finding in kept.findings[limit...] { kept.addToRest(finding) }
        kept.findings.removeSubrange(limit...)
        kept.last = kept.findings.last?.path
        perRule = kept
    }

    /// The longest path of whole components that two paths begin with.
    static func shared(_ left: [UInt8], _ right: [UInt8]) -> [UInt8] {
        if left == right { return left }
        let slash = UInt8(ascii: "/")
        let parts = zip(left.split(separator: slash), right.split(separator: slash)).prefix { $0.elementsEqual($1) }
        return Array(parts.map(\.0).joined(separator: [slash]))
    }

    private static func finding(for rest: Rest) -> Finding {
        let first = rest.first
        return Finding(
            rule: first.rule, severity: first.severity, path: rest.sharedPath, items: rest.items, bytes: rest.bytes,
            largest: nil, summary: "\(rest.items) more items in this directory: \(first.rule.title)",
            template: nil,
            evidence: [Evidence(kind: "not-listed", value: "\(rest.findings) findings above the limit of the rule")],
            exclusion: .included, location: first.location, isBackedUp: first.isBackedUp, questions: [],
            part: .rest)
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
    let rule: Int
    let part: Part

    /// The whole before its parts, so that a part at the same path is not reported again.
    var order: (Int, Int, Int, String) {
        switch part {
        case .whole: (rule, 0, 0, "")
        case .location(let path): (rule, 1, 0, path)
        case .entry(let index): (rule, 2, index, "")
        }
    }
}
