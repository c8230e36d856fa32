/// What a run found.
public struct LintReport: Sendable {
    /// A container that was linted.
    public struct Input: Sendable, Hashable {
        /// As it was given.
        public let path: String
        /// Whose it is, where it says so.
        public let bundleIdentifier: String?
        /// Whether it could carry the do-not-back-up flag.
        public let carriesAttributes: Bool
    }

    /// The containers, in the order in which they were given.
    public private(set) var inputs: [Input] = []
    /// How many files, directories, links and special files were seen.
    public private(set) var items = 0
    /// The bytes of all files' content.
    public private(set) var bytes: UInt64 = 0
    /// The bytes that a backup takes.
    public private(set) var backedUpBytes: UInt64 = 0
    /// Worst first, then by rule, then by path.
    public private(set) var findings: [Finding] = []
    /// Findings that the configuration leaves out (`ignore`).
    public private(set) var suppressed = 0
    /// What could not be looked at.
    public private(set) var incidents: [Incident] = []

    /// Whether everything was looked at.
    public var isComplete: Bool { incidents.isEmpty }
    /// The bytes that a backup takes although they could be had again, as far as the rules that ran tell.
    public var regenerableBackedUpBytes: UInt64 {
        findings.filter { $0.rule.measuresRegenerable }.reduce(0) { $0 + $1.bytes }
    }

    /// Nothing linted yet.
    public init() {}

    init(
        input: Input, counts: LintVisitor.Totals.Counts, findings: [Finding]
    ) {
        inputs = [input]
        (items, bytes, backedUpBytes) = (counts.items, counts.bytes, counts.backedUpBytes)
        suppressed = counts.suppressed
        self.findings = findings.sorted(by: Finding.precedes)
        incidents = counts.incidents.sorted { ($0.displayPath, $0.reason) < ($1.displayPath, $1.reason) }
    }

    /// How many findings there are of a severity.
    public func count(of severity: Severity) -> Int { findings.count { $0.severity == severity } }

    /// Adds what another run found.
    public mutating func add(_ other: LintReport) {
        let offset = inputs.count
        inputs += other.inputs
        items += other.items
        bytes += other.bytes
        backedUpBytes += other.backedUpBytes
        suppressed += other.suppressed
        findings += other.findings.map { finding in
            var finding = finding
            finding.input += offset
            return finding
        }
        // One run's are in order already.
        if offset > 0 { findings.sort(by: Finding.precedes) }
        incidents += other.incidents.map { incident in
            var incident = incident
            incident.input += offset
            return incident
        }
    }
}
