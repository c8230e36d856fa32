internal import PolicyTexts
package import StoragePolicy
internal import TextOutput

/// Accepted findings, as text that git merges.
///
/// The first line names the format. Every further line is one entry: rule, container, path, limit and perhaps what was found,
/// separated by single spaces and sorted by bytes. The path of an entry is that of an item, for the rules that are accepted
/// item by item, or of a directory (`Rule.isAcceptedByItem`). The text contains no clock, no path of the machine and no
/// content.
package struct Baseline: Sendable {
    /// The number of items and bytes that the findings of an entry may have together; nil is no limit.
    package struct Limit: Sendable, Hashable {
        package let items: Int?
        package let bytes: UInt64?

        /// The limit as a word of a line.
        var text: String {
            let parts = [items.map { "items=\($0)" }, bytes.map { "bytes=\($0)" }].compactMap(\.self)
            return "max:" + (parts.isEmpty ? "none" : parts.joined(separator: ","))
        }

        /// Returns the higher number of items and of bytes of two limits.
        func merged(with other: Limit) -> Limit {
            Limit(items: Self.higher(items, other.items), bytes: Self.higher(bytes, other.bytes))
        }

        private static func higher<Number: Comparable>(_ left: Number?, _ right: Number?) -> Number? {
            guard let left, let right else { return nil }
            return max(left, right)
        }
    }

    /// The subject of an entry.
    struct Key: Hashable, Sendable {
        let rule: String
        let container: String
        let path: String
        /// The digest of what was found in an item, and where; nil for a directory and for a rule that finds only one problem
        /// in an item.
        var found: UInt64?

        /// True if the path is that of an item.
        var isItem: Bool { path.utf8.last != UInt8(ascii: "/") && path != "." && path != Baseline.anywhere }
    }

    /// One line of the file.
    package struct Entry: Sendable, Hashable {
        let key: Key
        package let limit: Limit
        /// The rule's id.
        package var rule: String { key.rule }
        /// The container's identifier, percent-escaped; empty if unknown.
        package var container: String { key.container }
        /// The path relative to the container, percent-escaped, with `*` for the parts of names that change by themselves. The
        /// path of a directory has a `/` at its end; `.` is the container itself, `**` stands for findings beyond the number
        /// that a report lists.
        package var path: String { key.path }
        /// The digest of what was found in an item, if the rule may find several problems in one.
        package var found: String? { key.found.map(Digest.text) }

        package var line: String {
            "\(rule) \(Self.word(container: container)) \(path) \(limit.text)" + (found.map { " found:\($0)" } ?? "")
        }

        static func word(container: String) -> String { container.isEmpty ? "-" : container }

        /// The path with its spaces, as reports show it.
        package var displayPath: String { path.replacing("%20", with: " ") }

        /// The path as bytes; empty for the container itself and for `**`.
        var bytes: [UInt8] {
            if path == "." || path == Baseline.anywhere { return [] }
            return ByteText.unescaped(String(path.hasSuffix("/") ? path.dropLast() : path[...]))
        }
    }

    /// The file that commands write if neither an option nor the configuration names one.
    package static let standardPath = "sandboxlint-baseline.txt"

    /// The version of the format.
    static let format = 3
    /// The first line without the version.
    static let name = "sandboxlint-baseline/"
    /// The first line.
    package static let header = "\(name)\(format)"
    /// The path of findings that are beyond the number that a report lists.
    static let anywhere = "**"

    private var accepted = BaselineTable()
    /// The file; nil for a baseline that was not read.
    private(set) var file: String?

    /// The number of entries.
    package var count: Int { accepted.count }

    /// True if the baseline has no entry.
    package var isEmpty: Bool { count == 0 }

    /// The entries, sorted by their lines.
    package var entries: [Entry] {
        var entries: [Entry] = []
        forEach { entries.append($0) }
        return entries
    }

    /// Calls a closure with each entry, sorted by their lines.
    func forEach(_ body: (Entry) -> Void) { accepted.forEachInOrder(body) }

    /// Returns the baseline with the entries for which `isIncluded` returns true.
    func filter(_ isIncluded: (Entry) -> Bool) -> Baseline {
        var baseline = self
        baseline.accepted = accepted.filter(isIncluded)
        return baseline
    }

    /// Counts the entries that another baseline lacks, those that only it has, and those with another limit there.
    package func changes(from old: Baseline) -> (added: Int, removed: Int, changed: Int) {
        var (common, changed) = (0, 0)
        accepted.forEach { entry, _ in
            guard let before = old.accepted[entry.key] else { return }
            common += 1
            if before != entry.limit { changed += 1 }
        }
        return (count - common, old.count - common, changed)
    }

    /// The containers of the entries.
    package var containers: Set<String> { words { $0.container } }

    /// The rules of the entries for items.
    var rulesWithItems: Set<String> { words { $0.key.isItem ? $0.rule : nil } }

    private func words(_ word: (Entry) -> String?) -> Set<String> {
        var words: Set<String> = []
        accepted.forEach { entry, _ in
            if let word = word(entry) { words.insert(word) }
        }
        return words
    }

    /// A baseline of entries. Of two with one subject, the higher limits count.
    package init(_ entries: some Sequence<Entry>) {
        for entry in entries { accepted.append(entry, line: 0) }
        accepted.sort()
    }

    /// A baseline of a file with the entries of a table.
    init(file: String, _ table: BaselineTable) {
        (self.file, accepted) = (file, table)
        accepted.sort()
    }

    /// Adds the entries of another baseline.
    mutating func add(_ other: Baseline) {
        other.accepted.forEach { accepted.append($0, line: $1) }
        accepted.sort()
    }

    /// Returns true if the baseline has an entry with the subject of another one.
    func contains(_ entry: Entry) -> Bool { accepted[entry.key] != nil }

    /// The entry of a rule, also under a former name of the rule; nil without one.
    func entry(of rule: Rule, _ container: String, path: String, found: UInt64? = nil) -> Entry? {
        guard !isEmpty else { return nil }
        return rule.names.lazy.map { Key(rule: Self.word($0), container: container, path: path, found: found) }
            .compactMap { key in accepted[key].map { Entry(key: key, limit: $0) } }.first
    }

    /// A rule, by its id, in a container.
    struct Subject: Hashable {
        let rule: String
        let container: String
    }

    /// The limits of some rules' entries for each container, added up.
    func totals(of rules: some Sequence<Rule>) -> [Subject: Limit] {
        let ids = Dictionary(rules.flatMap { rule in rule.names.map { (Self.word($0), rule.id) } }) { $1 }
        guard !ids.isEmpty else { return [:] }
        func sum<Number: FixedWidthInteger>(_ left: Number?, _ right: Number?) -> Number? {
            guard let left, let right else { return nil }
            let (sum, isTooLarge) = left.addingReportingOverflow(right)
            return isTooLarge ? .max : sum
        }
        var totals: [Subject: Limit] = [:]
        // An item with several problems has several entries.
        var items: [Subject: [String: Int]] = [:]
        accepted.forEach { entry, _ in
            guard let rule = ids[entry.rule] else { return }
            let subject = Subject(rule: rule, container: entry.container)
            let total = totals[subject] ?? Limit(items: 0, bytes: 0)
            if entry.key.isItem, let limit = entry.limit.items {
                items[subject, default: [:]][entry.path] = max(items[subject]?[entry.path] ?? 0, limit)
                totals[subject] = Limit(items: total.items, bytes: nil)
            } else {
                totals[subject] = Limit(
                    items: sum(total.items, entry.limit.items), bytes: sum(total.bytes, entry.limit.bytes))
            }
        }
        for (subject, items) in items {
            guard let total = totals[subject] else { continue }
            totals[subject] = Limit(items: items.values.reduce(total.items) { sum($0, $1) }, bytes: total.bytes)
        }
        return totals
    }

    /// Checks that no entry accepts more than it names, for the rules whose findings are accepted item by item.
    ///
    /// - Throws: The first such entry, with its line.
    func check(_ rules: some Sequence<Rule>) throws(SourceError) {
        let names = Dictionary(
            rules.filter(\.isAcceptedByItem).flatMap { rule in rule.names.map { (Self.word($0), rule) } }
        ) { $1 }
        guard !names.isEmpty else { return }
        let unlisted = words { $0.path == Self.anywhere ? $0.rule : nil }
        let totals = totals(of: unlisted.compactMap { names[$0] })
        var first: (line: Int, key: Key)?
        accepted.forEach { entry, line in
            guard line < first?.line ?? .max, let rule = names[entry.rule],
                !isAcceptable(entry.key, limit: entry.limit, of: rule, totals: totals)
            else { return }
            first = (line, entry.key)
        }
        guard let first else { return }
        throw SourceError(
            file: file ?? "the baseline", text: "", line: max(1, first.line), column: 1,
            "“\(first.key.rule)” is accepted item by item, but this entry accepts any item",
            help: "Write the entry again with `sandboxlint baseline update` after you remove the line.")
    }

    /// Returns true if a rule that is accepted item by item may have an entry: one for an item, or one that stands for more
    /// findings than a report lists.
    private func isAcceptable(_ key: Key, limit: Limit, of rule: Rule, totals: [Subject: Limit]) -> Bool {
        guard let items = limit.items else { return false }
        if key.path == Self.anywhere {
            guard let listed = totals[Subject(rule: rule.id, container: key.container)]?.items else { return false }
            return listed - items >= LintReport.mostOfRule
        }
        guard key.isItem else { return items > LintReport.mostOfDirectory }
        // Only the names that change by themselves.
        return !key.path.utf8.allSatisfy { $0 == UInt8(ascii: "*") || $0 == UInt8(ascii: "/") }
    }

    /// The file's text.
    package var text: String {
        var text = Self.header + "\n"
        forEach { text += $0.line + "\n" }
        return text
    }
}

