import ArgumentParser
import BackupOperations
import BackupReports
import BackupRepository
import CommandLineSupport

/// `sandboxbackup snapshots --repository DIR`
struct Snapshots: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the snapshots of a repository, the oldest first.",
        discussion: CommandHelp.discussion(
            "",
            examples: [
                "sandboxbackup snapshots --repository REPOSITORY",
                "sandboxbackup snapshots --repository REPOSITORY --format json",
                "sandboxbackup snapshots --engine restic --repository sftp:nas:/repo",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @OptionGroup var location: RepositoryOptions
    @OptionGroup(title: "Engine") var engine: EngineOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        if let snapshots = try engine.snapshots(in: location.repository) {
            return try output.printList(snapshots.all, named: "snapshots", none: "no snapshots")
        }
        let repository = try location.open(for: .reading, command: "snapshots")
        let list = try repository.snapshots()
        try output.printList(list.snapshots, named: "snapshots", none: "no snapshots")
        Failure.warn(of: list.damaged)
        if !list.damaged.isEmpty { throw Failure.damaged }
    }
}
