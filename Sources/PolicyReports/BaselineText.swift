package import StoragePolicy
internal import TextOutput

/// What a baseline holds, by rule.
package struct BaselineText {
    private let entries: [Baseline.Entry]

    package init(_ baseline: Baseline) { entries = baseline.entries }

    /// So many findings, in words.
    package static func findings(_ count: Int) -> String { Quantity.count(count, "finding") }

    /// Each rule, the most frequent first, and how many entries it has in each container.
    private var rules: [(rule: String, containers: [(name: String, count: Int)], count: Int)] {
        Dictionary(grouping: entries, by: \.rule).map { rule, entries in
            let containers = Dictionary(grouping: entries, by: \.container).map { ($0.key, $0.value.count) }
            return (rule, containers.sorted { $0.0 < $1.0 }, entries.count)
        }.sorted { ($1.count, $0.rule) < ($0.count, $1.rule) }
    }

    /// A line a rule.
    package var text: String {
        let rules = rules
        let width = rules.map { Quantity.grouped($0.count).count }.max() ?? 0
        let lines = rules.map { row in
            let count = Quantity.grouped(row.count)
            let containers = row.containers.map { $0.name.isEmpty ? "a container without a name" : $0.name }
            return String(repeating: " ", count: width - count.count) + count
                + "  \(row.rule)  (\(containers.joined(separator: ", ")))\n"
        }
        return lines.joined() + "\(Self.findings(entries.count)) of \(Quantity.count(rules.count, "rule")).\n"
    }

    /// An object.
    package var json: String {
        let rules = rules.map { row -> JSONValue in
            .object([
                "rule": .string(row.rule), "entries": .integer(Int64(row.count)),
                "containers": .array(
                    row.containers.map {
                        .object(["container": .string($0.name), "entries": .integer(Int64($0.count))])
                    }),
            ])
        }
        return JSONValue.object(["entries": .integer(Int64(entries.count)), "rules": .array(rules)]).indented
    }
}

/// What is found and not in a baseline, and what is in it and no longer found.
package struct BaselineDifferenceText {
    private let new: [Finding]
    private let gone: [Baseline.Entry]
    private let known: Int

    package init(_ report: LintReport, _ comparison: LintReport.Comparison) {
        new = comparison.new.map { report.findings[$0] }
        (gone, known) = (comparison.gone, comparison.known.count)
    }

    /// A line each, `+` before what is new and `-` before what is gone.
    package var text: String {
        let lines =
            new.map { "+ \($0.severity.rawValue)[\($0.rule.id)] \(Self.place($0.displayPath))\n" }
            + gone.map { "- \($0.rule) \($0.path)\n" }
        return lines.joined() + "\(new.count) new, \(gone.count) gone, \(known) in the baseline.\n"
    }

    /// An object.
    package var json: String {
        let added = new.map { finding -> JSONValue in
            .object([
                "rule": .string(finding.rule.id), "severity": .string(finding.severity.rawValue),
                "path": .string(finding.displayPath), "fingerprint": .string(finding.fingerprint),
            ])
        }
        let removed = gone.map { entry -> JSONValue in
            .object([
                "rule": .string(entry.rule), "container": .string(entry.container), "path": .string(entry.path),
                "fingerprint": .string(entry.fingerprint),
            ])
        }
        return JSONValue.object([
            "new": .array(added), "gone": .array(removed), "known": .integer(Int64(known)),
        ]).indented
    }

    private static func place(_ path: String) -> String { path.isEmpty ? "." : path }
}
