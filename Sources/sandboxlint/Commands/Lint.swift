import AppContainer
import ArgumentParser
import Foundation
import PolicyReports
import StoragePolicy
import SystemPackage

/// `sandboxlint [lint] INPUT…`
struct Lint: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Lint containers and report what is found (the default).")

    /// What makes a run fail.
    enum FailOn: String, ExpressibleByArgument, CaseIterable {
        case error, warning, note, never

        /// The least severity that does; nil where none does.
        var severity: Severity? { Severity(rawValue: rawValue) }
    }

    @Argument(help: "App containers: directories that hold Documents, Library and tmp.")
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

    @Option(help: ArgumentHelp("Only these rules: ids, numbers or groups, joined by commas.", valueName: "ids"))
    var select: [String] = []

    @Option(help: ArgumentHelp("None of these rules: ids, numbers or groups, joined by commas.", valueName: "ids"))
    var ignore: [String] = []

    @Option(help: "Exit with 1 from this severity on: error, warning, note, or never.")
    var failOn: FailOn = .error

    @Option(
        help: ArgumentHelp("Count ages back from this moment (2026-01-31 or 2026-01-31T12:00:00Z).", valueName: "date"))
    var now: Moment?

    @OptionGroup var configuration: ConfigurationOptions

    @OptionGroup var own: RuleOptions

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: ArgumentHelp("Threads; 0 for as many as processors.", valueName: "n"))
    var jobs: Int = 0

    @Flag(help: "Tell on standard error what each rule and fact took.")
    var timings = false

    @Option(help: "Colours: auto, always or never. NO_COLOR and FORCE_COLOR are heeded.")
    var color: ColorChoice = .auto

    func validate() throws {
        guard !input.isEmpty else { throw ValidationError("Name a container: the directory that holds Documents.") }
        guard (0...256).contains(jobs) else { throw ValidationError("-j takes a number from 0 to 256.") }
    }

    func run() throws {
        let outputs = try Outputs(output, format: format, inputs: input)
        let measured = Timings(isOn: timings)
        var rules: [String: Rule] = [:]
        // Before anything is read: what is wrong in a configuration ends the run.
        let linters: [Linter]
        do { linters = try input.map { try linter(for: $0, measured, &rules) } } catch {
            _ = outputs.writeFiles(run(LintReport(), [], rules, [LintRun.Failure(error)]), style: color)
            throw error
        }
        let progress = Progress()
        var report = LintReport()
        var used: [Linter] = []
        var failures: [LintRun.Failure] = []
        for (path, linter) in zip(input, linters) {
            do throws(ContainerError) {
                let container = try Container.open(FilePath(path))
                report.add(try linter.lint(container) { progress.add($0) })
                used.append(linter)
            } catch {
                failures.append(LintRun.Failure(error, of: path))
                progress.clear()
                Failure.say("sandboxlint: \(error)")
            }
        }
        progress.clear()
        let run = run(report, used, rules, failures)
        let isWritten = outputs.writeFiles(run, style: color)
        outputs.writeStandardOutput(run, style: color)
        if timings { Failure.say(TimingsText(measured).text) }
        guard isWritten else { throw Failure.usage }
        if !failures.isEmpty || !report.isComplete { throw Failure.input }
        if let least = failOn.severity, report.findings.contains(where: { $0.severity >= least }) {
            throw Failure.findings
        }
    }

    private func run(
        _ report: LintReport, _ linters: [Linter], _ rules: [String: Rule], _ failures: [LintRun.Failure]
    ) -> LintRun {
        LintRun(
            report, by: linters, rules: Array(rules.values), failures: failures, failOn: failOn.severity,
            version: Sandboxlint.version)
    }

    private func linter(for input: String, _ timings: Timings, _ rules: inout [String: Rule]) throws -> Linter {
        let configuration = try configuration.configuration(for: input)
        var catalogue = try own.catalogue(configuration)
        for rule in catalogue.rules { rules[rule.id] = rule }
        try catalogue.restrict(select: select.flatMap(Self.words), ignore: ignore.flatMap(Self.words))
        return try Linter(
            catalogue: catalogue, configuration: configuration, now: now?.seconds, threads: jobs, timings: timings)
    }

    private static func words(_ list: String) -> [String] { list.split(separator: ",").map(String.init) }
}
