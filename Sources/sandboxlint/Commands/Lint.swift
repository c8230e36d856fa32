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
    }

    @Argument(help: "App containers: directories that hold Documents, Library and tmp.")
    var input: [String]

    @Option(help: "How to report: text or json.")
    var format: Format = .text

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
        let measured = Timings(isOn: timings)
        // Before anything is read: what is wrong in a configuration ends the run.
        let linters = try input.map { try linter(for: $0, measured) }
        let progress = Progress()
        var report = LintReport()
        var isInputWrong = false
        for (path, linter) in zip(input, linters) {
            do throws(ContainerError) {
                let container = try Container.open(FilePath(path))
                report.add(try linter.lint(container) { progress.add($0) })
            } catch {
                isInputWrong = true
                progress.clear()
                Failure.say("sandboxlint: \(error)")
            }
        }
        progress.clear()
        if !report.inputs.isEmpty || format == .json { write(report, isComplete: !isInputWrong) }
        if timings { Failure.say(TimingsText(measured).text) }
        if isInputWrong || !report.isComplete { throw Failure.input }
        if let least = Severity(rawValue: failOn.rawValue), report.findings.contains(where: { $0.severity >= least }) {
            throw Failure.findings
        }
    }

    private func write(_ report: LintReport, isComplete: Bool) {
        let output = Output()
        switch format {
        case .text: TextReport(report, style: color.style).write(to: output.write)
        case .json: JSONReport(report, version: Sandboxlint.version, isComplete: isComplete).write(to: output.write)
        }
        output.flush()
    }

    private func linter(for input: String, _ timings: Timings) throws -> Linter {
        let configuration = try configuration.configuration(for: input)
        var catalogue = try own.catalogue(configuration)
        try catalogue.restrict(select: select.flatMap(Self.words), ignore: ignore.flatMap(Self.words))
        return try Linter(
            catalogue: catalogue, configuration: configuration, now: now?.seconds, threads: jobs, timings: timings)
    }

    static func words(_ list: String) -> [String] { list.split(separator: ",").map(String.init) }
}
