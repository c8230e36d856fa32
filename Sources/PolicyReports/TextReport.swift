internal import AppContainer
internal import StoragePolicy
internal import TextOutput

/// The text report: the verdict, and one block for each cause with the rules, a few items and the solution.
///
/// A short report has 40 lines, unless its errors need more: a block for each of up to 50 errors, and a line for each
/// of the others; then the blocks of other causes that fit, a line for each of the others, and their number. A verbose
/// report lists every item with its size and evidence, and the evidence and the solution of every rule.
struct TextReport {
    /// The maximum number of items in the line that a short report has for each cause.
    static let mostItems = 5
    /// The maximum number of secrets or lost items of a cause. Each has a line.
    static let mostItemized = 10
    /// The lines of a short report.
    static let mostLines = 40
    /// The hints at the complete list of items, and at that of causes.
    static let hint = "(`--verbose`)"
    private static let hintAtCauses = "(`--all`)"

    private let run: LintRun
    private let style: Style
    private var report: LintReport { run.report }

    init(_ run: LintRun, style: Style) {
        self.run = run
        self.style = style
    }

    func write(to output: (String) -> Void) {
        let end = end
        let causes = Cause.all(of: report)
        let verdict = run.isBrief ? [] : RunVerdict(run, causes).lines
        let width = verdict.map(\.label.count).max() ?? 0
        for (label, text) in verdict {
            output("\(style.bold(label))\(String(repeating: " ", count: width - label.count))  \(text)\n")
        }
        if !verdict.isEmpty { output("\n") }
        write(causes, within: Self.mostLines - (verdict.isEmpty ? 0 : verdict.count + 1) - end.count, to: output)
        for line in end { output("\(line)\n") }
    }

    /// Writes the blocks that fit, a line for each of the others, and the number of those that do not fit at all.
    private func write(_ causes: [Cause], within lines: Int, to output: (String) -> Void) {
        guard !run.isVerbose, !run.showsAll, !run.isBrief else {
            for cause in causes { for line in block(cause) + [""] { output("\(line)\n") } }
            return
        }
        let errors = causes.prefix(Self.mostErrors).prefix { $0.severity == .error }
        let blocks = errors.map(block)
        for line in blocks.joined(separator: [""]) { output("\(line)\n") }
        if !errors.isEmpty { output("\n") }
        var room = lines - blocks.reduce(0) { $0 + $1.count + 1 }
        var others = causes.dropFirst(errors.count)
        // There is one line for each of the others if there is room; two more lines end their list.
        while let cause = others.first {
            let block = block(cause)
            guard room - block.count - 1 >= min(others.count - 1, Self.fewestLines) + (others.count > 1 ? 2 : 0) else {
                break
            }
            for line in block + [""] { output("\(line)\n") }
            room -= block.count + 1
            others = others.dropFirst()
        }
        guard !others.isEmpty else { return }
        let isCut = others.count > max(0, room - 1)
        let withoutBlock = others.prefix { $0.severity == .error }.count
        let listed = others.prefix(isCut ? max(withoutBlock, room - 2) : others.count)
        for cause in listed { output("\(line(of: cause))\n") }
        let hidden = others.dropFirst(listed.count)
        if !hidden.isEmpty {
            let findings = hidden.reduce(0) { $0 + $1.findings.count }
            let bytes = hidden.reduce(UInt64(0)) { $0.addingSaturated($1.bytes) }
            output(
                style.dim(
                    "… \(Quantity.grouped(hidden.count)) more (\(Quantity.count(findings, "finding")), "
                        + "\(Quantity.bytes(bytes))) \(Self.hintAtCauses)") + "\n")
        }
        output("\n")
    }

    /// The lines of a short report for the causes that changed since an earlier run.
    private static let mostChanges = 8
    /// The maximum number of errors with a block in a short report. They need more lines than it has, if necessary.
    private static let mostErrors = 50
    /// So many of the causes without a block have a line before another block is written.
    private static let fewestLines = 8

