internal import AppContainer
internal import ContainerLifecycle
internal import ContainerTree
internal import FileSystem

extension Linter {
    /// The findings of one tree, not sorted.
    struct TreeFindings {
        var counts: LintVisitor.Totals.Counts
        var findings: [Finding]
        var suppressed: [Finding]
        /// The sums of the rules with a budget for the container, without suppressed ones.
        var totals: [ContainerTotal] = []
    }

    /// Evaluates the rules of a policy for a tree, which shows the container of `app` at `index`. `owner` is the bundle
    /// identifier of the container; `map` receives the sizes of all items; `second` returns the policy of a visit of another
    /// container of the app, which only collects references, for some of the rules.
    func findings<Visited: Tree>(
        in tree: Visited, by state: RunState, at index: Int, of app: ContainersOfApp, owner: String,
        map: StorageMapBuilder? = nil,
        patterns: PatternUse = PatternUse([]),
        _ progress: @escaping @Sendable (Int) -> Void,
        second: ([RuleIndex], Container.Kind) -> RunState
    ) throws(ContainerError) -> TreeFindings {
        let policy = state.policy
        let comparesCopies = policy.rules.contains { $0.needs.contains(.copies) }
        // A fix must not delete what is named, in a container of any size.
        let isFix = policy.reportsEach || !(state.observer?.observedItems.isNone ?? true)
        let stores = StoreFiles(mostItems: isFix ? .max : StoreFiles.mostItemsOfLint)
        let visitor = LintVisitor(
            state, map: map, patterns: patterns,
            copyCandidates: comparesCopies ? CopyCandidates(inboxOf: tree) : CopyCandidates(sizes: []), stores: stores,
            progress: progress)
        try tree.visit(visitor, threads: threads)
        var counts = visitor.totals.counts.withLock { $0 }
        let asking = visitor.findings.rules { question in
            switch question {
            case .isUnreferenced, .wasSeen: true
            default: false
            }
        }
        let noting = asking.filter { policy.rules[$0].needs.contains(.otherContainers) }
        if !noting.isEmpty {
            // A finding depends on the names in the app's other containers, so their files are read for them.
            var found: Set<Incident> = []
            for other in app.others(than: index) {
                guard app.mayReadAgain() else {
                    found.insert(Incident(path: [], reason: .tooManyCandidates))
                    break
                }
                let tree = app.tree(other)
                let reader = LintVisitor(second(noting.sorted(), tree.container.kind), progress: { _ in })
                do throws(ContainerError) { try tree.visit(reader, threads: threads) } catch {
                    found.insert(Incident(path: [], reason: .unreadable))
                }
                // The report of the other container has the paths.
                for incident in reader.totals.counts.withLock({ $0.incidents }) {
                    found.insert(Incident(path: [], reason: incident.reason))
                }
            }
            counts.incidents += found.subtracting(counts.incidents)
        }
        let sums = DeferredChecks(state, visitor: visitor, tree: tree, at: index, of: app).run(
            &counts, within: comparisonBudget)
        let datesVary = counts.datedFiles < 2 || counts.earliest != counts.latest
        let suppressions = state.suppressions
        func taken(_ accumulator: FindingAccumulator) -> (findings: [Finding], suppressed: [Finding]) {
            var candidates = accumulator.takeAll()
            var (findings, suppressed): ([Finding], [Finding]) = ([], [])
            findings.reserveCapacity(candidates.values.reduce(0) { $0 + $1.count })
            for rule in candidates.keys.sorted() {
                guard let found = candidates.removeValue(forKey: rule),
                    datesVary || !policy.rules[rule].needs.contains(.dates)
                else { continue }
                for held in found {
                    let finding = Finding(held, container: owner)
                    // Totals are suppressed at the path where they are reported.
                    if finding.suppression == nil, finding.rule.aggregate != nil,
                        let source = suppressions.source(for: held.candidate)
                    {
                        suppressed.append(finding.suppressed(by: suppressions.use(source)))
                    } else if finding.suppression == nil, let source = suppressions.source(for: finding) {
                        suppressed.append(finding.suppressed(by: suppressions.use(source)))
                    } else {
                        findings.append(finding)
                    }
                }
            }
            return (findings, suppressed)
        }
        var (findings, suppressed) = taken(visitor.findings)
        suppressed += taken(visitor.suppressed).findings
        findings.removeRepetitions(besides: suppressed)
        func references(to files: [[UInt8]]) -> References {
            References(to: files, in: tree, stores: stores, at: index, of: app, state)
        }
        if let observer = state.observer { observer.observe(references(to: observer.searchedItems)) }
        let removed = findings.indices.filter { findings[$0].isRemovedSafely }
        let named = references(to: removed.map { findings[$0].path })
        counts.incidents += Set(named.unread).subtracting(counts.incidents)
        for index in removed { findings[index] = findings[index].consideringReferences(named) }
        let totals = sums.sorted { $0.key < $1.key }.compactMap { _, sum in
            suppressions.source(for: sum.finding) == nil
                ? ContainerTotal(finding: Finding(sum.finding, container: owner), isPassed: sum.isPassed) : nil
        }
        return TreeFindings(counts: counts, findings: findings, suppressed: suppressed, totals: totals)
    }

