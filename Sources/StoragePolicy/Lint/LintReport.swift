public import AppContainer
package import ContainerTree

/// The result of a lint run.
public struct LintReport: Sendable {
    /// A container that was linted.
    public struct Input: Sendable, Hashable {
        /// The path as given, or of the container that was found in it.
        public package(set) var path: String
        /// The name of a container that was found in an input, such as its bundle identifier; nil for a container that was
        /// specified itself.
        public package(set) var label: String?
        /// The bundle identifier, if the container records it.
        public let bundleIdentifier: String?
        /// The bundle identifier of the app that the container belongs to, as its own container, its group or its
        /// extension; nil if it is unknown.
        public package(set) var app: String?
        /// True if the file system supports extended attributes, so that backup exclusions are known.
        public let carriesAttributes: Bool
        /// True for the content of a device backup, whose manifest shows that all items are included in backups.
        public package(set) var isFromDeviceBackup = false
        /// True for the lint of a new installation.
        package var isFreshInstall = false
        /// The number and size of the items.
        public package(set) var content = Content()
        /// The content of each location, without the locations below it.
        public package(set) var locations: [Location: Content] = [:]
        /// The bytes in backups of which neither proof nor weighed evidence says what they are. Directly after installation
        /// there are no such bytes.
        package var undecidedBytes: UInt64 = 0
        /// The number of findings of items that the configuration ignores.
        package var ignored = 0
        /// The number of findings that a baseline accepts.
        package var baselined = 0

        package init(
            path: String, label: String? = nil, bundleIdentifier: String?, app: String? = nil,
            carriesAttributes: Bool
        ) {
            (self.path, self.label) = (path, label)
            (self.bundleIdentifier, self.app) = (bundleIdentifier, app)
            self.carriesAttributes = carriesAttributes
        }
    }

    /// The containers, in the order in which they were given.
    public package(set) var inputs: [Input] = []
    /// The content of all containers.
    public var content: Content { inputs.reduce(into: Content()) { $0.add($1.content) } }
    /// The number of files, directories, links and special files.
    public var items: Int { content.items }
    /// The bytes of all files' content.
    public var bytes: UInt64 { content.bytes }
    /// The bytes that a backup takes.
    public var backedUpBytes: UInt64 { content.backedUpBytes }
    /// The content of each location, without the locations below it.
    public var locations: [Location: Content] {
        inputs.reduce(into: [:]) { sum, input in
            for (location, content) in input.locations { sum[location, default: Content()].add(content) }
        }
    }
    /// Worst first, then by rule, then by path.
    public package(set) var findings: [Finding] = []
    /// The suppressed findings, in the same order.
    public package(set) var suppressedFindings: [Finding] = []
    /// The findings that a baseline accepts, in the same order.
    public package(set) var acceptedFindings: [Finding] = []
    /// Findings that a baseline holds.
    public var baselined: Int { inputs.reduce(0) { $0 + $1.baselined } }
    /// The parts that could not be read or evaluated.
    public package(set) var incidents: [Incident] = []

    /// The map of each input, if requested: see `Linter.mapping(_:)`.
    package private(set) var maps: [StorageMap] = []

    /// The rules evaluated for each input.
    package var asked: [Asked] = []
    /// The positions of the configured suppressions that were used.
    package var usedSuppressions: Set<String> = []

    /// The patterns of the configurations, and those of them that match an item of some container.
    private var patterns: (all: Set<PatternUse.Note>, used: Set<PatternUse.Note>) = ([], [])
    /// The notes on the patterns of the configurations that match no item of any container, by position; none if the run is
    /// incomplete.
    package var patternNotes: [String] {
        guard isComplete else { return [] }
        return patterns.all.subtracting(patterns.used).sorted {
            ($0.file, $0.line, $0.key, $0.pattern) < ($1.file, $1.line, $1.key, $1.pattern)
        }.map(\.text)
    }

    mutating func setPatterns(_ notes: (all: Set<PatternUse.Note>, used: Set<PatternUse.Note>)) { patterns = notes }

    /// The number and size of items.
    public struct Content: Sendable, Hashable {
        /// Files, directories, links and special files.
        public private(set) var items = 0
        /// The bytes of all files' content.
        public private(set) var bytes: UInt64 = 0
        /// The bytes that a backup includes.
        public private(set) var backedUpBytes: UInt64 = 0

        package init(items: Int = 0, bytes: UInt64 = 0, backedUpBytes: UInt64 = 0) {
            (self.items, self.bytes, self.backedUpBytes) = (items, bytes, backedUpBytes)
        }

        /// Adds an item without content.
        @inline(__always)
        mutating func addItem() { items += 1 }

        /// Adds the content of a file, which counts as an item already.
        @inline(__always)
        mutating func addBytes(_ size: UInt64, isBackedUp: Bool) {
            bytes = bytes.addingSaturated(size)
            if isBackedUp { backedUpBytes = backedUpBytes.addingSaturated(size) }
        }

        mutating func add(_ other: Content) {
            items += other.items
            bytes = bytes.addingSaturated(other.bytes)
            backedUpBytes = backedUpBytes.addingSaturated(other.backedUpBytes)
        }
    }

