import ArgumentParser
import CommandLineSupport
import ContainerInputs
import ContainerLifecycle
import PolicyReports
import StoragePolicy
import TextOutput

/// `sandboxlint [lint] INPUT…`
struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint", abstract: "Lint containers and report findings (the default).",
        discussion: """
            Examples:
              sandboxlint lint path/to/container
              sandboxlint lint path/to/container --select backup,loss --output sarif=out.sarif
              sandboxlint lint path/to/container --output html=report.html
              sandboxlint lint Reader.xcappdata
              sandboxlint lint container.tar.gz
              sandboxlint lint MobileSync/Backup/UDID --bundle-id com.example.app --password-file FILE
              sandboxlint lint path/to/Devices/UUID --bundle-id com.example.app
              sandboxlint lint --booted com.example.app
              sandboxlint lint --device My-iPhone --bundle-id com.example.app

            Exit codes: 0 no findings at or above --fail-on, 1 findings, 2 usage or configuration error, 3 input missing or not \
            fully read, 4 internal error or report not written.
            """)

    @OptionGroup(title: "Input") var inputs: InputOptions

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

    @Option(
        help: ArgumentHelp(
            "Compare with this app bundle (Reader.app): its files are not user data.", valueName: "path"),
        completion: .directory)
    var app: String?

    @OptionGroup(title: "Exit Code") var failing: FailOptions

    @OptionGroup var selection: SelectionOptions

    @OptionGroup(title: "Baseline") var known: BaselineOptions

    @Flag(help: .hidden)
    var fix = false

    @Flag(
        help: "Assume that the app was only installed and launched, as in App Review: nothing is user data.")
    var freshInstall = false

    @Option(
        help: ArgumentHelp(
            "Also report what these events would break: a comma-separated list of purge, update, offload, restore, transfer.",
            discussion: """
                The events are played in order on a model of the container in memory. Nothing on disk changes. offload is \
                followed by an installation; restore and transfer are to a new device.
                """, valueName: "events"),
        completion: .list(LifecycleEvent.allCases.map(\.rawValue)), transform: EventList.init)
    var after: EventList?

    @Flag(help: "Print the time of each rule and analysis step to standard error.")
    var timings = false

    @OptionGroup(title: "Output") var shown: ShownOptions

    func validate() throws {
        guard !fix else {
            throw ValidationError(
                "`lint` does not modify containers. `sandboxlint fix CONTAINER --diff` shows the available fixes, "
                    + "`sandboxlint fix CONTAINER` applies them.")
        }
        guard shown.statistics else { return }
        guard [nil, .text, .json].contains(format), !output.contains(where: \.isStandardOutput) else {
            throw ValidationError(
                "--statistics prints text or json only; write other reports to a file: --output csv=out.csv.")
        }
    }

    func run() throws {
        let outputs = try Outputs(output, format: format, inputs: inputs.paths, shown: shown)
        let sources = inputs.sources
        let measured = Timings(isOn: timings)
        var rules: [String: Rule] = [:]
        // A configuration error ends the run before anything is read.
        let linters: [Linter]
        let baselines: [String: Baseline]
        do {
            linters = try sources.map {
                try selection.linter(
                    for: $0.path, besides: inputs.paths, measured, isFreshInstall: freshInstall,
                    after: after?.events ?? [],
                    &rules
                ).mapping(outputs.mapLimit)
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
        var linted = LintedInputs()
        linted.lint(
            sources, only: inputs.bundleID, app: app, by: linters, showing: shown.progressLine,
            password: inputs.secret.password)
        linted.apply(baselines, by: known, isStrict: failing.strict)
        if !shown.quiet { Self.reportOutdated(baselines) }
        let run = run(linted, rules)
        var codes = outputs.write(run)
        if timings { Failure.say(TimingsText(measured).text) }
        if shown.verbose {
            Failure.write(VerboseText(run, baselines: baselines.keys.sorted(), after: linted.seconds).text)
        }
        if linted.isInputWrong || !linted.report.isComplete { codes.append(Failure.input) }
        if run.hasFailingFindings { codes.append(Failure.findings) }
        if let code = Failure.worst(codes) { throw code }
    }

    private static func reportOutdated(_ baselines: [String: Baseline]) {
        for (path, baseline) in baselines.sorted(by: { $0.key < $1.key }) where baseline.outdated > 0 {
            Failure.say(
                "sandboxlint: \(path) has entries of format 1, one per finding; `sandboxlint baseline update` converts "
                    + "them to entries per directory, which new files do not break.")
        }
    }

    private func run(_ inputs: LintedInputs, _ rules: [String: Rule]) -> LintRun {
        LintRun(
            inputs.report, by: inputs.linters, rules: Array(rules.values), failures: inputs.failures,
            failOn: failing.severity(for: inputs.report), version: Sandboxlint.version, now: selection.now?.seconds)
    }
}
