internal import FileSystem
internal import Foundation

/// The summary of a step in GitHub Actions: a Markdown file to which each program appends. GitHub accepts 1 MiB.
///
/// Source: GitHub, "Workflow commands for GitHub Actions", adding a job summary.
package struct StepSummary {
    private static let most = 1 << 20
    private let path: String

    /// The summary of the step that runs this process; nil outside of GitHub Actions.
    package init?() {
        let invocation = Invocation.current
        guard let path = invocation.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return nil }
        self.path = invocation.workingDirectory.resolved(path)
    }

    /// Returns true if the file is in the directory. Linted containers must not change.
    package func isLocated(in directory: String) -> Bool { Repository.isFile(path, in: directory) }

    /// Appends the complete list of a run, or the part that fits.
    package func add(_ run: LintRun) throws(ReportFileError) {
        do {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            defer { try? file.close() }
            let used = try file.seekToEnd()
            var text = ""
            // A shortened summary does not refer to itself.
            var run = run
            run.fullList = LintRun.defaultList
            MarkdownReport(run).write(within: max(0, Self.most - Int(clamping: used))) { text += $0 }
            try file.write(contentsOf: Data(text.utf8))
        } catch { throw ReportFileError(path: "$GITHUB_STEP_SUMMARY", reason: "it is not a writable file") }
    }
}
