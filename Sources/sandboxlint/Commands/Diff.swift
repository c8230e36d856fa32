import AppContainer
import CommandLineSupport
import ArgumentParser
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

            Exit codes: 0 no new findings at or above --fail-on, 1 new findings or growth, 2 usage or configuration error, \
            3 input missing or not fully read, 4 internal error.
            """)

    /// A size on the command line, in the format of the configuration.
    struct Size: ExpressibleByArgument {
        let bytes: UInt64

        init?(argument: String) {
            guard let bytes = ByteCount.read(argument) else { return nil }
            self.bytes = bytes
        }
    }

    @Argument(help: ArgumentHelp("The earlier container or JSON report.", valueName: "a"), completion: .file())
    var before: String

    @Argument(help: ArgumentHelp("The later container or JSON report.", valueName: "b"), completion: .file())
    var after: String

    @OptionGroup(title: "Output") var printed: FormatOptions

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

    @OptionGroup var selection: SelectionOptions

    @OptionGroup(title: "Output") var look: StyleOptions

    func run() throws {
        let paths = [before, after]
        let areReports = paths.map(EarlierReport.isMeant)
        // A configuration error ends the run before anything is linted.
        let linters = try zip(paths, areReports).map { $1 ? nil : try selection.linter(for: $0, besides: paths) }
        var exclusion: ExclusionChanges?
        let snapshots: [ReportSnapshot]
        let progress = ProgressLine(.auto)
        defer { progress.end() }
        do {
            snapshots = try zip(paths, linters).map { path, linter in
                guard let linter else { return try EarlierReport.read(path) }
                return ReportSnapshot(try linter.lint(try Container.open(FilePath(path))) { progress.add($0) })
            }
            if !areReports.contains(true) {
                exclusion = try ExclusionChanges(
                    from: try Container.open(FilePath(before)), to: try Container.open(FilePath(after)))
            }
            progress.end()
        } catch {
            progress.end()
            Failure.say("sandboxlint: \(error)")
            throw Failure.input
        }
        Failure.sayIfAccessTimesMoved()
        let difference = ReportDifference(from: snapshots[0], to: snapshots[1])
        let report = DifferenceReport(difference, exclusion: exclusion)
        let style = look.style
        try Output.show(
            printed.format, style: style, text: { report.write(style: style, to: $0) },
            json: { report.json(version: Sandboxlint.version, to: $0) })
        guard report.isComplete else { throw Failure.input }
        let hasGrown = failing.failOnGrowth.map { difference.growth > $0.bytes } ?? false
        if hasGrown || difference.new.contains(where: { failing.failOn.includes($0.severity) }) {
            throw Failure.findings
        }
    }
}
