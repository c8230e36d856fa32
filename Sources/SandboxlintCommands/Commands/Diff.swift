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
            A and B are containers, or JSON reports of earlier runs (`sandboxlint lint --format json`). Backup \
            exclusions are compared only between two containers, because reports do not contain them.

            Examples:
              sandboxlint diff path/to/before path/to/container
              sandboxlint diff report.json path/to/container --fail-on-growth 10MB
              sandboxlint diff path/to/before path/to/container --format html

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
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json, html }

    /// The option that selects the output format.
    struct PrintedOptions: ParsableArguments {
        @Option(help: "Print text, json, or html: a page with the maps of both containers.")
        var format: Format = .text
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
        let areReports = paths.map(EarlierReport.isMeant)
        // A configuration error ends the run before anything is linted.
        let mapLimit = printed.format == .html ? LintRun.mapLimit : 0
        let linters = try zip(paths, areReports).map {
            $1 ? nil : try selection.linter(for: $0, besides: paths).mapping(mapLimit)
        }
        var exclusion: ExclusionChanges?
        let snapshots: [ReportSnapshot]
        var maps: [StorageMap?] = []
        let progress = ProgressLine(.auto)
        defer { progress.end() }
        do {
            snapshots = try zip(paths, linters).map { path, linter in
                guard let linter else {
                    maps.append(nil)
                    return try ReportSnapshot(reading: path)
                }
                let report = try linter.lint(try Container.open(FilePath(path))) { progress.add($0) }
                maps.append(report.maps.first)
                return ReportSnapshot(report)
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
        let difference = ReportDifference(from: snapshots[0], to: snapshots[1])
        let report = DifferenceReport(difference, exclusion: exclusion)
        let style = printed.format == .text ? look.style : Style(colored: false)
        let output = Output(style)
        switch printed.format {
        case .text: report.write(style: style, to: output.write)
        case .json: report.json(version: Sandboxlint.version, to: output.write)
        case .html:
            let names = InputNames(paths.map { ($0, nil) })
            let rules = try linters.compactMap(\.self).first?.catalogue.rules ?? Catalogue.embedded().rules
            report.html(
                names: (names.name(of: 0), names.name(of: 1)), maps: (maps[0], maps[1]), rules: rules,
                version: Sandboxlint.version, to: output.write)
        }
        try output.end()
        guard report.isComplete else { throw Failure.input }
        let hasGrown = failing.failOnGrowth.map { difference.growth > $0.bytes } ?? false
        if hasGrown || difference.new.contains(where: { failing.failOn.includes($0.severity) }) {
            throw Failure.findings
        }
    }
}
