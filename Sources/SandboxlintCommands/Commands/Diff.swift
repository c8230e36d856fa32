import AppContainer
import ArgumentParser
import CommandLineSupport
import ContainerTree
import FileSystem
internal import PolicyRecords
import PolicyReports
import StoragePolicy
import SystemPackage
import TextOutput

/// `sandboxlint diff A B`
struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract: "Compare two containers or reports: findings, sizes and backup exclusions.",
        discussion: """
            A and B are containers, or JSON reports of earlier runs (`sandboxlint lint --format json`). The result has the \
            new, grown, changed and fixed causes with their findings, and the bytes by their treatment in backups. Backup \
            exclusions are compared only between two containers, because reports do not contain them.

            Examples:
              sandboxlint diff path/to/before path/to/container
              sandboxlint diff report.json path/to/container --fail-on-growth 10MB
              sandboxlint diff path/to/before path/to/container --format html
              sandboxlint diff base.json report.json --format markdown

            Exit codes: 0 no new findings at or above --fail-on, 1 new findings or growth, 2 usage or configuration error, \
            3 input missing or not fully read, 4 internal error.
            """)

    /// A size on the command line, in the format of the configuration.
    struct Size: ExpressibleByArgument {
        let bytes: UInt64

        init?(argument: String) {
            guard let bytes = Quantity.readBytes(argument) else { return nil }
            self.bytes = bytes
        }
    }

    @Argument(help: ArgumentHelp("The earlier container or JSON report.", valueName: "a"), completion: .file())
    var before: String

    @Argument(help: ArgumentHelp("The later container or JSON report.", valueName: "b"), completion: .file())
    var after: String

    /// The format of a comparison.
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, markdown, html }

    /// The option that selects the output format.
    struct PrintedOptions: ParsableArguments {
        @Option(
            help: "Print text, json, markdown for a comment, or html: a page with the maps of both containers.")
        var format: Format = .text

        @Flag(help: "Print every changed cause and every new and fixed finding in text.")
        var all = false
    }

    @OptionGroup(title: "Output") var printed: PrintedOptions

    /// The options that select which differences fail a run.
    struct DifferenceOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Exit with 1 if there is a new finding of at least this severity.", valueName: "severity"))
        var failOn: FailOn = .error

        @Option(
            help: ArgumentHelp(
                "Exit with 1 if the total size grew by more than this, such as 64KiB or 10MB.", valueName: "bytes"))
        var failOnGrowth: Size?
    }

    @OptionGroup(title: "Exit Code") var failing: DifferenceOptions

    @OptionGroup(title: "Rule Selection") var choice: ChoiceOptions

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @OptionGroup(title: "Configuration") var itemSuppressions: ItemSuppressionOptions

    @OptionGroup(title: "Rule Selection") var own: RuleOptions

    @OptionGroup(title: "Analysis") var date: DateOptions

    @OptionGroup(title: "Analysis") var threads: ThreadOptions

    @OptionGroup(title: "Output") var look: StyleOptions

    private var selection: LinterOptions {
        LinterOptions(
            choice: choice, configuration: configuration, itemSuppressions: itemSuppressions, own: own, date: date,
            threads: threads)
    }

    func run() throws {
        let paths = [before, after]
        let areReports = paths.map { EarlierReport.isMeant(by: $0) || $0.hasSuffix(".json") }
        // A configuration error ends the run before anything is linted.
        let mapLimit = printed.format == .html ? LintRun.mapLimit : 0
        var rules: [String: Rule] = [:]
        for rule in try own.catalogue().rules { rules[rule.id] = rule }
        let linters = try zip(paths, areReports).map {
            $1
                ? nil
                : try selection.linter(for: $0, besides: paths, Timings(isOn: false), &rules).mapping(mapLimit)
        }
        let names = InputNames(paths.map { ($0, nil) })
        let progress = ProgressLine(.auto)
        defer { progress.end() }
        let runs: [ComparedRun]
        var exclusion: ExclusionChanges?
        do {
            runs = try paths.indices.map { index in
                guard let linter = linters[index] else {
                    return try ComparedRun(
                        reading: paths[index], rules: Array(rules.values), version: Sandboxlint.version)
                }
                let report = try linter.lint(try Container.open(FilePath(paths[index]))) { progress.add($0) }
                let run = LintRun(
                    report, by: [linter], rules: Array(rules.values), failures: [], failOn: nil,
                    version: Sandboxlint.version, now: date.now?.seconds)
                return ComparedRun(run, name: names.name(of: index))
            }
            if !areReports.contains(true) {
                exclusion = try ExclusionChanges(
                    from: try Container.open(FilePath(before)), to: try Container.open(FilePath(after)))
            }
            progress.end()
        } catch {
            progress.end()
            try Invocation.current.interruption.check()
            Failure.printMessage("sandboxlint: \(error)")
            throw Failure.input
        }
        Failure.sayIfAccessTimesMoved()
        let report = DifferenceReport(runs[1].compared(to: runs[0]), exclusion: exclusion)
        try write(report, names: (names.name(of: 0), names.name(of: 1)), maps: (runs[0].map, runs[1].map))
        guard report.isComplete else { throw Failure.input }
        let difference = report.difference
        let hasGrown = failing.failOnGrowth.map { difference.growth > $0.bytes } ?? false
        if hasGrown || difference.new.contains(where: { failing.failOn.includes($0.severity) }) {
            throw Failure.findings
        }
    }

    private func write(
        _ report: DifferenceReport, names: (before: String, after: String),
        maps: (before: StorageMap?, after: StorageMap?)
    ) throws {
        let style = printed.format == .text ? look.style : Style(colored: false)
        let output = Output(style)
        switch printed.format {
        case .text: report.write(style: style, showsAll: printed.all, to: output.write)
        case .json: report.json(version: Sandboxlint.version, to: output.write)
        case .markdown: report.markdown(within: DifferenceReport.mostBytesOfComment, to: output.write)
        case .html: report.html(names: names, maps: maps, version: Sandboxlint.version, to: output.write)
        }
        try output.end()
    }
}
