internal import AppContainer
internal import ContainerTree

/// A rule's findings in one directory. Past a number they are told as one, whatever order they came in.
struct FindingGroup {
    /// More than this in one directory is one finding for the directory.
    static let limit = 100

    /// What counts of one finding where many are told as one.
    struct Known {
        let severity: Severity
        let message: String?
        let bytes: UInt64
        let isBackedUp: Bool
        /// Valid during the visit only.
        let name: UnsafeRawBufferPointer
        let directory: Directory
    }

    private(set) var findings: [Finding] = []
    private(set) var items = 0
    private(set) var bytes: UInt64 = 0
    private var largest: (bytes: UInt64, path: [UInt8])?
    private var severity = Severity.note
    private var location: Location?
    private var isBackedUp = false

    /// Whether one more makes them one finding, so that what it says by itself is not needed.
    var isFull: Bool { findings.count >= Self.limit }

    /// One more, of a group that is full.
    mutating func count(_ known: Known) {
        items += 1
        bytes += known.bytes
        severity = max(severity, known.severity)
        isBackedUp = isBackedUp || known.isBackedUp
        guard let largest, known.bytes >= largest.bytes else { return }
        let path = known.directory.path(of: known.name)
        if known.bytes > largest.bytes || path.lexicographicallyPrecedes(largest.path) {
            self.largest = (known.bytes, path)
        }
    }

    mutating func add(_ finding: Finding) {
        items += finding.items
        bytes += finding.bytes
        severity = max(severity, finding.severity)
        location = finding.location
        isBackedUp = isBackedUp || finding.isBackedUp
        if isLarger(finding) { largest = (finding.bytes, finding.path) }
        if findings.count < Self.limit { findings.append(finding) }
    }

    /// The same for that many items, none of which is named.
    func standingFor(items: Int, bytes: UInt64) -> FindingGroup {
        var group = self
        (group.items, group.bytes, group.largest) = (items, bytes, nil)
        return group
    }

    /// Of equally large items the first by its path counts, so that the order of arrival does not.
    private func isLarger(_ finding: Finding) -> Bool {
        guard let largest else { return true }
        if finding.bytes != largest.bytes { return finding.bytes > largest.bytes }
        return finding.path.lexicographicallyPrecedes(largest.path)
    }

    /// The findings as they are reported: each, or one for all of them at `directory`.
    func reported(in directory: [UInt8], exclusion: BackupExclusion) -> [Finding] {
        guard items > findings.count else { return findings }
        return whole(at: directory, exclusion: exclusion).map { [$0] } ?? findings
    }

    /// One finding for all of them.
    func whole(at directory: [UInt8], exclusion: BackupExclusion) -> Finding? {
        guard let rule = findings.first?.rule, let location else { return nil }
        return Finding(
            rule: rule, severity: severity, path: directory, items: items, bytes: bytes, largest: largest?.path,
            summary: "\(items) items of one directory: \(rule.title)", template: nil, evidence: [],
            exclusion: exclusion, location: location, isBackedUp: isBackedUp, questions: [])
    }

    /// The same with one more piece of evidence for each.
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
