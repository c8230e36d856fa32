internal import AppContainer

/// A rule's findings in one directory. Past a number they are told as one, whatever order they came in.
struct FindingGroup {
    /// More than this in one directory is one finding for the directory.
    static let limit = 100

    private(set) var findings: [Finding] = []
    private var items = 0
    private var bytes: UInt64 = 0
    private var largest: (bytes: UInt64, path: [UInt8])?
    private var severity = Severity.note
    private var location: Location?
    private var isBackedUp = false

    mutating func add(_ finding: Finding) {
        items += finding.items
        bytes += finding.bytes
        severity = max(severity, finding.severity)
        location = finding.location
        isBackedUp = isBackedUp || finding.isBackedUp
        if isLarger(finding) { largest = (finding.bytes, finding.path) }
        if findings.count < Self.limit { findings.append(finding) }
    }

    /// Of equally large items the first by its path counts, so that the order of arrival does not.
    private func isLarger(_ finding: Finding) -> Bool {
        guard let largest else { return true }
        if finding.bytes != largest.bytes { return finding.bytes > largest.bytes }
        return finding.path.lexicographicallyPrecedes(largest.path)
    }

    /// The findings as they are reported: each, or one for all of them at `directory`.
    func reported(in directory: [UInt8], exclusion: BackupExclusion) -> [Finding] {
        guard items > findings.count, let rule = findings.first?.rule, let location else { return findings }
        return [
            Finding(
                rule: rule, severity: severity, path: directory, items: items, bytes: bytes, largest: largest?.path,
                summary: "\(items) items of one directory: \(rule.title)", evidence: [], exclusion: exclusion,
                location: location, isBackedUp: isBackedUp)
        ]
    }
}
