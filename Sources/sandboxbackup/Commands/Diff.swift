import ArgumentParser
import BackupReports
import BackupRepository

/// `sandboxbackup diff A B --store DIR`
struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show what differs between two snapshots: + added, - removed, M content, m only the rest.")

    @Argument(help: "A snapshot's number, or latest.") var old: String
    @Argument(help: "A later one's.") var new: String
    @OptionGroup var place: StoreOptions

    @Option(help: ArgumentHelp("Which app's snapshot is meant by latest.", valueName: "identifier"))
    var bundleId: String?

    func run() throws {
        let store = try place.open(for: .reading, command: "diff")
        let choices = try [old, new].map { try Repository.snapshot($0, of: bundleId, in: store) }
        let difference = try SnapshotDifference(from: choices[0].snapshot, to: choices[1].snapshot, in: store)
        try place.list(difference.lines, named: "differences", none: "no difference")
        if !choices.allSatisfy(\.damaged.isEmpty) { throw Failure.damaged }
    }
}
