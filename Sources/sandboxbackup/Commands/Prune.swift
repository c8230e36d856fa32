import ArgumentParser
import BackupReports
import BackupRepository

/// `sandboxbackup prune --store DIR`
struct Prune: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remove from a store what no snapshot needs.")

    @OptionGroup var place: StoreOptions
    @Flag(name: [.customShort("n"), .long], help: "Only say what would be removed.") var dryRun = false

    func run() throws {
        let store = try place.open(for: dryRun ? .reading : .removing, command: "prune")
        let pruned = try store.prune(changesNothing: dryRun)
        if !dryRun { try store.close() }
        try place.say(pruned)
        for one in pruned.damaged {
            Failure.warn(
                "snapshot \(one.number) is damaged: \(one.how); what it may need was kept, and "
                    + "`sandboxbackup forget --damaged` takes it off the list")
        }
        if !pruned.damaged.isEmpty { throw Failure.damaged }
    }
}
