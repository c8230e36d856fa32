public import AppContainer
public import ContainerLifecycle
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts
package import SourceCode
internal import SystemPackage

/// A linter: evaluates the rules of a catalogue for containers. Does not change a container.
///
///     let linter = try Linter()
///     let report = try linter.lint(try Container.open(path))
///     #expect(report.findings.isEmpty)
public struct Linter: Sendable {
    /// The rules.
    public let catalogue: Catalogue
    /// The configuration of the project.
    public private(set) var configuration: Configuration
    /// Seconds since 1970-01-01T00:00:00Z from which ages are counted; nil for the system clock's.
    public let now: Int64?
    /// The number of threads; 0 for the number of processors.
    public let threads: Int
    /// True if the suppressions that items carry hide findings. What the configuration suppresses stays suppressed.
    public let honorsItemSuppressions: Bool
    /// The bytes that a run may read to compare files.
    var comparisonBudget = ComparisonBudget()
    /// True if the app was installed and launched once and never used, so that its containers have no user data.
    public let isFreshInstall: Bool
    /// The events of a device that runs play on a model of the container, in order.
    public let events: [LifecycleEvent]
    /// The number of items that a map of the container lists; 0 for no map.
    private var mapLimit = 0
    /// The traffic with which files are compared; nil without a recording.
    package private(set) var traffic: RecordedTraffic?
    /// The source code whose facts are evidence; nil unless the user selected it.
    package private(set) var source: AppSource?
    private let timings: Timings
    /// The rules about items, with the configured settings.
    package let forms: [RuleForm]
    /// The ids of the evaluated rules.
    package let evaluatedRuleIDs: Set<String>
    /// The rules about suppressions and baselines.
    private let exceptions: ExceptionRules
    /// The model that weighs evidence; nil if no rule needs a verdict.
    let model: EvidenceModel?

    /// Creates a linter with the built-in rules, except optional rules.
    ///
    /// - Throws: `SourceError` for a rule file that is wrong.
    public init() throws(SourceError) { try self.init(catalogue: .embedded()) }

    /// Creates a linter with chosen rules.
    ///
    /// - Parameters:
    ///   - catalogue: The rules.
    ///   - configuration: The configuration of the project.
    ///   - now: Seconds since 1970 from which ages are counted; nil for the configuration's moment, or the clock's.
    ///   - threads: The number of threads; 0 for the number of processors.
    ///   - honorsItemSuppressions: False to report also what items suppress by an attribute.
    ///   - isFreshInstall: True if the app has been installed and launched once, and nobody has used it.
    ///   - events: Events of a device. They are played in order on a model in memory, and what would be lost or invalid
    ///     afterwards is a finding with the event that causes it (`Finding.after`).
    /// - Throws: A configuration of an unknown rule, or an invalid rule setting.
    public init(
        catalogue: Catalogue, configuration: Configuration = .none, now: Int64? = nil, threads: Int = 0,
        honorsItemSuppressions: Bool = true, isFreshInstall: Bool = false, after events: [LifecycleEvent] = []
    ) throws(SourceError) {
        try self.init(
            catalogue: catalogue, configuration: configuration, now: now, threads: threads,
            honorsItemSuppressions: honorsItemSuppressions, isFreshInstall: isFreshInstall, after: events,
            timings: Timings(isOn: false))
    }

    /// Creates the linter that `sandboxlint lint` uses without options: with the configuration that belongs to a path.
    ///
    /// - Parameter path: The path from which the configuration is searched.
    /// - Throws: `SourceError` for a configuration or a rule file that is wrong, without its line: the user did not name the
    ///   file.
    package init(configuredFor path: String) throws {
        do {
            let configuration = try Configuration.read(Configuration.discover(for: path, besides: [path]))
            var catalogue = try Catalogue.embedded()
            for folder in configuration.rulesFolders { try catalogue.add(configuredFolder: folder) }
            try self.init(catalogue: catalogue, configuration: configuration)
        } catch let error as SourceError { throw error.withoutLine }
    }

    /// Creates a linter that measures the time of rules and facts.
    package init(
        catalogue: Catalogue, configuration: Configuration, now: Int64?, threads: Int,
        honorsItemSuppressions: Bool = true, isFreshInstall: Bool = false, after events: [LifecycleEvent] = [],
        timings: Timings
    ) throws(SourceError) {
        self.events = events
        self.timings = timings
        self.honorsItemSuppressions = honorsItemSuppressions
        self.isFreshInstall = isFreshInstall
        let all = try configuration.forms(of: catalogue)
        evaluatedRuleIDs = Set(all.map(\.rule.id))
        forms = all.filter { $0.rule.exception == nil }
        model = try all.contains { $0.rule.needsEvidence } ? catalogue.evidenceModel() : nil
        exceptions = ExceptionRules(all.filter { $0.rule.exception != nil })
        self.catalogue = catalogue
        self.configuration = configuration
        self.now = now ?? configuration.now
        self.threads = threads > 0 ? threads : Host.processorCount
    }

