import ArgumentParser
import StoragePolicy

/// What makes a run fail.
enum FailOn: String, ExpressibleByArgument, CaseIterable {
    case error, warning, note, never

    /// The least severity that does; nil where none does.
    var severity: Severity? { Severity(rawValue: rawValue) }
    /// Whether a finding so bad fails the run.
    func includes(_ found: Severity) -> Bool { severity.map { found >= $0 } ?? false }
}

/// The options that say what makes a run that lints fail.
struct FailOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Exit with 1 from this severity on: error (where nothing is said), warning, note, or never.",
            valueName: "severity"))
    var failOn: FailOn?

    @Flag(help: "Exit with 1 for warnings, as --fail-on warning does, and for stale entries of the baseline.")
    var strict = false

    @Option(help: ArgumentHelp("Exit with 1 where there are more warnings than this.", valueName: "n"))
    var maxWarnings: Int?

    func validate() throws {
        if strict, failOn != nil { throw ValidationError("--strict and --fail-on exclude each other; choose one.") }
        if let maxWarnings, maxWarnings < 0 { throw ValidationError("--max-warnings takes a number from 0 on.") }
    }

    /// The least severity that fails a run with these findings; nil where none does.
    func severity(for report: LintReport) -> Severity? {
        let said = (failOn ?? (strict ? .warning : .error)).severity
        let isOver = maxWarnings.map { report.count(of: .warning) > $0 } ?? false
        return isOver ? min(said ?? .warning, .warning) : said
    }
}
