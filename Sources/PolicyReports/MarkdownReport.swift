internal import StoragePolicy
internal import TextOutput

/// The remedy for each rule, and a table of rules and directories, the most severe first, with a list of all items. For the
/// summary of a job, or a comment.
struct MarkdownReport {
    private let run: LintRun

    init(_ run: LintRun) { self.run = run }

    func write(to output: (String) -> Void) { write(within: .max, to: output) }

    /// Writes the report within a number of bytes. The items that do not fit are counted.
    func write(within limit: Int, to output: (String) -> Void) {
        let summary = ReportSummary(run)
        let head = "## sandboxlint\n\n**\(summary.findings)** in \(summary.extent)\n"
        var left = limit - head.utf8.count - 200
        guard left > 0 else { return }
        output(head)
        let gaps = run.gaps.map { "- \(Self.code($0.text))\n" }
        list(gaps, before: "\n### Not read\n\n", "items that were not read", &left, to: output)
        let apps =
            "\n### Apps\n\n| app | containers | errors | warnings | notes | size | in backups |\n|---|---|---|---|---|---|---|\n"
        list(AppTotalsText(run.report).rows, before: apps, "apps", &left, to: output)
        guard left > 0 else { return }
        let blocks = FindingBlock.all(of: run.report)
        // The remedies come before the table, which may exceed the limit.
        list(remedies(of: blocks), before: "\n### What to do\n\n", "remedies", &left, to: output)
        guard left > 0 else { return }
        let names = "\n### Findings\n\n| severity | rule | message | path | location |\n|---|---|---|---|---|\n"
        list(blocks.map(row), before: names, "rows", &left, to: output)
    }

    /// One line for each rule with findings: its page, the number of findings, its help and its fix.
    private func remedies(of blocks: [FindingBlock]) -> [String] {
        var rules: [Rule] = []
        var counts: [String: Int] = [:]
        for block in blocks {
            if counts[block.first.rule.id] == nil { rules.append(block.first.rule) }
            counts[block.first.rule.id, default: 0] += block.findings.count
        }
        return rules.map { rule in
            let name = Self.code(rule.id)
            let link = Project.page(of: rule).map { "[\(name)](\($0))" } ?? name
            let remedy = run.remedy(rule).split(separator: "\n").map { Self.plain(String($0)) }.joined(
                separator: "<br>")
            return "- \(link) (\(Quantity.count(counts[rule.id, default: 0], "finding"))): \(remedy)\n"
        }
    }

    private func list(
        _ lines: [String], before head: String, _ what: String, _ left: inout Int, to output: (String) -> Void
    ) {
        guard !lines.isEmpty else { return }
        output(head)
        left -= head.utf8.count
        for (index, line) in lines.enumerated() {
            left -= line.utf8.count
            guard left > 0 else {
                output("\n\(Quantity.grouped(lines.count - index)) more \(what) are not listed.\n")
                return
            }
            output(line)
        }
    }

    private func row(_ block: FindingBlock) -> String {
        let anchor = run.anchors.anchor(of: block.first)
        let line = anchor.kind == .container ? "" : Self.code("\(anchor.shown):\(anchor.line)")
        var cell = Self.code(block.location)
        if block.findings.count > 1 {
            cell += "<br>" + block.findings.prefix(10).map { Self.code($0.displayPath) }.joined(separator: "<br>")
            if block.findings.count > 10 { cell += "<br>and \(block.findings.count - 10) more" }
        }
        let message = Self.plain(run.message(block.message, in: block.first.input))
        return "| \(block.first.severity) | \(Self.code(block.first.rule.id)) | \(message) "
            + "| \(cell) (\(Quantity.bytes(block.bytes))) | \(line) |\n"
    }

    /// Returns a text without markup, mentions and links.
    private static func plain(_ text: String) -> String {
        var plain = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            // An HTML comment separates the sign from the name. An escape would not: mentions are searched in the rendered page.
            case "@": plain += "@<!-- -->"
            case "\\", "`", "*", "_", "[", "]", "<", ">", "#", "|", "&", "~", ":", "$": plain += "&#\(scalar.value);"
            default: plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }

    static func code(_ text: String) -> String { "<code>\(plain(text))</code>" }
}
