internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts
internal import TextOutput

/// The checks after the whole container was read: budgets, verdicts, and findings that depend on other items.
struct DeferredChecks {
    let state: RunState
    let policy: Policy
    let findings: FindingAccumulator
    let suppressed: FindingAccumulator
    let tree: any Tree
    /// The files that the visit has found for comparison.
    private let copyCandidates: CopyCandidates
    /// The files that can name others.
    let stores: StoreFiles
    /// The map of the container; nil if none was requested.
    let map: StorageMapBuilder?
    /// The containers of the app, and the position of the one that `tree` shows.
    private let app: ContainersOfApp
    private let index: Int

    init(_ state: RunState, visitor: LintVisitor, tree: any Tree, at index: Int, of app: ContainersOfApp) {
        (self.state, policy) = (state, state.policy)
        (findings, suppressed, map) = (visitor.findings, visitor.suppressed, visitor.map)
        (copyCandidates, stores) = (visitor.copyCandidates, visitor.stores)
        (self.tree, self.app, self.index) = (tree, app, index)
    }

    /// Runs the checks and adds their findings. Files are compared within a budget.
    ///
    /// - Returns: The sum of each rule with a budget for the container.
    func run(
        _ counts: inout LintVisitor.Totals.Counts, within budget: ComparisonBudget
    ) -> [RuleIndex: (finding: FindingCandidate, isPassed: Bool)] {
        reportVerdicts(&counts)
        let sums = reportSums()
        var budget = budget
        var reported: [FindingCandidate] = []
        var waiting = findings.takeDeferred()
        if policy.rules.indices.contains(where: { findings.isUnsearched(RuleIndex(position: $0)) }) {
            counts.incidents.append(Incident(path: [], reason: .tooMuchToSearch))
        }
        let references = references(to: waiting.values.joined().lazy.map(\.candidate), &counts)
        // Taken out one by one, so that no list is there twice.
        for rule in waiting.keys.sorted() {
            guard let held = waiting.removeValue(forKey: rule) else { continue }
            let deferred = held.lazy.map(\.candidate)
            if deferred.count >= FindingAccumulator.deferredLimit {
                counts.incidents.append(Incident(path: [], reason: .tooManyCandidates))
            }
            let duplicates = duplicates(among: deferred, of: policy.rules[rule].rule, &counts, budget: &budget)
            let copies = copies(of: deferred, &counts, budget: &budget)
            let settled = held.compactMap { held -> FindingCandidate? in
                var finding = held.candidate
                for question in finding.questions {
                    guard
                        isTrue(
                            question, of: &finding, counts: counts, duplicates: duplicates, copies: copies,
                            references: references)
                    else {
                        return nil
                    }
                }
                return finding
            }
            reported += settled.filter { $0.evidence.contains { Evidence.equalFiles.contains($0.kind) } }
            findings.add(grouped(settled.filter { $0.suppressionSource == nil }), of: rule)
            suppressed.add(
                settled.compactMap { finding in
                    var finding = finding
                    finding.suppression = finding.suppressionSource.map(state.suppressions.use)
                    return finding.suppression == nil ? nil : finding
                }, of: rule)
        }
        reportUndeclared(besides: reported)
        if budget.isSpent { counts.incidents.append(Incident(path: [], reason: .tooManyBytesToCompare)) }
        if state.suppressions.isFull {
            counts.incidents.append(Incident(path: [], reason: .tooManySuppressions))
        }
        return sums
    }

    /// Returns the references to the items of which findings ask for them.
    private func references(
        to candidates: some Sequence<FindingCandidate>, _ counts: inout LintVisitor.Totals.Counts
    ) -> References {
        let asking = [ContainerQuestion.isNamedByStore, .isNamedByNoStore, .hasNoAddress, .isNotKnownToBeNamed]
        let asked = candidates.filter { candidate in candidate.questions.contains(where: asking.contains) }
        let references = References(
            to: asked.map(\.path), in: tree, stores: stores, at: index, of: app, state)
        // A verdict is reported where nothing was found, also if something was not read.
        if asked.contains(where: { $0.questions != [.isNotKnownToBeNamed] }) { counts.incidents += references.unread }
        return references
    }