extension Baseline {
    /// A baseline that covers the findings of a report, except those about suppressions and baselines. Limits of `old` that
    /// are not exceeded stay as they are.
    ///
    /// For rules that are accepted item by item, each limit is what was found, and so it is for a path with names that
    /// change by themselves. For other directories it is twice as much, so that a file more in a cache is not new.
    package init(_ report: LintReport, keepingLimitsOf old: Baseline = Baseline([])) {
        var entries: [Entry] = []
        let inputs = Set(report.inputs.indices)
        for problem in report.itemProblems(ofInputs: inputs) where problem.rule.isAcceptedByItem {
            let limit = old.entry(of: problem.rule, problem.container, path: problem.path, found: problem.found)?.limit
            let key = Key(
                rule: Self.word(problem.rule.id), container: problem.container, path: problem.path, found: problem.found
            )
            let items = Self.limit(for: problem.count, times: 1, keeping: limit.map(\.items))
            entries.append(Entry(key: key, limit: Limit(items: items, bytes: nil)))
        }
        for directory in report.directories(ofInputs: inputs) {
            let isByItem = directory.rule.isAcceptedByItem
            guard !isByItem || directory.hasCombinedFinding else { continue }
            let limit = old.entry(of: directory.rule, directory.container, path: directory.path)?.limit
            let times = isByItem || directory.path.contains("*") && directory.path != Self.anywhere ? 1 : 2
            let measuresBytes = !isByItem && directory.rule.measuresBytes
            entries.append(
                Entry(
                    key: Key(rule: Self.word(directory.rule.id), container: directory.container, path: directory.path),
                    limit: Limit(
                        items: Self.limit(for: directory.items, times: times, keeping: limit.map(\.items)),
                        bytes: measuresBytes
                            ? Self.limit(for: directory.bytes, times: times, keeping: limit.map(\.bytes)) : nil)))
        }
        self.init(entries)
    }

    /// The limit for so many items or bytes: the old one, if there is an entry and it is not exceeded.
    private static func limit<Number: FixedWidthInteger>(
        for found: Number, times: Int, keeping old: Number??
    ) -> Number? {
        func limit() -> Number {
            let (product, isTooLarge) = found.multipliedReportingOverflow(by: Number(times))
            return isTooLarge ? .max : product
        }
        // Empty items say nothing about the size of the next one.
        guard let old else { return found == 0 ? nil : limit() }
        guard let old else { return nil }
        return found > old ? limit() : old
    }
}
