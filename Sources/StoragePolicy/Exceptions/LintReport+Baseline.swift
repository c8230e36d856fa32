extension LintReport {
    /// What a baseline and some inputs of a report have to do with each other.
    package struct Comparison: Sendable {
        /// Findings that the baseline does not know, by their places among the report's.
        package var new: [Int] = []
        /// Findings that it knows.
        package var known: [Int] = []
        /// Entries that some finding is known by.
        package var found: Set<Baseline.Entry> = []
        /// Entries of what was linted that nothing is known by any more; none if not all was looked at.
        package var gone: [Baseline.Entry] = []
    }

    /// Compares the findings of some inputs with a baseline. An entry of another container, or of a rule that was not
    /// asked, is neither found nor gone.
    package func comparison(with baseline: Baseline, ofInputs inputs: Set<Int>) -> Comparison {
        var comparison = Comparison()
        for (index, finding) in findings.enumerated() where inputs.contains(finding.input) {
            guard finding.rule.exception == nil else { continue }
            if let entry = baseline.entry(for: finding) {
                comparison.known.append(index)
                comparison.found.insert(entry)
            } else {
                comparison.new.append(index)
            }
        }
        guard isComplete else { return comparison }
        comparison.gone = baseline.entries.filter { entry in
            !comparison.found.contains(entry) && input(of: entry, among: inputs) != nil
        }
        return comparison
    }

    /// Compares all findings with a baseline.
    package func comparison(with baseline: Baseline) -> Comparison {
        comparison(with: baseline, ofInputs: Set(inputs.indices))
    }

    /// The baseline with what is found now instead of what it held of it; entries of other containers, and of rules that
    /// were not asked, stay. Where not all was looked at, nothing is taken out.
    package func updated(_ old: Baseline) -> Baseline {
        let kept = old.entries.filter { !isComplete || input(of: $0, among: Set(inputs.indices)) == nil }
        return Baseline(kept + Baseline(self).entries)
    }

    /// The baseline without what is gone.
    package func pruned(_ old: Baseline) -> Baseline {
        let gone = Set(comparison(with: old).gone)
        return Baseline(old.entries.filter { !gone.contains($0) })
    }

    /// The input that an entry is about, if it was asked what the entry says.
    private func input(of entry: Baseline.Entry, among inputs: Set<Int>) -> Int? {
        inputs.sorted().first {
            asked[$0].rules.contains(entry.rule) && Baseline.Entry.word(asked[$0].container) == entry.container
        }
    }

    /// Takes the findings that a baseline knows out of some inputs, and adds one for each entry that is stale.
    package mutating func apply(_ baseline: Baseline, toInputs inputs: Set<Int>) {
        let comparison = comparison(with: baseline, ofInputs: inputs)
        let known = Set(comparison.known)
        baselined += known.count
        findings = findings.enumerated().filter { !known.contains($0.offset) }.map(\.element)
        // In bounded memory, as the findings of any other rule.
        let stale = FindingStore()
        for entry in comparison.gone {
            guard let input = input(of: entry, among: inputs) else { continue }
            let problem = ExceptionRules.Problem(
                word: .staleInBaseline, path: entry.bytes, name: entry.fingerprint,
                evidence: [("rule", entry.rule), ("fingerprint", entry.fingerprint)])
            let container = asked[input].container
            stale.add(
                asked[input].exceptions.findings(for: problem, bundleIdentifier: container).map { finding in
                    var finding = finding
                    (finding.input, finding.container) = (input, container)
                    return finding
                }, of: 0)
        }
        findings = (findings + (stale.takeAll()[0] ?? [])).sorted(by: Finding.precedes)
    }
}
