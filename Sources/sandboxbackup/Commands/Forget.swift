import ArgumentParser
import BackupReports
import BackupRepository
import FileSystem

/// `sandboxbackup forget --keep-last N … --store DIR`
struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take snapshots off the list, by how many are to be kept of each container.",
        discussion: """
            Each view of a container counts for itself. Snapshots that name no app are kept. What the others held is in \
            the store until `sandboxbackup prune` removes it. Snapshots that are dated more than a day ahead of the system \
            clock are kept and not counted.
            """)

    @OptionGroup var place: StoreOptions

    @Option(help: ArgumentHelp("Keep the last N.", valueName: "n")) var keepLast = 0
    @Option(help: ArgumentHelp("Keep the last of each of N days.", valueName: "n")) var keepDaily = 0
    @Option(help: ArgumentHelp("Keep the last of each of N weeks.", valueName: "n")) var keepWeekly = 0
    @Option(help: ArgumentHelp("Keep the last of each of N months.", valueName: "n")) var keepMonthly = 0
    @Flag(help: "Also take off the list the snapshots whose rows in the catalogue are damaged.") var damaged = false
    @Flag(name: [.customShort("n"), .long], help: "Only say which would be forgotten.") var dryRun = false

    func validate() throws {
        if [keepLast, keepDaily, keepWeekly, keepMonthly].contains(where: { $0 < 0 }) || policy.isEmpty && !damaged {
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
        let (list, now) = (try store.snapshots(), Timestamp.now)
        let forgotten = policy.isEmpty ? [] : policy.forgotten(of: list.snapshots, now: now)
        let broken = try damaged ? store.damagedSnapshots() : list.damaged
        let numbers = forgotten.map(\.number) + (damaged ? broken.map(\.number) : [])
        if !dryRun {
            try store.forget(numbers)
            try store.close()
        }
        try place.list(forgotten, named: "forgotten", none: "nothing to forget")
        let unnamed = list.snapshots.filter { $0.bundleIdentifier == nil }
        sayKept(unnamed, "they name no app and may be of different containers")
        sayKept(
            list.snapshots.filter { $0.bundleIdentifier != nil && $0.isAhead(of: now) },
            "they are dated ahead of the system clock")
        guard !damaged else {
            let done = dryRun ? "would be" : "was"
            for one in broken {
                Failure.warn("snapshot \(one.number) is damaged and \(done) taken off the list: \(one.how)")
            }
            return
        }
        Failure.warn(of: broken)
        if !broken.isEmpty { throw Failure.damaged }
    }

    private func sayKept(_ snapshots: [Snapshot], _ reason: String) {
        guard !snapshots.isEmpty else { return }
        let numbers = snapshots.map { "\($0.number)" }.joined(separator: ", ")
        Failure.say("sandboxbackup: kept, as \(reason): snapshots \(numbers)")
    }
}
