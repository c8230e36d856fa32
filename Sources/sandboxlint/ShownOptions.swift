import ArgumentParser
import CommandLineSupport
import PolicyReports
import TextOutput

/// The options that say how much of a run is shown, and how.
struct ShownOptions: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Show the findings and what could not be looked at, and nothing else: no summary, no progress.",
            discussion: """
                A clean run says nothing. As with ruff's --quiet, and other than with ESLint's, findings of every severity \
                are shown; what fails a run is said by --fail-on, which rules are put by --select.
                """))
    var quiet = false

    @Flag(
        name: .shortAndLong,
        help: """
            Tell on standard error what the run goes by: configuration files, rules that are not put, suppressions with \
            their reasons, baselines, the time it took.
            """)
    var verbose = false

    @Flag(help: "Show how many findings each rule has, the most first, instead of the findings; as text or json.")
    var statistics = false

    @Option(
        help: ArgumentHelp(
            """
            A line on standard error that tells how far a run has come, after 300 ms: auto (on a terminal), always or never.
            """, valueName: "when"))
    var progress: ProgressChoice = .auto

    @OptionGroup var look: StyleOptions

    func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose exclude each other; choose one.") }
    }

    /// The line that tells how far the run has come.
    var progressLine: ProgressLine { ProgressLine(quiet ? .never : progress) }
}
