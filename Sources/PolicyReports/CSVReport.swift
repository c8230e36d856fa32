internal import StoragePolicy
internal import TextOutput

/// Comma-separated values with a header: one line for each finding, then one for each gap.
///
/// Source: RFC 4180. A text that a spreadsheet would read as a formula gets a leading apostrophe; source: OWASP, CSV
/// Injection.
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
        let text = withoutFormulas(text)
        guard text.utf8.contains(where: { "\",;\t\r\n'".utf8.contains($0) }) else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }

    /// Returns a text with an apostrophe before each formula. A formula may also begin after `;` or a tab: if a spreadsheet
    /// uses these as separators, quotation marks in the middle of a line do not protect it.
    private static func withoutFormulas(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        var isStart = true
        for scalar in text.unicodeScalars {
            if isStart, isFormulaStart(scalar) { shown.append("'") }
            // Spreadsheets skip leading blanks and quotation marks.
            isStart = ";\t\r\n".unicodeScalars.contains(scalar) || (isStart && (scalar == " " || scalar == "\""))
            shown.append(scalar)
        }
        return String(shown)
    }

    /// Spreadsheets treat full-width forms, from East Asian keyboards, like ASCII characters.
    private static func isFormulaStart(_ scalar: Unicode.Scalar) -> Bool {
        "=+-@\t\r\n|%\u{ff1d}\u{ff0b}\u{ff0d}\u{ff20}".unicodeScalars.contains(scalar)
    }
}
