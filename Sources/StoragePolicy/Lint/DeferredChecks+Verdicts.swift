internal import AppContainer
internal import ContainerTree
internal import PolicyTexts
internal import TextOutput

extension DeferredChecks {
    /// Adds a finding for each group of files that is re-downloadable by the weight of the evidence.
    func reportVerdicts(_ counts: inout LintVisitor.Totals.Counts) {
        let forms = policy.rules.enumerated().filter { $0.element.rule.verdict != nil }
            .map { (RuleIndex(position: $0.offset), $0.element) }
        // A fix changes items one by one, and no item by a sum.
        let sums = policy.reportsEach ? [] : policy.rules.indices.filter { policy.rules[$0].rule.sumsStatedSources }
        guard let model = state.run.model else { return }
        let (directories, isFlat, dropped) = state.evidence.removeAll()
        if dropped > 0, !forms.isEmpty { counts.incidents.append(Incident(path: [], reason: .tooMuchToWeigh)) }
        var missing: [Incident.Reason] = []
        let (addresses, isCut) = state.run.addresses.removeAll()
        if isCut { missing.append(.tooManyAddresses) }
        let evaluator = EvidenceEvaluator(
            EvidenceCandidates(
                directories: directories, isFlat: isFlat, tree: tree, run: state.run, references: state.references,
                source: state.source, model: model, addresses: addresses),
            incidents: &missing)
        counts.incidents += missing.map { Incident(path: [], reason: $0) }
        var databases = KnownDatabases(askedBy: directories)
        // A directory comes before those below it.
        for directory in directories {
            databases.add(directory.decidedDatabases)
            var reported = ReportedVerdicts()
            let owner = databases.first(of: directory.databases)
            if case .decided = owner {
                for group in directory.groups {
                    state.undeclared.decide(group, in: directory)
                    map?.mark(.backedUp, group, in: directory)
                }
                continue
            }
            var parts = [EvidencePart]()
            if case .judged(let pieces) = owner {
                parts = directory.groups.map { EvidencePart($0, pieces) }
            } else {
                parts = evaluator.parts(on: directory)
            }
            for part in parts {
                let (group, pieces) = (part.group, part.pieces)
                let verdict = Verdict(pieces, model: model)
                databases.add(pieces, on: group, in: directory)
                state.undeclared.weigh(verdict, of: group, in: directory)
                if let storage = verdict.itemClass.storage { map?.mark(storage, group, in: directory) }
                state.observer?.observe(verdict, pieces: pieces, on: group, in: directory)
                reported.add(group, verdict: verdict)
                if verdict.hasStatedSource { addStatedSources(group, verdict: verdict, in: directory, to: sums) }
            }
            for (index, compiled) in forms {
                for finding in reported.findings(of: compiled, in: directory) {
                    add(finding, of: index, carried: directory.carried, into: &counts)
                }
            }
        }
    }

    /// Adds the files of a group to the totals of rules, unless the configuration says what they are.
    private func addStatedSources(
        _ group: EvidenceGroup, verdict: Verdict, in directory: DirectoryEvidence, to rules: [Int]
    ) {
        guard directory.exclusion.state == .included else { return }
        for file in group.files.flatMap(\.all) {
            let path = directory.path(of: file.name)
            for rule in rules where policy.rules[rule].paths?.applies(path) ?? true {
                findings.addToTotal(
                    FindingCandidate(
                        rule: policy.rules[rule].rule, severity: policy.rules[rule].rule.severity, path: path, items: 1,
                        bytes: file.bytes, evidence: verdict.evidence, exclusion: directory.exclusion,
                        location: directory.location, isBackedUp: true, part: .item),
                    of: RuleIndex(position: rule))
            }
        }
    }

    private func add(
        _ finding: FindingCandidate, of index: RuleIndex, carried: [CarriedSuppression],
        into counts: inout LintVisitor.Totals.Counts
    ) {
        if state.run.configuration.ignoresSomething, state.run.configuration.declares(finding.path, word: .ignore) {
            counts.suppressed += 1
            return
        }
        if let paths = policy.rules[index].paths, !paths.applies(finding.path) { return }
        let source = state.suppressions.source(for: finding.rule, at: finding.path, carried)
        var finding = finding
        if let probability = finding.confidence, ItemVerdict.itemClass(of: probability) == .undecided,
            finding.part == .item, !finding.evidence.contains(where: { AddressEvidence.isDescription($0.kind) }),
            counts.content.items <= StoreFiles.mostItemsOfLint
        {
            // An item that the app's own data names is the user's, unless the evidence is certain. See `ItemVerdict`.
            finding.questions = [.isNotKnownToBeNamed]
            finding.suppressionSource = source
            return findings.addDeferred(finding, of: index)
        }
        guard let source else { return findings.add([finding], of: index) }
        finding.suppression = state.suppressions.use(source)
        suppressed.add([finding], of: index)
    }
}

/// The classes of the databases that keep a part of their data in a directory of its own.
private struct KnownDatabases {
    enum Known {
        /// Proof or the configuration decides its class.
        case decided
        /// The evidence on it decides, or leaves it undecided.
        case judged([PieceOfEvidence])
    }
    private let asked: Set<[UInt8]>
    private var known: [[UInt8]: Known] = [:]

    init(askedBy directories: [DirectoryEvidence]) { asked = Set(directories.lazy.flatMap(\.databases)) }

