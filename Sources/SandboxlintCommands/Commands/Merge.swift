import ArgumentParser
import CommandLineSupport
import PolicyReports
import StoragePolicy
import TextOutput

/// `sandboxlint merge REPORT…`
struct Merge: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge the JSON reports of parallel or distributed runs into one report.",
        discussion: """
            REPORT is the output of `sandboxlint lint --format json`, also of several containers. The merged report is that \
            of one run over all containers, in the order of the reports, in every format. A container that is in several \
            reports with the same result is counted once. If different containers have the same name, the name of the report \
            precedes it. Baselines and suppressions are those of the runs.

            Examples:
              sandboxlint merge reports/*.json
              sandboxlint merge reports/*.json --format markdown --output sarif=all.sarif

            Exit codes: 0 no findings at or above --fail-on, 1 findings, 2 usage error, 3 a report is missing, damaged or \
            incomplete, 4 internal error or report not written.
            """)

    @Argument(
        help: ArgumentHelp("The JSON reports.", valueName: "report"), completion: .file(extensions: ["json"]))
    var reports: [String]

    @OptionGroup(title: "Exit Code") var failing: FailOptions

    @OptionGroup(title: "Rule Selection") var own: RuleOptions

    @OptionGroup(title: "Output") var written: ReportOptions

    @OptionGroup(title: "Output") var shown: ShownOptions

    @OptionGroup(title: "Output") var look: StyleOptions

    func validate() throws {
        guard let file = written.output.first(where: { file in reports.contains { file.isSame(as: $0) } }) else {
            return
        }
        throw ValidationError(
            "“\(ByteText.printable(file.path))” is one of the reports, which must not be overwritten; specify another file."
        )
    }

    func run() throws {
        let outputs = try Outputs(written.output, format: written.format, inputs: [], shown: shown, look: look)
        let rules = try own.catalogue().rules
        let known = Dictionary(rules.map { ($0.id, $0) }) { first, _ in first }
        let read = RecordedRuns(reading: reports, rules: known)
        let merged = MergedReports(read.runs, version: Sandboxlint.version, rules: rules)
        for failure in read.failures { Failure.printMessage("sandboxlint: \(failure.message)") }
        if !shown.quiet { for note in merged.notes { Failure.printMessage("sandboxlint: \(note)") } }
        let run = LintRun(
            merged, rules: rules, failures: read.failures, failOn: failing.severity(for: merged.report),
            version: Sandboxlint.version)
        var codes = outputs.write(run)
        if !run.isComplete { codes.append(Failure.input) }
        if run.hasFailingFindings, !failing.exitZero { codes.append(Failure.findings) }
        if let code = Failure.worst(codes) { throw code }
    }
}
