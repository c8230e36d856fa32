internal import StoragePolicy
package import TextOutput

/// The number of findings of each rule.
package struct StatisticsText {
    private struct Row {
        let rule: Rule
        var severity: Severity
        var findings = 0
        var items = 0
        var bytes: UInt64 = 0
    }
    private let run: LintRun
    /// The rules, those with the most findings first.
    private let rows: [Row]

    /// Creates the statistics of a run.
    package init(_ run: LintRun) {
        self.run = run
        var rows: [String: Row] = [:]
        for finding in run.report.findings {
            var row = rows[finding.rule.id] ?? Row(rule: finding.rule, severity: finding.severity)
            row.severity = max(row.severity, finding.severity)
            row.findings += 1
            row.items += finding.items
            row.bytes = row.bytes.addingSaturated(finding.bytes)
            rows[finding.rule.id] = row
        }
        self.rows = rows.values.sorted { left, right in
            if left.findings != right.findings { return left.findings > right.findings }
            return (right.items, left.rule.number) < (left.items, right.rule.number)
        }
    }

    /// The text: a table with one line per rule, and the totals of the run.
    package func text(style: Style) -> String {
        var text = ""
        if !rows.isEmpty {
            let cells = rows.map {
                [Quantity.grouped($0.findings), Quantity.grouped($0.items), Quantity.bytes($0.bytes)]
            }
            let names = ["findings", "items", "size"]
            let widths = names.indices.map { column in (cells + [names]).map { $0[column].count }.max() ?? 0 }
            func line(_ cells: [String]) -> String {
                zip(cells, widths).map { String(repeating: " ", count: $1 - $0.count) + $0 }.joined(separator: "  ")
            }
            text += style.bold("\(line(names))  severity  rule") + "\n"
            for (row, cells) in zip(rows, cells) {
                let severity = row.severity.rawValue + String(repeating: " ", count: 8 - row.severity.rawValue.count)
                text +=
                    "\(line(cells))  \(style.severity(row.severity, text: severity))  \(style.link(row.rule.id, of: row.rule))\n"
            }
            text += "\n"
        }
        for gap in run.gaps { text += "\(gap.text)\n" }
        return run.isBrief ? text : text + TextReport.footer(of: run, style)
    }

    /// The JSON object, `sandboxlint-statistics/1`.
    package func json(to output: @escaping (String) -> Void) {
        var json = JSONWriter(to: output)
        json.object { json in
            json.field("schema", "sandboxlint-statistics/1")
            json.field("complete", run.isComplete)
            json.array("rules") { json in
                for row in rows {
                    json.object { json in
                        json.field("rule", row.rule.id)
                        json.field("group", row.rule.group.rawValue)
                        json.field("severity", row.severity.rawValue)
                        json.field("findings", row.findings)
                        json.field("items", row.items)
                        json.field("bytes", row.bytes)
                    }
                }
            }
        }
        output("\n")
    }
}
