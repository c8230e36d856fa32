import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport

/// `sandboxbackup diff A B --repository DIR`
struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the differences between two snapshots.",
        discussion: CommandHelp.discussion(
            "+ added, - removed, M content changed, m only mode, owner, time or attributes changed. The last line has the sums.",
            examples: [
                "sandboxbackup diff 1 latest --repository REPOSITORY",
                "sandboxbackup diff 1 2 --repository REPOSITORY --format jsonl",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @Argument(help: "The older snapshot, as in restore.") var old: String
    @Argument(help: "The newer snapshot, as in restore.") var new: String
    @OptionGroup var location: RepositoryOptions
    @OptionGroup var app: AppOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let repository = try location.open(for: .reading, command: "diff")
        let choices = try [old, new].map { try Repository.snapshot($0, of: app.bundleId, in: repository) }
        let difference = try SnapshotDifference(from: choices[0].snapshot, to: choices[1].snapshot, in: repository)
        let result = DifferenceListing(difference)
        if output.format == .jsonl { try output.printLines(result.lines) } else { try output.print(result) }
        if !choices.allSatisfy(\.damaged.isEmpty) { throw Failure.damaged }
    }
}
