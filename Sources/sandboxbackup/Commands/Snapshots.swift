import ArgumentParser
import CommandLineSupport
import BackupReports
import BackupRepository

/// `sandboxbackup snapshots --repository DIR`
struct Snapshots: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the snapshots of a repository, the oldest first.",
        discussion: CommandHelp.discussion(
            "",
            examples: [
                "sandboxbackup snapshots --repository REPOSITORY",
                "sandboxbackup snapshots --repository REPOSITORY --format json",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @OptionGroup var location: RepositoryOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let repository = try location.open(for: .reading, command: "snapshots")
        let list = try repository.snapshots()
        try output.printList(list.snapshots, named: "snapshots", none: "no snapshots")
        Failure.warn(of: list.damaged)
        if !list.damaged.isEmpty { throw Failure.damaged }
    }
}
