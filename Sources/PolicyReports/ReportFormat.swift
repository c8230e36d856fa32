internal import StoragePolicy
package import TextOutput

/// The formats of reports.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// Text with a block for each rule and directory.
    case text
    /// A line for each finding, as compilers write theirs.
    case compact
    /// One object, `sandboxlint-report/1`.
    case json
    /// The same, an object a line.
    case jsonl
    /// SARIF 2.1.0 as GitHub's code scanning takes it.
    case sarif
    /// Annotations of GitHub Actions.
    case github
    /// GitLab's Code Quality.
    case gitlab
    /// JUnit's XML in the form of Apache Ant.
    case junit
    /// Checkstyle's XML.
    case checkstyle
    /// A table, for a summary or a comment.
    case markdown
    /// A table, RFC 4180.
    case csv

    /// True if it says something of a run that came to nothing; to a person standard error has said it.
    package var tellsOfNothing: Bool { self != .text && self != .compact }

    /// Writes a run, piece by piece.
    ///
    /// - Parameters:
    ///   - run: The run to report.
    ///   - style: The style of `text`.
    ///   - output: Takes the pieces.
    package func write(_ run: LintRun, style: Style, to output: @escaping (String) -> Void) {
        switch self {
        case .text: TextReport(run, style: style).write(to: output)
        case .compact: CompactReport(run).write(to: output)
        case .json: JSONReport(run).write(to: output)
        case .jsonl: JSONReport(run).writeLines(to: output)
        case .sarif:
            var report = SARIFReport(run)
            report.write(to: output)
        case .github: GitHubReport(run).write(to: output)
        case .gitlab: GitLabReport(run).write(to: output)
        case .junit: JUnitReport(run).write(to: output)
        case .checkstyle: CheckstyleReport(run).write(to: output)
        case .markdown: MarkdownReport(run).write(to: output)
        case .csv: CSVReport(run).write(to: output)
        }
    }
}
