internal import PolicyRecords
internal import StoragePolicy
internal import TextOutput

/// The changes between two runs as Markdown for a comment: a table of causes, one of bytes, and collapsed lists of findings.
struct ComparisonMarkdown {
    /// No row has fewer bytes.
    private static let leastRow = 50

    private let comparison: RunComparison

    init(_ comparison: RunComparison) { self.comparison = comparison }

    /// Writes the changes into the room of a page.
    func write(to page: inout MarkdownPage) {
        let difference = comparison.difference
        let (before, after) = (difference.before.whole, difference.after.whole)
        let shown = comparison.shown
        let isQuiet = shown.isEmpty && difference.new.isEmpty && difference.gone.isEmpty
        page.add("## sandboxlint: \(isQuiet ? "no new and no fixed findings" : comparison.causes)\n\n")
        page.add(
            "Since \(MarkdownText.code(comparison.name)): \(comparison.findings). In every backup: "
                + "**\(RunComparison.growth(before.backedUpBytes, after.backedUpBytes))**.\n")
        if !shown.isEmpty {
            let head = "\n| change | cause | before | after | what to do |\n|---|---|--:|--:|---|\n"
            let fitting = shown.prefix(page.room / Self.leastRow)
            page.omit(shown.count - fitting.count + page.add(fitting.map(row), below: head), noun: "cause")
        }
        var sizes = "\n| bytes | before | after | change |\n|---|--:|--:|--:|\n"
        for (label, before, after) in comparison.sizes {
            sizes += "| \(label) | \(Quantity.bytes(before)) | \(Quantity.bytes(after)) "
            sizes += "| \(RunComparison.change(before, after)) |\n"
        }
        page.add(sizes)
        for note in comparison.notes { page.add("\n\(MarkdownText.plain(note))\n") }
        let changed = difference.changed
        list("New findings", difference.new.map { ($0, Quantity.bytes($0.bytes)) }, to: &page)
        list(
            "Grown and changed findings",
            changed.map { ($0.after, RunComparison.growth($0.before.bytes, $0.after.bytes)) }, to: &page)
        list("Fixed findings", difference.gone.map { ($0, Quantity.bytes($0.bytes)) }, to: &page)
    }

    private func list(
        _ title: String, _ lines: [(line: ReportSnapshot.Line, size: String)], to page: inout MarkdownPage
    ) {
        guard !lines.isEmpty else { return }
        let head =
            "\n<details>\n<summary>\(title) (\(Quantity.grouped(lines.count)))</summary>\n\n"
            + "| finding | path | size |\n|---|---|--:|\n"
        let fitting = lines.prefix(page.room / Self.leastRow)
        let rows = fitting.map { line, size in
            let path = line.path.isEmpty ? "the container itself" : line.path
            return "| \(line.severity.rawValue) \(MarkdownText.code(line.rule))<br>\(MarkdownText.plain(line.message)) "
                + "| \(MarkdownText.code(path)) | \(size) |\n"
        }
        page.omit(
            lines.count - fitting.count + page.add(rows, below: head, end: "\n</details>\n"),
            noun: title == "Fixed findings" ? "fixed finding" : "finding")
    }

    private func row(_ entry: RunComparison.Entry) -> String {
        let change = entry.change
        func size(_ extent: CauseChange.Extent?) -> String { extent.map { Quantity.bytes($0.bytes) } ?? "–" }
        let reason = entry.cause.reason.map { "because \(MarkdownText.prose($0))" }
        let rules = change.rules.map { id in
            let page = entry.cause.rule.flatMap { $0.id == id ? Project.page(of: $0) : nil }
            return page.map { "[\(MarkdownText.code(id))](\($0))" } ?? MarkdownText.code(id)
        }
        let findings =
            change.newFindings > 0 && change.before != nil
            ? "<br>\(Quantity.count(change.newFindings, "new finding"))" : ""
        let cell = [
            MarkdownText.plain(change.title), MarkdownText.code(change.path), reason, rules.joined(separator: ", "),
        ].compactMap(\.self).joined(separator: "<br>")
        let remedy =
            entry.isBetter
            ? ""
            : entry.cause.remedy.split(separator: "\n").map { MarkdownText.prose(String($0)) }.joined(separator: "<br>")
        return "| **\(change.change.rawValue)**<br>\(change.severity.rawValue)\(findings) | \(cell) "
            + "| \(size(change.before)) | \(size(change.after)) | \(remedy) |\n"
    }
}
