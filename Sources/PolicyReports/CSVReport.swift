internal import StoragePolicy
internal import TextOutput

/// Comma-separated values with a line of names: a line for each finding, then for each thing that was not looked at.
///
/// Source: RFC 4180. A cell that a spreadsheet would take for a formula begins with an apostrophe instead; source:
/// OWASP, CSV Injection.
struct CSVReport {
    private static let names = [
        "severity", "rule", "group", "file", "line", "path", "items", "bytes", "message", "help", "fingerprint",
    ]
    private let run: LintRun

    init(_ run: LintRun) { self.run = run }

    func write(to output: (String) -> Void) {
        output(Self.line(Self.names))
        for finding in run.report.findings {
            let anchor = run.anchors.anchor(of: finding)
            output(
                Self.line([
                    finding.severity.rawValue, finding.rule.id, finding.rule.group.rawValue, anchor.shown,
                    String(anchor.line), finding.displayPath, String(finding.items), String(finding.bytes),
                    finding.message, finding.rule.help, finding.fingerprint,
                ]))
        }
        for gap in run.gaps {
            let anchor = run.anchors.anchor(of: gap)
            output(
                Self.line([
                    "incomplete", gap.reason, "", anchor.shown, String(anchor.line),
                    gap.path.map(ByteText.escaped) ?? "", "", "", gap.text, "", "",
                ]))
        }
    }

    private static func line(_ cells: [String]) -> String { cells.map(cell).joined(separator: ",") + "\r\n" }

    private static func cell(_ text: String) -> String {
        let isFormula = text.unicodeScalars.first.map { "=+-@\t\r\n|%".unicodeScalars.contains($0) } ?? false
        let text = (isFormula ? "'" : "") + text
        guard text.utf8.contains(where: { "\",\r\n'".utf8.contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
