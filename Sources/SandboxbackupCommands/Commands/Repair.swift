import AppContainer
import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport
import SystemPackage
import TextOutput

/// `sandboxbackup repair --repository DIR`
struct Repair: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Repair a damaged repository, and verify every byte of it.",
        discussion: CommandHelp.discussion(
            """
            Damaged and missing content is searched for in the files of the repository and, with --from, in a container. \
            Damaged packs and files of snapshots are replaced with the content of the catalogue.

            With --rebuild, a new catalogue is made from the packs and the files of the snapshots if the catalogue is missing, \
            damaged or unreadable. The old one is kept as catalogue.sqlite.damaged. An intact catalogue is not changed.
            """,
            examples: [
                "sandboxbackup repair --repository REPOSITORY",
                "sandboxbackup repair --from CONTAINER --repository REPOSITORY",
                "sandboxbackup repair --rebuild --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged, .interrupted]))

    @OptionGroup var location: RepositoryOptions
    @Option(help: ArgumentHelp("Also search the files of this container.", valueName: "container"))
    var from: String?
    @Flag(help: "Make a new catalogue if the existing one is missing or damaged.") var rebuild = false
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var shown: RunOptions

    func run() throws {
        if rebuild {
            guard from == nil else {
                throw ValidationError("--rebuild reads only the repository; give --from to a later `repair`.")
            }
            try rebuildCatalogue()
        } else {
            try Self.run(from: from, in: location, command: "repair", output, shown: shown)
        }
    }

    /// Repairs a repository with an intact catalogue.
    static func run(
        from container: String?, in location: RepositoryOptions, command: String, _ output: OutputOptions,
        shown: RunOptions
    ) throws {
        let container = try container.map { try Container.open(FilePath($0)) }
        let repository = try location.open(for: .removing, command: command)
        var repairer = Repairer(repository)
        repairer.container = container
        let outcome = try shown.showingProgress(of: "object", nil, in: output.format) { line in
            repairer.progress = { line.reach($0, of: $1) }
            return try repairer.repair()
        }
        try repository.close()
        try output.print(outcome, by: shown)
        if !outcome.verification.damage.isEmpty { throw Failure.damaged }
    }

    private func rebuildCatalogue() throws {
        var rebuilder = CatalogueRebuilder(of: FilePath(try location.directory), waiting: location.lock.lockWait)
        let outcome = try shown.showingProgress(of: "object", nil, in: output.format) { line in
            rebuilder.verified = { line.reach($0, of: $1) }
            return try rebuilder.rebuild()
        }
        try output.print(outcome, by: shown)
        if !outcome.isClean { throw Failure.damaged }
    }
}
