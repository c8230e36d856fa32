import ArgumentParser
import ContainerBackup
import TextOutput

/// `sandboxbackup snapshots --store DIR`
struct Snapshots: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the snapshots of a store, the oldest first.")

    @OptionGroup var place: StoreOptions

    func run() throws {
        let store = try place.open(for: .reading, command: "snapshots")
        let snapshots = try store.snapshots()
        let output = Output()
        defer { output.flush() }
        switch place.format {
        case .text:
            if snapshots.isEmpty { output.write("no snapshot yet\n") }
            for snapshot in snapshots { output.write(snapshot.text) }
        case .jsonl: for snapshot in snapshots { snapshot.json(to: output.write) }
        case .json:
            var json = JSONWriter(to: output.write)
            json.object { json in
                json.array("snapshots") { json in for snapshot in snapshots { json.object { snapshot.write(&$0) } } }
            }
            output.write("\n")
        }
    }
}
