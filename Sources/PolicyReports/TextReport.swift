internal import AppContainer
internal import StoragePolicy
internal import TextOutput

/// The text report: one block for each rule and directory, with each item and the solution.
struct TextReport {
    private let run: LintRun
    private let style: Style
    private var report: LintReport { run.report }

    init(_ run: LintRun, style: Style) {
        self.run = run
        self.style = style
    }

    func write(to output: (String) -> Void) {
        for block in FindingBlock.all(of: report) { write(block, to: output) }
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
    }

    private func write(_ block: FindingBlock, to output: (String) -> Void) {
        let first = block.first
        output(
            style.severity(
                first.severity, "\(first.severity.rawValue)[\(style.link(first.rule.id, of: first.rule))]") + ": "
                + style.bold(block.message) + "\n")
        let (items, bytes) = (block.items, Quantity.bytes(block.bytes))
        output(
            "  --> \(prefix(first.input))\(block.location)   (\(items == 1 ? "" : Quantity.count(items, "item") + ", ")\(bytes))\n"
        )
        // Suppressions and baseline entries have no backup status.
        if first.rule.group != .exceptions { output(style.dim("   |  ") + fate(of: first) + "\n") }
        if block.findings.count > 1 {
            for finding in block.findings { output(style.dim("   |  ") + line(of: finding) + "\n") }
        }
        for (label, text) in notes(on: first, in: block) { output("   = \(style.bold(label))  \(text)\n") }
        output("\n")
    }

    private func notes(on first: Finding, in block: FindingBlock) -> [(String, String)] {
        var notes: [(String, String)] = []
        let group = block.findings
        if let weighed = block.weighed {
            notes += VerdictText.notes(on: weighed, most: group.compactMap(\.confidence).max())
        } else if group.count == 1, !first.evidence.isEmpty {
            let (listed, others) = (
                first.evidence.filter { $0.kind == UndeclaredDirectory.evidenceKind },
                first.evidence.filter { $0.kind != UndeclaredDirectory.evidenceKind }
            )
            notes.append(("because", others.map { "\($0.kind): \($0.value)" }.joined(separator: "; ")))
            notes += listed.map { ("       ", $0.value) }
        }
        if let largest = first.largest { notes.append(("largest", ByteText.escaped(largest))) }
        let sources = Set(group.map { run.anchors.anchor(of: $0) })
        if let source = sources.first, sources.count == 1, source.kind == .source {
            notes.append(("written by", "\(source.shown):\(source.line)"))
        }
        notes.append(("help   ", first.rule.help))
        if let fix = first.rule.fix { notes.append(("fix    ", "\(fix.label): \(fix.title)")) }
        notes.append(("why    ", "`sandboxlint explain \(first.rule.id)`"))
        return notes
    }

    private func line(of finding: Finding) -> String {
        let evidence = finding.confidence != nil ? "" : finding.evidence.map(\.value).joined(separator: "; ")
        let (path, size) = (finding.displayPath, "  \(Quantity.bytes(finding.bytes))")
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

    private func fate(of finding: Finding) -> String {
        let flag: String =
            switch finding.exclusion.state {
            case .excluded:
                "yes, by \(finding.exclusion.carrier.map { $0.isEmpty ? "the container" : $0 } ?? "the item itself")"
            case .included: "no"
            case .unknown: "unknown, the input has no extended attributes"
            }
        return
            "excluded from backup: \(ByteText.escaped(Array(flag.utf8)))   backed up: \(finding.isBackedUp ? "yes" : "no")"
            + "   purged: \(finding.location.purge.rawValue)   visible in Files: \(finding.location.visibility.rawValue)"
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
}