    mutating func add(_ decided: Set<[UInt8]>) {
        for path in asked.intersection(decided) { known[path] = .decided }
    }

    mutating func add(_ pieces: [PieceOfEvidence], on group: EvidenceGroup, in directory: DirectoryEvidence) {
        guard !asked.isEmpty else { return }
        for file in group.files {
            let path = directory.path(of: file.name)
            if asked.contains(path) { known[path] = .judged(pieces) }
        }
    }

    /// Returns the first of several possible databases that is known; nil for none.
    func first(of paths: [[UInt8]]) -> Known? { paths.lazy.compactMap { known[$0] }.first }
}

extension ItemClass {
    /// The class on maps of files that weighed evidence decides; nil for undecided ones.
    fileprivate var storage: StorageClass? {
        switch self {
        case .regenerable: .redownloadable
        case .userData: .backedUp
        default: nil
        }
    }
}

extension StorageMapBuilder {
    /// Sets the class of a group of files: of each file, or of the directory of more files than are named.
    fileprivate func mark(_ storage: StorageClass, _ group: EvidenceGroup, in directory: DirectoryEvidence) {
        guard group.isListed else {
            return add(StorageMap.Mark(storage, at: directory.path, items: group.allItems, bytes: group.bytes))
        }
        for file in group.files.lazy.flatMap(\.all) {
            let path = ItemPath.joined(directory.path, name: file.name)
            add(StorageMap.Mark(storage, at: path, items: 1, bytes: file.bytes))
        }
    }
}

/// The verdicts on the groups of one directory, on their way to findings.
private struct ReportedVerdicts {
    private var verdicts: [(group: EvidenceGroup, verdict: Verdict)] = []

    mutating func add(_ group: EvidenceGroup, verdict: Verdict) { verdicts.append((group, verdict)) }

    /// A finding for each file, or for a directory that has more than can be listed.
    func findings(of compiled: Policy.Compiled, in directory: DirectoryEvidence) -> [FindingCandidate] {
        guard let limits = compiled.rule.verdict else { return [] }
        let likely = verdicts.filter { $0.verdict.percent >= limits.note }
        let items = likely.reduce(0) { $0 + $1.group.allItems }
        guard items > 0 else { return [] }
        guard items <= EvidenceGroup.mostFiles, likely.allSatisfy(\.group.isListed) else {
            // The least certain of them stands for all, so that no confidence is overstated.
            guard let least = likely.min(by: { $0.verdict.probability < $1.verdict.probability }) else { return [] }
            let summary = "\(Quantity.count(items, "item")) in one directory: \(compiled.rule.title)"
            return [
                finding(
                    compiled.rule, limits: limits, verdict: least.verdict, evidence: least.verdict.evidence,
                    at: directory.path, in: directory,
                    items: items, bytes: likely.reduce(0) { $0.addingSaturated($1.group.bytes) }, summary: summary)
            ]
        }
        return likely.flatMap { group, verdict in
            let evidence = verdict.evidence
            return group.files.flatMap(\.all).map { file in
                finding(
                    compiled.rule, limits: limits, verdict: verdict, evidence: evidence,
                    at: directory.path(of: file.name), in: directory,
                    items: 1, bytes: file.bytes, summary: nil)
            }
        }
    }

    private func finding(
        _ rule: Rule, limits: VerdictLimits, verdict: Verdict, evidence: [Evidence], at path: [UInt8],
        in directory: DirectoryEvidence, items: Int, bytes: UInt64, summary: String?
    ) -> FindingCandidate {
        let own = verdict.percent >= limits.warning ? max(rule.severity, .warning) : rule.severity
        return FindingCandidate(
            rule: rule, severity: directory.exclusion.state == .unknown ? .note : rule.configuredSeverity ?? own,
            path: path, items: items, bytes: bytes, summary: summary, evidence: evidence,
            exclusion: directory.exclusion,
            location: directory.location, isBackedUp: true, confidence: verdict.probability,
            part: summary == nil ? .item : .contents)
    }
}

extension [Finding] {
    /// Removes the findings of rules about files, or all files of a directory, that a rule listed in `unless` has reported.
    /// A finding about several items of a directory covers no finding about more of them.
    ///
    /// - Parameter others: Reported findings that a suppression covers; they count as well.
    mutating func removeRepetitions(besides others: [Finding]) {
        let proofs = Set(lazy.flatMap(\.rule.unless))
        guard !proofs.isEmpty else { return }
        // The number of items that the finding at a path covers.
        var covered: [String: [[UInt8]: Int]] = [:]
        for finding in [self, others].joined() where proofs.contains(finding.rule.id) {
            let known = covered[finding.rule.id]?[finding.path] ?? 0
            covered[finding.rule.id, default: [:]][finding.path] =
                finding.part == .item ? .max : Swift.max(known, finding.items)
        }
        guard !covered.isEmpty else { return }
        removeAll { finding in
            let unless = finding.rule.unless
            guard !unless.isEmpty else { return false }
            let proven = covered.filter { unless.contains($0.key) }.values
            return finding.pathAndAncestors.contains { path in
                proven.contains { $0[path] ?? 0 >= finding.items }
            }
        }
    }
}

extension Finding {
    /// Its path and those of the directories above it, but for the container itself.
    fileprivate var pathAndAncestors: some Sequence<[UInt8]> {
        sequence(first: path) { path in
            path.lastIndex(of: UInt8(ascii: "/")).map { Array(path[..<$0]) }
        }
    }
}
