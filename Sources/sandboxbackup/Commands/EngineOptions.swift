import AppContainer
import ArgumentParser
import BackupOperations
import BackupPlan
import Foundation
import SystemPackage

extension EngineKind: ExpressibleByArgument {}

/// Which tool of someone else's keeps what the plan says, and where.
struct EngineOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The tool that keeps it: restic or borg.", valueName: "tool"))
    var engine: EngineKind?

    @Option(
        help: ArgumentHelp(
            "The tool's repository, as it has it; else RESTIC_REPOSITORY or BORG_REPO.", valueName: "repository"))
    var repository: String?

    @Option(
        help: ArgumentHelp(
            "A file with the repository's password; else RESTIC_PASSWORD, BORG_PASSPHRASE and their like.",
            valueName: "file"))
    var passwordFile: String?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            """
            An option of restic's -o, such as sftp.command=…; may be given more than once, and shows in lists of \
            processes. For borg, set BORG_RSH.
            """, valueName: "key=value"))
    var option: [String] = []

    func validate() throws {
        if engine == nil, repository != nil || passwordFile != nil {
            throw ValidationError("--repository and --password-file are for --engine.")
        }
        if engine != .restic, !option.isEmpty { throw ValidationError("--option is for --engine restic.") }
    }

    func backup(of container: Container, _ rules: PlanRules) throws -> EngineBackup {
        guard let engine else { throw ValidationError("Name a tool (--engine).") }
        let variable = ProcessInfo.processInfo.environment[engine.repositoryVariable]
        guard let repository = repository ?? variable, !repository.isEmpty else {
            throw ValidationError("Name the repository (--repository, or \(engine.repositoryVariable)).")
        }
        let place = EngineRepository(repository, passwordFile: passwordFile.map { FilePath($0) }, options: option)
        return EngineBackup(of: container, rules: rules, with: engine, to: place)
    }
}
