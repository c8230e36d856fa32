internal import StoragePolicy
internal import TextOutput

/// A table of the causes of the findings, the most severe first, with their remedies, and a collapsed list of the items of each
/// cause. For a comment on a pull request, or the summary of a job.
///
/// Source: GitHub Flavored Markdown; GitHub, "Organizing information with collapsed sections".
struct MarkdownReport {
    /// No row of a cause and no section have fewer bytes.
    private static let (leastRow, leastSection) = (50, 120)

    private let run: LintRun

    init(_ run: LintRun) { self.run = run }

    /// Writes the report within the limit of a comment.
    func write(to output: (String) -> Void) { write(within: MarkdownPage.mostBytesOfComment, to: output) }

    /// Writes the report within a number of bytes. The last sentence contains the number of the parts that do not fit.
    func write(within limit: Int, to output: (String) -> Void) {
        let summary = ReportSummary(run)
        var page = MarkdownPage(within: limit)
        defer { output(page.text) }
        if let comparison = run.comparison {
            ComparisonMarkdown(comparison).write(to: &page)
            page.add("\n")
        }
        let sections = Cause.all(of: run.report)
        let verdict = RunVerdict(run, sections).lines.map { "- **\($0.label)**: \(MarkdownText.prose($0.text))\n" }
        let head = verdict.isEmpty ? "" : verdict.joined() + "\n"
        guard page.add("## sandboxlint: \(summary.findings)\n\n\(head)\(MarkdownText.plain(summary.extent))\n") else {
            return
        }

        if !sections.isEmpty {
            let head = "\n| severity | cause | findings | size | what to do |\n|---|---|--:|--:|---|\n"
            let fitting = sections.prefix(limit / Self.leastRow)
            page.omit(sections.count - fitting.count + page.add(fitting.map(row), below: head), noun: "cause")
        }
        let gaps = run.gaps.map { "- \(MarkdownText.code($0.text))\n" }
        if !gaps.isEmpty { page.omit(page.add(gaps, below: "\n### Not read\n\n"), noun: "unread item") }
        let apps = AppTotalsText(run.report).rows
        if !apps.isEmpty {
            let head =
                "\n### Apps\n\n| app | containers | errors | warnings | notes | size | in backups |\n"
                + "|---|--:|--:|--:|--:|--:|--:|\n"
            page.omit(page.add(apps, below: head), noun: "app")
        }

        let accepted = AcceptedFindings(run.report) { finding in
            run.message(finding.path.isEmpty ? "." : finding.displayPath, in: finding.input)
        }
        if accepted.count > 0 {
            let head =
                "\n<details>\n<summary>Accepted findings (\(Quantity.grouped(run.report.suppressed + run.report.baselined)))</summary>\n\n"
                + "| \(AcceptedFindings.columns.joined(separator: " | ")) |\n"
                + "|\(String(repeating: "---|", count: AcceptedFindings.columns.count))\n"
            let rows = accepted.rows(atMost: 2_000).map { cells in
                "| "
                    + cells.enumerated().map { $0 == 1 || $0 == 2 ? MarkdownText.code($1) : MarkdownText.plain($1) }
                    .joined(separator: " | ") + " |\n"
            }
            page.omit(
                accepted.count - rows.count + page.add(rows, below: head, end: "\n</details>\n"),
                noun: "accepted finding")
        }

        var findings = 0
        for section in sections {
            guard page.room >= Self.leastSection else {
                findings += section.findings.count
                continue
            }
            let head =
                "\n<details>\n<summary>\(title(of: section))</summary>\n\n"
                + "| message | path | size | source |\n|---|---|--:|---|\n"
            let blocks = FindingBlock.all(of: section.findings)
            let written = blocks.count - page.add(blocks.map(row), below: head, end: "\n</details>\n")
            findings += blocks.dropFirst(written).reduce(0) { $0 + $1.findings.count }
        }
        page.omit(findings, noun: "finding")
        page.end(run.fullList)
    }

    private func row(_ cause: Cause) -> String {
        let reason = FindingNotes(run).reason(of: cause).map { "because \(MarkdownText.prose($0))" }
        let place = cause.path.isEmpty ? nil : MarkdownText.code(cause.location)
        let rules = cause.rules.map(link).joined(separator: ", ")
        let cell = [MarkdownText.plain(cause.title), place, reason, rules].compactMap(\.self).joined(separator: "<br>")
        let remedy = run.remedy(cause.parts[0].findings).split(separator: "\n").map { MarkdownText.prose(String($0)) }
        return "| \(cause.severity) | \(cell) | \(Quantity.grouped(cause.findings.count)) "
            + "| \(Quantity.bytes(cause.bytes)) | \(remedy.joined(separator: "<br>")) |\n"
    }

    /// The name of a rule, as a link to its page if it has one.
    private func link(to rule: Rule) -> String {
        let name = MarkdownText.code(rule.id)
        return Project.page(of: rule).map { "[\(name)](\($0))" } ?? name
    }

    private func title(of cause: Cause) -> String {
        "\(cause.severity) \(MarkdownText.code(cause.first.rule.id)): \(MarkdownText.plain(cause.title)) "
            + "(\(Quantity.count(cause.findings.count, "finding")), \(Quantity.bytes(cause.bytes)))"
    }

    private func row(_ block: FindingBlock) -> String {
        let anchor = run.anchors.anchor(of: block.first)
        let writers = run.anchors.writers(of: block.first)
        let line =
            if let probable = writers.lines.first {
                "\(MarkdownText.code(probable.place)) (\(probable.percent))"
            } else if let writer = writers.writer {
                MarkdownText.plain(writer)
            } else {
                anchor.kind == .container ? "" : MarkdownText.code("\(anchor.shown):\(anchor.line)")
            }
        var cell = MarkdownText.code(block.location)
        if block.findings.count > 1 {
            let most = TextReport.mostItems
            for finding in block.largestFirst.prefix(most) {
                cell += "<br>\(MarkdownText.code(finding.displayName)) \(Quantity.bytes(finding.bytes))"
            }
            if block.findings.count > most { cell += "<br>… \(Quantity.grouped(block.findings.count - most)) more" }
        }
        let message = MarkdownText.plain(run.message(block.message, in: block.first.input))
        return "| \(message) | \(cell) | \(Quantity.bytes(block.bytes)) | \(line) |\n"
    }
}
