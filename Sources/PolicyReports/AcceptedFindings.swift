package import StoragePolicy
internal import TextOutput

/// The findings that are suppressed or that the baseline accepts, for the lists of reports.
package struct AcceptedFindings {
    package static let columns = ["severity", "rule", "path", "reason", "owner", "until", "accepted by"]

    private let findings: [Finding]
    private let name: (Finding) -> String
    /// The number of findings of items that the configuration ignores, which are not listed.
    private let ignored: Int

    /// Creates the list of a report. `name` returns a path with the name of its input if there are several.
    init(_ report: LintReport, name: @escaping (Finding) -> String) {
        findings = report.suppressedFindings + report.acceptedFindings
        ignored = report.inputs.reduce(0) { $0 + $1.ignored }
        self.name = name
    }

    /// Creates the list of a report, without the number of ignored findings.
    package init(_ report: LintReport) {
        findings = report.suppressedFindings + report.acceptedFindings
        (name, ignored) = ({ $0.path.isEmpty ? "." : $0.displayPath }, 0)
    }

    /// The number of rows.
    package var count: Int { findings.count + (ignored > 0 ? 1 : 0) }

    /// The cells of the first findings, in the order of the columns: suppressed ones first, and last the number of ignored ones.
    package func rows(atMost most: Int = .max) -> [[String]] {
        let rows = findings.prefix(most).map { finding in
            let suppression = finding.suppression
            return [
                finding.severity.rawValue, finding.rule.id, name(finding), suppression?.reason ?? "",
                suppression?.owner ?? "", suppression?.until ?? "",
                suppression.map { "\($0.kind.rawValue): \($0.location)" } ?? "",
            ]
        }
        guard ignored > 0, rows.count < most else { return rows }
        let count = Quantity.count(ignored, "finding")
        return rows + [["", "", "", "\(count) of items that the configuration ignores", "", "", "configuration"]]
    }

    /// The list as text: one line per finding.
    package var text: String {
        rows().map { cells in
            let details = [
                cells[4].isEmpty ? "" : "owner: \(cells[4])", cells[5].isEmpty ? "" : "until \(cells[5])", cells[6],
            ].filter { !$0.isEmpty }
            return "\(cells[0])[\(cells[1])] \(cells[2]): \(cells[3]) (\(details.joined(separator: "; ")))\n"
        }.joined()
    }

    /// The list as JSON.
    package var json: JSONValue {
        .array(
            findings.map { finding in
                func text(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
                let suppression = finding.suppression
                return .members([
                    ("rule", .string(finding.rule.id)), ("severity", .string(finding.severity.rawValue)),
                    ("path", .string(finding.displayPath)), ("fingerprint", .string(finding.fingerprint)),
                    ("by", text(suppression?.kind.rawValue)), ("place", text(suppression?.location)),
                    ("reason", text(suppression?.reason)), ("owner", text(suppression?.owner)),
                    ("until", text(suppression?.until)),
                ])
            })
    }
}
