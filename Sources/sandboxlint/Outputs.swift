import ArgumentParser
import Foundation
import PolicyReports
import TextOutput

extension ReportFormat: ExpressibleByArgument {}

/// Where the reports of a run go.
struct Outputs {
    private let files: [ReportFile]
    /// What is written on standard output.
    private let shown: ReportFormat
    private let summary: StepSummary?

    /// - Throws: Where two reports would go to one place, or one into a container.
    init(_ all: [ReportFile], format: ReportFormat?, inputs: [String]) throws {
        let standard = all.filter(\.isStandardOutput)
        if standard.count + (format == nil ? 0 : 1) > 1 {
            throw ValidationError(
                "Standard output takes one report; name a file for the others: --output json=out.json.")
        }
        files = all.filter { !$0.isStandardOutput }
        for (index, file) in files.enumerated() {
            if files[..<index].contains(where: { $0.isSame(as: file) }) {
                throw ValidationError("Two reports would be written to “\(file.path)”; name another file for one.")
            }
            if let input = inputs.first(where: file.lies) {
                throw ValidationError(
                    "“\(file.path)” lies in the container “\(input)”, which linting does not change; name a file elsewhere."
                )
            }
        }
        shown = format ?? standard.first?.format ?? .text
        let summary = StepSummary()
        if let summary, inputs.contains(where: summary.lies) {
            throw ValidationError("$GITHUB_STEP_SUMMARY lies in a container, which linting does not change.")
        }
        self.summary = shown == .github || files.contains { $0.format == .github } ? summary : nil
    }

    /// Writes every file, also where one fails, which standard error tells.
    ///
    /// - Returns: Whether all could be written.
    func writeFiles(_ run: LintRun, style: ColorChoice) -> Bool {
        var isWritten = true
        func attempt(_ write: () throws(ReportFileError) -> Void) {
            do throws(ReportFileError) { try write() } catch {
                isWritten = false
                Failure.say("sandboxlint: \(error)")
            }
        }
        let run = told(run)
        for file in files {
            attempt { () throws(ReportFileError) in
                let said = try file.write(run, style: style == .always ? style.style : Style(colored: false))
                if let said { Failure.say("sandboxlint: \(said)") }
            }
        }
        if let summary { attempt { () throws(ReportFileError) in try summary.add(run) } }
        return isWritten
    }

    /// Writes what standard output is to have. After the files: whoever reads it may go away.
    func writeStandardOutput(_ run: LintRun, style: ColorChoice) {
        guard run.hasResult || shown.tellsOfNothing else { return }
        let output = Output()
        shown.write(told(run), style: style.style, to: output.write)
        output.flush()
    }

    private func told(_ run: LintRun) -> LintRun {
        var run = run
        if summary != nil { run.fullList = "the summary of this job" }
        return run
    }
}
