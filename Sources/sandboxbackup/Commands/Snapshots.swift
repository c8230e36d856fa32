import ArgumentParser
import ContainerBackup

/// `sandboxbackup snapshots --store DIR`
struct Snapshots: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the snapshots of a store, the oldest first.")

    @OptionGroup var place: StoreOptions

    func run() throws {
        let store = try place.open(for: .reading, command: "snapshots")
        try place.list(try store.snapshots(), named: "snapshots", none: "no snapshot yet")
    }
}
