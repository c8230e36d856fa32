internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import Synchronization

extension LintVisitor {
    /// Evaluates the rules that depend on the whole directory: empty directories, and files without the exclusion that
    /// similar files have.
    func evaluateDeferred(_ directory: Directory, _ context: DirectoryContext, _ accumulator: Accumulator) {
        if context.profile.needsEmptyDirectories, accumulator.counts.items == 0, !directory.isLocation {
            evaluateEmptyDirectory(directory, context)
        }
        for group in accumulator.exclusions?.groups.values.filter(\.isMostlyExcluded) ?? [] {
            evaluate(group, in: directory, context)
        }
    }

    private func evaluateEmptyDirectory(_ directory: Directory, _ context: DirectoryContext) {
        var late = Accumulator()
        let item = Item(WalkEntry(name: UnsafeRawBufferPointer(start: nil, count: 0), status: context.status))
        evaluateLate(
            item, in: directory, context, .emptyDirectory, registered: !context.registry.taken.isEmpty, evidence: nil,
            &late
        )
        finishLate(late, in: directory, context)
    }

    private func evaluate(_ group: ExcludedSiblings.Group, in directory: Directory, _ context: DirectoryContext) {
        var late = Accumulator()
        for candidate in group.candidates {
            candidate.name.withUnsafeBytes { name in
                let item = Item(WalkEntry(name: name, status: candidate.status))
                evaluateLate(
                    item, in: directory, context, .exclusionMissing,
                    registered: context.registry.hasMatch(name, isDirectory: false), evidence: group.evidence, &late)
            }
        }
        // Which of many were kept hangs on the order in which they came, so that none of them is named.
        if group.hasMoreThanCandidates {
            late.groups = late.groups.mapValues { $0.standingFor(items: group.plain, bytes: group.plainBytes) }
        }
        finishLate(late, in: directory, context)
    }

    private func evaluateLate(
        _ item: Item, in directory: Directory, _ context: DirectoryContext, _ trait: ItemTraits, registered: Bool,
        evidence: Evidence?, _ accumulator: inout Accumulator
    ) {
        var traits = context.traits.union(.exclusion(directory.exclusion.state)).union(trait)
        traits.formUnion(.of(item.status))
        if registered { traits.formUnion(.registered) }
        if NameShapePredicate.isHash(item.name) { traits.formUnion(.hashNamed) }
        traits.formUnion(context.profile.allocatedTraits(of: item.name, item.status))
        var candidates: [LintProfile.RuleCandidate] = []
        context.profile.collectLate(trait, &traits, item.name, &candidates)
        guard !candidates.isEmpty else { return }
        var subject = Subject(ItemFacts(item, in: directory, context, traits, policy: policy))
        if let evidence { subject.evidence.append(evidence) }
        evaluate(candidates, for: subject, own: nil, into: &accumulator)
    }

    private func finishLate(_ accumulator: Accumulator, in directory: Directory, _ context: DirectoryContext) {
        report(accumulator, in: directory, context)
        totals.counts.withLock { counts in
            counts.suppressed += accumulator.counts.suppressed
            counts.incidents += accumulator.counts.incidents
        }
    }
}
