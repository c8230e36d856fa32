internal import StoragePolicy
internal import TextOutput

/// Annotations of GitHub Actions, one for each rule and directory. The most severe come first, and among equals those with
/// a line of source code. GitHub shows the first ten errors, ten warnings and ten notices of a step and drops the rest
/// silently. The last one that is shown contains the number of the rest.
///
/// Source: actions/toolkit, core/src/command.ts; GitHub community discussion 26680.
struct GitHubReport {
    private static let most = 10
    private let run: LintRun

    init(_ run: LintRun) { self.run = run }

    func write(to output: (String) -> Void) {
        let gaps = run.gaps
        if let gap = gaps.first {
            let others = gaps.count > 1 ? " (and \(gaps.count - 1) more)" : ""
            Self.write(
                "error", anchor: run.anchors.anchor(of: gap), title: "some items could not be read",
                text: gap.text + others,
                to: output)
        }
        let blocks = FindingBlock.all(of: run.report.findings)
        var hidden: [FindingBlock] = []
        for severity in Severity.allCases {
            let ranked = ranked(blocks.filter { $0.first.severity == severity })
            let taken = severity == .error && !gaps.isEmpty ? 1 : 0
            // The last notice contains the number of annotations that are not shown.
            let room = severity == .note && ranked.count + (hidden.isEmpty ? 0 : 1) > Self.most ? 1 : taken
            for block in ranked.prefix(Self.most - room) { write(block, to: output) }
            hidden += ranked.dropFirst(Self.most - room)
        }
        guard let first = hidden.first else { return }
        let count = hidden.reduce(0) { $0 + $1.findings.count }
        Self.write(
            "notice", anchor: run.anchors.anchor(of: first.first), title: "more findings",
            text:
                "\(Quantity.count(count, "finding")) more for \(Quantity.count(Set(hidden.map(\.first.rule.id)).count, "rule")) "
                + (count == 1 ? "is" : "are") + " not shown here. All are listed in \(run.fullList).", to: output)
    }

    private func ranked(_ blocks: [FindingBlock]) -> [FindingBlock] {
        func isAnchored(_ block: FindingBlock) -> Bool { run.anchors.anchor(of: block.first).kind == .source }
        return blocks.filter(isAnchored) + blocks.filter { !isAnchored($0) }
    }

    private func write(_ block: FindingBlock, to output: (String) -> Void) {
        let first = block.first
        let command = first.severity == .note ? "notice" : first.severity.rawValue
        let text = """
            \(run.message(block.message, in: first.input))
            \(block.location) (\(Quantity.bytes(block.bytes)))
            \(run.doubt(of: first).map { "\($0).\n" } ?? "")\(run.remedy(block.findings))
            """
        Self.write(command, anchor: run.anchors.anchor(of: first), title: first.rule.id, text: text, to: output)
    }

    private static func write(
        _ command: String, anchor: Anchor, title: String, text: String, to output: (String) -> Void
    ) {
        output(
            "::\(command) file=\(property(anchor.shown)),line=\(anchor.line),title=\(property(title))::\(data(text))\n")
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String {
        data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
    }
}
