import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport
import FileSystem

/// `sandboxbackup rewrite SNAPSHOT… --exclude PATTERN --repository DIR`
struct Rewrite: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove items from existing snapshots.",
        discussion: CommandHelp.discussion(
            """
            A pattern is one of `find`: without a slash it is compared with names, any other with paths from the container. A \
            directory is removed with its content. A changed snapshot keeps its number and date, and gets another ID. It cannot \
            be changed back. The content of the items stays in the repository until `sandboxbackup prune` deletes it.
            """,
            examples: [
                "sandboxbackup rewrite --all --exclude Documents/secret.txt --dry-run --repository REPOSITORY",
                "sandboxbackup rewrite 3 latest --exclude '*.mov' --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @Argument(help: "The snapshots: numbers, beginnings of IDs, or latest.") var snapshots: [String] = []
    @OptionGroup var location: RepositoryOptions
    @OptionGroup var app: AppOptions
    @Flag(help: "Rewrite all snapshots, or with --bundle-id those of an app.") var all = false
    @Option(help: ArgumentHelp("Remove the items that match; repeat the option for several.", valueName: "pattern"))
    var exclude: [String] = []
    @Flag(name: [.customShort("n"), .long], help: "List what would be removed, and change nothing.")
    var dryRun = false
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        guard !exclude.isEmpty else { throw ValidationError("Give the items to remove (--exclude).") }
        guard all == snapshots.isEmpty else { throw ValidationError("Name either snapshots or --all.") }
        let patterns = try ItemPatterns.parse(exclude)
        let repository = try location.open(for: dryRun ? .reading : .removing, command: "rewrite")
        let damaged = all ? try repository.damagedSnapshots() : []
        var changes: [SnapshotRewriter.Change] = []
        let rewriter = SnapshotRewriter(repository)
        var damage = DamageReport()
        for snapshot in try chosen(in: repository, without: damaged) {
            do throws(BackupError) {
                changes.append(
                    try rewriter.remove(from: snapshot, changesNothing: dryRun) { patterns.matches(path: $0) })
            } catch {
                guard error.code == .damaged else { throw error }
                damage.add(snapshot, error: error)
            }
        }
        if !dryRun { try repository.close() }
        let result = SnapshotChanges(changes, isDryRun: dryRun)
        if output.format == .jsonl { try output.printLines(result.lines) } else { try output.print(result) }
        try damage.end(damaged)
    }

    private func chosen(
        in repository: Repository, without damaged: [SnapshotList.Damaged]
    ) throws -> [Snapshot] {
        guard all else { return try Repository.snapshots(snapshots, of: app.bundleId, in: repository) }
        let list = try repository.snapshots()
        let snapshots = try app.bundleId == nil ? list.snapshots : list.ofOneApp(app.bundleId)
        return snapshots.filter { snapshot in !damaged.contains { $0.number == snapshot.number } }
    }
}
