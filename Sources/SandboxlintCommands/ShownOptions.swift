import ArgumentParser
import CommandLineSupport
import PolicyReports
import TextOutput

/// The options that control the printed output.
struct ShownOptions: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Print only findings and unread items: no summary, no progress.",
            discussion: """
                A run without findings prints nothing. Findings of every severity are printed, as with ruff's --quiet \
                and unlike ESLint's. --fail-on selects which findings fail a run, --select which rules run.
                """))
    var quiet = false

    @Flag(
        name: .shortAndLong,
        help: ArgumentHelp(
            "Print every item with its evidence, and the remedy of every rule, in text.",
            discussion: """
                Configuration files, disabled rules, suppressions, baselines and the run time are printed to standard error.
                """))
    var verbose = false

    @Flag(help: "Print a block for every cause in text, instead of those that fit in 40 lines.")
    var all = false

    @Flag(help: "Print the number of findings of each rule instead of the findings (text or json).")
    var statistics = false

    @Option(
        help: ArgumentHelp(
            "Print progress to standard error: on a terminal (auto), always or never.", valueName: "when"))
    var progress: ProgressChoice = .auto

    func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose cannot be combined.") }
    }

    /// The progress line of the run.
    var progressLine: ProgressLine { ProgressLine(quiet ? .never : progress) }
}
