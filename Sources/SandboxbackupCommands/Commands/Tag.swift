import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport

/// `sandboxbackup tag SNAPSHOT… --add TAGS --remove TAGS --repository DIR`
struct Tag: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Change the tags of snapshots.",
        discussion: CommandHelp.discussion(
            """
            The tags of all named snapshots are changed, or of none. A changed snapshot keeps its number and date, and gets \
            another ID, because the ID covers the tags.
            """,
            examples: [
                "sandboxbackup tag 3 --add release,signed --repository REPOSITORY",
                "sandboxbackup tag 3 latest --remove draft --repository REPOSITORY",
                "sandboxbackup tag 7f2a --set release --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @Argument(help: "The snapshots: numbers, beginnings of IDs, or latest.") var snapshots: [String]
    @OptionGroup var location: RepositoryOptions
    @OptionGroup var app: AppOptions
    @Option(help: ArgumentHelp("Add this tag, or several joined by commas.", valueName: "tags")) var add: [TagList] = []
    @Option(help: ArgumentHelp("Remove this tag, or several joined by commas.", valueName: "tags"))
    var remove: [TagList] = []
    @Option(help: ArgumentHelp("Replace all tags by this one, or by several joined by commas.", valueName: "tags"))
    var set: [TagList] = []
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        guard !(add.isEmpty && remove.isEmpty && set.isEmpty) else {
            throw ValidationError("Give tags to --add, --remove or --set.")
        }
        guard set.isEmpty || add.isEmpty && remove.isEmpty else {
            throw ValidationError("--set replaces all tags; give it without --add and --remove.")
        }
        let repository = try location.open(for: .removing, command: "tag")
        let chosen = try Repository.snapshots(snapshots, of: app.bundleId, in: repository)
        let (added, removed) = (Set((add + set).flatMap(\.tags)), Set(remove.flatMap(\.tags)))
        let changes = try SnapshotRewriter(repository).changeTags(of: chosen) { tags in
            Array((set.isEmpty ? Set(tags) : []).subtracting(removed).union(added))
        }
        try repository.close()
        let result = SnapshotChanges(changes)
        if output.format == .jsonl { try output.printLines(result.lines) } else { try output.print(result) }
    }
}
