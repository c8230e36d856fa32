import AppContainer
import ArgumentParser
import BackupOperations
import BackupPlan
import CommandLineSupport
import FileSystem
import SystemPackage

extension EngineKind: ExpressibleByArgument {}

/// The external tool that stores a snapshot, and the access to its repository.
struct EngineOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Use the repository of this tool: restic or borg.", valueName: "tool"))
    var engine: EngineKind?
    @Option(
        help: ArgumentHelp(
            "Read the password of the tool's repository from a file. (default: RESTIC_PASSWORD, BORG_PASSPHRASE or "
                + "similar variables)", valueName: "file"))
    var passwordFile: String?
    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            """
            Pass an option to restic's -o, such as sftp.command=…; repeatable, and visible in process lists. For borg, \
            set BORG_RSH.
            """, valueName: "key=value"))
    var option: [String] = []

    func validate() throws {
        if engine == nil, passwordFile != nil { throw ValidationError("--password-file requires --engine.") }
        if engine != .restic, !option.isEmpty { throw ValidationError("--option requires --engine restic.") }
    }

    /// Returns a backup of a container with the tool.
    func backup(
        of container: Container, _ rules: BackupRules, to repository: String?, waiting lock: WaitOptions
    ) throws -> EngineBackup {
        guard let engine else { throw ValidationError("Name a tool (--engine).") }
        let access = try access(to: repository, of: engine, waiting: lock)
        return EngineBackup(of: container, rules: rules, with: engine, to: access)
    }

    /// Lists the snapshots of the tool; nil without a tool.
    func snapshots(in location: RepositoryOptions) throws -> EngineSnapshots? {
        guard let engine else { return nil }
        let access = try access(to: location.repository, of: engine, waiting: location.lock)
        return try EngineSnapshots(of: engine, in: access)
    }

    private func access(
        to repository: String?, of engine: EngineKind, waiting lock: WaitOptions
    ) throws -> EngineRepository {
        let variable = Invocation.current.environment[engine.repositoryVariable]
        guard let repository = repository ?? variable, !repository.isEmpty else {
            throw ValidationError("Name the repository (--repository or \(engine.repositoryVariable)).")
        }
        return EngineRepository(
            repository, passwordFile: passwordFile.map { FilePath($0) }, options: option, lockWait: lock.wait.duration)
    }
}
