import ArgumentParser
import CommandLineSupport
import Foundation
import PolicyReports
import TextOutput

extension ReportFormat: ExpressibleByArgument {}

/// The destinations of the reports of a run.
struct Outputs {
    private let files: [ReportFile]
    /// The format of standard output.
    private let shown: ReportFormat
    private let summary: StepSummary?
    private let options: ShownOptions
    private let look: StyleOptions

    /// - Throws: An error if two reports have the same destination, or if one is inside a container.
    init(
        _ all: [ReportFile], format: ReportFormat?, inputs: [String], shown options: ShownOptions, look: StyleOptions
    ) throws {
        let standard = all.filter(\.isStandardOutput)
        if standard.count + (format == nil ? 0 : 1) > 1 {
            throw ValidationError(
                "Only one report can be written to standard output; write the others to files: --output json=out.json.")
        }
        files = all.filter { !$0.isStandardOutput }
        for (index, file) in files.enumerated() {
            if files[..<index].contains(where: { $0.isSame(as: file) }) {
                throw ValidationError(
                    "Two reports would be written to “\(ByteText.printable(file.path))”; specify different files.")
            }
            if let input = inputs.first(where: file.isLocated) {
                throw ValidationError(
                    "“\(ByteText.printable(file.path))” is inside the container “\(ByteText.printable(input))”, which must "
                        + "not be modified; specify a file outside it."
                )
            }
        }
        (self.options, self.look) = (options, look)
        shown = format ?? standard.first?.format ?? .text
        let summary = StepSummary()
        if let summary, inputs.contains(where: summary.isLocated) {
            throw ValidationError("$GITHUB_STEP_SUMMARY is inside a container, which must not be modified.")
        }
        self.summary = shown == .github || files.contains { $0.format == .github } ? summary : nil
    }

    /// The number of items that each report needs in the map of its container; 0 without a report with a map.
    var mapLimit: Int { shown.hasMap || files.contains { $0.format.hasMap } ? LintRun.mapLimit : 0 }

    /// Writes every file, even if one fails, and then standard output. Prints errors to standard error.
    ///
    /// - Returns: The exit codes of the errors.
    func write(_ run: LintRun) -> [ExitCode] {
        var run = run
        run.isVerbose = options.verbose
        run.showsAll = options.all
        if summary != nil { run.fullList = "the summary of this job" }
        var codes: [ExitCode] = []
        func attempt(_ write: () throws(ReportFileError) -> Void) {
            do throws(ReportFileError) { try write() } catch {
                codes.append(error.isDiskAtFault ? Failure.ownError : Failure.usage)
                Failure.printMessage("sandboxlint: \(error)")
            }
        }
        for file in files {
            attempt { () throws(ReportFileError) in
                let said = try file.write(run, style: look.fileStyle)
                if let said { Failure.printMessage("sandboxlint: \(said)") }
            }
        }
        if let summary { attempt { () throws(ReportFileError) in try summary.add(run) } }
        do throws(UnwrittenOutput) { try show(run) } catch {
            codes.append(Failure.ownError)
            Failure.printMessage("sandboxlint: \(error)")
        }
        return codes
    }

    /// Writes the report to standard output.
    private func show(_ run: LintRun) throws(UnwrittenOutput) {
        guard run.hasResult || shown.reportsFailedRuns else { return }
        var run = run
        run.isBrief = options.quiet
        let style = shown == .text ? look.style : Style(colored: false)
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
