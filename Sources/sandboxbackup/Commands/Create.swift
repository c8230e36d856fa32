import AppContainer
import CommandLineSupport
import ArgumentParser
import BackupOperations
import BackupPlan
import BackupReports
import BackupRepository
import FileSystem
import Foundation
import SystemPackage
import TextOutput

/// `sandboxbackup create CONTAINER… --repository DIR`
struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Back up containers, each as a new snapshot.",
        discussion: CommandHelp.discussion(
            """
            The repository is created if the directory does not exist or is empty. It is readable by its owner only and \
            it is not encrypted. With --engine, restic or borg stores the snapshot in an existing repository of its own, \
            and the stored items are compared with the plan. Databases in use are stored in a second snapshot, each in \
            one consistent state. Of a directory that contains containers, each is backed up; errors of one do not stop the \
            others.
            """,
            examples: [
                "sandboxbackup create CONTAINER --repository REPOSITORY",
                "sandboxbackup create MobileSync/Backup/UDID --bundle-id com.example.app --repository REPOSITORY",
                "sandboxbackup create CONTAINER --engine restic --repository sftp:nas:/repo",
                "sandboxbackup create A B --tag before-update --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .incomplete, .noRepository, .locked, .damaged, .interrupted]))

    @Argument(help: ContainerArgument.help) var containers: [String]
    @OptionGroup var planned: PlanOptions
    @Option(
        help: ArgumentHelp(
            "The directory of the repository; with --engine, the tool's own location. (default: "
                + "\(RepositoryOptions.variable); with --engine, RESTIC_REPOSITORY or BORG_REPO)", valueName: "dir"))
    var repository: String?
    @Option(help: ArgumentHelp("The same as --repository, without --engine.", valueName: "dir", visibility: .hidden))
    var store: String?
    @Option(help: ArgumentHelp("Give the snapshots this tag; repeat the option for several.", valueName: "tag"))
    var tag: [String] = []
    @Option(help: ArgumentHelp("The name of the computer to record. (default: its host name)", valueName: "name"))
    var host: String?
    @OptionGroup(title: "Engine") var engine: EngineOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var shown: RunOptions

    func validate() throws {
        if engine.engine != nil ? store != nil : (store != nil && repository != nil) || directory == nil {
            throw ValidationError(
                "Name either a repository directory (--repository, or the variable \(RepositoryOptions.variable)) or a "
                    + "tool with its repository (--engine).")
        }
    }

    /// The directory of the repository, without an engine.
    private var directory: String? { repository ?? store ?? RepositoryOptions.fromEnvironment }

    func run() throws {
        if engine.engine != nil, containers.contains(where: planned.isExtracted) {
            throw ValidationError(
                "--engine stores the files of a directory. Extract the container, and specify its directory.")
        }
        var failures = ContainerFailures()
        for path in containers {
            let found = try failures.collect(ifSeveral: containers.count > 1) { try planned.containers(in: path) }
            let isOneOfMany = containers.count > 1 || (found?.count ?? 0) > 1
            for one in found ?? [] {
                try failures.collect(ifSeveral: isOneOfMany) {
                    try planned.withContainer(at: one) { try run($0, from: one, planned.rules) }
                }
            }
        }
        try failures.end()
    }

    private func run(_ container: Container, from source: String, _ rules: PlanRules) throws {
        guard engine.engine == nil, let path = directory else {
            return try runEngine(engine.backup(of: container, rules, to: repository))
        }
        try Self.require(path, isOutside: container)
        let target = try Repository.openOrCreate(path, command: "create")
        let plan = try Plan(of: container, rules: rules)
        var builder = SnapshotBuilder(container: container, plan: plan, repository: target, taken: .now)
        let absolute = URL(fileURLWithPath: source, isDirectory: false).standardizedFileURL.path
        builder.labels = SnapshotLabels(tags: tag, host: host ?? Self.hostName, source: absolute)
        let total = ProgressAmount(items: plan.includedFiles, bytes: plan.sum(of: .include).bytes)
        let outcome = try shown.showingProgress(of: "file", total, in: output.format) { line in
            builder.progress = { line.reach(ProgressAmount(items: $0, bytes: $1)) }
            return try builder.build()
        }
        try target.close()
        try output.print(outcome, by: shown)
        if !outcome.snapshot.incidents.isEmpty { throw Failure.incomplete }
    }

    private func runEngine(_ backup: EngineBackup) throws {
        var backup = backup
        let outcome: EngineBackup.Outcome
        if backup.kind.reportsProgress {
            outcome = try shown.showingProgress(of: "file", nil, in: output.format) { line in
                backup.progress = { done, all in
                    line.expect(ProgressAmount(items: all.files, bytes: all.bytes))
                    line.reach(ProgressAmount(items: done.files, bytes: done.bytes))
                }
                return try backup.run()
            }
        } else {
            outcome = try backup.run()
        }
        try output.print(outcome, by: shown)
        if !outcome.incidents.isEmpty || !outcome.leftovers.isEmpty { throw Failure.incomplete }
    }

    /// The name of this computer; nil if it has none.
    private static var hostName: String? {
        var name = [UInt8](repeating: 0, count: 256)
        let isNamed = name.withUnsafeMutableBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { name in
                name.baseAddress.map { gethostname($0, name.count - 1) == 0 } ?? false
            }
        }
        let text = String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
        return isNamed && !text.isEmpty ? text : nil
    }

    /// Refuses a repository inside the container: it would back up itself.
    private static func require(_ repository: String, isOutside container: Container) throws {
        let directory = URL(fileURLWithPath: repository, isDirectory: true)
        let parent = directory.deletingLastPathComponent().resolvingSymlinksInPath().path
        let outer = FilePath(URL(fileURLWithPath: container.location.string).resolvingSymlinksInPath().path)
        // The directory may not exist yet, or be a symbolic link.
        let inner = [
            FilePath(parent).appending(directory.lastPathComponent),
            FilePath(directory.resolvingSymlinksInPath().path),
        ]
        guard inner.contains(where: { $0.starts(with: outer) }) else { return }
        throw ValidationError("The repository is inside the container. Name a directory outside it.")
    }
}

/// The failures of a run over several containers. Each is reported, and the run goes on.
private struct ContainerFailures {
    private var code: ExitCode?

    /// Runs `body`. Reports an error of one of several containers instead of throwing it.
    @discardableResult
    mutating func collect<Result>(ifSeveral isOneOfMany: Bool, _ body: () throws -> Result) throws -> Result? {
        do { return try body() } catch let code as ExitCode {
            guard isOneOfMany else { throw code }
            self.code = self.code ?? code
        } catch {
            guard isOneOfMany, (error as? BackupError)?.code != .interrupted else { throw error }
            let failed = Failure.report(error, usage: nil)
            // An error counts more than an incomplete snapshot.
            if code == nil || code == Failure.incomplete { code = failed }
        }
        return nil
    }

    func end() throws {
        if let code { throw code }
    }
}
