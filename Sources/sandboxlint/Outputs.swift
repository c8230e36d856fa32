import ArgumentParser
import CommandLineSupport
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
    private let options: ShownOptions

    /// - Throws: Where two reports would go to one place, or one into a container.
    init(_ all: [ReportFile], format: ReportFormat?, inputs: [String], shown options: ShownOptions) throws {
        let standard = all.filter(\.isStandardOutput)
        if standard.count + (format == nil ? 0 : 1) > 1 {
            throw ValidationError(
                "Standard output takes one report; name a file for the others: --output json=out.json.")
        }
        files = all.filter { !$0.isStandardOutput }
        for (index, file) in files.enumerated() {
            if files[..<index].contains(where: { $0.isSame(as: file) }) {
                throw ValidationError(
                    "Two reports would be written to “\(ByteText.printable(file.path))”; name another file for one.")
            }
            if let input = inputs.first(where: file.lies) {
                throw ValidationError(
                    "“\(ByteText.printable(file.path))” lies in the container “\(ByteText.printable(input))”, which linting "
                        + "does not change; name a file elsewhere."
                )
            }
        }
        self.options = options
        shown = format ?? standard.first?.format ?? .text
        let summary = StepSummary()
        if let summary, inputs.contains(where: summary.lies) {
            throw ValidationError("$GITHUB_STEP_SUMMARY lies in a container, which linting does not change.")
        }
        self.summary = shown == .github || files.contains { $0.format == .github } ? summary : nil
    }

    /// Writes every file, also where one fails, and then standard output, whose reader may go away. What goes wrong is told on
    /// standard error.
    ///
    /// - Returns: What it makes of the exit code.
    func write(_ run: LintRun) -> [ExitCode] {
        var run = run
        if summary != nil { run.fullList = "the summary of this job" }
        var codes: [ExitCode] = []
        func attempt(_ write: () throws(ReportFileError) -> Void) {
            do throws(ReportFileError) { try write() } catch {
                codes.append(error.isDiskAtFault ? Failure.ownError : Failure.usage)
                Failure.say("sandboxlint: \(error)")
            }
        }
        for file in files {
            attempt { () throws(ReportFileError) in
                let said = try file.write(run, style: options.look.fileStyle)
                if let said { Failure.say("sandboxlint: \(said)") }
            }
        }
        if let summary { attempt { () throws(ReportFileError) in try summary.add(run) } }
        do throws(UnwrittenOutput) { try show(run) } catch {
            codes.append(Failure.ownError)
            Failure.say("sandboxlint: \(error)")
        }
        return codes
    }

    /// Writes what standard output is to have.
    private func show(_ run: LintRun) throws(UnwrittenOutput) {
        guard run.hasResult || shown.tellsOfNothing else { return }
        var run = run
        run.isBrief = options.quiet
        let style = shown == .text ? options.look.style : Style(colored: false)
        let output = Output(style)
        if options.statistics {
            let statistics = StatisticsText(run)
            shown == .json ? statistics.json(to: output.write) : output.write(statistics.text(style: style))
        } else {
            shown.write(run, style: style, to: output.write)
        }
        try output.end()
    }
}
