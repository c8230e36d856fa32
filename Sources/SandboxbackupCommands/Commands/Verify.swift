import AppContainer
import ArgumentParser
import BackupReports
import BackupRepository
import CommandLineSupport
import SystemPackage
import TextOutput

/// `sandboxbackup verify --repository DIR`
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Verify every byte of a repository and report all damage.",
        discussion: CommandHelp.discussion(
            "",
            examples: [
                "sandboxbackup verify --repository REPOSITORY",
                "sandboxbackup verify --repair --from CONTAINER --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .noRepository, .locked, .damaged, .interrupted]),
        aliases: ["check"])

    @OptionGroup var location: RepositoryOptions
    @Flag(
        help: ArgumentHelp(
            "Repair damaged and missing objects, then verify again.",
            discussion: "Content is searched for in the files of the repository and, with --from, in a container."))
    var repair = false
    @Option(help: ArgumentHelp("With --repair, also search the files of this container.", valueName: "container"))
    var from: String?
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var shown: RunOptions

    func validate() throws {
        if from != nil, !repair { throw ValidationError("--from requires --repair.") }
    }

    func run() throws {
        let damage = try repair ? repairRepository() : verifyRepository()
        if !damage.isEmpty { throw Failure.damaged }
    }

    private func verifyRepository() throws -> [Damage] {
        let repository = try location.open(for: .reading, command: "verify")
        var verifier = Verifier(repository)
        let outcome = try shown.showingProgress(of: "object", nil, in: output.format) { line in
            verifier.progress = { line.reach($0, of: $1) }
            return try verifier.verify()
        }
        try output.print(outcome, by: shown)
        return outcome.damage
    }

    private func repairRepository() throws -> [Damage] {
        let container = try from.map { try Container.open(FilePath($0)) }
        let repository = try location.open(for: .adding, command: "verify --repair")
        var repairer = Repairer(repository)
        repairer.container = container
        let outcome = try shown.showingProgress(of: "object", nil, in: output.format) { line in
            repairer.progress = { line.reach($0, of: $1) }
            return try repairer.repair()
        }
        try repository.close()
        try output.print(outcome, by: shown)
        return outcome.verification.damage
    }
}

extension ProgressLine {
    /// Reports that `done` of `all` items are done.
    fileprivate func reach(_ done: Int, of all: Int) {
        expect(ProgressAmount(items: all))
        reach(ProgressAmount(items: done))
    }
}
