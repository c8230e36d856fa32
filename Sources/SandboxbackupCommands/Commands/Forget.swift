import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport
import FileSystem

extension TimeSpan: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

/// A number of snapshots or periods to keep.
struct KeepCount: ExpressibleByArgument {
    let value: Int

    init?(argument: String) {
        if argument == "unlimited" {
            value = RetentionPolicy.unlimited
        } else {
            guard let number = Int(argument), number >= 0 else { return nil }
            value = number
        }
    }
}

/// `sandboxbackup forget --keep-last N … --repository DIR`
struct Forget: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Remove snapshots from the list, by name or by a retention policy.",
        discussion: CommandHelp.discussion(
            """
            The policy applies to each view of each container; a snapshot that one option keeps is kept. N is a number or \
            unlimited. A time is a number with h, d, w, m (months) or y, or several, such as 1y6m. Periods are in UTC. While \
            fewer periods exist than are kept, the oldest snapshot is kept as well.

            The last snapshot of an app is never removed without --allow-empty. Snapshots without a bundle identifier, \
            and snapshots dated more than a day ahead of the system clock, are kept and not counted. The content of \
            removed snapshots stays in the repository until `sandboxbackup prune` deletes it.
            """,
            examples: [
                "sandboxbackup forget --keep-last 10 --dry-run --repository REPOSITORY",
                "sandboxbackup forget --keep-daily 7 --keep-weekly 4 --keep-yearly unlimited --repository REPOSITORY",
                "sandboxbackup forget --keep-within 14d --keep-within-monthly 1y --keep-tag release,signed",
                "sandboxbackup forget 3 7f2a --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @Argument(help: "The snapshots to remove, instead of a policy: numbers, beginnings of IDs, or latest.")
    var snapshots: [String] = []
    @OptionGroup var location: RepositoryOptions
    @OptionGroup var app: AppOptions
    @OptionGroup(title: "Policy") var keep: RetentionOptions
    @Flag(help: "Allow the removal of the last snapshot of an app.") var allowEmpty = false
    @Flag(help: "Also remove snapshots whose catalogue rows are damaged.") var damaged = false
    @Flag(
        name: [.customShort("n"), .long],
        help: "List what would be removed and kept, with reasons, and change nothing.")
    var dryRun = false
    @OptionGroup(title: "Output") var output: OutputOptions

    /// Checks the arguments. The parser names an unknown option only after it has called `validate`.
    private func requireChoice() throws {
        guard snapshots.isEmpty || keep.policy.isEmpty else {
            throw ValidationError("Give either snapshots to remove or a policy such as --keep-last 3, not both.")
        }
        guard !snapshots.isEmpty || !keep.policy.isEmpty || damaged else {
            throw ValidationError(
                "Give the number of snapshots to keep, such as --keep-last 3, or the snapshots to remove: this would "
                    + "remove all.")
        }
    }

    func run() throws {
        try requireChoice()
        let repository = try location.open(for: dryRun ? .reading : .removing, command: "forget")
        let broken = try repository.damagedSnapshots()
        let decisions = try decisions(in: repository, without: broken)
        let damaged = damaged ? broken : []
        if !dryRun {
            try repository.forget(decisions.filter(\.isRemoved).map(\.snapshot.number) + damaged.map(\.number))
            try repository.close()
        }
        let result = RetentionOutput(decisions, damaged: damaged, isDryRun: dryRun)
        if output.format == .jsonl { try output.printLines(result.lines) } else { try output.print(result) }
        guard !self.damaged else { return }
        Failure.warn(of: broken)
        if !broken.isEmpty { throw Failure.damaged }
    }

    /// Returns what to do with the intact snapshots. Damaged ones are neither counted nor removed.
    private func decisions(
        in repository: Repository, without broken: [SnapshotList.Damaged]
    ) throws -> [RetentionPolicy.Decision] {
        let now = Timestamp.now
        let numbers = Set(broken.map(\.number))
        let intact = try repository.snapshots().snapshots.filter { !numbers.contains($0.number) }
        var policy = keep.policy
        policy.allowsEmptyGroups = allowEmpty
        guard snapshots.isEmpty else {
            let named = try Repository.snapshots(snapshots, of: app.bundleId, in: repository)
            if let first = named.first(where: { numbers.contains($0.number) }) {
                throw BackupError(
                    .damaged, what: "snapshot \(first.number) is damaged; nothing was removed",
                    hint: "`sandboxbackup forget --damaged` removes damaged snapshots from the list")
            }
            return try policy.decisions(removing: Set(named.map(\.number)), of: intact, now: now)
        }
        return policy.isEmpty ? [] : try policy.decisions(on: intact, now: now)
    }
}

/// The options that state which snapshots to keep.
struct RetentionOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Keep the last N snapshots.", valueName: "n")) var keepLast: KeepCount?
    @Option(help: ArgumentHelp("Keep the last snapshot of each of N hours.", valueName: "n"))
    var keepHourly: KeepCount?
    @Option(help: ArgumentHelp("Keep the last snapshot of each of N days.", valueName: "n")) var keepDaily: KeepCount?
    @Option(help: ArgumentHelp("Keep the last snapshot of each of N weeks.", valueName: "n"))
    var keepWeekly: KeepCount?
    @Option(help: ArgumentHelp("Keep the last snapshot of each of N months.", valueName: "n"))
    var keepMonthly: KeepCount?
    @Option(help: ArgumentHelp("Keep the last snapshot of each of N years.", valueName: "n"))
    var keepYearly: KeepCount?
    @Option(
        help: ArgumentHelp(
            "Keep snapshots that are less than this much older than the last one, such as 36h, 14d or 1y6m.",
            valueName: "time"))
    var keepWithin: TimeSpan?
    @Option(help: ArgumentHelp("Keep the last snapshot of each hour within this time.", valueName: "time"))
    var keepWithinHourly: TimeSpan?
    @Option(help: ArgumentHelp("Keep the last snapshot of each day within this time.", valueName: "time"))
    var keepWithinDaily: TimeSpan?
    @Option(help: ArgumentHelp("Keep the last snapshot of each week within this time.", valueName: "time"))
    var keepWithinWeekly: TimeSpan?
    @Option(help: ArgumentHelp("Keep the last snapshot of each month within this time.", valueName: "time"))
    var keepWithinMonthly: TimeSpan?
    @Option(help: ArgumentHelp("Keep the last snapshot of each year within this time.", valueName: "time"))
    var keepWithinYearly: TimeSpan?
    @Option(
        help: ArgumentHelp(
            "Keep snapshots with this tag, or with all tags of a list (a,b); repeat the option for alternatives. A tag that "
                + "no snapshot has is an error.", valueName: "tags"))
    var keepTag: [TagList] = []

    var policy: RetentionPolicy {
        var policy = RetentionPolicy()
        policy.last = keepLast?.value ?? 0
        policy.counts = [
            .hour: keepHourly, .day: keepDaily, .week: keepWeekly, .month: keepMonthly, .year: keepYearly,
        ].compactMapValues { $0?.value }
        policy.within = keepWithin
        policy.periodsWithin = [
            .hour: keepWithinHourly, .day: keepWithinDaily, .week: keepWithinWeekly, .month: keepWithinMonthly,
            .year: keepWithinYearly,
        ].compactMapValues(\.self)
        policy.tags = keepTag.map(\.tags)
        return policy
    }
}
