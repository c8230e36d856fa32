import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport

/// `sandboxbackup prune --repository DIR`
struct Prune: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Delete content that no snapshot references.",
        discussion: CommandHelp.discussion(
            "",
            examples: [
                "sandboxbackup prune --dry-run --repository REPOSITORY",
                "sandboxbackup prune --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @OptionGroup var location: RepositoryOptions
    @Flag(name: [.customShort("n"), .long], help: "Show the result without deleting anything.") var dryRun = false
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let repository = try location.open(for: dryRun ? .reading : .removing, command: "prune")
        let result = try repository.prune(changesNothing: dryRun)
        if !dryRun { try repository.close() }
        try output.print(result)
        for one in result.damaged {
            Failure.warn(
                "snapshot \(one.number) is damaged: \(one.reason); content that it may reference was kept; "
                    + "`sandboxbackup forget --damaged` removes it from the list")
        }
        if !result.damaged.isEmpty { throw Failure.damaged }
    }
}
