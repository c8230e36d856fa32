import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport

/// A limit of an argument: a size, a percentage such as `5%`, or `unlimited`.
struct UnusedLimitArgument: ExpressibleByArgument {
    let limit: Repository.UnusedLimit

    init?(argument: String) {
        if argument == "unlimited" {
            limit = .unlimited
        } else if argument.hasSuffix("%") {
            guard let part = Double(argument.dropLast()), (0...100).contains(part) else { return nil }
            limit = .percent(part)
        } else {
            guard let size = ByteSize(argument: argument) else { return nil }
            limit = .bytes(size.bytes)
        }
    }
}

/// `sandboxbackup prune --repository DIR`
struct Prune: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Delete content that no snapshot references.",
        discussion: CommandHelp.discussion(
            """
            Small contents are in packs of at most 1 MB. A pack that also contains needed content is rewritten without the \
            rest, unless --max-unused allows that the rest stays. All other content is deleted by itself.
            """,
            examples: [
                "sandboxbackup prune --dry-run --repository REPOSITORY",
                "sandboxbackup prune --repository REPOSITORY",
                "sandboxbackup prune --max-unused 10% --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged]))

    @OptionGroup var location: RepositoryOptions
    @Flag(name: [.customShort("n"), .long], help: "Show the result without deleting anything.") var dryRun = false
    @Option(
        help: ArgumentHelp(
            "Allow this much unused space in packs: a size such as 500MB, a percentage of the repository such as 5%, or "
                + "unlimited, with which no pack is rewritten. (default: 0)", valueName: "limit"))
    var maxUnused: UnusedLimitArgument?
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let repository = try location.open(for: dryRun ? .reading : .removing, command: "prune")
        let result = try repository.prune(
            changesNothing: dryRun, keepingAtMost: maxUnused?.limit ?? .bytes(0))
        if !dryRun { try repository.close() }
        try output.print(result)
        for one in result.damaged {
            Failure.warn(
                "snapshot \(one.number) is damaged: \(one.reason); content that it may reference was kept; "
                    + "`sandboxbackup forget --damaged` removes it from the list")
        }
        if !result.damaged.isEmpty { throw Failure.damaged }
    }
}
