internal import AppContainer
internal import ContainerTree
internal import HTMLReports
internal import PolicyRecords
internal import StoragePolicy
internal import TextOutput

/// The report as a page: a map of the containers, and the findings beside it.
struct HTMLReport {
    private let run: LintRun
    private var report: LintReport { run.report }

    init(_ run: LintRun) { self.run = run }

    func write(to output: @escaping (String) -> Void) { page.write(to: output) }

    private var page: HTMLPage {
        var page = HTMLPage(tool: "sandboxlint \(run.version)", title: title, subtitle: subtitle)
        page.figures = Severity.allCases.map { severity in
            let count = report.count(of: severity)
            return .init(
                Quantity.grouped(count), label: "\(severity.rawValue)\(count == 1 ? "" : "s")", severity: severity.shown
            )
        }
        page.figures += [
            .init(Quantity.bytes(report.bytes), label: "content"),
            .init(Quantity.bytes(report.backedUpBytes), label: "included in backups"),
        ]
        if let comparison = run.comparison {
            page.figures += [
                .init(Quantity.grouped(comparison.difference.new.count), label: "new since \(comparison.name)"),
                .init(Quantity.grouped(comparison.difference.gone.count), label: "fixed"),
            ]
        }
        let causes = Cause.all(of: report)
        page.verdict = RunVerdict(run, causes).lines
        if report.maps.count == report.inputs.count, let map { page.maps = [.init("Map", map: map)] }
        let rules = CauseSections(run, causes.prefix(HTMLPage.mostSections))
        page.rules = rules.sections
        page.noFindings = run.hasResult ? "No findings." : "Nothing was linted."
        page.notices = notices(shown: rules.shown)
        page.tables = [gaps, run.comparison?.table, fixed, undecided, accepted].compactMap(\.self)
        return page
    }

    private var title: String {
        switch report.inputs.count {
        case 0: "No result"
        case 1: report.inputs[0].bundleIdentifier ?? report.inputs[0].label ?? name(of: 0)
        default: Quantity.count(report.inputs.count, "container")
        }
    }

    private var subtitle: String {
        "\(Quantity.count(report.findings.count, "finding")) in \(Quantity.count(report.items, "item")) · ages as of "
            + "\(run.moment.replacing("T", with: " ")) UTC"
    }

    private func name(of input: Int) -> String {
        let names = InputNames(report.inputs.map { ($0.path, $0.label) })
        return ByteText.printable(names.name(of: input))
    }

    private func notices(shown: Int) -> [String] {
        var notices: [String] = []
        if !run.isComplete {
            notices.append("The run is incomplete: some items could not be read. They are listed below.")
        }
        notices += run.comparison?.notes ?? []
        if let note = run.exclusionNote { notices.append(note.prefix(1).uppercased() + note.dropFirst()) }
        if shown < report.findings.count {
            notices.append(
                "This page shows \(Quantity.grouped(shown)) of \(Quantity.count(report.findings.count, "finding")), the most "
                    + "severe of each cause. `sandboxlint lint --format json` writes all of them.")
        }
        return notices
    }

    /// The map of the only container, or of all, each in a directory with its name.
    private var map: StorageMap? {
        let maps = report.maps
        guard maps.count > 1 else { return maps.first?.limited(to: HTMLPage.mostItems) }
        let names = maps.indices.map { Array(name(of: $0).utf8) }
        return StorageMap(zip(names, maps).map { ($0, $1) }).limited(to: HTMLPage.mostItems)
    }

    /// The directories with files in backups of which nothing decides what they are, the largest first; nil without any. Of
    /// earlier reports, which have no map, those that findings list.
    private var undecided: HTMLPage.Table? {
        guard let map else {
            let listed = report.findings.flatMap { finding in
                finding.undecided.map { [(report.inputs.count == 1 ? "" : "\(name(of: finding.input)): ") + $0] }
            }
            return listed.isEmpty ? nil : .init(Self.undecidedTitle, columns: [.init("Directory")], rows: listed)
        }
        var rows: [(path: [UInt8], sum: StorageSums.Sum)] = []
        func collect(_ node: StorageMap.Node, at path: [UInt8]) {
            var own = node.rest
            for child in node.children {
                let below = path.isEmpty ? child.name : path + [UInt8(ascii: "/")] + child.name
                if child.kind == .directory { collect(child, at: below) } else { own.add(child.sums) }
            }
            if own[.undecided].items > 0 { rows.append((path, own[.undecided])) }
        }
        collect(map.root, at: [])
        let largest = rows.sorted { left, right in
            left.sum.bytes == right.sum.bytes
                ? left.path.lexicographicallyPrecedes(right.path) : left.sum.bytes > right.sum.bytes
        }
        guard !largest.isEmpty else { return nil }
        return .init(
            Self.undecidedTitle,
            columns: [.init("Directory"), .init("Files", isNumber: true), .init("Size", isNumber: true)],
            rows: largest.map { path, sum in
                let shown = path.isEmpty ? "the container itself" : ByteText.escaped(path) + "/"
                return [shown, Quantity.grouped(sum.items), Quantity.bytes(sum.bytes)]
            })
    }

    private static let undecidedTitle = "Undecided: declare what these files are"

    /// The findings that a suppression, the baseline or the configuration accepts; nil without any.
    private var accepted: HTMLPage.Table? {
        let list = AcceptedFindings(report) { finding in
            let path = finding.path.isEmpty ? "the container itself" : finding.displayPath
            return report.inputs.count == 1 ? path : "\(name(of: finding.input)): \(path)"
        }
        let columns = AcceptedFindings.columns.map { HTMLPage.Table.Column($0.prefix(1).uppercased() + $0.dropFirst()) }
        return list.count > 0 ? .init("Accepted findings", columns: columns, rows: list.rows()) : nil
    }

