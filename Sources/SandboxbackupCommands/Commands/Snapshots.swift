import ArgumentParser
import BackupOperations
import BackupReports
import BackupRepository
import CommandLineSupport
import FileSystem
import Foundation

/// The properties of an argument by which snapshots are grouped, joined by commas.
struct GroupKeys: ExpressibleByArgument {
    let keys: [SnapshotListing.Key]

    init?(argument: String) {
        let words = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        keys = words.compactMap(SnapshotListing.Key.init)
        guard keys.count == words.count else { return nil }
    }

    static let allValueStrings = SnapshotListing.Key.allCases.map(\.rawValue)
}

/// `sandboxbackup snapshots --repository DIR`
struct Snapshots: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "List the snapshots of a repository, the oldest first.",
        discussion: CommandHelp.discussion(
            "A snapshot is listed if it matches all options; of repeated options, one must match.",
            examples: [
                "sandboxbackup snapshots --repository REPOSITORY",
                "sandboxbackup snapshots --tag release --latest 3 --repository REPOSITORY",
                "sandboxbackup snapshots --group-by app,host --repository REPOSITORY --format json",
                "sandboxbackup snapshots --engine restic --repository sftp:nas:/repo",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @OptionGroup var location: RepositoryOptions
    @Option(help: ArgumentHelp("List the snapshots of this app.", valueName: "identifier")) var bundleId: [String] = []
    @Option(help: ArgumentHelp("List the snapshots that this computer made.", valueName: "name")) var host: [String] =
        []
    @Option(
        help: ArgumentHelp("List the snapshots of this container, archive or device backup.", valueName: "path"))
    var path: [String] = []
    @Option(
        help: ArgumentHelp("List the snapshots with this tag, or with all tags of a list (a,b).", valueName: "tags"))
    var tag: [TagList] = []
    @Option(
        help: ArgumentHelp("List only the last N snapshots of each app and view, or of each group.", valueName: "n"))
    var latest: Int?
    @Option(help: ArgumentHelp("Group by app, host, path or tags, or several joined by commas.", valueName: "keys"))
    var groupBy: GroupKeys?
    @OptionGroup(title: "Engine") var engine: EngineOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        if let latest, latest < 1 { throw ValidationError("--latest must be at least 1.") }
        if let snapshots = try engine.snapshots(in: location) {
            guard bundleId.isEmpty, host.isEmpty, path.isEmpty, tag.isEmpty, latest == nil, groupBy == nil else {
                throw ValidationError("With --engine, all snapshots are listed; select them with the tool itself.")
            }
            return try output.printList(snapshots.all, named: "snapshots", none: "no snapshots")
        }
        let repository = try location.open(for: .reading, command: "snapshots")
        let list = try repository.snapshots()
        let result = SnapshotListing(selected(of: list.snapshots), groupedBy: groupBy?.keys ?? [])
        if output.format == .jsonl { try output.printLines(result.lines) } else { try output.print(result) }
        Failure.warn(of: list.damaged)
        if !list.damaged.isEmpty { throw Failure.damaged }
    }

    private func selected(of snapshots: [Snapshot]) -> [Snapshot] {
        let sources = path.map {
            URL(fileURLWithPath: Invocation.current.workingDirectory.resolved($0), isDirectory: false)
                .standardizedFileURL.path
        }
        let matching = snapshots.filter { snapshot in
            let labels = snapshot.labels
            return (bundleId.isEmpty || bundleId.contains { $0 == snapshot.bundleIdentifier })
                && (host.isEmpty || host.contains { $0 == labels.host })
                && (sources.isEmpty || sources.contains { $0 == labels.source })
                && (tag.isEmpty || tag.contains { $0.tags.allSatisfy(labels.tags.contains) })
        }
        guard let latest else { return matching }
        return SnapshotList.latest(latest, of: matching, now: .now) { snapshot in
            guard let keys = groupBy?.keys else { return [snapshot.bundleIdentifier, snapshot.kind, snapshot.view] }
            return SnapshotListing.group(of: snapshot, by: keys).map(Optional.some)
        }
    }
}
