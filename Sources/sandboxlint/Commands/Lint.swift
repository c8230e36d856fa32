import ArgumentParser
import PolicyReports
import StoragePolicy

/// `sandboxlint [lint] INPUT…`
struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lint containers and report what is found (the default).")

    /// What makes a run fail.
    enum FailOn: String, ExpressibleByArgument, CaseIterable {
        case error, warning, note, never

        /// Whether a finding so bad fails the run.
        func includes(_ severity: Severity) -> Bool { Severity(rawValue: rawValue).map { severity >= $0 } ?? false }
    }

    @Argument(help: "App containers: directories that hold Documents, Library and tmp.")
    var input: [String]

    @Option(help: "How to report: text or json.")
    var format: Format = .text

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
        let measured = Timings(isOn: timings)
        // Before anything is read: what is wrong in a configuration ends the run.
        let linters = try input.map { try selection.linter(for: $0, measured) }
        let baselines = try known.read(for: linters)
        var run = LintRun()
        run.lint(input, by: linters)
        run.apply(baselines, by: known)
        let (report, isInputWrong) = (run.report, run.isInputWrong)
        if !report.inputs.isEmpty || format == .json { write(report, isComplete: !isInputWrong) }
        if timings { Failure.say(TimingsText(measured).text) }
        if isInputWrong || !report.isComplete { throw Failure.input }
        if report.findings.contains(where: { failOn.includes($0.severity) }) { throw Failure.findings }
    }

    private func write(_ report: LintReport, isComplete: Bool) {
        let output = Output()
        switch format {
        case .text: TextReport(report, style: color.style).write(to: output.write)
        case .json: JSONReport(report, version: Sandboxlint.version, isComplete: isComplete).write(to: output.write)
        }
        output.flush()
    }
}
