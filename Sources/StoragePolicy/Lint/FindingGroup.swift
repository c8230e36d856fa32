internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts
internal import TextOutput

/// The findings of a rule in one directory. Above a limit they are reported as one, independent of their order.
struct FindingGroup {
    /// The maximum number of findings in one directory that are reported separately.
    static let limit = 100
    /// The same for rules about secrets and other private data.
    static let privacyLimit = 4_000
    private let limit: Int

    init(limit: Int = FindingGroup.limit) { self.limit = limit }

    /// The properties of a finding that contribute to a combined finding.
    struct Known {
        let severity: Severity
        let message: String?
        let bytes: UInt64
        /// The content of a directory.
        let size: DirectorySize?
        let isBackedUp: Bool
        let fixSafety: RuleFix.Safety?
        /// Valid during the visit only.
        let name: UnsafeRawBufferPointer
        let directory: Directory

        /// Returns true if the item's path comes before another.
        fileprivate func precedes(_ path: [UInt8]) -> Bool {
            let own = directory.path
            guard path.count > own.count, path[own.count] == UInt8(ascii: "/"), path.starts(with: own) else {
                return directory.path(of: name).precedes(path)
            }
            return path.withUnsafeBytes { name.precedes(UnsafeRawBufferPointer(rebasing: $0[(own.count + 1)...])) }
        }
    }

    /// The totals of a combined finding.
    struct Sum {
        private(set) var total = ItemSum()
        var items: Int { total.items }
        var bytes: UInt64 { total.bytes }
        /// The largest file.
        private(set) var largest: (bytes: UInt64, path: [UInt8])?
        private(set) var severity = Severity.note
        private(set) var isBackedUp = false
        private(set) var fixSafety: RuleFix.Safety?

        mutating func add(_ known: Known) {
            count(
                items: 1, known.bytes, severity: known.severity, isBackedUp: known.isBackedUp, safety: known.fixSafety)
            guard known.size == nil, known.bytes >= largest?.bytes ?? 0,
                largest.map({ known.bytes > $0.bytes || known.precedes($0.path) }) ?? true
            else { return }
            largest = (known.bytes, known.directory.path(of: known.name))
        }

        mutating func add(_ finding: FindingCandidate) {
            count(
                items: finding.items, finding.bytes, severity: finding.severity, isBackedUp: finding.isBackedUp,
                safety: finding.fixSafety)
            if finding.size == nil { compare(finding.bytes, path: finding.path) }
        }

        mutating func add(_ other: Sum) {
            count(
                items: other.items, other.bytes, severity: other.severity, isBackedUp: other.isBackedUp,
                safety: other.fixSafety)
            if let largest = other.largest { compare(largest.bytes, path: largest.path) }
        }

        /// Replaces the number of items and bytes, and forgets the largest item.
        mutating func represent(for other: ItemSum) {
            (total, largest) = (other, nil)
        }

        private mutating func count(
            items: Int, _ bytes: UInt64, severity: Severity, isBackedUp: Bool, safety: RuleFix.Safety?
        ) {
            total.add(items: items, bytes: bytes)
            if severity > self.severity { self.severity = severity }
            if isBackedUp { self.isBackedUp = true }
            fixSafety = .least(fixSafety, safety)
        }

        /// The first by its path of equally large items counts, so that the order of arrival does not.
        private mutating func compare(_ bytes: UInt64, path: [UInt8]) {
            guard let old = largest else { return largest = (bytes, path) }
            if bytes > old.bytes || bytes == old.bytes && path.lexicographicallyPrecedes(old.path) {
                largest = (bytes, path)
            }
        }
    }

    private(set) var findings: [FindingCandidate] = []
    private var sum = Sum()
    /// The content of all directories of the group.
    private var size: DirectorySize?
    private var location: Location?
    var items: Int { sum.items }
    var bytes: UInt64 { sum.bytes }
    /// The number and size of all items.
    var total: ItemSum { sum.total }

    /// True if another finding is only counted.
    var isFull: Bool { findings.count >= limit }

    /// Counts another finding in a full group.
    mutating func count(_ known: Known) {
        sum.add(known)
        add(known.size)
    }

    /// Counts totals in a full group.
    mutating func count(_ others: Sum) { sum.add(others) }

    mutating func add(_ finding: FindingCandidate) {
        sum.add(finding)
        add(finding.size)
        location = finding.location
        if findings.count < limit { findings.append(finding) }
    }

    private mutating func add(_ own: DirectorySize?) {
        guard let own else { return }
        let sum = size ?? DirectorySize()
        size = sum
        own.count(in: sum)
    }

    /// Returns the group with another number of items, without the largest item.
    func standingFor(_ other: ItemSum) -> FindingGroup {
        var group = self
        group.sum.represent(for: other)
        return group
    }

    /// Returns the findings to report: each, or one for all at `directory`.
    func reported(in directory: [UInt8], exclusion: BackupExclusion) -> [FindingCandidate] {
        guard items > findings.count else { return findings }
        return whole(at: directory, exclusion: exclusion).map { [$0] } ?? findings
    }

    /// Returns one finding for all items of the group.
    func whole(at directory: [UInt8], exclusion: BackupExclusion) -> FindingCandidate? {
        guard let rule = findings.first?.rule, let location else { return nil }
        return FindingCandidate(
            rule: rule, severity: sum.severity, path: directory, items: items, bytes: bytes, size: size,
            largest: sum.largest?.path,
            summary: "\(Quantity.count(items, "item")) in one directory: \(rule.title)", exclusion: exclusion,
            location: location,
            isBackedUp: sum.isBackedUp, after: findings.first?.after, part: .contents, fixSafety: sum.fixSafety)
    }

    /// Returns the group with another piece of evidence for each finding.
    func adding(_ evidence: Evidence) -> FindingGroup {
        var group = self
        group.findings = findings.map { finding in
            var finding = finding
            finding.evidence.append(evidence)
            return finding
        }
        return group
    }
}

extension RuleFix.Safety? {
    /// The safety of a fix for two items; nil counts as unknown.
    static func least(_ left: Self, _ right: Self) -> Self {
        guard let left, let right else { return left ?? right }
        return left == .safe ? right : left
    }
}
