internal import StoragePolicy

/// One line for each finding, `file:line: severity[rule]: message`, from which editors can jump.
struct CompactReport {
    private let run: LintRun

    init(_ run: LintRun) { self.run = run }

    func write(to output: (String) -> Void) {
        for finding in run.report.findings {
            let anchor = run.anchors.anchor(of: finding)
            let item = anchor.kind == .container ? "" : " (\(run.anchors.item(of: finding).shown))"
            // GitHub runs a line that begins like this as a command.
            let start = anchor.shown.hasPrefix("::") || anchor.shown.hasPrefix("##[") ? "./" : ""
            output(
                "\(start)\(anchor.shown):\(anchor.line): \(finding.severity)[\(finding.rule.id)]: \(finding.message)\(item)\n"
            )
        }
        for gap in run.gaps { output("\(gap.text)\n") }
        guard !run.isBrief else { return }
        let summary = ReportSummary(run)
        output("\(summary.findings) in \(summary.extent)\n")
    }
}
