internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The evaluation of the rules for the items of a directory, after all of them have been read.
extension LintVisitor {
    /// Evaluates the items of a directory, or of a part of it, with their traits.
    ///
    /// Many matches of a rule in one directory become one finding, and to create findings is expensive: the matches of
    /// rules that traits decide are counted first.
    func judge(
        _ items: [Item], of directory: Directory, traits: [ItemTraits], entered: [Entered],
        context: DirectoryContext, into accumulator: inout Accumulator
    ) {
        var next = 0
        for index in items.indices {
            let item = items[index]
            if next < entered.count, entered[next].index == index {
                let own = entered[next]
                next += 1
                // A directory is evaluated as an item of its parent, with its own context.
                judge(
                    item, traits[index], in: directory, own.asItem,
                    ownLocation: own.directory.isLocation ? own.directory.location : nil, &accumulator,
                    as: own.directory)
            } else {
                judge(item, traits[index], in: directory, context, &accumulator, countedAt: index)
            }
        }
        let decided = accumulator.decided
        accumulator.decided.removeAll(keepingCapacity: true)
        for matches in decided {
            report(matches, items: items, of: directory, traits: traits, context: context, into: &accumulator)
        }
    }

    /// Evaluates one item. With its index, the rules that its traits decide are only counted.
    func judge(
        _ item: Item, _ traits: ItemTraits, in directory: Directory, _ context: DirectoryContext,
        ownLocation: Location? = nil, _ accumulator: inout Accumulator, as own: Directory? = nil,
        countedAt index: Int? = nil
    ) {
        func facts() -> ItemFacts {
            ItemFacts(
                item, in: directory, context: context, traits: traits, ownLocation: ownLocation,
                siblings: accumulator.siblings,
                // The size of the container itself is in every report.
                size: own == nil ? nil : context.size, run: state.run)
        }
        if let observer = state.observer, observer.observedItems.contains(directory.path(of: item)) {
            observer.observe(Evaluation(facts()), as: own, rules: policy.rules)
        }
        accumulator.candidates.removeAll(keepingCapacity: true)
        context.selector.collect(traits, rules: &accumulator.candidates)
        guard !accumulator.candidates.isEmpty else {
            accumulator.exclusions?.add(item, traits: traits, isKept: true)
            return
        }
        // The temporary file of a save is a leftover and nothing else.
        if AtomicWrite.isStagingName(item.name) {
            accumulator.candidates.removeAll { policy.rules[$0.rule].rule.group != .stale }
        }
        if let index, context.carried.isEmpty, !Suppressions.isCarried(by: item) {
            var kept = 0
            for position in 0..<accumulator.candidates.count {
                let candidate = accumulator.candidates[position]
                if candidate.isDecided {
                    count(
                        item, index: index, of: candidate.rule, traits: traits, in: directory, context: context,
                        decided: &accumulator.decided)
                } else {
                    accumulator.candidates[kept] = candidate
                    kept += 1
                }
            }
            accumulator.candidates.removeLast(accumulator.candidates.count - kept)
        }
        let compared =
            accumulator.exclusions == nil
            ? nil : accumulator.candidates.first { policy.rules[$0.rule].needs.contains(.siblingExclusions) }?.rule
        let before = compared.map { accumulator.found(by: $0) }
        if !accumulator.candidates.isEmpty {
            evaluate(accumulator.candidates, for: Evaluation(facts()), own: own, into: &accumulator)
        }
        // An item that such a rule has found already is not found again when the directory has been read.
        let isKept = before == compared.map { accumulator.found(by: $0) }
        accumulator.exclusions?.add(item, traits: traits, isKept: isKept)
    }

    /// The matches in one directory of a rule that traits decide.
    struct DecidedMatches {
        let rule: RuleIndex
        /// The indices of the first items.
        fileprivate var first: [Int] = []
        /// The others.
        fileprivate var others = FindingGroup.Sum()
    }

    private func count(
        _ item: Item, index: Int, of rule: RuleIndex, traits: ItemTraits, in directory: Directory,
        context: DirectoryContext, decided: inout [DecidedMatches]
    ) {
        let position =
            decided.firstIndex { $0.rule == rule }
            ?? {
                decided.append(DecidedMatches(rule: rule))
                return decided.count - 1
            }()
        if decided[position].first.count < FindingGroup.limit {
            decided[position].first.append(index)
        } else {
            let state = directory.exclusion(stateOf: item)
            decided[position].others.add(known(rule, item, traits, state, directory, context))
        }
    }

    /// Creates a finding for each match, or one for all above the limit.
    private func report(
        _ matches: DecidedMatches, items: [Item], of directory: Directory, traits: [ItemTraits],
        context: DirectoryContext, into accumulator: inout Accumulator
    ) {
        let candidates = [RuleCandidate(rule: matches.rule, isDecided: false)]
        let areOne = matches.others.items > 0 && policy.rules[matches.rule].rule.aggregate == nil
        var others = matches.others
        for (position, index) in matches.first.enumerated() {
            let item = items[index]
            if areOne, position > 0 {
                let state = directory.exclusion(stateOf: item)
                others.add(known(matches.rule, item, traits[index], state, directory, context))
            } else {
                let facts = ItemFacts(
                    item, in: directory, context: context, traits: traits[index], siblings: accumulator.siblings,
                    run: state.run)
                evaluate(candidates, for: Evaluation(facts), own: nil, into: &accumulator)
            }
        }
        accumulator.groups[matches.rule]?.count(others)
    }

