internal import AppContainer
internal import ContainerTree
internal import FileSystem

extension LintVisitor {
    /// Evaluates the items whose names collide. Their name, kind and size are available, their content is not.
    func evaluateCollisions(
        in directory: Directory, _ context: DirectoryContext, into accumulator: inout Accumulator
    ) {
        guard let names = accumulator.names else { return }
        if names.isFull {
            accumulator.counts.incidents.append(Incident(path: directory.path, reason: .tooManyNamesToCompare))
        }
        for collision in names.collisions() {
            collision.name.withUnsafeBytes { name in
                let item = Item(WalkEntry(name: name, status: collision.status))
                let traits = traits(
                    of: item, ScannedName(name, names: policy.names), context, directory.exclusion.state,
                    besides: .colliding)
                var candidates: [RuleCandidate] = []
                context.selector.collectLate(.colliding, traits: traits, rules: &candidates)
                let facts = ItemFacts(
                    item, in: directory, context: context, traits: traits, collidesWith: collision.other,
                    size: collision.size,
                    run: state.run)
                evaluate(candidates, for: Evaluation(facts), own: nil, into: &accumulator)
            }
        }
    }

    /// Evaluates the rules that depend on the whole directory: empty directories, and files without the exclusion that
    /// similar files have.
    func evaluateDeferred(_ directory: Directory, context: DirectoryContext, accumulator: Accumulator) {
        if context.selector.needsEmptyDirectories, accumulator.counts.content.items == 0, !directory.isLocation {
            evaluateEmptyDirectory(directory, context: context)
        }
        for group in accumulator.exclusions?.groups.values.filter(\.isMostlyExcluded) ?? [] {
            evaluate(group, in: directory, context: context)
        }
    }

    private func evaluateEmptyDirectory(_ directory: Directory, context: DirectoryContext) {
        var late = Accumulator()
        let item = Item(WalkEntry(name: UnsafeRawBufferPointer(start: nil, count: 0), status: context.status))
        evaluateLate(item, in: directory, context: context, trait: .emptyDirectory, evidence: nil, into: &late)
        finishLate(late, in: directory, context: context)
    }

    private func evaluate(_ group: ExcludedSiblings.Group, in directory: Directory, context: DirectoryContext) {
        var late = Accumulator()
        for candidate in group.candidates {
            candidate.name.withUnsafeBytes { name in
                let item = Item(WalkEntry(name: name, status: candidate.status))
                evaluateLate(
                    item, in: directory, context: context, trait: .exclusionMissing, evidence: group.evidence,
                    into: &late)
            }
        }
        // The kept ones of many depend on the order, so none of them is named.
        if group.hasMoreThanCandidates {
            late.groups = late.groups.mapValues { $0.standingFor(group.plain) }
        }
        finishLate(late, in: directory, context: context)
    }

    private func evaluateLate(
        _ item: Item, in directory: Directory, context: DirectoryContext, trait: ItemTraits,
        evidence: Evidence?, into accumulator: inout Accumulator
    ) {
        let traits = traits(
            of: item, ScannedName(item.name, names: policy.names), context, directory.exclusion.state, besides: trait)
        var candidates: [RuleCandidate] = []
        context.selector.collectLate(trait, traits: traits, rules: &candidates)
        guard !candidates.isEmpty else { return }
        var evaluation = Evaluation(ItemFacts(item, in: directory, context: context, traits: traits, run: state.run))
        if let evidence { evaluation.evidence.append(evidence) }
        evaluate(candidates, for: evaluation, own: nil, into: &accumulator)
    }

    private func finishLate(_ accumulator: Accumulator, in directory: Directory, context: DirectoryContext) {
        report(accumulator, in: directory, context: context)
        totals.counts.withLock { counts in
            counts.suppressed += accumulator.counts.suppressed
            counts.incidents += accumulator.counts.incidents
        }
    }
}
