internal import StoragePolicy
internal import TextOutput

/// The XML format of Checkstyle: findings by the file that they point at, the most severe first.
struct CheckstyleReport {
    private let run: LintRun

    init(_ run: LintRun) { self.run = run }

    func write(to output: (String) -> Void) {
        typealias Entry = (line: Int, severity: String, message: String, source: String)
        var files: [[UInt8]] = []
        var entries: [[UInt8]: [Entry]] = [:]
        func add(_ anchor: Anchor, severity: String, message: String, source: String) {
            if entries[anchor.path] == nil { files.append(anchor.path) }
            entries[anchor.path, default: []].append((anchor.line, severity, message, source))
        }
        for finding in run.report.findings {
            let severity = finding.severity == .note ? "info" : finding.severity.rawValue
            let item = "\(finding.message) [\(run.anchors.item(of: finding).shown)]"
            add(run.anchors.anchor(of: finding), severity: severity, message: item, source: finding.rule.id)
        }
        for gap in run.gaps {
            add(run.anchors.anchor(of: gap), severity: "error", message: gap.text, source: "incomplete")
        }

        output(XMLReportText.declaration + "<checkstyle version=\"4.3\">\n")
        for file in files {
            output("<file name=\"\(XMLReportText.escaped(ByteText.escaped(file)))\">\n")
            for entry in entries[file] ?? [] {
                output(
                    "<error line=\"\(entry.line)\" severity=\"\(entry.severity)\" "
                        + "message=\"\(XMLReportText.escaped(entry.message))\" source=\"sandboxlint.\(XMLReportText.escaped(entry.source))\"/>\n"
                )
            }
            output("</file>\n")
        }
        output("</checkstyle>\n")
    }
}
