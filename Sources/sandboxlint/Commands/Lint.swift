import ArgumentParser
import PolicyReports
import StoragePolicy
import TextOutput

/// `sandboxlint [lint] INPUT…`
struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint", abstract: "Lint containers and report what is found (the default).")

    /// What makes a run fail.
    enum FailOn: String, ExpressibleByArgument, CaseIterable {
        case error, warning, note, never

        /// The least severity that does; nil where none does.
        var severity: Severity? { Severity(rawValue: rawValue) }
        /// Whether a finding so bad fails the run.
        func includes(_ found: Severity) -> Bool { severity.map { found >= $0 } ?? false }
    }

    @Argument(help: "App containers: directories that hold Documents, Library and tmp.", completion: .directory)
    var input: [String]

    @Option(help: ArgumentHelp("The report on standard output; text where none is named.", valueName: "format"))
    var format: ReportFormat?

    @Option(
        help: ArgumentHelp(
            "A report in a file besides, written whatever the exit code: sarif=out.sarif. May be repeated.",
            valueName: "format=path"),
        transform: { option in
            do throws(ReportFile.Unreadable) { return try ReportFile(option) } catch {
                throw ValidationError(error.description)
            }
        })
    var output: [ReportFile] = []

    @Option(help: "Exit with 1 from this severity on: error, warning, note, or never.")
    var failOn: FailOn = .error

    @OptionGroup var selection: SelectionOptions

    @OptionGroup var known: BaselineOptions

    @Flag(help: "Tell on standard error what each rule and fact took.")
    var timings = false

    @Option(help: "Colours: auto, always or never. NO_COLOR and FORCE_COLOR are heeded.")
    var color: ColorChoice = .auto

    func validate() throws {
        guard !input.isEmpty else { throw ValidationError("Name a container: the directory that holds Documents.") }
    }

    func run() throws {
        let outputs = try Outputs(output, format: format, inputs: input)
        let measured = Timings(isOn: timings)
        var rules: [String: Rule] = [:]
        // Before anything is read: what is wrong in a configuration ends the run.
        let linters: [Linter]
        let baselines: [String: Baseline]
        do {
            linters = try input.map { try selection.linter(for: $0, measured, &rules) }
            baselines = try known.read(for: linters)
        } catch {
            let failed = run(LintedInputs(failures: [LintRun.Failure(error)]), rules)
            _ = outputs.writeFiles(failed, style: color)
            throw error
        }
        var inputs = LintedInputs()
        inputs.lint(input, by: linters)
        inputs.apply(baselines, by: known)
        let run = run(inputs, rules)
        let isWritten = outputs.writeFiles(run, style: color)
        outputs.writeStandardOutput(run, style: color)
        if timings { Failure.say(TimingsText(measured).text) }
        guard isWritten else { throw Failure.usage }
        if inputs.isInputWrong || !inputs.report.isComplete { throw Failure.input }
        if inputs.report.findings.contains(where: { failOn.includes($0.severity) }) { throw Failure.findings }
    }

    private func run(_ inputs: LintedInputs, _ rules: [String: Rule]) -> LintRun {
        LintRun(
            inputs.report, by: inputs.linters, rules: Array(rules.values), failures: inputs.failures,
            failOn: failOn.severity, version: Sandboxlint.version)
    }
}
