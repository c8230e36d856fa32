package import StoragePolicy
internal import TextOutput

extension LintReport {
    /// The result of comparing some inputs of a report with a baseline.
    package struct Comparison: Sendable {
        /// The positions of the findings that the baseline does not cover.
        package var new: [Int] = []
        /// The positions of the findings that it covers.
        package var known: [Int] = []
        /// For new findings of an item or a directory that has an entry: the limit and what was found.
        var exceeded: [Int: String] = [:]
        /// The entries that cover, or would cover, some finding.
        var found: Set<Baseline.Entry> = []
        /// The stale entries: those of the linted containers and rules that no longer cover a finding. Empty if the run is
        /// incomplete.
        package var gone = Baseline([])
    }

    /// The findings of one rule in one directory of an input.
    struct DirectoryFindings {
        let rule: Rule
        let input: Int
        /// As a word of a baseline's line.
        let container: String
        /// As a word of a baseline's line.
        let path: String
        var findings: [Int] = []
        /// True if some finding stands for many items.
        var hasCombinedFinding = false
        var sum = ItemSum()
        var items: Int { sum.items }
        var bytes: UInt64 { sum.bytes }

        func isWithin(_ limit: Baseline.Limit) -> Bool {
            items <= limit.items ?? .max && bytes <= limit.bytes ?? .max
        }

        func text(exceeding limit: Baseline.Limit) -> String {
            func text(_ items: Int?, bytes: UInt64?) -> String {
                [items.map { Quantity.count($0, "item") }, bytes.map { Quantity.bytes($0) }].compactMap(\.self)
                    .joined(separator: " and ")
            }
            return "accepts at most \(text(limit.items, bytes: limit.bytes)) here; found "
                + text(limit.items.map { _ in items }, bytes: limit.bytes.map { _ in bytes })
        }
    }

    /// The findings of some inputs by rule and directory, in the order of the first of each; without those about
    /// suppressions and baselines.
    func directories(ofInputs inputs: Set<Int>) -> [DirectoryFindings] {
        struct Key: Hashable {
            let rule: String
            let input: Int
            let path: String
        }
        var directories: [DirectoryFindings] = []
        var positions: [Key: Int] = [:]
        for (index, finding) in findings.enumerated()
        where inputs.contains(finding.input) && finding.rule.exception == nil {
            let key = Key(rule: finding.rule.id, input: finding.input, path: finding.baselineDirectory)
            let position = positions[key] ?? directories.count
            if position == directories.count {
                positions[key] = position
                directories.append(
                    DirectoryFindings(
                        rule: finding.rule, input: finding.input, container: Baseline.word(finding.container),
                        path: key.path))
            }
            directories[position].findings.append(index)
            if finding.part != .item { directories[position].hasCombinedFinding = true }
            directories[position].sum.add(items: finding.items, bytes: finding.bytes)
        }
        return directories
    }

    /// One problem of an item, or of several items whose paths differ only in names that change by themselves.
    struct ItemProblem {
        let rule: Rule
        /// As a word of a baseline's line.
        let container: String
        /// As a word of a baseline's line.
        let path: String
        let found: UInt64?
        var count = 0
        var findings: [Int] = []
    }

    /// The problems of single items in some inputs, in the order of the first finding of each; without those about
    /// suppressions and baselines.
    ///
    /// - Parameters:
    ///   - inputs: The inputs.
    ///   - isIncluded: Returns false for a finding to be left out.
    /// - Returns: The problems. A finding has several if its rule found several in the item.
    func itemProblems(ofInputs inputs: Set<Int>, where isIncluded: (Finding) -> Bool = { _ in true }) -> [ItemProblem] {
        struct Key: Hashable {
            let rule: String
            let input: Int
            let path: String
            let found: UInt64?
        }
        var problems: [ItemProblem] = []
        var positions: [Key: Int] = [:]
        for (index, finding) in findings.enumerated()
        where inputs.contains(finding.input) && finding.rule.exception == nil && finding.part == .item
            && isIncluded(finding)
        {
            let path = Baseline.pattern(finding.path)
            for (found, count) in finding.baselineProblems.sorted(by: { $0.key ?? 0 < $1.key ?? 0 }) {
                let key = Key(rule: finding.rule.id, input: finding.input, path: path, found: found)
                let position = positions[key] ?? problems.count
                if position == problems.count {
                    positions[key] = position
                    problems.append(
                        ItemProblem(
                            rule: finding.rule, container: Baseline.word(finding.container), path: path, found: found))
                }
                problems[position].count += count
                problems[position].findings.append(index)
            }
        }
        return problems
    }

