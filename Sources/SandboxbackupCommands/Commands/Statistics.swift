import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport

/// `sandboxbackup stats --repository DIR`
struct Statistics: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show the sizes of a repository and of the apps in it.",
        discussion: CommandHelp.discussion(
            "",
            examples: [
                "sandboxbackup stats --repository REPOSITORY",
                "sandboxbackup stats --repository REPOSITORY --format json",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @OptionGroup var location: RepositoryOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let repository = try location.open(for: .reading, command: "stats")
        let list = try repository.snapshots()
        try output.print(RepositoryStatistics(list.snapshots, in: repository))
        var damage = DamageReport()
        try damage.end(list.damaged)
    }
}
