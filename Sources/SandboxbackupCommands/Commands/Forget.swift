import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport
import FileSystem

/// `sandboxbackup forget --keep-last N … --repository DIR`
struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove snapshots from the list by a retention policy.",
        discussion: CommandHelp.discussion(
            """
            The policy applies to each view of each container. Snapshots without a bundle identifier, and snapshots dated \
            more than a day ahead of the system clock, are kept and not counted. The content of removed snapshots stays \
            in the repository until `sandboxbackup prune` deletes it.
            """,
            examples: [
                "sandboxbackup forget --keep-last 10 --dry-run --repository REPOSITORY",
                "sandboxbackup forget --keep-daily 7 --keep-weekly 4 --repository REPOSITORY",
                "sandboxbackup forget --keep-within 14d --keep-tag release",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @OptionGroup var location: RepositoryOptions
    @Option(help: ArgumentHelp("Keep the last N snapshots.", valueName: "n")) var keepLast = 0
    @Option(help: ArgumentHelp("Keep the last snapshot of each of N days.", valueName: "n")) var keepDaily = 0
    @Option(help: ArgumentHelp("Keep the last snapshot of each of N weeks.", valueName: "n")) var keepWeekly = 0
    @Option(help: ArgumentHelp("Keep the last snapshot of each of N months.", valueName: "n")) var keepMonthly = 0
    @Option(
        help: ArgumentHelp(
            "Keep snapshots that are at most so much older than the last one, such as 36h, 14d or 8w.",
            valueName: "time"))
    var keepWithin: TimeSpan?
    @Option(help: ArgumentHelp("Keep snapshots with this tag; give it once for each tag.", valueName: "tag"))
    var keepTag: [String] = []
    @Flag(help: "Also remove snapshots whose catalogue rows are damaged.") var damaged = false
    @Flag(
        name: [.customShort("n"), .long],
        help: "List what would be removed and kept, with reasons, and change nothing.")
    var dryRun = false
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if [keepLast, keepDaily, keepWeekly, keepMonthly].contains(where: { $0 < 0 }) || policy.isEmpty && !damaged {
            throw ValidationError("Give the number of snapshots to keep, such as --keep-last 3: this would remove all.")
        }
    }

    private var policy: RetentionPolicy {
        var policy = RetentionPolicy()
        (policy.last, policy.daily, policy.weekly, policy.monthly) = (keepLast, keepDaily, keepWeekly, keepMonthly)
        (policy.within, policy.tags) = (keepWithin?.seconds ?? 0, Set(keepTag))
        return policy
    }

    func run() throws {
        let repository = try location.open(for: dryRun ? .reading : .removing, command: "forget")
        let (list, now) = (try repository.snapshots(), Timestamp.now)
        let decisions = policy.isEmpty ? [] : policy.decisions(on: list.snapshots, now: now)
        let forgotten = decisions.filter(\.reasons.isEmpty).map(\.snapshot)
        let broken = try damaged ? repository.damagedSnapshots() : list.damaged
        let numbers = forgotten.map(\.number) + (damaged ? broken.map(\.number) : [])
        if !dryRun {
            try repository.forget(numbers)
            try repository.close()
        }
        if dryRun, output.format != .jsonl {
            try output.print(RetentionPreview(decisions))
        } else {
            try output.printList(forgotten, named: "forgotten", none: "nothing to forget")
        }
        let unnamed = list.snapshots.filter { $0.bundleIdentifier == nil }
        noteKept(unnamed, "no bundle identifier; they may be of different containers")
        noteKept(
            list.snapshots.filter { $0.bundleIdentifier != nil && $0.isAhead(of: now) },
            "dated ahead of the system clock")
        guard !damaged else {
            let done = dryRun ? "would be" : "was"
            for one in broken {
                Failure.warn("snapshot \(one.number) is damaged and \(done) removed from the list: \(one.reason)")
            }
            return
        }
        Failure.warn(of: broken)
        if !broken.isEmpty { throw Failure.damaged }
    }

    private func noteKept(_ snapshots: [Snapshot], _ reason: String) {
        guard !snapshots.isEmpty else { return }
        let numbers = snapshots.map { "\($0.number)" }.joined(separator: ", ")
        Failure.note("kept snapshots \(numbers): \(reason)")
    }
}
