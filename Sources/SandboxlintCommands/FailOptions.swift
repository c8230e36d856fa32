import ArgumentParser
import StoragePolicy

/// The lowest severity that fails a run.
enum FailOn: String, ExpressibleByArgument, CaseIterable {
    case error, warning, note, never

    /// The severity; nil for `never`.
    var severity: Severity? { Severity(rawValue: rawValue) }
    /// Returns true if a finding of this severity fails the run.
    func includes(_ found: Severity) -> Bool { severity.map { found >= $0 } ?? false }
}

/// The options that select which findings fail a run.
struct FailOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Exit with 1 if there is a finding of at least this severity. (default: error)",
            valueName: "severity"))
    var failOn: FailOn?

    @Flag(help: "Exit with 1 for warnings (as --fail-on warning) and for stale baseline entries.")
    var strict = false

    @Flag(help: "Exit with 0 whatever is found. Other errors keep their exit codes.")
    var exitZero = false

    @Option(help: ArgumentHelp("Exit with 1 if there are more warnings than this.", valueName: "n"))
    var maxWarnings: Int?

    func validate() throws {
        if strict, failOn != nil { throw ValidationError("--strict and --fail-on cannot be combined.") }
        if let maxWarnings, maxWarnings < 0 { throw ValidationError("--max-warnings must not be negative.") }
    }

    /// Returns the lowest severity that fails a run with these findings; nil if none does.
    func severity(for report: LintReport) -> Severity? {
        let said = (failOn ?? (strict ? .warning : .error)).severity
        let isOver = maxWarnings.map { report.count(of: .warning) > $0 } ?? false
        return isOver ? min(said ?? .warning, .warning) : said
    }
}
