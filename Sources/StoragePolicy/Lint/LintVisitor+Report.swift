internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import Synchronization

extension LintVisitor {
    /// Items of one directory that are told of at once: a directory may hold a million.
    static let told = 1024

    @inline(__always)
    func count(_ tally: inout Tally) {
        tally.counts.items += 1
        if tally.counts.items % Self.told == 0 { progress(Self.told) }
    }

    /// Brings what a directory gave to the run's counts and findings.
    func finish(_ directory: Directory, _ place: LintPlace, _ tally: Tally) {
        report(tally, in: directory, place)
        totals.counts.withLock { counts in
            counts.items += tally.counts.items
            counts.bytes += tally.counts.bytes
            counts.backedUpBytes += tally.counts.backedUpBytes
            counts.locations[directory.location, default: .init()].add(
                .init(
                    items: tally.counts.items, bytes: tally.counts.bytes, backedUpBytes: tally.counts.backedUpBytes))
            counts.incidents += tally.counts.incidents
            counts.hasAttributes = counts.hasAttributes || tally.counts.hasAttributes
            counts.suppressed += tally.counts.suppressed
            counts.datedFiles += tally.counts.datedFiles
            counts.earliest = min(counts.earliest, tally.counts.earliest)
            counts.latest = max(counts.latest, tally.counts.latest)
        }
    }

    /// Brings what was found in a directory to the findings.
    func report(_ tally: Tally, in directory: Directory, _ place: LintPlace) {
        for (rule, group) in tally.groups { report(group, of: rule, in: directory, place) }
        for (pending, group) in tally.pending where tally.siblings.answer(pending.question) {
            report(group.adding(tally.siblings.evidence(of: pending.question)), of: pending.rule, in: directory, place)
        }
        for (excused, group) in tally.excused where excused.question.map(tally.siblings.answer) ?? true {
            let suppression = policy.suppressions.use(excused.source)
            let findings = group.reported(in: directory.path, exclusion: directory.exclusion).map { finding in
                var finding = finding
                finding.suppression = suppression
                return finding
            }
            self.excused.add(findings, of: excused.rule)
        }
    }

    private func report(_ group: FindingGroup, of rule: Int, in directory: Directory, _ place: LintPlace) {
        guard let aggregate = policy.rules[rule].rule.aggregate else {
            return findings.add(group.reported(in: directory.path, exclusion: directory.exclusion), of: rule)
        }
        switch aggregate.scope {
        case .container: sum(group, of: SumKey(rule: rule, part: .whole), in: directory)
        case .location: sum(group, of: SumKey(rule: rule, part: .location(directory.location.path)), in: directory)
        case .directory:
            let budget = policy.configuration.budget(of: policy.rules[rule].rule)
            guard aggregate.isPassed(items: group.items, bytes: group.bytes, budget: budget) else { return }
            guard !policy.tellsEach else { return findings.add(group.findings, of: rule) }
            findings.add([group.whole(at: directory.path, exclusion: directory.exclusion)].compactMap { $0 }, of: rule)
        }
        guard aggregate.hasRegistryLimits else { return }
        for entry in place.registry.taken where policy.registry.entries[entry].limit != nil {
            sum(group, of: SumKey(rule: rule, part: .entry(entry)), in: directory)
        }
    }

    private func sum(_ group: FindingGroup, of key: SumKey, in directory: Directory) {
        findings.sum(group, of: key, in: directory, keepingEach: policy.tellsEach)
    }
}
