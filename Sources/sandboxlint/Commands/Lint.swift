import ArgumentParser
import CommandLineSupport
import PolicyReports
import StoragePolicy
import TextOutput

/// `sandboxlint [lint] INPUT…`
struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint", abstract: "Lint containers and report what is found (the default).")

    @Argument(help: "App containers: directories that hold Documents, Library and tmp.", completion: .directory)
    var input: [String]

    @Option(
        help: ArgumentHelp(
            "The report on standard output; text where none is named.",
            discussion: """
                In junit a finding that fails the run is a failed test, and one below --fail-on is a skipped test with \
                the finding's text, as a suppressed one is with its reason: neither counts as passed.
                """, valueName: "format"))
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

    @Option(
        help: ArgumentHelp(
            "The installed app (Reader.app): what its bundle holds as well is not the user's.", valueName: "path"),
        completion: .directory)
    var app: String?

    @OptionGroup var failing: FailOptions

    @OptionGroup var selection: SelectionOptions

    @OptionGroup var known: BaselineOptions

    @Flag(help: .hidden)
    var fix = false

    @Flag(
        help: """
            The app has been installed and launched once, and nobody has used it: nothing is user data, as in App Review.
            """)
    var freshInstall = false

    @Flag(help: "Tell on standard error what each rule and fact took.")
    var timings = false

    @OptionGroup var shown: ShownOptions

    func validate() throws {
        guard !fix else {
            throw ValidationError(
                "Linting changes nothing. `sandboxlint fix CONTAINER --diff` shows what can be fixed, "
                    + "and without --diff fixes it.")
        }
        guard !input.isEmpty else { throw ValidationError("Name a container: the directory that holds Documents.") }
        guard shown.statistics else { return }
        guard [nil, .text, .json].contains(format), !output.contains(where: \.isStandardOutput) else {
            throw ValidationError(
                "--statistics is shown as text or json; name a file for a report: --output csv=out.csv.")
        }
    }

    func run() throws {
        let outputs = try Outputs(output, format: format, inputs: input, shown: shown)
        let measured = Timings(isOn: timings)
        var rules: [String: Rule] = [:]
        // Before anything is read: what is wrong in a configuration ends the run.
        let linters: [Linter]
        let baselines: [String: Baseline]
        do {
            linters = try input.map {
                try selection.linter(for: $0, besides: input, measured, isFreshInstall: freshInstall, &rules)
            }
            baselines = try known.read(for: linters)
        } catch {
            if rules.isEmpty, let embedded = try? Catalogue.embedded() {
                for rule in embedded.rules { rules[rule.id] = rule }
            }
            let failed = run(LintedInputs(failures: [LintRun.Failure(error)]), rules)
            let codes = outputs.write(failed)
            throw Failure.worst(codes + [Failure.report(error, usage: Self.usageMessage(for: error))]) ?? Failure.usage
        }
        var inputs = LintedInputs()
        inputs.lint(input, app: app, by: linters, showing: shown.progressLine)
        inputs.apply(baselines, by: known, isStrict: failing.strict)
        if !shown.quiet { Self.reportOutdated(baselines) }
        let run = run(inputs, rules)
        var codes = outputs.write(run)
        if timings { Failure.say(TimingsText(measured).text) }
        if shown.verbose {
            Failure.write(VerboseText(run, baselines: baselines.keys.sorted(), after: inputs.seconds).text)
        }
        if inputs.isInputWrong || !inputs.report.isComplete { codes.append(Failure.input) }
        if run.hasFailingFindings { codes.append(Failure.findings) }
        if let code = Failure.worst(codes) { throw code }
    }

    private static func reportOutdated(_ baselines: [String: Baseline]) {
        for (path, baseline) in baselines.sorted(by: { $0.key < $1.key }) where baseline.outdated > 0 {
            Failure.say(
                "sandboxlint: \(path) has entries of format 1, each for one finding; `sandboxlint baseline update` "
                    + "turns them into entries by directory, which a new file in it does not break.")
        }
    }

    private func run(_ inputs: LintedInputs, _ rules: [String: Rule]) -> LintRun {
        LintRun(
            inputs.report, by: inputs.linters, rules: Array(rules.values), failures: inputs.failures,
            failOn: failing.severity(for: inputs.report), version: Sandboxlint.version, now: selection.now?.seconds)
    }
}
