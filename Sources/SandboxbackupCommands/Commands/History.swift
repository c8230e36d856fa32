import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport

/// `sandboxbackup history PATH --repository DIR`
struct History: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show the versions of a path across snapshots, the oldest first.",
        discussion: CommandHelp.discussion(
            "",
            examples: [
                "sandboxbackup history Documents/letter.txt --repository REPOSITORY",
                "sandboxbackup history Documents --bundle-id com.example.app --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @Argument(help: "The path from the container.") var path: String
    @OptionGroup var location: RepositoryOptions
    @Option(help: ArgumentHelp("Take the snapshots of this app.", valueName: "identifier")) var bundleId: String?
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let repository = try location.open(for: .reading, command: "history")
        let list = try repository.snapshots()
        let snapshots = try list.ofOneApp(bundleId)
        let history = try ItemHistory(of: path, in: snapshots, of: repository)
        try output.printList(history.versions, named: "versions", none: "no versions")
        var damage = DamageReport()
        for snapshot in history.damaged { damage.add([], in: snapshot) }
        try damage.end(list.damaged)
    }
}
