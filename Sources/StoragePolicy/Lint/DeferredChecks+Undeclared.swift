internal import AppContainer
internal import ContainerTree
internal import PolicyTexts
internal import TextOutput

extension DeferredChecks {
    /// Adds a finding where the files that nothing accounts for come to more than the budget. `copies` are the files that
    /// are reported because the app has them twice.
    func reportUndeclared(besides copies: [FindingCandidate]) {
        guard let vocabulary = state.run.model?.vocabulary else { return }
        for (index, compiled) in policy.rules.enumerated() {
            guard let listed = compiled.rule.listedUndeclared else { continue }
            let roots = state.undeclared.removeAll { compiled.rule.scope.takesFiles(in: $0) }
            let directories = roots.flatMap { location, node in
                node.directories(at: Array(location.path.utf8), isLocation: true, vocabulary)
            }.sorted { left, right in
                left.bytes != right.bytes
                    ? left.bytes > right.bytes : left.path.lexicographicallyPrecedes(right.path)
            }
            state.observer?.observe(directories)
            guard let sum = roots.map(\.node.sum).reduced,
                let finding = finding(
                    compiled, listing: listed, sum: sum, directories: directories, mostly: roots.largest,
                    besides: copies),
                compiled.paths?.applies(finding.path) ?? true
            else { continue }
            findings.add([finding], of: RuleIndex(position: index))
        }
    }

    private func finding(
        _ compiled: Policy.Compiled, listing count: Int, sum: UndeclaredSum,
        directories: [UndeclaredDirectory],
        mostly location: Location?, besides copies: [FindingCandidate]
    ) -> FindingCandidate? {
        let rule = compiled.rule
        let budget = state.run.configuration.budget(of: rule)
        guard let aggregate = rule.aggregate,
            aggregate.isPassed(items: sum.items, bytes: sum.bytes, budget: budget), let first = directories.first
        else { return nil }
        let level = rule.levels.first { $0.applies(onFreshInstall: state.run.isFreshInstall) }
        // If the input cannot carry attributes, nobody knows how much of it is excluded.
        let certain = sum.bytes - min(sum.bytes, sum.uncertain)
        let isCertain = aggregate.isPassed(items: 0, bytes: certain, budget: budget)
        let listed = directories.prefix(count)
        let message = (level?.message ?? rule.message).replacing(
            "{megabytes}", with: Quantity.megabytes(sum.bytes))
        let evidence = [
            Evidence(kind: "items", value: "\(sum.items)"),
            Evidence(kind: "bytes", value: Quantity.bytes(sum.bytes)),
        ]
        return FindingCandidate(
            rule: rule, severity: isCertain ? level?.severity ?? rule.severity : .note,
            path: directories.filter { $0.bytes >= sum.bytes / 100 }.map(\.path).reduce(
                first.path, ItemPath.shared), items: sum.items, bytes: sum.bytes, template: message,
            evidence: evidence
                + listed.map { $0.evidence(onFreshInstall: state.run.isFreshInstall, besides: copies) },
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

extension UndeclaredDirectory {
    /// The directory as evidence of a finding.
    ///
    /// - Parameters:
    ///   - isFreshInstall: True if nothing can be user data, whatever the evidence says.
    ///   - copies: Files that the app has twice.
    /// - Returns: The directory, its size and kinds, the verdict, and the number of copies if they are half of its bytes.
    fileprivate func evidence(onFreshInstall isFreshInstall: Bool, besides copies: [FindingCandidate]) -> Evidence {
        let own = copies.filter { contains($0.path) }
        let copied = own.reduce(UInt64(0)) { $0.addingSaturated($1.bytes) }
        let line =
            copied > 0 && copied >= bytes / 2
            ? "; \(Quantity.count(own.count, "file")) of it \(own.count == 1 ? "is a copy" : "are copies")" : ""
        let judged = isFreshInstall ? "" : ", \(verdict)"
        return Evidence(
            kind: Self.evidenceKind, value: "\(displayPath): \(Quantity.bytes(bytes)) in \(kinds)\(judged)\(line)")
    }

    private func contains(_ file: [UInt8]) -> Bool {
        guard path.isEmpty || file.starts(with: path + [UInt8(ascii: "/")]) else { return false }
        return isWhole || !file.dropFirst(path.isEmpty ? 0 : path.count + 1).contains(UInt8(ascii: "/"))
    }
}
