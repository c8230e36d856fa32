internal import PolicyRecords
internal import StoragePolicy

/// A cause of one of two compared runs, with the texts that reports show.
struct ComparedCause {
    let name: String
    let title: String
    /// The item, or the directory of several, with the name of the container if there are several.
    let path: String
    let rules: [String]
    let severity: Severity
    let extent: CauseChange.Extent
    let fingerprints: [String]
    /// The rule of the first finding; nil for a rule that this version does not have.
    let rule: Rule?
    /// The reason for the findings in one sentence.
    let reason: String?
    /// The help of the rule, and its fix in another line if it has one; empty for a rule that this version does not have.
    let remedy: String

    init(_ cause: Cause, path: String, reason: String?, remedy: String) {
        (name, title, self.path) = (cause.name, cause.title, path)
        (rules, severity) = (cause.rules.map(\.id), cause.severity)
        extent = CauseChange.Extent(findings: cause.findings.count, items: cause.items, bytes: cause.bytes)
        fingerprints = cause.findings.map(\.fingerprint)
        (rule, self.reason, self.remedy) = (cause.first.rule, reason, remedy)
    }

    /// The findings of a rule that this version does not have.
    init(ofUnknownRule rule: String, _ lines: [ReportSnapshot.Line]) {
        (name, title) = ("\(rule): .", "findings of the rule \(rule), which this version does not have")
        (path, rules) = (lines.count == 1 ? lines[0].path : "the container itself", [rule])
        severity = lines.map(\.severity).max() ?? .note
        extent = CauseChange.Extent(
            findings: lines.count, items: lines.reduce(0) { $0 + $1.items },
            bytes: lines.reduce(0) { $0.addingSaturated($1.bytes) })
        fingerprints = lines.map(\.fingerprint)
        (self.rule, reason, remedy) = (nil, nil, "")
    }
}

/// The causes of two runs in groups: those that have findings in common, and otherwise those with one name.
///
/// A new file can give the cause of other files another path, or divide it, so that the names of causes alone would show the same
/// problem as new and as fixed.
struct CauseMatching {
    /// The positions of the causes of a group in each run.
    struct Group {
        fileprivate(set) var before: [Int] = []
        fileprivate(set) var after: [Int] = []
    }

    private(set) var groups: [Group] = []
    /// For each cause, a cause of the same group; those of the later run follow those of the earlier one.
    private var parents: [Int]

    init(_ before: [ComparedCause], _ after: [ComparedCause]) {
        parents = Array(0..<before.count + after.count)
        var owners: [String: Int] = [:]
        for (index, cause) in before.enumerated() {
            for fingerprint in cause.fingerprints { owners[fingerprint] = index }
        }
        var isMatched = [Bool](repeating: false, count: parents.count)
        func match(_ old: Int, _ new: Int) {
            join(old, before.count + new)
            (isMatched[old], isMatched[before.count + new]) = (true, true)
        }
        for (index, cause) in after.enumerated() {
            for fingerprint in cause.fingerprints { if let owner = owners[fingerprint] { match(owner, index) } }
        }
        let names = Dictionary(
            before.indices.filter { !isMatched[$0] }.map { (before[$0].name + "\n" + before[$0].path, $0) }
        ) { first, _ in first }
        for (index, cause) in after.enumerated() where !isMatched[before.count + index] {
            if let old = names[cause.name + "\n" + cause.path] { match(old, index) }
        }
        var positions: [Int: Int] = [:]
        for index in parents.indices {
            let root = root(of: index)
            let position = positions[root] ?? groups.count
            if position == groups.count {
                positions[root] = position
                groups.append(Group())
            }
            if index < before.count {
                groups[position].before.append(index)
            } else {
                groups[position].after.append(index - before.count)
            }
        }
    }

    private mutating func root(of index: Int) -> Int {
        var index = index
        while parents[index] != index {
            parents[index] = parents[parents[index]]
            index = parents[index]
        }
        return index
    }

    private mutating func join(_ first: Int, _ second: Int) {
        let (first, second) = (root(of: first), root(of: second))
        parents[max(first, second)] = min(first, second)
    }
}