    /// The rules evaluated for an input.
    package struct Asked: Sendable {
        /// All names of the rules about items.
        package let rules: Set<String>
        /// The bundle identifier of the container.
        package let container: String
        let exceptions: ExceptionRules
    }

    /// The number of findings that the configuration or items suppress.
    public var suppressed: Int { inputs.reduce(suppressedFindings.count) { $0 + $1.ignored } }
    /// True if every rule that rests on proof was evaluated on everything.
    public var isComplete: Bool { incidents.allSatisfy(\.isAboutGuesses) }
    /// The re-downloadable or regenerable bytes that a backup includes, according to the evaluated rules. A guess of less than
    /// 90 % does not count.
    public var regenerableBackedUpBytes: UInt64 {
        findings.filter(\.isSurelyRegenerable).reduce(0) { $0.addingSaturated($1.bytes) }
    }

    /// The bytes that a backup includes and of which neither proof nor weighed evidence says whether the user would miss them
    /// or the app can load them again.
    public var undecidedBackedUpBytes: UInt64 {
        let undecided = inputs.reduce(UInt64(0)) { $0.addingSaturated($1.undecidedBytes) }
        // A rule may know a file that the evidence does not decide.
        return min(undecided, backedUpBytes - min(backedUpBytes, regenerableBackedUpBytes))
    }

    /// Creates an empty report.
    public init() {}

    /// Sets the app of each container.
    package mutating func setApp(_ bundleIdentifier: String?) {
        for index in inputs.indices { inputs[index].app = bundleIdentifier }
    }

    /// Names the only container of the report. A copy is also known by its name only, since its path is temporary.
    package mutating func setLabel(_ label: String, isCopy: Bool, isFromDeviceBackup: Bool) {
        guard inputs.count == 1 else { return }
        inputs[0].label = label
        inputs[0].isFromDeviceBackup = isFromDeviceBackup
        if isCopy { inputs[0].path = label }
    }

    /// Adds the map of the only container. Marks the items that no backup needs according to findings, also suppressed ones.
    mutating func setMap(_ map: StorageMap) {
        var map = map
        let needless = (findings + suppressedFindings).filter(\.isNeedlessInBackup)
        map.apply(needless.map { StorageMap.Mark(.redownloadable, at: $0.path, items: $0.items, bytes: $0.bytes) })
        maps = [map]
    }

    /// Names a container of the report.
    package mutating func setLabel(_ label: String, ofInput index: Int) { inputs[index].label = label }

    /// Sets the owners of containers in fingerprints; nil keeps the fingerprints of a container.
    package mutating func setOwners(_ owners: [String?]) {
        guard owners.contains(where: { $0 != nil }) else { return }
        func owned(_ finding: Finding) -> Finding { owners[finding.input].map(finding.owned) ?? finding }
        findings = findings.map(owned)
        suppressedFindings = suppressedFindings.map(owned)
        acceptedFindings = acceptedFindings.map(owned)
    }

    /// Adds a finding in its order.
    mutating func insert(_ finding: Finding) {
        findings.append(finding)
        Finding.sort(&findings)
    }

    /// Returns the number of findings with a severity.
    public func count(of severity: Severity) -> Int { findings.count { $0.severity == severity } }

    /// Adds the result of another run.
    public mutating func add(_ other: LintReport) { add([other]) }

    /// Adds the results of other runs, in their order.
    package mutating func add(_ others: [LintReport]) {
        var others = others[...]
        // The first is taken as it is, without a copy of its findings.
        if inputs.isEmpty, findings.isEmpty, incidents.isEmpty, let first = others.popFirst() { self = first }
        guard !others.isEmpty else { return }
        // An unused suppression of a configuration is reported once, and only if no input uses it.
        var reported = Set(findings.compactMap(\.declaration))
        for other in others {
            let offset = inputs.count
            inputs += other.inputs
            asked += other.asked
            maps += other.maps
            suppressedFindings += other.suppressedFindings.map { $0.moved(byInputs: offset) }
            acceptedFindings += other.acceptedFindings.map { $0.moved(byInputs: offset) }
            usedSuppressions.formUnion(other.usedSuppressions)
            patterns.all.formUnion(other.patterns.all)
            patterns.used.formUnion(other.patterns.used)
            for finding in other.findings where finding.declaration.map({ reported.insert($0).inserted }) ?? true {
                findings.append(finding.moved(byInputs: offset))
            }
            incidents += other.incidents.map { incident in
                var incident = incident
                incident.input += offset
                return incident
            }
        }
        findings.removeAll { finding in
            finding.rule.exception == .unused
                && finding.declaredAt.map { usedSuppressions.contains($0.identity) } ?? false
        }
        Finding.sort(&findings)
        Finding.sort(&suppressedFindings)
        Finding.sort(&acceptedFindings)
    }
}

extension Finding {
    /// The rule and the position in the configuration that it is about.
    fileprivate var declaration: [String]? { declaredAt.map { [rule.id, $0.identity] } }
}
