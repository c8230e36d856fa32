package import PolicyRecords
package import StoragePolicy
internal import TextOutput

/// The text and JSON of a baseline, by rule.
package struct BaselineText {
    private let entries: [Baseline.Entry]
    /// The accepted findings of a container, if one was linted.
    private let accepted: AcceptedFindings?

    package init(_ baseline: Baseline, accepting accepted: AcceptedFindings? = nil) {
        (entries, self.accepted) = (baseline.entries, accepted)
    }

    /// The number of entries and the changes: `4 entries: 1 new, 0 gone.`
    package static func changes(from old: Baseline, to new: Baseline) -> String {
        let (added, removed, changed) = new.changes(from: old)
        return "\(entries(new.count)): \(added) added, \(removed) removed"
            + "\(changed > 0 ? ", \(changed) with a new limit" : "")."
    }

    private static func entries(_ count: Int) -> String { "\(count) \(count == 1 ? "entry" : "entries")" }

    /// The number of entries of each rule in each container, the most frequent rule first.
    private var rules: [(rule: String, containers: [(name: String, count: Int)], count: Int)] {
        Dictionary(grouping: entries, by: \.rule).map { rule, entries in
            let containers = Dictionary(grouping: entries, by: \.container).map { ($0.key, $0.value.count) }
            return (rule, containers.sorted { $0.0 < $1.0 }, entries.count)
        }.sorted { ($1.count, $0.rule) < ($0.count, $1.rule) }
    }

    /// The text: one line per rule.
    package var text: String {
        let rules = rules
        let width = rules.map { Quantity.grouped($0.count).count }.max() ?? 0
        let lines = rules.map { row in
            let count = Quantity.grouped(row.count)
            let containers = row.containers.map { $0.name.isEmpty ? "unnamed container" : $0.name }
            return String(repeating: " ", count: width - count.count) + count
                + "  \(row.rule)  (\(containers.joined(separator: ", ")))\n"
        }
        let list = accepted.map { "\n\($0.text)\(Quantity.count($0.count, "accepted finding")).\n" } ?? ""
        return lines.joined() + "\(Self.entries(entries.count)) for \(Quantity.count(rules.count, "rule")).\n" + list
    }

    /// The JSON object.
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
        var fields: [(String, JSONValue)] = [
            ("entries", .integer(Int64(entries.count))), ("rules", .array(rules)),
        ]
        if let accepted { fields.append(("accepted", accepted.json)) }
        return JSONValue.members(fields).indented
    }
}

/// The findings that a baseline misses, and its stale entries.
package struct BaselineDifferenceText {
    private let new: [Finding]
    private let gone: [Baseline.Entry]
    private let known: Int

    package init(_ report: LintReport, comparison: LintReport.Comparison) {
        new = comparison.new.map { report.findings[$0] }
        (gone, known) = (comparison.gone.entries, comparison.known.count)
    }

    /// The changes, one per line, with `+` for new findings and `-` for stale entries.
    package var text: String {
        let lines =
            new.map { "+ \($0.severity.rawValue)[\($0.rule.id)] \(Self.shownPath($0.displayPath))\n" }
            + gone.map { "- \($0.rule) \($0.displayPath)\n" }
        return lines.joined()
            + "\(Quantity.count(new.count, "new finding")), \(gone.count) stale, \(known) accepted by the baseline.\n"
    }

    /// The JSON object.
    package var json: String {
        let added = new.map { finding -> JSONValue in
            .object([
                "rule": .string(finding.rule.id), "severity": .string(finding.severity.rawValue),
                "path": .string(finding.displayPath), "fingerprint": .string(finding.fingerprint),
            ])
        }
        let removed = gone.map { entry -> JSONValue in
            let limit: [(String, JSONValue)] = [
                ("items", entry.limit.items.map { .integer(Int64($0)) } ?? .null),
                ("bytes", entry.limit.bytes.map { .integer(Int64(clamping: $0)) } ?? .null),
            ]
            return .members([
                ("rule", .string(entry.rule)), ("container", .string(entry.container)),
                ("path", .string(entry.displayPath)), ("found", entry.found.map { .string($0) } ?? .null),
                ("max", .members(limit)),
            ])
        }
        return JSONValue.object([
            "new": .array(added), "gone": .array(removed), "known": .integer(Int64(known)),
        ]).indented
    }

    private static func shownPath(_ path: String) -> String { path.isEmpty ? "." : path }
}
