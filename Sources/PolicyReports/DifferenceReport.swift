internal import AppContainer
package import PolicyRecords
internal import StoragePolicy
package import TextOutput

/// The text, Markdown and JSON of the changes between two containers or reports.
package struct DifferenceReport {
    let comparison: RunComparison
    let exclusion: ExclusionChanges?
    /// The changes of findings and sizes.
    package var difference: ReportDifference { comparison.difference }

    /// Creates a report. `exclusion` is nil if one side is a stored report, which does not contain exclusions.
    package init(_ comparison: RunComparison, exclusion: ExclusionChanges?) {
        (self.comparison, self.exclusion) = (comparison, exclusion)
    }

    /// True if both sides are complete.
    package var isComplete: Bool {
        difference.before.isComplete && difference.after.isComplete && exclusion?.isComplete ?? true
    }

    // MARK: - Text

    /// Writes the changed causes, the sizes by treatment and location, and the changes of backup exclusions.
    ///
    /// - Parameters:
    ///   - style: The style of the text.
    ///   - showsAll: True if every cause and every new and fixed finding is listed.
    ///   - output: Receives the pieces.
    package func write(style: Style, showsAll: Bool, to output: (String) -> Void) {
        let text = ComparisonText(comparison: comparison, style: style, showsAll: showsAll)
        output(text.blocks)
        output(text.numbers)
        for note in comparison.notes { output("\(note)\n") }
        output("\n\(text.sizes)")
        output("\n\(style.bold("Content")): \(Self.change(difference.before.whole, difference.after.whole))\n")
        for location in difference.locations {
            let name = location.path.isEmpty ? "container root" : location.path
            output("  \(name): \(Self.change(location.before, location.after))\n")
        }
        output("\n\(style.bold("Backup exclusions")): ")
        guard let exclusion else { return output("not compared, because reports do not contain them.\n") }
        let count = exclusion.listed.count + exclusion.others
        output(count == 0 ? "unchanged.\n" : "\(Quantity.count(count, "change")).\n")
        for change in exclusion.listed {
            let size = "\(Quantity.count(change.items, "item")), \(Quantity.bytes(change.bytes))"
            let path = change.path.isEmpty ? "the container itself" : change.path
            output("  \(path): \(change.before.rawValue) → \(change.after.rawValue)  (\(size))\n")
        }
        if exclusion.others > 0 { output("  and \(Quantity.grouped(exclusion.others)) more\n") }
        if !isComplete { output("\nSome items could not be read.\n") }
    }

    private static func change(_ before: LintReport.Content, _ after: LintReport.Content) -> String {
        "\(Quantity.grouped(before.items)) → \(Quantity.count(after.items, "item")), "
            + "\(RunComparison.growth(before.bytes, after.bytes)); backed up "
            + "\(RunComparison.growth(before.backedUpBytes, after.backedUpBytes))"
    }

    // MARK: - Markdown

    /// Writes a comment of at most `limit` bytes. The last sentence has the number of the parts that do not fit.
    package func markdown(within limit: Int, to output: (String) -> Void) {
        var page = MarkdownPage(within: limit)
        ComparisonMarkdown(comparison).write(to: &page)
        if let exclusion, !exclusion.listed.isEmpty {
            let head =
                "\n<details>\n<summary>Changed backup exclusions "
                + "(\(Quantity.grouped(exclusion.listed.count + exclusion.others)))</summary>\n\n"
                + "| path | before | after | size |\n|---|---|---|--:|\n"
            let rows = exclusion.listed.map { change in
                "| \(MarkdownText.code(change.path.isEmpty ? "the container itself" : change.path)) "
                    + "| \(change.before.rawValue) | \(change.after.rawValue) | \(Quantity.bytes(change.bytes)) |\n"
            }
            page.omit(
                exclusion.others + page.add(rows, below: head, end: "\n</details>\n"), noun: "changed backup exclusion")
        }
        if !isComplete { page.add("\n**Incomplete**: some items could not be read.\n") }
        page.end("the output of <code>sandboxlint diff --all</code>")
        output(page.text)
    }

    /// The maximum number of bytes of a comment on GitHub.
    package static let mostBytesOfComment = MarkdownPage.mostBytesOfComment

    // MARK: - JSON

    /// The JSON object, `DifferenceContent`.
    package func json(version: String, to output: @escaping (String) -> Void) {
        RecordEncoder.write(
            DifferenceContent(
                difference, causes: comparison.entries.map(\.change), notes: comparison.notes, exclusion: exclusion,
                isComplete: isComplete, version: version), to: output)
        output("\n")
    }
}