    /// Compares the findings of some inputs with a baseline. An entry of another container, or of a rule that did not
    /// run, is neither found nor gone.
    ///
    /// A finding is covered if each of its problems has an entry that accepts as many, or else by the entry of its directory.
    package func comparison(with baseline: Baseline, ofInputs inputs: Set<Int>) -> Comparison {
        var comparison = Comparison()
        let itemRules = baseline.rulesWithItems
        var uncovered: Set<Int> = []
        var isKnown: Set<Int> = []
        for problem in itemProblems(ofInputs: inputs, where: { !itemRules.isDisjoint(with: $0.rule.names) }) {
            let entry = baseline.entry(of: problem.rule, problem.container, path: problem.path, found: problem.found)
            isKnown.formUnion(problem.findings)
            guard let entry else {
                uncovered.formUnion(problem.findings)
                continue
            }
            comparison.found.insert(entry)
            guard let limit = entry.limit.items, problem.count > limit else { continue }
            uncovered.formUnion(problem.findings)
            let text =
                "accepts \(Quantity.count(limit, "such finding")) at \(entry.displayPath); found "
                + "\(Quantity.grouped(problem.count))"
            for index in problem.findings { comparison.exceeded[index] = text }
        }
        isKnown.subtract(uncovered)
        let directories = directories(ofInputs: inputs)
        let wholes = Wholes(directories, baseline: baseline)
        for directory in directories {
            let own = baseline.entry(of: directory.rule, directory.container, path: directory.path)
            let rest = baseline.entry(of: directory.rule, directory.container, path: Baseline.anywhere)
            comparison.found.formUnion([own, rest].compactMap(\.self))
            let open = directory.findings.filter { !isKnown.contains($0) }
            let isCovered: Bool
            if let own {
                isCovered = directory.isWithin(own.limit)
                if !isCovered {
                    let text = directory.text(exceeding: own.limit)
                    for index in open { comparison.exceeded[index] = text }
                }
            } else if rest != nil || directory.path == Baseline.anywhere {
                // The findings beyond the number that a report lists are chosen by chance, so the rule is judged as a whole.
                isCovered = wholes.areWithinTotal(of: directory)
            } else {
                isCovered = false
            }
            comparison.known += directory.findings.filter(isKnown.contains)
            if isCovered { comparison.known += open } else { comparison.new += open }
        }
        for index in comparison.known { comparison.exceeded[index] = nil }
        comparison.new.sort()
        comparison.known.sort()
        guard isComplete else { return comparison }
        let asked = AskedWords(self, inputs: inputs)
        let unlisted = Set(
            directories.filter { $0.path == Baseline.anywhere }.flatMap { directory in
                directory.rule.names.map { [Baseline.word($0), directory.container] }
            })
        comparison.gone = baseline.filter { entry in
            !comparison.found.contains(entry) && asked.input(of: entry) != nil
                && !unlisted.contains([entry.rule, entry.container])
        }
        return comparison
    }

    /// The totals of each rule in each input, and what a baseline accepts of the rules with findings beyond the number that
    /// a report lists.
    private struct Wholes {
        private struct Key: Hashable {
            let rule: String
            let input: Int
        }
        private var sums: [Key: ItemSum] = [:]
        private let accepted: [Baseline.Subject: Baseline.Limit]

        init(_ directories: [DirectoryFindings], baseline: Baseline) {
            var rules: [String: Rule] = [:]
            for directory in directories {
                let key = Key(rule: directory.rule.id, input: directory.input)
                sums[key, default: ItemSum()].add(directory.sum)
                if directory.path == Baseline.anywhere
                    || baseline.entry(of: directory.rule, directory.container, path: Baseline.anywhere) != nil
                {
                    rules[directory.rule.id] = directory.rule
                }
            }
            accepted = baseline.totals(of: rules.values)
        }

        /// Returns true if the rule of a directory found no more in the whole input than all its entries accept.
        func areWithinTotal(of directory: DirectoryFindings) -> Bool {
            var whole = directory
            whole.sum = sums[Key(rule: directory.rule.id, input: directory.input), default: ItemSum()]
            let subject = Baseline.Subject(rule: directory.rule.id, container: directory.container)
            return whole.isWithin(accepted[subject] ?? Baseline.Limit(items: 0, bytes: 0))
        }
    }

