internal import AppContainer
internal import ContainerTree
internal import FileSystem

extension LintVisitor {
    /// The number of items between two progress reports of one directory.
    static let progressInterval = 1024

    /// Adds the results of a directory to the counters and findings of the run.
    func finish(_ directory: Directory, context: DirectoryContext, accumulator: Accumulator) {
        report(accumulator, in: directory, context: context)
        totals.counts.withLock { counts in
            counts.content.add(accumulator.counts.content)
            counts.locations[directory.location, default: .init()].add(accumulator.counts.content)
            counts.incidents += accumulator.counts.incidents
            counts.hasAttributes = counts.hasAttributes || accumulator.counts.hasAttributes
            counts.suppressed += accumulator.counts.suppressed
            counts.datedFiles += accumulator.counts.datedFiles
            counts.earliest = min(counts.earliest, accumulator.counts.earliest)
            counts.latest = max(counts.latest, accumulator.counts.latest)
        }
    }

    /// Adds the findings of a directory.
    func report(_ accumulator: Accumulator, in directory: Directory, context: DirectoryContext) {
        for (rule, group) in accumulator.groups { report(group, of: rule, in: directory, context: context) }
        for (suppressed, group) in accumulator.suppressed {
            let suppression = state.suppressions.use(suppressed.source)
            let findings = group.reported(in: directory.path, exclusion: directory.exclusion).map { candidate in
                var candidate = candidate
                candidate.suppression = suppression
                return candidate
            }
            self.suppressed.add(findings, of: suppressed.rule)
        }
    }

    private func report(_ group: FindingGroup, of rule: RuleIndex, in directory: Directory, context: DirectoryContext) {
        guard let aggregate = policy.rules[rule].rule.aggregate else {
            return findings.add(group.reported(in: directory.path, exclusion: directory.exclusion), of: rule)
        }
        switch aggregate.scope {
        case .container: sum(group, of: SumKey(rule: rule, part: .whole), in: directory)
        case .location: sum(group, of: SumKey(rule: rule, part: .location(directory.location.path)), in: directory)
        case .directory:
            let budget = state.run.configuration.budget(of: policy.rules[rule].rule)
            guard aggregate.isPassed(items: group.items, bytes: group.bytes, budget: budget) else { return }
            guard !policy.reportsEach, group.items > 1 else { return findings.add(group.findings, of: rule) }
            findings.add([group.whole(at: directory.path, exclusion: directory.exclusion)].compactMap { $0 }, of: rule)
        }
        guard aggregate.hasRegistryLimits else { return }
        for entry in context.registry.taken where state.run.registry.entries[entry].limit != nil {
            sum(group, of: SumKey(rule: rule, part: .entry(entry)), in: directory)
        }
    }

    private func sum(_ group: FindingGroup, of key: SumKey, in directory: Directory) {
        findings.sum(group, of: key, in: directory, keepingEach: policy.reportsEach)
    }
}
