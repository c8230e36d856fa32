import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport
import TextOutput

/// A part of an argument: `1/5` is the first of five.
struct PartArgument: ExpressibleByArgument {
    let number: Int
    let count: Int

    init?(argument: String) {
        let words = argument.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard words.count == 2, let number = words[0], let count = words[1], number >= 1, number <= count else {
            return nil
        }
        (self.number, self.count) = (number, count)
    }
}

/// `sandboxbackup verify [SNAPSHOT…] --repository DIR`
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verify every byte of a repository and report all damage.",
        discussion: CommandHelp.discussion(
            "The parts 1/5 to 5/5 together read every byte. Each verifies the whole catalogue.",
            examples: [
                "sandboxbackup verify --repository REPOSITORY",
                "sandboxbackup verify latest --repository REPOSITORY",
                "sandboxbackup verify --part 1/5 --repository REPOSITORY",
                "sandboxbackup verify --repair --from CONTAINER --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged, .interrupted]),
        aliases: ["check"])

    @Argument(
        help: "Verify only these snapshots, with their content: numbers, beginnings of IDs, or latest. (default: all)")
    var snapshots: [String] = []
    @OptionGroup var location: RepositoryOptions
    @OptionGroup var app: AppOptions
    @Option(help: ArgumentHelp("Read only a part of the content, such as 1/5.", valueName: "n/m")) var part:
        PartArgument?
    @Flag(
        help: ArgumentHelp(
            "Repair what is damaged, as `repair` does, then verify again.",
            discussion: "Content is searched for in the files of the repository and, with --from, in a container."))
    var repair = false
    @Option(help: ArgumentHelp("With --repair, also search the files of this container.", valueName: "container"))
    var from: String?
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var shown: RunOptions

    private func checkOptions() throws {
        if repair, !snapshots.isEmpty || part != nil {
            throw ValidationError("--repair repairs the whole repository; give no snapshot and no --part.")
        }
        if from != nil, !repair { throw ValidationError("--from requires --repair.") }
    }

    func run() throws {
        try checkOptions()
        guard !repair else {
            return try Repair.run(from: from, in: location, command: "verify --repair", output, shown: shown)
        }
        if try !verifyRepository().isEmpty { throw Failure.damaged }
    }

    private func verifyRepository() throws -> [Damage] {
        let repository = try location.open(for: .reading, command: "verify")
        var verifier = Verifier(repository)
        if !snapshots.isEmpty {
            verifier.snapshots = try Repository.snapshots(snapshots, of: app.bundleId, in: repository)
        }
        verifier.part = part.map { ($0.number, $0.count) }
        let outcome = try shown.showingProgress(of: "object", nil, in: output.format) { line in
            verifier.progress = { line.reach($0, of: $1) }
            return try verifier.verify()
        }
        try output.print(outcome, by: shown)
        return outcome.damage
    }
}

extension ProgressLine {
    /// Reports that `done` of `all` items are done.
    func reach(_ done: Int, of all: Int) {
        expect(ProgressAmount(items: all))
        reach(ProgressAmount(items: done))
    }
}
