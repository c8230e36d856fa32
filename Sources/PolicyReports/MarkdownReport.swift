internal import StoragePolicy
internal import TextOutput

/// A table of the causes of the findings, the most severe first, with their remedies, and a collapsed list of the items of each
/// cause. For a comment on a pull request, or the summary of a job.
///
/// Source: GitHub Flavored Markdown; GitHub, "Organizing information with collapsed sections".
struct MarkdownReport {
    /// The maximum number of characters of a comment on GitHub is 65,536. No text with fewer bytes is longer.
    static let mostBytesOfComment = 65_536
    /// The room for the sentence about omitted parts and for the end of a section.
    private static let reserve = 400
    /// No row of a cause and no section have fewer bytes.
    private static let (leastRow, leastSection) = (50, 120)

    private let run: LintRun

    init(_ run: LintRun) { self.run = run }

    /// Writes the report within the limit of a comment.
    func write(to output: (String) -> Void) { write(within: Self.mostBytesOfComment, to: output) }

    /// Writes the report within a number of bytes. The last sentence contains the number of the parts that do not fit.
    func write(within limit: Int, to output: (String) -> Void) {
        let summary = ReportSummary(run)
        var page = Page(room: limit - Self.reserve)
        defer { output(page.text) }
        let sections = Cause.all(of: run.report)
        let verdict = RunVerdict(run, sections).lines.map { "- **\($0.label)**: \(Self.prose($0.text))\n" }
        let head = verdict.isEmpty ? "" : verdict.joined() + "\n"
        guard page.add("## sandboxlint: \(summary.findings)\n\n\(head)\(Self.plain(summary.extent))\n") else { return }
        var cut: [String] = []
        func addOmission(_ count: Int, noun: String) { if count > 0 { cut.append(Quantity.count(count, noun)) } }

        if !sections.isEmpty {
            let head = "\n| severity | cause | findings | size | what to do |\n|---|---|--:|--:|---|\n"
            let fitting = sections.prefix(limit / Self.leastRow)
            addOmission(sections.count - fitting.count + page.add(fitting.map(row), below: head), noun: "cause")
        }
        let gaps = run.gaps.map { "- \(Self.code($0.text))\n" }
        if !gaps.isEmpty { addOmission(page.add(gaps, below: "\n### Not read\n\n"), noun: "unread item") }
        let apps = AppTotalsText(run.report).rows
        if !apps.isEmpty {
            let head =
                "\n### Apps\n\n| app | containers | errors | warnings | notes | size | in backups |\n"
                + "|---|--:|--:|--:|--:|--:|--:|\n"
            addOmission(page.add(apps, below: head), noun: "app")
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
                    + cells.enumerated().map { $0 == 1 || $0 == 2 ? Self.code($1) : Self.plain($1) }
                    .joined(separator: " | ") + " |\n"
            }
            addOmission(
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
        addOmission(findings, noun: "finding")
        guard !cut.isEmpty else { return }
        let list = cut.joined(separator: ", ")
        page.text += "\n**Shortened** to \(Quantity.grouped(limit)) bytes: \(list) not listed here. "
        page.text += "All are in \(run.fullList).\n"
    }

    /// The written text and the room that is left.
    private struct Page {
        var room: Int
        var text = ""

        /// Writes a text if it fits.
        mutating func add(_ piece: String) -> Bool {
            guard piece.utf8.count <= room else { return false }
            room -= piece.utf8.count
            text += piece
            return true
        }

        /// Writes the lines that fit, below a heading and before an end.
        ///
        /// - Returns: The number of lines that were not written.
        mutating func add(_ lines: [String], below head: String, end: String = "") -> Int {
            let least = head.utf8.count + end.utf8.count + (lines.first?.utf8.count ?? 0)
            guard least <= room, add(head) else { return lines.count }
            room -= end.utf8.count
            let written = lines.prefix { add($0) }.count
            text += end
            return lines.count - written
        }
    }

    private func row(_ cause: Cause) -> String {
        let reason = FindingNotes(run).reason(of: cause).map { "because \(Self.prose($0))" }
        let place = cause.path.isEmpty ? nil : Self.code(cause.location)
        let rules = cause.rules.map(link).joined(separator: ", ")
        let cell = [Self.plain(cause.title), place, reason, rules].compactMap(\.self).joined(separator: "<br>")
        let remedy = run.remedy(cause.parts[0].findings).split(separator: "\n").map { Self.prose(String($0)) }
        return "| \(cause.severity) | \(cell) | \(Quantity.grouped(cause.findings.count)) "
            + "| \(Quantity.bytes(cause.bytes)) | \(remedy.joined(separator: "<br>")) |\n"
    }

    /// The name of a rule, as a link to its page if it has one.
    private func link(to rule: Rule) -> String {
        let name = Self.code(rule.id)
        return Project.page(of: rule).map { "[\(name)](\($0))" } ?? name
    }

    private func title(of cause: Cause) -> String {
        "\(cause.severity) \(Self.code(cause.first.rule.id)): \(Self.plain(cause.title)) "
            + "(\(Quantity.count(cause.findings.count, "finding")), \(Quantity.bytes(cause.bytes)))"
    }

    private func row(_ block: FindingBlock) -> String {
        let anchor = run.anchors.anchor(of: block.first)
        let writers = run.anchors.writers(of: block.first)
        let line =
            if let probable = writers.lines.first {
                "\(Self.code(probable.place)) (\(probable.percent))"
            } else if let writer = writers.writer {
                Self.plain(writer)
            } else {
                anchor.kind == .container ? "" : Self.code("\(anchor.shown):\(anchor.line)")
            }
        var cell = Self.code(block.location)
        if block.findings.count > 1 {
            let most = TextReport.mostItems
            for finding in block.largestFirst.prefix(most) {
                cell += "<br>\(Self.code(finding.displayName)) \(Quantity.bytes(finding.bytes))"
            }
            if block.findings.count > most { cell += "<br>… \(Quantity.grouped(block.findings.count - most)) more" }
        }
        let message = Self.plain(run.message(block.message, in: block.first.input))
        return "| \(message) | \(cell) | \(Quantity.bytes(block.bytes)) | \(line) |\n"
    }

    /// Returns a text without markup, mentions, references and links.
    private static func plain(_ text: String) -> String {
        var plain = ""
        for (scalar, next) in zip(text.unicodeScalars, text.unicodeScalars.dropFirst().map(\.self) + [" "]) {
            switch scalar {
            // Only an address or an emoji has no space after the colon.
            case ":" where next == " ": plain += ":"
            // An HTML comment separates the sign from the name. An escape would not: mentions and references are searched in
            // the rendered page.
            case "@": plain += "@<!-- -->"
            case "#": plain += "&#35;<!-- -->"
            // `www.` begins a link.
            case ".": plain += plain.hasSuffix("www") || plain.hasSuffix("WWW") ? "&#46;" : "."
            // GH-1 is a reference.
            case "-": plain += plain.hasSuffix("GH") || plain.hasSuffix("gh") ? "-<!-- -->" : "-"
            case "\\", "`", "*", "_", "[", "]", "<", ">", "|", "&", "~", ":", "$": plain += "&#\(scalar.value);"
            default: plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }

    /// Returns a text of the tool's own or of a rule, with the parts between backticks as code.
    private static func prose(_ text: String) -> String {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        guard parts.count % 2 == 1 else { return plain(text) }
        return parts.enumerated().map { $0 % 2 == 1 ? code(String($1)) : plain(String($1)) }.joined()
    }

    static func code(_ text: String) -> String { "<code>\(plain(text))</code>" }
}
