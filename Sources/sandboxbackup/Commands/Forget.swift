import ArgumentParser
import ContainerBackup

/// `sandboxbackup forget --keep-last N … --store DIR`
struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take snapshots off the list, by how many are to be kept of each container.",
        discussion: """
            Each view of a container counts for itself. Snapshots that name no app are kept. What the others held is in \
            the store until `sandboxbackup prune` removes it.
            """)

    @OptionGroup var place: StoreOptions

    @Option(help: ArgumentHelp("Keep the last N.", valueName: "n")) var keepLast = 0
    @Option(help: ArgumentHelp("Keep the last of each of N days.", valueName: "n")) var keepDaily = 0
    @Option(help: ArgumentHelp("Keep the last of each of N weeks.", valueName: "n")) var keepWeekly = 0
    @Option(help: ArgumentHelp("Keep the last of each of N months.", valueName: "n")) var keepMonthly = 0
    @Flag(name: [.customShort("n"), .long], help: "Only say which would be forgotten.") var dryRun = false

    func validate() throws {
        if [keepLast, keepDaily, keepWeekly, keepMonthly].contains(where: { $0 < 0 }) || policy.isEmpty {
            throw ValidationError("Say how many to keep, for instance --keep-last 3: this would forget all.")
        }
    }

    private var policy: RetentionPolicy {
        var policy = RetentionPolicy()
        (policy.last, policy.daily, policy.weekly, policy.monthly) = (keepLast, keepDaily, keepWeekly, keepMonthly)
        return policy
    }

    func run() throws {
        let store = try place.open(for: dryRun ? .reading : .removing, command: "forget")
        let snapshots = try store.snapshots()
        let forgotten = policy.forgotten(of: snapshots)
        if !dryRun {
            try store.forget(forgotten)
            try store.close()
        }
        try place.list(forgotten, named: "forgotten", none: "nothing to forget")
        let unnamed = snapshots.filter { $0.bundleIdentifier == nil }.map { "\($0.number)" }
        if !unnamed.isEmpty {
            Failure.say(
                "sandboxbackup: kept, as they name no app and may be of different containers: snapshots "
                    + unnamed.joined(separator: ", "))
        }
    }
}
