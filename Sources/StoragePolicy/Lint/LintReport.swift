public import AppContainer

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
    /// The same by location; what lies in a location of its own counts there alone.
    public private(set) var locations: [Location: Content] = [:]
    /// Worst first, then by rule, then by path.
    public internal(set) var findings: [Finding] = []
    /// Findings that a suppression lets be, in the same order.
    public private(set) var suppressedFindings: [Finding] = []
    /// Items that the configuration leaves out (`ignore`).
    private var ignored = 0
    /// Findings that a baseline holds.
    public internal(set) var baselined = 0
    /// What could not be looked at.
    public private(set) var incidents: [Incident] = []

    /// What was asked of each input.
    private(set) var asked: [Asked] = []
    /// Where the suppressions of configurations stand that were needed.
    private var usedSuppressions: Set<String> = []

    /// How much lies somewhere.
    public struct Content: Sendable, Hashable {
        /// Files, directories, links and special files.
        public private(set) var items = 0
        /// The bytes of all files' content.
        public private(set) var bytes: UInt64 = 0
        /// Those that a backup takes.
        public private(set) var backedUpBytes: UInt64 = 0

        package init(items: Int = 0, bytes: UInt64 = 0, backedUpBytes: UInt64 = 0) {
            (self.items, self.bytes, self.backedUpBytes) = (items, bytes, backedUpBytes)
        }

        mutating func add(_ other: Content) {
            items += other.items
            bytes += other.bytes
            backedUpBytes += other.backedUpBytes
        }
    }

    /// What was asked of an input.
    struct Asked: Sendable {
        /// Every name of every rule about items.
        let rules: Set<String>
        /// Whose it is.
        let container: String
        let exceptions: ExceptionRules
    }

    /// What is left out by the configuration and by what items say of themselves.
    public var suppressed: Int { ignored + suppressedFindings.count }
    /// True if every rule that rests on proof was evaluated on everything.
    public var isComplete: Bool { incidents.allSatisfy(\.isAboutGuesses) }
    /// The bytes that a backup takes although they could be had again, as far as the rules that ran tell.
    public var regenerableBackedUpBytes: UInt64 {
        findings.filter { $0.rule.measuresRegenerable }.reduce(0) { $0 + $1.bytes }
    }

    /// Nothing linted yet.
    public init() {}

    init(
        input: Input, counts: LintVisitor.Totals.Counts, findings: consuming [Finding], suppressed: [Finding],
        asked: Asked,
        usedSuppressions: Set<String>
    ) {
        inputs = [input]
        (items, bytes, backedUpBytes) = (counts.items, counts.bytes, counts.backedUpBytes)
        locations = counts.locations.filter { $0.value.items > 0 }
        ignored = counts.suppressed
        self.asked = [asked]
        self.usedSuppressions = usedSuppressions
        // In place, since there may be many.
        var all = findings
        all += suppressed
        for index in all.indices { all[index].container = asked.container }
        all.sort(by: Finding.precedes)
        Finding.number(&all)
        suppressedFindings = all.filter { $0.suppression != nil }
        if !suppressedFindings.isEmpty { all.removeAll { $0.suppression != nil } }
        self.findings = all
        incidents = counts.incidents.sorted { ($0.displayPath, $0.reason) < ($1.displayPath, $1.reason) }
    }

    /// How many findings there are of a severity.
    public func count(of severity: Severity) -> Int { findings.count { $0.severity == severity } }

    /// Adds what another run found.
    public mutating func add(_ other: LintReport) {
        guard !inputs.isEmpty else {
            self = other
            return
        }
        let offset = inputs.count
        inputs += other.inputs
        items += other.items
        bytes += other.bytes
        backedUpBytes += other.backedUpBytes
        locations.merge(other.locations) { old, new in
            var sum = old
            sum.add(new)
            return sum
        }
        ignored += other.ignored
        baselined += other.baselined
        asked += other.asked
        func moved(_ finding: Finding) -> Finding {
            var finding = finding
            finding.input += offset
            return finding
        }
        suppressedFindings = (suppressedFindings + other.suppressedFindings.map(moved)).sorted(by: Finding.precedes)
        usedSuppressions.formUnion(other.usedSuppressions)
        // A suppression of a configuration is told of once, and only if no input needs it.
        var told = Set(findings.compactMap(\.declaration))
        findings += other.findings.map(moved).filter { $0.declaration.map { told.insert($0).inserted } ?? true }
        findings.removeAll { finding in
            finding.rule.exception == .unused
                && finding.declaredAt.map { usedSuppressions.contains($0.identity) } ?? false
        }
        findings.sort(by: Finding.precedes)
        incidents += other.incidents.map { incident in
            var incident = incident
            incident.input += offset
            return incident
        }
    }
}

extension Finding {
    /// A rule and the place of the configuration that it is about.
    fileprivate var declaration: [String]? { declaredAt.map { [rule.id, $0.identity] } }
}