    /// Returns the findings that a container has only after events, each with the first event that causes it, and what
    /// could not be read in addition.
    ///
    /// Sums and guesses are left out: they change with every removed item, and an event cannot add bytes. `found` are the
    /// findings before the events, and `lint` evaluates the rules for a tree.
    func findings(
        causedBy model: EventModel, in tree: DirectoryTree, besides found: TreeFindings,
        _ lint: (TreeAfterEvents<DirectoryTree>) throws(ContainerError) -> TreeFindings
    ) throws(ContainerError) -> (findings: [Finding], incidents: [Incident]) {
        var known = Set((found.findings + found.suppressed).flatMap { [$0.fingerprint] + $0.knownFingerprints })
        var incidents = Set(found.counts.incidents)
        var caused: (findings: [Finding], incidents: [Incident]) = ([], [])
        for model in model.removingPrefixes {
            guard let event = model.events.last else { continue }
            let after = try lint(TreeAfterEvents(tree, model: model))
            for finding in after.findings where finding.isAboutItems {
                guard finding.knownFingerprints.allSatisfy({ !known.contains($0) }) else { continue }
                caused.findings.append(finding.caused(by: event))
            }
            known.formUnion(caused.findings.flatMap { [$0.fingerprint] + $0.knownFingerprints })
            caused.incidents += after.counts.incidents.filter { incidents.insert($0).inserted }
        }
        return caused
    }
}

extension Finding {
    /// True for a finding about items that does not rest on weighed evidence or on a sum, and not about the input.
    fileprivate var isAboutItems: Bool {
        rule.aggregate == nil && confidence == nil && rule.exception == nil && part != .rest
            && !rule.condition.needs.contains(.attributes)
    }
}

extension Rule {
    /// True for a rule that needs a verdict, or that searches the stores of the app.
    var needsEvidence: Bool {
        verdict != nil || listedUndeclared != nil || sumsStatedSources
            || condition.needs.contains(.references) || fix?.removes == true
    }

    /// True for a rule that matches only in a run that plays events.
    var isAboutEvents: Bool { condition.needs.contains(.events) }
}

extension LintReport {
    init(
        input: Input, found: consuming Linter.TreeFindings, asked: Asked, usedSuppressions: Set<String>
    ) {
        self.init()
        let counts = found.counts
        var input = input
        input.content = counts.content
        input.locations = counts.locations.filter { $0.value.items > 0 }
        input.ignored = counts.suppressed
        inputs = [input]
        self.asked = [asked]
        self.usedSuppressions = usedSuppressions
        // In place, since there may be many.
        var all: [Finding] = []
        swap(&all, &found.findings)
        all += found.suppressed
        found.suppressed = []
        Finding.sort(&all)
        Finding.number(&all)
        suppressedFindings = all.filter { $0.suppression != nil }
        if !suppressedFindings.isEmpty { all.removeAll { $0.suppression != nil } }
        self.findings = all
        incidents = counts.incidents.sorted {
            ($0.displayPath, $0.reason.rawValue) < ($1.displayPath, $1.reason.rawValue)
        }
    }
}