    /// Returns one finding for many in one directory that were deferred until stores had been searched.
    private func grouped(_ candidates: [FindingCandidate]) -> [FindingCandidate] {
        guard !policy.reportsEach, candidates.count > FindingGroup.limit,
            candidates.contains(where: { !Set($0.questions).isDisjoint(with: [.hasNoAddress, .isNamedByStore]) })
        else { return candidates }
        let directories = Dictionary(grouping: candidates) { ItemPath.parent($0.path) }
        return directories.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { directory, candidates in
            var group = FindingGroup()
            for candidate in candidates { group.add(candidate) }
            return group.reported(in: directory, exclusion: candidates[0].exclusion)
        }
    }

    private func reportSums() -> [RuleIndex: (finding: FindingCandidate, isPassed: Bool)] {
        var wholes: [RuleIndex: (finding: FindingCandidate, isPassed: Bool)] = [:]
        var reported: [RuleIndex: Set<[UInt8]>] = [:]
        for (key, sum) in findings.takeSums() {
            let rule = policy.rules[key.rule].rule
            guard let aggregate = rule.aggregate else { continue }
            var isPassed = aggregate.isPassed(
                items: sum.items, bytes: sum.bytes, budget: state.run.configuration.budget(of: rule))
            if case .entry(let index) = key.part {
                isPassed = state.run.registry.entries[index].limit.map { sum.bytes > $0 } ?? false
            }
            if policy.reportsEach {
                // An item in a part that exceeds its budget is reported once, even if the whole exceeds it as well.
                let new = isPassed ? sum.each.filter { reported[key.rule, default: []].insert($0.path).inserted } : []
                findings.add(new, of: key.rule)
                continue
            }
            let finding = finding(for: sum, of: key.part)
            if case .whole = key.part { wholes[key.rule] = (finding, isPassed) }
            guard isPassed, reported[key.rule, default: []].insert(finding.path).inserted else { continue }
            findings.add([finding], of: key.rule)
        }
        return wholes
    }

    /// Returns the path of a copy for each deferred finding whose content also exists elsewhere in the containers of the
    /// app. Walks a tree again only for files of sizes that were not expected, and those of the app's other containers.
    private func copies(
        of deferred: some Sequence<FindingCandidate>, _ counts: inout LintVisitor.Totals.Counts,
        budget: inout ComparisonBudget
    ) -> [[UInt8]: String] {
        var asking = deferred.filter { $0.questions.contains(.hasCopy) }
        var copies: [[UInt8]: String] = [:]
        for container in [index] + app.others(than: index) where !asking.isEmpty {
            guard container == index || app.mayReadAgain() else {
                counts.incidents.append(Incident(path: [], reason: .tooManyCandidates))
                break
            }
            let sizes = Set(asking.map(\.bytes))
            var candidates = copyCandidates
            if container != index || !candidates.sizes.isSuperset(of: sizes) {
                candidates = CopyCandidates(sizes: sizes)
                do throws(ContainerError) {
                    try self.tree(container).visit(CopySearch(candidates: candidates), threads: 2)
                } catch { counts.incidents.append(Incident(path: [], reason: .unreadable)) }
            }
            if candidates.hasTooMany { counts.incidents.append(Incident(path: [], reason: .tooManyCandidates)) }
            var files = ComparedFiles()
            for (size, paths) in candidates.all {
                for path in paths { files.add(ContainersOfApp.File(container: container, path: path), size: size) }
            }
            copies.merge(equalFiles(to: asking, in: &files, adding: false, &budget)) { $1 }
            asking.removeAll { copies[$0.path] != nil }
        }
        return copies
    }