    func evaluate(
        _ candidates: [RuleCandidate], for evaluation: Evaluation, own: Directory?,
        into accumulator: inout Accumulator
    ) {
        var evaluation = evaluation
        let evidence = evaluation.evidence
        for candidate in candidates {
            if state.run.timings.isOn {
                state.run.timings.measure(rule: policy.rules[candidate.rule].rule.id) {
                    evaluateRule(candidate.rule, &evaluation, own: own, into: &accumulator)
                }
            } else {
                evaluateRule(candidate.rule, &evaluation, own: own, into: &accumulator)
            }
            evaluation.restart(with: evidence)
        }
        for reason in evaluation.facts.incidents {
            accumulator.counts.incidents.append(
                Incident(path: evaluation.directory.path(of: evaluation.item), reason: reason))
        }
    }

    private func evaluateRule(
        _ rule: RuleIndex, _ evaluation: inout Evaluation, own: Directory?, into accumulator: inout Accumulator
    ) {
        let compiled = policy.rules[rule]
        if let paths = compiled.paths, !paths.applies(evaluation.path) { return }
        let suppressionSource = state.suppressionSource(compiled.rule, evaluation: evaluation)
        // For a total, and for many findings in one directory, only their number and size are reported.
        evaluation.isQuiet =
            suppressionSource == nil && !compiled.needs.contains(.container)
            && !accumulator.counted.isEmpty && accumulator.counted.contains(rule)
        guard compiled.rule.condition.matches(&evaluation) else { return }
        if evaluation.questions.contains(.isNamedByStore), findings.isUnsearched(rule) { return }
        guard !evaluation.isIgnored else {
            accumulator.counts.suppressed += 1
            return
        }
        guard !evaluation.isQuiet else {
            return accumulator.groups[rule, default: emptyGroup(rule)].count(
                known(rule, evaluation: evaluation, own: own))
        }
        var finding = finding(rule, evaluation: evaluation, own: own)
        finding.suppressionSource = suppressionSource
        guard finding.questions.isEmpty else { return findings.addDeferred(finding, of: rule) }
        if let suppressionSource {
            accumulator.suppressed[Suppressed(rule: rule, source: suppressionSource), default: .init()].add(finding)
        } else {
            accumulator.groups[rule, default: emptyGroup(rule)].add(finding)
            if compiled.isSummed || accumulator.groups[rule]?.isFull ?? false { accumulator.counted.insert(rule) }
        }
    }

    private func emptyGroup(_ rule: RuleIndex) -> FindingGroup {
        if policy.reportsEach { return FindingGroup(limit: .max) }
        // Each file with a secret has to be dealt with, so each is listed.
        let isPrivacy = policy.rules[rule].rule.group == .privacy
        return FindingGroup(limit: isPrivacy ? FindingGroup.privacyLimit : FindingGroup.limit)
    }

    /// Returns the properties of one finding in a combined finding.
    func known(
        _ index: RuleIndex, _ item: Item, _ traits: ItemTraits, _ state: BackupState, _ directory: Directory,
        _ context: DirectoryContext, _ level: RuleLevel? = nil, size: DirectorySize? = nil, as own: Directory? = nil
    ) -> FindingGroup.Known {
        let rule = policy.rules[index].rule
        return FindingGroup.Known(
            severity: rule.group == .backup && state == .unknown ? .note : level?.severity ?? rule.severity,
            message: level?.message, bytes: item.status.isFile ? item.status.size : 0,
            size: rule.aggregate == nil ? size : nil,
            isBackedUp: (own?.decision ?? directory.decision(for: item)).isIncludedByLocation
                && !traits.contains(.evicted),
            fixSafety: rule.fix.map {
                FixPermission.safety(of: $0, for: item, in: directory, context, run: self.state.run)
            },
            name: item.name, directory: directory)
    }

    private func known(_ index: RuleIndex, evaluation: Evaluation, own: Directory?) -> FindingGroup.Known {
        let levels = policy.rules[index].rule.levels
        let level = levels.isEmpty ? nil : levels.first { $0.condition.isMet(by: evaluation) }
        return known(
            index, evaluation.item, evaluation.traits,
            own?.exclusion.state ?? evaluation.directory.exclusion(stateOf: evaluation.item), evaluation.directory,
            evaluation.context, level, size: evaluation.facts.setting.size, as: own)
    }

    private func finding(_ index: RuleIndex, evaluation: Evaluation, own: Directory?) -> FindingCandidate {
        let rule = policy.rules[index].rule
        let isFixable = rule.fix?.condition?.isMet(by: evaluation) ?? true
        let known = known(index, evaluation: evaluation, own: own)
        return FindingCandidate(
            rule: rule, severity: known.severity, path: evaluation.directory.path(of: evaluation.item),
            bytes: known.bytes, size: known.size, template: known.message, evidence: evaluation.evidence,
            exclusion: own?.exclusion ?? evaluation.directory.exclusion(of: evaluation.item),
            location: (own ?? evaluation.directory).location, isBackedUp: known.isBackedUp,
            questions: evaluation.questions,
            source: evaluation.source, after: evaluation.cause,
            isFixable: isFixable, fixSafety: known.fixSafety)
    }
}
