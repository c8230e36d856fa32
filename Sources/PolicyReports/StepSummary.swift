internal import FileSystem
internal import Foundation

/// The summary of a step in GitHub Actions, a file of Markdown that each program adds to; GitHub takes 1 MiB.
///
/// Source: GitHub, "Workflow commands for GitHub Actions", adding a job summary.
package struct StepSummary {
    private static let most = 1 << 20
    private let path: String

    /// The summary of the step that runs this process; nil outside of GitHub Actions.
    package init?() {
        guard let path = ProcessInfo.processInfo.environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { return nil }
        self.path = path
    }

    /// Returns true if it would be in a directory. Linted containers must not change.
    package func lies(in directory: String) -> Bool { Repository.lies(path, in: directory) }

    /// Adds the full list of a run, or what of it still fits.
    package func add(_ run: LintRun) throws(ReportFileError) {
        do {
            let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
            defer { try? file.close() }
            let used = try file.seekToEnd()
            var text = ""
            MarkdownReport(run).write(within: max(0, Self.most - Int(clamping: used))) { text += $0 }
            try file.write(contentsOf: Data(text.utf8))
        } catch { throw ReportFileError(path: "$GITHUB_STEP_SUMMARY", reason: "it is not a writable file") }
    }
}