    /// The lines after the causes.
    private var end: [String] {
        var lines: [String] = []
        func add(_ text: String) {
            lines += text.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
        }
        for failure in run.failures { add("\(style.bold("failed")): \(failure.reason)\n") }
        for incident in report.incidents {
            let path = incident.path.isEmpty ? "the container itself" : incident.displayPath
            add("\(style.bold("not read")): \(prefix(incident.input))\(path): \(incident.reason.rawValue)\n")
        }
        for (reason, help) in Self.help(for: report.incidents) {
            add("   = \(style.bold("help"))  \(reason): \(help)\n")
        }
        if !report.incidents.isEmpty { add("\n") }
        if let note = run.exclusionNote { add("\(style.bold("note")): \(note)\n\n") }
        guard !run.isBrief else { return lines }
        if let comparison = run.comparison {
            let text = ComparisonText(comparison: comparison, style: style, showsAll: run.showsAll)
            lines.append("\(style.bold("Since \(comparison.name)")): \(comparison.causes); \(comparison.findings)")
            lines += text.lines(atMost: run.showsAll ? .max : Self.mostChanges).map { "  \($0)" } + comparison.notes
            add(text.sizes + "\n")
        }
        add(AppTotalsText(report).text(style: style))
        add(Self.footer(of: run, style))
        if let next = NextSteps(run).text { add("\(style.bold("Next")): \(next)\n") }
        return lines
    }

    /// For each remedy of a cause, the severity, the rules with links, and the message.
    private func headings(_ cause: Cause) -> [String] {
        cause.remedies.map { severity, rules, message in
            let ids = rules.map { style.link($0.id, of: $0) }.joined(separator: ", ")
            return style.severity(severity, text: "\(severity.rawValue)[\(ids)]") + ": " + style.bold(message)
        }
    }

    /// A cause in one line.
    private func line(of cause: Cause) -> String {
        let headings = headings(cause)
        let others = headings.count > 1 ? ", and \(Quantity.count(headings.count - 1, "other problem"))" : ""
        let size = cause.path.isEmpty && cause.bytes == 0 ? "" : ", \(Quantity.bytes(cause.bytes))"
        return headings[0] + style.dim("  (\(prefix(cause.first.input))\(cause.location)\(size)\(others))")
    }

    /// The lines of a block.
    private func block(_ cause: Cause) -> [String] {
        var lines = headings(cause)
        // A finding about the only container says so.
        if !cause.path.isEmpty || cause.items > 1 || report.inputs.count > 1 {
            let items = cause.items > 1 ? Quantity.count(cause.items, "item") + ", " : ""
            let size = cause.isException ? "" : "   (\(items)\(Quantity.bytes(cause.bytes)))"
            lines.append("  --> \(prefix(cause.first.input))\(cause.location)\(size)")
        }
        if let status = FindingNotes.status(of: cause.first, isVerbose: run.isVerbose) {
            lines.append(style.dim("   |  ") + status)
        }
        lines += items(of: cause)
        for (label, text) in FindingNotes(run).notes(on: cause) { lines.append("   = \(style.bold(label))  \(text)") }
        return lines
    }

    /// The items of several findings: some names with their sizes, or a line for each.
    private func items(of cause: Cause) -> [String] {
        guard cause.findings.count > 1, !cause.isOneItem else { return [] }
        let bar = style.dim("   |  ")
        guard !run.isVerbose else { return cause.itemFindings.map { bar + line(of: $0) } }
        var seen: Set<[UInt8]> = []
        let different = cause.itemFindings.filter { seen.insert($0.path).inserted || cause.isException }
        guard different.count > 1 else { return [] }
        func more(_ count: Int) -> String { "… \(Quantity.grouped(count)) more \(Self.hint)" }
        if cause.isItemized {
            let listed = different.prefix(
                different.count > Self.mostItemized ? Self.mostItemized - 1 : Self.mostItemized)
            let others = different.count - listed.count
            return listed.map { bar + line(of: $0) } + (others > 0 ? [bar + more(others)] : [])
        }
        let largest = different.sorted { left, right in
            left.bytes == right.bytes ? left.path.lexicographicallyPrecedes(right.path) : left.bytes > right.bytes
        }
        var items = largest.prefix(Self.mostItems).map { item($0, of: cause) }
        if different.count > items.count { items.append(more(different.count - items.count)) }
        return [bar + items.joined(separator: ", ")]
    }

    /// Returns the name and the size of an item, in at most one line of the terminal.
    private func item(_ finding: Finding, of cause: Cause) -> String {
        let count = finding.items > 1 ? " (\(Quantity.count(finding.items, "item")))" : ""
        let (name, size) = (cause.displayName(of: finding), count + Self.size(of: finding, after: " "))
        guard let columns = style.columns else { return name + size }
        return Columns.cut(name, to: max(8, columns - 7 - Columns.width(size))) + size
    }

    /// Returns the size of an item behind a space. A suppression or a baseline entry has no size.
    private static func size(of finding: Finding, after space: String) -> String {
        finding.rule.group == .exceptions ? "" : space + Quantity.bytes(finding.bytes)
    }

    private func line(of finding: Finding) -> String {
        let evidence =
            finding.confidence != nil
            ? "" : finding.evidence.filter { !$0.isPosition }.map(\.value).joined(separator: "; ")
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
}