    /// Lints one container.
    ///
    /// - Parameters:
    ///   - container: The container to lint.
    ///   - app: The installed app. What its bundle holds as well is not the user's; ignored for another app's container.
    ///   - others: Containers of other users. Of those that belong to the same app at most eight are compared with
    ///     this one: what two users have alike was most likely made by neither.
    ///   - progress: Called from time to time, from any thread, with the number of additional items.
    /// - Returns: The findings and the incidents.
    /// - Throws: `ContainerError` where the container itself cannot be read. What lies in it and cannot be read
    ///   is an incident of the report.
    public func lint(
        _ container: Container, app: AppBundle? = nil, others: [Container] = [],
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(ContainerError) -> LintReport {
        try lint(
            ContainerOfApp(container), references: references(for: container, app, others: others),
            progress: progress
        ).report
    }

    /// Returns a linter that takes from the Info.plist of a container's app what the configuration does not state.
    package func completed(by app: AppBundle?, for container: Container?) -> Linter {
        guard let app, let container, app.owns(container.bundleIdentifier) else { return self }
        var linter = self
        linter.configuration.declarations = app.declarations
        return linter
    }

    /// Returns a linter whose reports have maps with at least the `limit` largest items of each container.
    package func mapping(_ limit: Int) -> Linter {
        var linter = self
        linter.mapLimit = limit
        return linter
    }

    /// Returns a linter for which a file is proven re-downloadable if a recorded response has its bytes, and user data if a
    /// recorded request has them.
    package func comparing(with traffic: RecordedTraffic?) -> Linter {
        var linter = self
        linter.traffic = traffic
        return linter
    }

    /// Returns a linter for which facts of the app's source code are evidence, if the user selected its directories. Source code
    /// that was only found changes no verdict.
    package func weighing(_ source: AppSource?) -> Linter {
        var linter = self
        linter.source = source?.roots.isSelected ?? false ? source : nil
        return linter
    }

    /// Lints the containers of one app: its own, and those of its groups and extensions. Budgets of containers apply to all
    /// of them together, and copies and references are looked for in all of them.
    ///
    /// - Parameters:
    ///   - containers: The containers, the app's own first.
    ///   - app: The installed app.
    ///   - others: The other containers of the run.
    ///   - progress: Called from time to time, from any thread, with the number of additional items.
    /// - Returns: The report of each container, or the error that prevented reading it.
    package func lint(
        containersOfApp containers: [ContainerOfApp], app: AppBundle? = nil, others: [Container] = [],
        progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> [Result<LintReport, ContainerError>] {
        lint(containersOfApp: containers, app: app, others: others, observer: nil, at: 0, progress: progress)
    }

    /// Lints the containers of one app. An observer gets the evaluation of the container at `index`.
    func lint(
        containersOfApp containers: [ContainerOfApp], app: AppBundle?, others: [Container],
        observer: (any LintObserver)?, at index: Int, progress: @escaping @Sendable (Int) -> Void
    ) -> [Result<LintReport, ContainerError>] {
        let all = ContainersOfApp(containers)
        let results = containers.enumerated().map { position, container in
            Result { () throws(ContainerError) in
                try lint(
                    container, at: position, of: all, observer: position == index ? observer : nil,
                    references: references(for: container.container, app, others: others), progress: progress)
            }
        }
        guard containers.count > 1 else { return results.map { $0.map(\.report) } }
        var reports = results.map { try? $0.get().report }
        addTotals(of: results.map { (try? $0.get().totals) ?? [] }, names: containers.map(\.name), to: &reports)
        return zip(results, reports).map { result, report in result.map { report ?? $0.report } }
    }

    /// Lints a container and reports every finding separately. The memory grows with their number.
    package func lintReportingEach(
        _ container: Container, progress: @escaping @Sendable (Int) -> Void
    ) throws(ContainerError) -> LintReport {
        try lint(ContainerOfApp(container), reportsEach: true, progress: progress).report
    }

    /// Lints a container, which may be one of several of an app.
    func lint(
        _ linted: ContainerOfApp, at index: Int = 0, of app: ContainersOfApp? = nil,
        reportsEach: Bool = false, observer: (any LintObserver)? = nil,
        references: [ReferenceTree] = [], progress: @escaping @Sendable (Int) -> Void
    ) throws(ContainerError) -> (report: LintReport, totals: [ContainerTotal]) {
        let container = linted.container
        let app = app ?? ContainersOfApp([linted])
        let identifier =
            linted.isFound
            ? container.bundleIdentifier ?? configuration.bundleIdentifier
            : configuration.bundleIdentifier ?? container.bundleIdentifier
        let moment = now.map { Timestamp(seconds: $0) } ?? .now
        let registry = catalogue.registry(bundleIdentifier: identifier)
        let suppressions = Suppressions(
            configuration, catalogue: catalogue, now: moment.seconds, readsItems: honorsItemSuppressions)
        let tree = DirectoryTree(container)
        let playing = try EventsOfRun(events, of: tree, threads: threads)
        let proofs = try traffic.map { traffic throws(ContainerError) in try TrafficProofs(tree, in: traffic) }
        func compiled(
            _ forms: [RuleForm], observer: (any LintObserver)?, suppressions: Suppressions,
            events: EventsOfRun?, kind: Container.Kind? = nil, notingReferencesIn notes: ContainerNotes?
        ) -> RunState {
            RunState(
                forms: forms, registry: registry, configuration: configuration, bundleIdentifier: identifier,
                kind: kind ?? container.kind, now: moment, timings: timings, suppressions: suppressions,
                reportsEach: reportsEach, isFreshInstall: isFreshInstall, events: events,
                model: notes == nil ? model : nil,
                observer: observer, references: references, source: notes == nil ? source : nil,
                notingReferencesIn: notes,
                traffic: notes == nil ? proofs : nil)
        }
        let owner = linted.owner ?? container.bundleIdentifier ?? identifier ?? ""
        let state = compiled(
            forms, observer: observer, suppressions: suppressions, events: playing, notingReferencesIn: nil)
        let none = Suppressions(.none, catalogue: catalogue, now: moment.seconds, readsItems: false)
        let patterns = PatternUse(configuration.patterns)
        let builder = mapLimit > 0 ? StorageMapBuilder(limit: mapLimit) : nil
        var found = try self.findings(
            in: tree, by: state, at: index, of: app, owner: owner, map: builder, patterns: patterns, progress
        ) { noting, kind in
            compiled(
                noting.map { forms[$0] }, observer: nil, suppressions: none, events: nil, kind: kind,
                notingReferencesIn: state.run.notes)
        }
        if let model = playing?.model {
            let caused = try self.findings(causedBy: model, in: tree, besides: found) {
                tree throws(ContainerError) in
                let own = Suppressions(
                    configuration, catalogue: catalogue, now: moment.seconds, readsItems: honorsItemSuppressions)
                let state = compiled(forms, observer: nil, suppressions: own, events: nil, notingReferencesIn: nil)
                return try self.findings(
                    in: tree, by: state, at: index, of: ContainersOfApp(app.containers), owner: owner, { _ in }
                ) { noting, kind in
                    compiled(
                        noting.map { forms[$0] }, observer: nil, suppressions: none, events: nil, kind: kind,
                        notingReferencesIn: state.run.notes)
                }
            }
            found.findings += caused.findings
            found.counts.incidents += caused.incidents
        }
        if proofs?.isCut ?? false { found.counts.incidents.append(Incident(path: [], reason: .tooManyCandidates)) }
        let problems = FindingAccumulator()
        for problem in suppressions.problems(isComplete: found.counts.incidents.isEmpty) {
            problems.add(exceptions.findings(for: problem, bundleIdentifier: identifier), of: .only)
        }
        found.findings += (problems.takeAll()[.only] ?? []).map { Finding($0, container: owner) }
        var input = LintReport.Input(
            path: container.location.string, bundleIdentifier: container.bundleIdentifier,
            carriesAttributes: found.counts.carriesAttributes)
        input.isFreshInstall = isFreshInstall
        if !isFreshInstall { input.undecidedBytes = state.undeclared.undecidedBytes }
        let totals = found.totals
        var report = LintReport(
            input: input, found: consume found,
            asked: LintReport.Asked(
                rules: Set(forms.filter { playing != nil || !$0.rule.isAboutEvents }.flatMap(\.rule.names)),
                container: owner,
                exceptions: exceptions),
            usedSuppressions: suppressions.usedPositions)
        if let builder { report.setMap(builder.map()) }
        if report.isComplete { report.setPatterns(patterns.notes) }
        return (report, totals)
    }
}
