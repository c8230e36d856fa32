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

    @Option(help: ArgumentHelp("A configuration: user-data globs, bundle-id.", valueName: "path"))
    var config: String?

    @Option(help: ArgumentHelp("Rules of your own besides: a folder of YAML files.", valueName: "folder"))
    var rules: String?

    @Option(
        name: [.customShort("j", allowingJoined: true), .long],
        help: ArgumentHelp("Threads; 0 for as many as processors.", valueName: "n"))
    var jobs: Int = 0

    @Option(help: "Colours: auto, always or never. NO_COLOR and FORCE_COLOR are heeded.")
    var color: ColorChoice = .auto

    func validate() throws {
        guard !input.isEmpty else { throw ValidationError("Name a container: the directory that holds Documents.") }
        guard (0...256).contains(jobs) else { throw ValidationError("-j takes a number from 0 to 256.") }
    }

    func run() throws {
        let linter = Linter(
            catalogue: try Catalogue.chosen(rules: rules, select: select, ignore: ignore),
            configuration: try readConfiguration(), now: now?.seconds, threads: jobs)
        let progress = Progress()
        var report = LintReport()
        var isInputWrong = false
        for path in input {
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

    private func readConfiguration() throws -> Configuration {
        guard let config else { return .none }
        return try Configuration(file: config, text: String(contentsOfFile: config, encoding: .utf8))
    }
}

extension Catalogue {
    /// The rules that a command line asks for.
    static func chosen(rules folder: String?, select: [String], ignore: [String]) throws -> Catalogue {
        var catalogue = try all(rules: folder)
        try catalogue.restrict(select: select.flatMap(words), ignore: ignore.flatMap(words))
        return catalogue
    }

    /// Every rule, the optional ones too.
    static func all(rules folder: String?) throws -> Catalogue {
        var catalogue = try Catalogue.embedded()
        if let folder { try catalogue.add(folder: folder) }
        return catalogue
    }

    private static func words(_ list: String) -> [String] { list.split(separator: ",").map(String.init) }
}
