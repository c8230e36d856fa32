internal import AppContainer
internal import ContainerTree
internal import TextOutput

extension DeferredChecks {
    /// Adds a finding where the files that nothing accounts for come to more than the budget. `copies` are the files that
    /// are reported because the app has them twice.
    func reportUndeclared(besides copies: [FindingCandidate]) {
        guard let vocabulary = policy.model?.vocabulary else { return }
        for (index, compiled) in policy.rules.enumerated() {
            guard let test = compiled.rule.undeclared else { continue }
            let roots = policy.undeclared.take { compiled.rule.scope.takesFiles(in: $0) }
            let directories = roots.flatMap { location, node in
                node.directories(at: Array(location.path.utf8), isLocation: true, vocabulary)
            }.sorted { left, right in
                left.bytes != right.bytes
                    ? left.bytes > right.bytes : left.path.lexicographicallyPrecedes(right.path)
            }
            policy.observer?.observe(directories)
            guard let sum = roots.map(\.node.sum).reduced,
                let finding = finding(compiled, test, sum, directories, mostly: roots.largest, besides: copies),
                compiled.paths?.takes(finding.path) ?? true
            else { continue }
            findings.add([finding], of: RuleIndex(position: index))
        }
    }

    private func finding(
        _ compiled: Policy.Compiled, _ test: UndeclaredPredicate, _ sum: UndeclaredSum,
        _ directories: [UndeclaredDirectory],
        mostly location: Location?, besides copies: [FindingCandidate]
    ) -> FindingCandidate? {
        let rule = compiled.rule
        let budget = policy.configuration.budget(of: rule)
        guard let aggregate = rule.aggregate,
            aggregate.isPassed(items: sum.items, bytes: sum.bytes, budget: budget), let first = directories.first
        else { return nil }
        let level = rule.levels.first { $0.applies(onFreshInstall: policy.isFreshInstall) }
        // Where the input cannot carry attributes, nobody knows how much of it is excluded.
        let certain = sum.bytes - min(sum.bytes, sum.uncertain)
        let isCertain = aggregate.isPassed(items: 0, bytes: certain, budget: budget)
        let listed = directories.prefix(test.listed)
        let largest = listed.map { "\($0.displayPath) (\(Quantity.bytes($0.bytes)))" }.joined(separator: ", ")
        let message = (level?.message ?? rule.message).replacing("{largest}", with: largest)
            .replacing("{megabytes}", with: Quantity.megabytes(sum.bytes))
        let evidence = [
            Evidence(kind: "items", value: "\(sum.items)"),
            Evidence(kind: "bytes", value: Quantity.bytes(sum.bytes)),
        ]
        return FindingCandidate(
            rule: rule, severity: isCertain ? level?.severity ?? rule.severity : .note,
            path: directories.filter { $0.bytes >= sum.bytes / 100 }.map(\.path).reduce(
                first.path, FindingAccumulator.shared), items: sum.items, bytes: sum.bytes, template: message,
            evidence: evidence
                + listed.map { $0.evidence(onFreshInstall: policy.isFreshInstall, besides: copies) },
            exclusion: isCertain ? .included : .unknown, location: location ?? .root, isBackedUp: true,
            part: .sum(""))
    }
}

extension [(location: Location, node: UndeclaredNode)] {
    /// The location with the most bytes, of several the first.
    fileprivate var largest: Location? {
        reduce(first) { $1.node.sum.bytes > $0?.node.sum.bytes ?? 0 ? $1 : $0 }?.location
    }
}

extension [UndeclaredSum] {
    /// All of them added up; nil for none.
    fileprivate var reduced: UndeclaredSum? {
        guard var sum = first else { return nil }
        for other in dropFirst() { sum.add(other) }
        return sum
    }
}

extension RuleScope {
    /// Returns true if included files of a location are in the scope.
    fileprivate func takesFiles(in location: Location) -> Bool {
        refusal(LocationName.of(location).trait.union([.backedUp, .file, .included])) == nil
    }
}

extension RuleLevel {
    /// Returns true if the level applies on a fresh install, or not on one.
    fileprivate func applies(onFreshInstall isFreshInstall: Bool) -> Bool {
        condition.predicates.allSatisfy { $0.answer(onFreshInstall: isFreshInstall) ?? false }
    }
}
