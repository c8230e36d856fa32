import ArgumentParser
import CommandLineSupport
import ContainerInputs
import ContainerLifecycle
import FileSystem
internal import PolicyRecords
import PolicyReports
internal import SourceCode
import StoragePolicy
import TextOutput

/// `sandboxlint [lint] INPUT…`
struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint", abstract: "Lint containers and report findings (the default).",
        discussion: """
            Examples:
              sandboxlint lint path/to/container
              sandboxlint lint path/to/container --select backup,loss
              sandboxlint lint path/to/container --output sarif=out.sarif
              sandboxlint lint path/to/container --output html=report.html
              sandboxlint lint Reader.xcappdata
              sandboxlint lint container.tar.gz
              sandboxlint lint MobileSync/Backup/UDID --bundle-id com.example.app
              sandboxlint lint path/to/Devices/UUID --bundle-id com.example.app
              sandboxlint lint path/to/container --traffic capture.har
              sandboxlint lint path/to/container --compare base.json
              sandboxlint lint --booted com.example.app --watch
              sandboxlint lint --booted com.example.app
              sandboxlint lint --device My-iPhone --bundle-id com.example.app

            Exit codes: 0 no findings at or above --fail-on, 1 findings, 2 usage or configuration error, 3 input missing or not \
            fully read, 4 internal error or report not written.
            """)

    @OptionGroup(title: "Input") var given: InputPaths

    @OptionGroup(title: "Input") var apps: InputSelection

    @OptionGroup(title: "Input") var secret: BackupPasswordOptions

    @OptionGroup(title: "Exit Code") var failing: FailOptions

    @OptionGroup(title: "Analysis") var analysis: AnalysisOptions

    @OptionGroup(title: "Analysis") var recorded: TrafficOptions

    @OptionGroup(title: "Rule Selection") var choice: ChoiceOptions

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @OptionGroup(title: "Configuration") var itemSuppressions: ItemSuppressionOptions

    @OptionGroup(title: "Rule Selection") var own: RuleOptions

    @OptionGroup(title: "Analysis") var date: DateOptions

    @OptionGroup(title: "Analysis") var threads: ThreadOptions

    @OptionGroup(title: "Analysis") var code: SourceRootOptions

    @OptionGroup(title: "Baseline") var known: BaselineOptions

    @OptionGroup(title: "Baseline") var compared: CompareOptions

    @Flag(help: .hidden)
    var fix = false

    @OptionGroup(title: "Output") var reports: ReportOptions

    @OptionGroup(title: "Output") var timing: TimingOptions

    @OptionGroup(title: "Output") var shown: ShownOptions

    @OptionGroup(title: "Output") var look: StyleOptions

    @OptionGroup(title: "Output") var watched: WatchOptions

    private var selection: LinterOptions {
        LinterOptions(
            choice: choice, configuration: configuration, itemSuppressions: itemSuppressions, own: own, date: date,
            threads: threads)
    }

    var inputs: InputOptions { InputOptions(paths: given.paths, selection: apps, secret: secret) }

    func validate() throws {
        try inputs.check()
        guard !fix else {
            throw ValidationError(
                "`lint` does not modify containers. `sandboxlint fix CONTAINER --diff` shows the available fixes, "
                    + "`sandboxlint fix CONTAINER` applies them.")
        }
        if watched.watch, reports.format ?? .text != .text || !reports.output.isEmpty || shown.statistics {
            throw ValidationError("--watch prints text only, without --output and --statistics.")
        }
        guard shown.statistics else { return }
        guard [nil, .text, .json].contains(reports.format), !reports.output.contains(where: \.isStandardOutput) else {
            throw ValidationError(
                "--statistics prints text or json only; write other reports to a file: --output csv=out.csv.")
        }
    }

    func run() throws {
        let outputs = try Outputs(
            reports.output, format: reports.format, inputs: inputs.paths, shown: shown, look: look)
        try code.check(besides: inputs.paths)
        let sources = inputs.sources
        let measured = Timings(isOn: timing.timings)
        var rules: [String: Rule] = [:]
        // A configuration error ends the run before anything is read.
        let linters: [Linter]
        let baselines: [String: Baseline]
        do {
            linters = try sources.map {
                try selection.linter(
                    for: $0.path, besides: inputs.paths, measured, isFreshInstall: analysis.freshInstall,
                    after: analysis.after?.events ?? [],
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
            throw Failure.worst(codes + [Sandboxlint.report(error)]) ?? Failure.usage
        }
        for text in Set(linters.flatMap(\.configuration.missingSources)).sorted() {
            Failure.printMessage("sandboxlint: \(text). Correct the path under `sources`.")
        }
        let earlier = compared.read(rules: Array(rules.values), version: Sandboxlint.version)
        let (traffic, unread) = try recorded.read()
        let roots = code.sources(for: linters.map(\.configuration), besides: inputs.paths, threads: threads)
        let weighing = zip(linters, roots).map { $0.comparing(with: traffic).weighing($1) }
        func lint(isFirst: Bool) throws(Interrupted) -> LintedInputs {
            var linted = LintedInputs(failures: unread)
            linted.printsMessages = isFirst
            try linted.lint(
                isFirst ? sources : inputs.sources, only: inputs.bundleID, app: analysis.app, by: weighing,
                showing: isFirst ? shown.progressLine : ProgressLine(.never), password: inputs.secret.password)
            linted.apply(baselines, by: known, isStrict: failing.strict)
            return linted
        }
        let linted = try lint(isFirst: true)
        if watched.watch, linted.hasCopies || linted.containers.isEmpty {
            throw ValidationError("--watch needs directories of containers, not archives, packages or backups.")
        }
        var source: [AppSource] = []
        // A report without items reads no source code.
        if !shown.statistics, !linted.report.findings.isEmpty {
            source = code.sources(
                for: linted.linters.map(\.configuration), besides: inputs.paths, threads: threads,
                sharing: roots)
        }
        var run = run(linted, rules, source)
        try Invocation.current.interruption.check()
        for remark in Set(source.flatMap(\.remarks)).sorted() { Failure.printMessage("sandboxlint: \(remark)") }
        run.hasBaseline = !baselines.isEmpty
        if let earlier = earlier.run { run.compare(to: earlier) }
        // With --now, equal containers have equal reports.
        run.seconds = date.now == nil ? linted.secondsOfInputs : []
        for note in run.configurationNotes {
            Failure.printMessage("sandboxlint: \(note) Correct the pattern, or remove it.")
        }
        var codes = outputs.write(run)
        if timing.timings { Failure.printMessage(TimingsText(measured).text) }
        if shown.verbose {
            StandardError.write(VerboseText(run, baselines: baselines.keys.sorted(), after: linted.seconds).text)
        }
        if watched.watch {
            var watch = LintWatch(linted, style: look.style) { () throws(Interrupted) in try lint(isFirst: false) }
            try watch.run(linted.containers)
        }
        if linted.isInputWrong || !linted.report.isComplete || earlier.isWrong { codes.append(Failure.input) }
        if run.hasFailingFindings, !failing.exitZero { codes.append(Failure.findings) }
        if let code = Failure.worst(codes) { throw code }
    }

    private func run(_ inputs: LintedInputs, _ rules: [String: Rule], _ code: [AppSource] = []) -> LintRun {
        LintRun(
            inputs.report, by: inputs.linters, rules: Array(rules.values), failures: inputs.failures,
            failOn: failing.severity(for: inputs.report), version: Sandboxlint.version, now: date.now?.seconds,
            code: code)
    }
}