    /// Returns a sentence about a baseline whose entries all belong to other apps than the inputs; nil for any other baseline.
    package func note(onForeign baseline: Baseline, ofInputs inputs: Set<Int>) -> String? {
        func listed(_ names: Set<String>) -> String {
            let shown = names.sorted().prefix(3).map { $0.isEmpty ? "an unknown app" : $0 }.joined(separator: ", ")
            return names.count > 3 ? "\(shown) and \(Quantity.grouped(names.count - 3)) more" : shown
        }
        let (accepted, linted) = (baseline.containers, Set(inputs.map { Baseline.word(asked[$0].container) }))
        guard !accepted.isEmpty, !linted.isEmpty, accepted.isDisjoint(with: linted) else { return nil }
        return "the baseline “\(ByteText.printable(baseline.file ?? ""))” is of another app: its entries are for "
            + "\(listed(accepted)), and this run lints \(listed(linted))."
    }

    /// Compares all findings with a baseline.
    package func comparison(with baseline: Baseline) -> Comparison {
        comparison(with: baseline, ofInputs: Set(inputs.indices))
    }

    /// The baseline with the present findings in place of its entries for them. Entries of other containers, and of
    /// rules that did not run, stay; so do limits that are not exceeded. If the run is incomplete, no entry is removed.
    package func updated(_ old: Baseline) -> Baseline {
        let asked = AskedWords(self, inputs: Set(inputs.indices))
        var updated = old.filter { !isComplete || asked.input(of: $0) == nil }
        updated.add(Baseline(self, keepingLimitsOf: old))
        return updated
    }

    /// The baseline without the entries that cover no finding any more.
    package func pruned(_ old: Baseline) -> Baseline {
        let gone = comparison(with: old).gone
        return old.filter { !gone.contains($0) }
    }

    /// The rules that ran on some inputs and the inputs' containers, as words of a baseline's lines.
    private struct AskedWords {
        private var inputs: [String: [(input: Int, rules: Set<String>)]] = [:]

        init(_ report: LintReport, inputs: Set<Int>) {
            for input in inputs.sorted() {
                let asked = report.asked[input]
                self.inputs[Baseline.word(asked.container), default: []].append(
                    (input, Set(asked.rules.map { Baseline.word($0) })))
            }
        }

        /// The first input that an entry is about.
        func input(of entry: Baseline.Entry) -> Int? {
            inputs[entry.container]?.first { $0.rules.contains(entry.rule) }?.input
        }
    }

    /// Removes the findings that a baseline covers from some inputs, and adds a finding for each stale entry: a note, or
    /// an error if `isStrict`.
    package mutating func apply(_ baseline: Baseline, toInputs inputs: Set<Int>, isStrict: Bool = false) {
        let comparison = comparison(with: baseline, ofInputs: inputs)
        for (index, text) in comparison.exceeded {
            findings[index] = findings[index].adding(Evidence(kind: "baseline", value: text))
        }
        let known = Set(comparison.known)
        for index in known { self.inputs[findings[index].input].baselined += 1 }
        acceptedFindings += known.sorted().map { findings[$0].suppressed(by: Finding.Suppression(baseline)) }
        Finding.sort(&acceptedFindings)
        findings = findings.enumerated().filter { !known.contains($0.offset) }.map(\.element)
        let asked = AskedWords(self, inputs: inputs)
        addStaleEntries(isStrict ? .error : nil) { add in
            comparison.gone.forEach { entry in
                guard let input = asked.input(of: entry) else { return }
                add(input, entry.bytes, entry.line, entry.rule)
            }
        }
    }
}

extension Linter {
    /// Checks that no entry of a baseline for the findings of some linters accepts more than it names.
    ///
    /// - Throws: The first such entry, with its line.
    package static func check(_ baseline: Baseline, for linters: some Sequence<Linter>) throws(SourceError) {
        try baseline.check(linters.flatMap { $0.forms.map(\.rule) })
    }
}

extension Finding.Suppression {
    /// The acceptance by a baseline; nil for one that was not read from a file.
    package init(_ baseline: Baseline) {
        self.init(
            kind: .baseline, reason: "accepted by the baseline", owner: nil, until: nil,
            location: baseline.file.map { ByteText.printable($0.split(separator: "/").last ?? "") } ?? "baseline")
    }
}