    /// The findings that an earlier run had; nil without any.
    private var fixed: HTMLPage.Table? {
        guard let gone = run.comparison?.difference.gone, !gone.isEmpty else { return nil }
        return .init(
            "Fixed findings",
            columns: [.init("Severity"), .init("Rule"), .init("Path"), .init("Size", isNumber: true)],
            rows: gone.map { line in
                let path = line.path.isEmpty ? "the container itself" : line.path
                return [line.severity.rawValue, line.rule, path, Quantity.bytes(line.bytes)]
            })
    }

    /// The failures and the items that were not read; nil without any.
    private var gaps: HTMLPage.Table? {
        run.gaps.isEmpty
            ? nil : .init("Not read", columns: [.init("Item or input")], rows: run.gaps.map { [$0.text] }, atMost: 200)
    }
}

/// The findings of a run by cause, for a page.
private struct CauseSections {
    /// The number of findings on the page.
    private(set) var shown = 0
    private(set) var sections: [HTMLPage.Rule] = []
    private let run: LintRun
    private let names: [[UInt8]]
    /// The changes of findings since an earlier run, by fingerprint.
    private let changes: [String: String]

    init(_ run: LintRun, _ causes: ArraySlice<Cause>) {
        self.run = run
        changes = run.comparison?.changes ?? [:]
        let inputNames = InputNames(run.report.inputs.map { ($0.path, $0.label) })
        names = run.report.inputs.indices.map { Array(ByteText.printable(inputNames.name(of: $0)).utf8) }
        for (index, cause) in causes.enumerated() {
            // Each of the later causes has room for at least one finding.
            let room = max(1, HTMLPage.mostFindings - shown - (causes.count - index - 1))
            let listed = cause.findings.prefix(min(HTMLPage.mostFindingsOfRule, room)).map(shownFinding)
            shown += listed.count
            sections.append(section(cause, listed: listed))
        }
    }

    private func section(_ cause: Cause, listed: [HTMLPage.Finding]) -> HTMLPage.Rule {
        let rule = cause.first.rule
        let fix = rule.fix.map { fix in
            "Fix (\(cause.findings.fixLabel ?? fix.label())): \(cause.commonFix ?? fix.title)."
        }
        var section = HTMLPage.Rule(
            id: rule.id, severity: cause.severity.shown, title: cause.title,
            page: Project.page(of: rule), help: cause.first.help, fix: fix, command: rule.command,
            count: cause.findings.count,
            bytes: cause.bytes, findings: listed)
        section.reason = FindingNotes(run).reason(of: cause)
        section.others = cause.rules.dropFirst().map(\.id)
        if !cause.path.isEmpty {
            let isOne = run.report.inputs.count == 1
            section.location = (isOne ? "" : ByteText.escaped(names[cause.first.input]) + ": ") + cause.location
        }
        section.remedies = rule.swift.map { remedy in
            .init(title: remedy.title, codes: remedy.codes.map { ($0.module, $0.text) })
        }
        return section
    }

    private func shownFinding(_ finding: StoragePolicy.Finding) -> HTMLPage.Finding {
        let isOne = run.report.inputs.count == 1
        let own = finding.path.isEmpty ? "the container itself" : finding.displayPath
        var shown = HTMLPage.Finding(
            severity: finding.severity.shown,
            path: isOne ? finding.path : names[finding.input] + (finding.path.isEmpty ? [] : [0x2f] + finding.path),
            shownPath: isOne ? own : "\(ByteText.escaped(names[finding.input])): \(own)", message: finding.message,
            items: finding.items, bytes: finding.bytes)
        if run.comparison != nil { shown.change = changes[finding.fingerprint] }
        let writers = run.anchors.writers(of: finding)
        if let writer = writers.writer { shown.details.append(("written by", writer)) }
        for line in writers.lines {
            shown.details.append(("written by", line.shown))
            if let text = line.text { shown.details.append(("line", text)) }
        }
        let change = run.anchors.change(for: finding)
        for (index, line) in change.enumerated() { shown.details.append((index == 0 ? "in code" : "", line)) }
        let anchor = run.anchors.anchor(of: finding)
        if writers.lines.isEmpty, anchor.kind != .container {
            shown.details.append(("written by", "\(anchor.shown):\(anchor.line)"))
        }
        if let confidence = finding.confidence {
            shown.details.append(("confidence", "\(min(99, Int(confidence * 100))) %"))
        }
        if let largest = finding.largest { shown.details.append(("largest", ByteText.escaped(largest))) }
        for evidence in finding.evidence {
            let weight = evidence.weight.map { "\(Evidence.weightText($0))  " } ?? ""
            shown.details.append((evidence.kind, weight + evidence.value))
        }
        let exclusion = finding.exclusion
        if finding.rule.group == .backup || exclusion.state == .excluded {
            let carrier = exclusion.carrier.map {
                $0.isEmpty ? " at the container" : " at \(ByteText.escaped(Array($0.utf8)))"
            }
            let mark = exclusion.mark.map { " by \($0.rawValue)\(carrier ?? "")" } ?? ""
            shown.details.append(("backup exclusion", exclusion.state.rawValue + mark))
        }
        return shown
    }
}

extension Severity {
    /// The severity on a page.
    var shown: HTMLPage.Severity {
        switch self {
        case .error: .error
        case .warning: .warning
        case .note: .note
        }
    }
}

extension Rule {
    /// The command that applies the fix of the rule, if there is one.
    var command: String? {
        guard let fix, fix.isMechanical else { return nil }
        return "sandboxlint fix CONTAINER --select \(id)\(fix.safety == .safe ? "" : " --unsafe") --diff"
    }
}
