internal import StoragePolicy
internal import TextOutput

/// One line for each finding, `file:line: severity: message [rule]`, in the form of Xcode's and clang's diagnostics. Xcode
/// shows such a line of a build phase in its issue navigator and opens the file, for which it needs an absolute path.
///
/// Source: Apple, "Customizing the build phases of a target"; the form is that of clang, which also prints `[-Wname]`.
struct CompactReport {
    private let run: LintRun

    init(_ run: LintRun) { self.run = run }

    func write(to output: (String) -> Void) {
        for finding in run.report.findings {
            let anchor = run.anchors.anchor(of: finding)
            let item = anchor.kind == .container ? "" : " (\(run.anchors.item(of: finding).shown))"
            output("\(Self.place(anchor)): \(finding.severity): \(finding.message)\(item) [\(finding.rule.id)]\n")
        }
        for gap in run.gaps {
            let place = gap.path == nil ? "" : Self.place(run.anchors.anchor(of: gap)) + ": "
            output("\(place)error: \(gap.text) [incomplete]\n")
        }
        guard !run.isBrief else { return }
        let summary = ReportSummary(run)
        output("\(summary.findings) in \(summary.extent)\n")
    }

    /// Returns the file and the line: the absolute path if the file exists on this machine, else the path in the report.
    private static func place(_ anchor: Anchor) -> String {
        let file = anchor.absolutePath.map(ByteText.escaped) ?? anchor.shown
        // GitHub runs a line that begins like this as a command.
        let start = file.hasPrefix("::") || file.hasPrefix("##[") ? "./" : ""
        return "\(start)\(file):\(anchor.line)"
    }
}
