internal import StoragePolicy
package import TextOutput

/// The formats of reports.
package enum ReportFormat: String, Sendable, CaseIterable {
    /// Text with one block for each rule and directory.
    case text
    /// One line for each finding, like the messages of compilers.
    case compact
    /// One JSON object, `sandboxlint-report/1`.
    case json
    /// The same as JSON lines.
    case jsonl
    /// SARIF 2.1.0 for GitHub code scanning.
    case sarif
    /// Annotations of GitHub Actions.
    case github
    /// The Code Quality format of GitLab.
    case gitlab
    /// JUnit XML according to the schema of Apache Ant.
    case junit
    /// The XML format of Checkstyle.
    case checkstyle
    /// Markdown, for the summary of a job or a comment.
    case markdown
    /// Comma-separated values, RFC 4180.
    case csv
    /// A page with a map of the containers and the findings.
    case html

    /// True if the format also reports a run that failed before linting. Text formats leave that to standard error.
    package var reportsFailedRuns: Bool { self != .text && self != .compact }

    /// True if the format shows the sizes of items, which the linter collects on request.
    package var hasMap: Bool { self == .html }

    /// Writes a run, piece by piece.
    ///
    /// - Parameters:
    ///   - run: The run to report.
    ///   - style: The style of `text`.
    ///   - output: Receives the pieces.
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
        case .html: HTMLReport(run).write(to: output)
        }
    }
}