    private func tree(_ container: Int) -> any Tree { container == index ? tree : app.tree(container) }

    /// Returns the path of the first file with the same content for each of the findings that has one.
    private func equalFiles(
        to asking: [FindingCandidate], in files: inout ComparedFiles, adding isAdded: Bool,
        _ budget: inout ComparisonBudget
    ) -> [[UInt8]: String] {
        var equal: [[UInt8]: String] = [:]
        for finding in asking {
            let own = ContainersOfApp.File(container: index, path: finding.path)
            let found = files.file(equalTo: own, size: finding.bytes, adding: isAdded) { file, limit in
                tree(file.container).digest(of: file.path, limit: limit, within: &budget)
            }
            equal[finding.path] = found.map { app.text(for: $0, in: index) }
        }
        return equal
    }

    private func isTrue(
        _ question: ContainerQuestion, of finding: inout FindingCandidate, counts: LintVisitor.Totals.Counts,
        duplicates: [[UInt8]: String], copies: [[UInt8]: String], references: References
    ) -> Bool {
        switch question {
        case .isNamedByStore:
            guard let reference = references[finding.path], reference.isExact else { return false }
            finding.evidence.append(Evidence(kind: "content", value: "named by \(reference.store)"))
            return true
        case .isNamedByNoStore: return references.isComplete && references[finding.path] == nil
        case .isNotKnownToBeNamed: return !(references[finding.path]?.isExact ?? false)
        case .hasNoAddress: return references.address(of: finding.path) == nil
        case .wasSeen(let name): return state.run.notes.wasSeen(name)
        case .isAnyMissing(let names):
            let missing = names.count { state.run.notes.isMissing($0) }
            finding.evidence.append(Evidence(kind: "missing", value: "\(missing) of \(names.count)"))
            return missing > 0
        case .isUnreferenced(let name): return !state.run.notes.isReferenced(name)
        case .hasNoAttributes(let files): return counts.datedFiles >= files && !counts.hasAttributes
        case .hasCopy:
            guard let copy = copies[finding.path] else { return false }
            finding.evidence.append(Evidence(kind: "copy", value: copy))
            return true
        case .isDuplicate:
            guard let first = duplicates[finding.path] else { return false }
            finding.evidence.append(Evidence(kind: "duplicate", value: first))
            return true
        }
    }

    /// Returns the path of an earlier file with the same content for each deferred finding that asks for it, in this
    /// container or in one of the app that was linted before.
    private func duplicates(
        among deferred: some Sequence<FindingCandidate>, of rule: Rule, _ counts: inout LintVisitor.Totals.Counts,
        budget: inout ComparisonBudget
    ) -> [[UInt8]: String] {
        let asking = deferred.filter { $0.questions.contains(.isDuplicate) }
        guard !asking.isEmpty else { return [:] }
        return app.withComparedFiles(of: rule) { files in
            defer { if files.isCut { counts.incidents.append(Incident(path: [], reason: .tooManyCandidates)) } }
            return equalFiles(to: asking, in: &files, adding: true, &budget)
        }
    }

    private func finding(for sum: FindingAccumulator.Rest, of part: SumKey.Part) -> FindingCandidate {
        let first = sum.first
        let name =
            switch part {
            case .whole: ""
            case .location(let path): path
            case .entry(let index): state.run.registry.entries[index].path.text
            }
        let path = sum.items == 1 ? first.path : sum.sharedPath
        return FindingCandidate(
            rule: first.rule, severity: first.severity, path: path, items: sum.items, bytes: sum.bytes,
            evidence: [
                Evidence(kind: "items", value: "\(sum.items)"),
                Evidence(kind: "bytes", value: Quantity.bytes(sum.bytes)),
            ], exclusion: first.exclusion, location: first.location, isBackedUp: first.isBackedUp,
            part: .sum(name), fixSafety: sum.fixSafety)
    }
}
