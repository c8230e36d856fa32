package import StoragePolicy
internal import TextOutput

/// The findings that are suppressed or that the baseline accepts, for the lists of reports.
package struct AcceptedFindings {
    package static let columns = ["severity", "rule", "path", "reason", "owner", "until", "accepted by"]

    private let findings: [Finding]
    private let name: (Finding) -> String

    /// Creates the list of a report. `name` returns a path with the name of its input if there are several.
    init(_ report: LintReport, name: @escaping (Finding) -> String) {
        findings = report.suppressedFindings + report.acceptedFindings
        self.name = name
    }

    /// Creates the list of a report.
    package init(_ report: LintReport) { self.init(report) { $0.path.isEmpty ? "." : $0.displayPath } }

    package var count: Int { findings.count }

    /// The cells of the first findings, in the order of the columns: suppressed ones first.
    package func rows(atMost most: Int = .max) -> [[String]] {
        findings.prefix(most).map { finding in
            let suppression = finding.suppression
            return [
                finding.severity.rawValue, finding.rule.id, name(finding), suppression?.reason ?? "",
                suppression?.owner ?? "", suppression?.until ?? "", suppression?.location ?? "",
            ]
        }
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
