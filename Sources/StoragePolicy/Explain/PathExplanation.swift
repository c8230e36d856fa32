public import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts
internal import SystemPackage
internal import TextOutput

/// The explanation of one item of a container: its summary, and the verdict of every rule with its reason.
public struct PathExplanation: Sendable {
    /// The verdict of a rule on an item.
    public struct Verdict: Sendable {
        /// The outcome.
        public enum Outcome: String, Sendable {
            /// The rule reports it.
            case found
            /// The rule's condition does not hold for it.
            case passed
            /// The rule is not about such items.
            case outside
            /// The configuration disables the rule or ignores the item.
            case off
        }
        /// The rule.
        public let rule: Rule
        /// The outcome.
        public let outcome: Outcome
        /// The reason, in one phrase: the first scope or predicate that does not match, or the evidence.
        public let reason: String
        /// The help of the finding, with the word for the item; nil if the rule does not report it.
        package var help: String?
    }

    /// The summary of the item.
    public let itemSummary: ItemSummary
    /// The class of the item.
    public let itemVerdict: ItemVerdict
    /// The verdict of the weighed evidence; nil where nothing was weighed.
    public let weighed: WeighedVerdict?
    /// The reason why nothing was weighed; nil where evidence was weighed.
    public let unweighed: String?
    /// The decisions of the kinds of backups that Apple makes.
    package let views: [(view: BackupView, decision: BackupDecision)]
    /// By the rules' numbers.
    public let verdicts: [Verdict]
    /// True if the whole container was read.
    public let isComplete: Bool
}

extension Linter {
    /// Explains one item: its summary and the verdict of every rule.
    ///
    /// - Parameters:
    ///   - path: Relative to the container, as it is or as reports escape it; empty for the container itself.
    ///   - container: All of it is read, since some rules judge an item by the others.
    /// - Returns: nil where nothing has that path.
    /// - Throws: `ContainerError` where the container cannot be read.
    public func explain(_ path: String, in container: Container) throws(ContainerError) -> PathExplanation? {
        try explain(path, inContainerAt: 0, ofApp: [ContainerOfApp(container)])
    }

    /// Explains one item of an app with several containers, as a lint of all of them judges it.
    ///
    /// - Parameters:
    ///   - path: Relative to its container, as it is or as reports escape it; empty for the container itself.
    ///   - index: The position of its container.
    ///   - containers: The containers of the app, its own first. All of them are read.
    ///   - app: The installed app.
    ///   - others: The containers of other apps and users.
    /// - Returns: nil where nothing has that path.
    /// - Throws: `ContainerError` where the item's container cannot be read.
    package func explain(
        _ path: String, inContainerAt index: Int, ofApp containers: [ContainerOfApp], app: AppBundle? = nil,
        others: [Container] = []
    ) throws(ContainerError) -> PathExplanation? {
        let container = containers[index].container
        let readings = [Array(path.utf8), ByteText.unescaped(path)].map { reading in
            let parts = reading.split(separator: UInt8(ascii: "/")).filter { !$0.elementsEqual(".".utf8) }
            // A typed name may be composed where the name on disk is decomposed.
            return container.folder.existing(Array(parts.joined(separator: [UInt8(ascii: "/")])))
        }
        let existing = readings.first { ((try? container.folder.statusIfPresent(FilePath(bytes: $0))) ?? nil) != nil }
        let trace = ItemTrace(path: existing ?? readings[0])
        let reports = lint(
            containersOfApp: containers, app: app, others: others, observer: trace, at: index, progress: { _ in })
        let report = try reports[index].get()
        guard let kept = trace.found else { return nil }
        let weighed = model.flatMap { trace.verdict($0) }
        var verdicts = kept.answers.map { index, answer in
            verdict(of: forms[index].rule, answer, kept: kept, trace: trace, report: report, weighed: weighed)
        }
        for rule in catalogue.rules where !verdicts.contains(where: { $0.rule.id == rule.id }) {
            guard rule.exception == nil else {
                verdicts.append(.init(rule: rule, outcome: .outside, reason: "it checks suppressions and baselines"))
                continue
            }
            let isDefault = rule.isOptional && !configuration.turnsOff(rule, at: trace.path)
            verdicts.append(
                .init(
                    rule: rule, outcome: .off,
                    reason: isDefault
                        ? "the rule is disabled by default; enable it under `rules` in the configuration or with --select"
                        : "the configuration disables the rule"))
        }
        var known = kept.known
        // The verdict on a directory is that on its largest files.
        if let weighed, weighed.files == nil {
            known.probability = weighed.probability
            known.isDescribed = weighed.evidence.contains { AddressEvidence.isDescription($0.kind) }
        }
        return PathExplanation(
            itemSummary: kept.itemSummary,
            itemVerdict: try verdict(onDatabaseOf: trace.path, in: container) { path throws(ContainerError) in
                try explain(path, inContainerAt: index, ofApp: containers, app: app, others: others)
            } ?? ItemVerdict(known),
            weighed: weighed,
            unweighed: weighed == nil
                ? kept.itemSummary.availability.phrase ?? trace.account?.reason
                    ?? "no rule that uses evidence is enabled, or no backed-up files of the app are here"
                : nil,
            views: BackupView.allCases.compactMap { view in
                let path = ContainerPath(components: FilePath(bytes: trace.path))
                let decision = try? container.backupDecision(of: path, rules: BackupRules(view: view))
                return decision.map { (view, $0) }
            },
            verdicts: verdicts.sorted { $0.rule.number < $1.rule.number },
            isComplete: report.isComplete)
    }

