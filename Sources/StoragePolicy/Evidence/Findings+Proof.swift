extension [Finding] {
    /// Removes guesses about files, or all files of a directory, that a rule resting on proof has reported.
    ///
    /// - Parameter others: Reported findings that a suppression covers; they need no guess either.
    mutating func removeGuesses(besides others: [Finding]) {
        let proofs = Set(lazy.compactMap(\.rule.verdict).flatMap(\.unless))
        guard !proofs.isEmpty else { return }
        var paths: [String: Set<[UInt8]>] = [:]
        for finding in [self, others].joined() where proofs.contains(finding.rule.id) {
            paths[finding.rule.id, default: []].insert(finding.path)
        }
        guard !paths.isEmpty else { return }
        removeAll { finding in
            guard let unless = finding.rule.verdict?.unless else { return false }
            let proven = paths.filter { unless.contains($0.key) }.values
            return finding.pathAndAncestors.contains { path in proven.contains { $0.contains(path) } }
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
