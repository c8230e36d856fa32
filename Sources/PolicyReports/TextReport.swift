internal import AppContainer
internal import StoragePolicy
internal import TextOutput

/// The text report: one block for each directory or item, with the rules that report it, a few items and the solution.
///
/// A verbose report lists every item with its size and evidence, and the evidence and the solution of every rule.
struct TextReport {
    /// The maximum number of items that a short report lists for each group.
    static let mostItems = 5
    /// The maximum number of blocks that begin with the same rule in a short report.
    static let mostBlocks = 20
    /// The hint at the complete list.
    static let hint = "(`--verbose`)"

    private let run: LintRun
    private let style: Style
    private var report: LintReport { run.report }

    init(_ run: LintRun, style: Style) {
        self.run = run
        self.style = style
    }

    func write(to output: (String) -> Void) {
        var written: [String: Int] = [:]
        var hidden = HiddenBlocks()
        for block in LocationBlock.all(of: report) {
            let rule = block.first.rule.id
            written[rule, default: 0] += 1
            if !run.isVerbose, written[rule, default: 0] > Self.mostBlocks {
                hidden.add(block)
            } else {
                write(block, to: output)
            }
        }
        for line in hidden.lines { output("\(style.dim(line))\n") }
        if !hidden.lines.isEmpty { output("\n") }
        for failure in run.failures { output("\(style.bold("failed")): \(failure.reason)\n") }
        for incident in report.incidents {
            let path = incident.path.isEmpty ? "the container itself" : incident.displayPath
            output("\(style.bold("not read")): \(prefix(incident.input))\(path): \(incident.reason.rawValue)\n")
        }
        for (reason, help) in Self.help(for: report.incidents) {
            output("   = \(style.bold("help"))  \(reason): \(help)\n")
        }
        if !report.incidents.isEmpty { output("\n") }
        if let note = run.exclusionNote { output("\(style.bold("note")): \(note)\n\n") }
        guard !run.isBrief else { return }
        output(AppTotalsText(report).text(style: style))
        output(Self.footer(of: run, style))
        if let next = NextSteps(run).text { output("\(style.bold("Next")): \(next)\n") }
    }

    private func write(_ block: LocationBlock, to output: (String) -> Void) {
        let common = block.commonItems
        for part in block.parts {
            let severity = part.first.severity
            output(
                style.severity(
                    severity, "\(severity.rawValue)[\(style.link(part.first.rule.id, of: part.first.rule))]") + ": "
                    + style.bold(part.message) + "\n")
            if common == nil { writeItems(of: part, to: output) }
        }
        // A finding about the only container says so.
        if !block.parts[0].path.isEmpty || block.items > 1 || report.inputs.count > 1 {
            let items = block.items > 1 ? Quantity.count(block.items, "item") + ", " : ""
            let isException = block.parts.allSatisfy { $0.first.rule.group == .exceptions }
            let size = isException ? "" : "   (\(items)\(Quantity.bytes(block.bytes)))"
            output("  --> \(prefix(block.first.input))\(block.location)\(size)\n")
        }
        if let status = FindingNotes.status(of: block.first, isVerbose: run.isVerbose) {
            output(style.dim("   |  ") + status + "\n")
        }
        if let common { writeItems(of: common, to: output) }
        for (label, text) in FindingNotes(run).notes(on: block) { output("   = \(style.bold(label))  \(text)\n") }
        output("\n")
    }

    /// Writes the items of several findings: some names with their sizes, or all with their evidence.
    private func writeItems(of part: FindingBlock, to output: (String) -> Void) {
        guard part.findings.count > 1 else { return }
        guard !run.isVerbose else {
            for finding in part.findings { output(style.dim("   |  ") + line(of: finding) + "\n") }
            return
        }
        var items = part.largestFirst.prefix(Self.mostItems).map(item)
        let others = part.findings.count - items.count
        if others > 0 { items.append("… \(Quantity.grouped(others)) more \(Self.hint)") }
        output(style.dim("   |  ") + items.joined(separator: ", ") + "\n")
    }

