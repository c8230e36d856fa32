import ArgumentParser
import BackupReports
import BackupRepository

/// `sandboxbackup snapshots --store DIR`
struct Snapshots: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the snapshots of a store, the oldest first.")

    @OptionGroup var place: StoreOptions

    func run() throws {
        let store = try place.open(for: .reading, command: "snapshots")
        let list = try store.snapshots()
        try place.list(list.snapshots, named: "snapshots", none: "no snapshot yet")
        Failure.warn(of: list.damaged)
        if !list.damaged.isEmpty { throw Failure.damaged }
    }
}