    /// Returns the verdict on the database that a file is a part of, such as its log; nil for other files.
    private func verdict(
        onDatabaseOf path: [UInt8], in container: Container,
        explain: (String) throws(ContainerError) -> PathExplanation?
    ) throws(ContainerError) -> ItemVerdict? {
        let database = OwningDatabase.paths(ofPart: path).first { main in
            (try? container.folder.statusIfPresent(FilePath(bytes: main)))?.kind == .file
        }
        guard let database, let own = try explain(ByteText.escaped(database)) else { return nil }
        return ItemVerdict(of: own.itemVerdict, named: ByteText.escaped(ItemPath.name(database)))
    }

    private func verdict(
        of rule: Rule, _ answer: ItemTrace.Answer, kept: ItemTrace.Kept, trace: ItemTrace, report: LintReport,
        weighed: WeighedVerdict?
    ) -> PathExplanation.Verdict {
        func verdict(
            _ outcome: PathExplanation.Verdict.Outcome, reason: String, _ finding: Finding? = nil
        ) -> PathExplanation.Verdict {
            PathExplanation.Verdict(
                rule: rule, outcome: outcome, reason: ByteText.printable(reason), help: finding?.help)
        }
        let path = trace.path
        let own = report.findings.filter { $0.rule.id == rule.id }
        if let finding = own.first(where: { $0.path == path && ($0.items == 1 || $0.summary == nil) }) {
            return verdict(.found, reason: "\(finding.severity.rawValue): \(finding.message)", finding)
        }
        if let limits = rule.verdict, let weighed, weighed.percent < limits.note {
            return verdict(.passed, reason: "confidence of \(weighed.percent) %, below \(limits.note) %")
        }
        // The engine answers for a rule that weighs or adds up, and not the rule's condition.
        let isWeighed = rule.verdict != nil && weighed != nil
        let isAddedUp =
            rule.listedUndeclared != nil && trace.account?.counts(onFreshInstall: isFreshInstall) ?? false
        switch answer {
        case .scope(let limit): return verdict(.outside, reason: "applies \(limit)")
        case .condition(let test) where !isWeighed && !isAddedUp: return verdict(.passed, reason: test)
        case .matched, .condition: break
        }
        if kept.isIgnored { return verdict(.off, reason: "the configuration ignores this path") }
        let suppressed = report.suppressedFindings.first {
            $0.rule.id == rule.id && ($0.path == path || ($0.items > 1 && path.starts(with: $0.path)))
        }
        if let suppression = suppressed?.suppression {
            return verdict(.off, reason: "suppressed by \(suppression.location): \(suppression.reason)")
        }
        if let whole = own.first(where: { $0.items > 1 && (path.starts(with: $0.path) || $0.path.isEmpty) }) {
            let path = whole.path.isEmpty ? "the container itself" : whole.displayPath
            return verdict(
                .found, reason: "\(whole.severity.rawValue): it is one of \(whole.items) items reported at \(path)",
                whole)
        }
        if rule.aggregate != nil { return verdict(.passed, reason: "aggregate: the sum is within the limit") }
        return verdict(
            .passed, reason: "matches the item alone, but not together with the other items of the container")
    }
}