    /// Returns the name and the size of an item, in at most one line of the terminal.
    private func item(_ finding: Finding) -> String {
        let (name, size) = (finding.displayName, Self.size(of: finding, after: " "))
        guard let columns = style.columns else { return name + size }
        return Columns.cut(name, to: max(8, columns - 7 - Columns.width(size))) + size
    }

    /// Returns the size of an item behind a space. A suppression or a baseline entry has no size.
    private static func size(of finding: Finding, after space: String) -> String {
        finding.rule.group == .exceptions ? "" : space + Quantity.bytes(finding.bytes)
    }

    private func line(of finding: Finding) -> String {
        let evidence = finding.confidence != nil ? "" : finding.evidence.map(\.value).joined(separator: "; ")
        let (path, size) = (finding.displayPath, Self.size(of: finding, after: "  "))
        let whole = evidence.isEmpty ? "" : "  (\(evidence))"
        guard let columns = style.columns else { return path + size + style.dim(whole) }
        // One line per item, even on a narrow terminal: the reason is truncated before the name.
        let room = max(8, columns - 6 - Columns.width(size))
        let name = Columns.cut(path, to: room)
        let left = room - Columns.width(name)
        return name + size + (left >= 16 ? style.dim(Columns.cut(whole, to: left)) : "")
    }

    private func prefix(_ input: Int) -> String {
        guard report.inputs.count > 1 else { return "" }
        return "\(ByteText.printable(report.inputs[input].label ?? report.inputs[input].path)): "
    }

    /// The hints for the incidents, sorted by reason.
    private static func help(for incidents: [Incident]) -> [(reason: String, help: String)] {
        Set(incidents.map(\.reason)).map { ($0.rawValue, help(for: $0)) }.sorted { $0.0 < $1.0 }
    }

    private static func help(for reason: Incident.Reason) -> String {
        switch reason {
        case .permissionDenied: "run as a user with read permission"
        case .vanished, .replacedByLink: "lint a copy, or quit the app first"
        case .tooDeep: "apps do not create paths this deep; delete it, or list it under `ignore`"
        case .tooManyOpenFiles: "raise the limit (ulimit -n), or use fewer threads (-j 1)"
        case .inputOutputError: "check the disk, and lint a copy"
        case .notDownloaded: "download it in Finder, or ignore it"
        case .tooManySuppressions: "use one suppression on their common directory"
        case .tooManyContainedPropertyLists, .tooManyArchiveFields, .tooManyNamesToCompare, .tooManyCandidates,
            .tooManyBytesToCompare, .tooManyAddresses, .tooManyDatabases:
            "lint its parts, or list files of other software under `ignore`"
        default: "inspect the item; list it under `ignore` if it is intended"
        }
    }

    static func footer(of run: LintRun, _ style: Style) -> String {
        let summary = ReportSummary(run)
        return "\(style.bold(summary.findings)) in \(summary.extent)\n"
    }

    /// The blocks that a short report only counts.
    private struct HiddenBlocks {
        private var rules: [(id: String, findings: Int, blocks: Int)] = []
        private var indices: [String: Int] = [:]

        mutating func add(_ block: LocationBlock) {
            for part in block.parts {
                let id = part.first.rule.id
                let index = indices[id] ?? rules.count
                if index == rules.count { rules.append((id, 0, 0)) }
                indices[id] = index
                rules[index].findings += part.findings.count
                rules[index].blocks += 1
            }
        }

        /// One line for each rule, in the order of the report.
        var lines: [String] {
            rules.map {
                "… \(Quantity.grouped($0.findings)) more of \($0.id) in \(Quantity.count($0.blocks, "other place")) "
                    + TextReport.hint
            }
        }
    }
}
