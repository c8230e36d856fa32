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
        abstract: "Show what has changed from A to B: findings, bytes by location, what is kept out of backups.",
        discussion: """
            A and B are containers, or JSON reports of earlier runs (`sandboxlint lint --format json`). What is kept out
            of backups is compared between two containers only, since a report does not tell.

              sandboxlint diff path/to/before path/to/container
              sandboxlint diff report.json path/to/container --fail-on-growth 10MB
            """)

    /// A size on the command line, as in the configuration.
    struct Size: ExpressibleByArgument {
        let bytes: UInt64

        init?(argument: String) {
            guard let bytes = ByteCount.read(argument) else { return nil }
            self.bytes = bytes
        }
    }

    @Argument(help: ArgumentHelp("The earlier container, or a JSON report of it.", valueName: "a"), completion: .file())
    var before: String

    @Argument(help: ArgumentHelp("The later one.", valueName: "b"), completion: .file())
    var after: String

    @Option(help: "How to show it: text or json.")
    var format: Format = .text

    @Option(help: "Exit with 1 for new findings from this severity on: error, warning, note, or never.")
    var failOn: FailOn = .error

    @Option(
        help: ArgumentHelp(
            "Exit with 1 if all files together have more bytes more than this: 512, 64KiB, 10MB.", valueName: "bytes"))
    var failOnGrowth: Size?

    @OptionGroup var selection: SelectionOptions

    @OptionGroup var look: StyleOptions

    func run() throws {
        let paths = [before, after]
        let areReports = paths.map(EarlierReport.isMeant)
        // Before anything is linted: what is wrong in a configuration ends the run.
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
            format, style: style, text: { report.write(style: style, to: $0) },
            json: { report.json(version: Sandboxlint.version, to: $0) })
        guard report.isComplete else { throw Failure.input }
        let hasGrown = failOnGrowth.map { difference.growth > $0.bytes } ?? false
        if hasGrown || difference.new.contains(where: { failOn.includes($0.severity) }) { throw Failure.findings }
    }
}
