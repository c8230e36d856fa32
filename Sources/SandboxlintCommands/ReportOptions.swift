import ArgumentParser
import PolicyReports

/// The options that select the reports of a run.
struct ReportOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Print the report in this format. (default: text)",
            discussion: """
                junit: a finding that fails the run is a failed test. Findings below --fail-on and suppressed findings \
                are skipped tests, which do not count as passed.
                """, valueName: "format"))
    var format: ReportFormat?

    @Option(
        help: ArgumentHelp(
            "Also write a report to a file, such as sarif=out.sarif. May be repeated.",
            valueName: "format=path"),
        transform: { option in
            do throws(ReportFile.Unreadable) { return try ReportFile(option) } catch {
                throw ValidationError(error.description)
            }
        })
    var output: [ReportFile] = []
}

/// The option that measures a run.
struct TimingOptions: ParsableArguments {
    @Flag(help: "Print the time of each rule and analysis step to standard error.")
    var timings = false
}
