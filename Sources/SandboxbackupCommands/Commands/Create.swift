import AppContainer
import ArgumentParser
import BackupOperations
import BackupPlan
import BackupReports
import BackupRepository
import CommandLineSupport
import ContainerInputs
internal import ContainerTree
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
            one consistent state. Of a directory, an archive or a device backup with several containers, each is backed up; \
            errors of one do not stop the others.
            """,
            examples: [
                "sandboxbackup create CONTAINER --repository REPOSITORY",
                "sandboxbackup create MobileSync/Backup/UDID --bundle-id com.example.app --repository REPOSITORY",
                "sandboxbackup create CONTAINER --engine restic --repository sftp:nas:/repo",
                "sandboxbackup create A B --tag before-update --repository REPOSITORY",
                "sandboxbackup create CONTAINER --exclude '*.mov' --dry-run --repository REPOSITORY",
                "sandboxbackup create CONTAINER --time 2026-01-31T12:00:00Z --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .incomplete, .noRepository, .locked, .damaged, .interrupted]))

    @Argument(help: ContainerArgument.help, completion: .file()) var containers: [String] = []
    @OptionGroup(title: "Input") var selection: InputSelection
    // --password-file is the option of the engine.
    @Option(
        help: ArgumentHelp(
            "Read the password of an encrypted device backup from a file. (default: DEVICE_BACKUP_PASSWORD, or a prompt on "
                + "the terminal)", valueName: "file"))
    var backupPasswordFile: String?
    @OptionGroup var planned: PlanOptions
    @Option(
        help: ArgumentHelp(
            "The directory of the repository; with --engine, the tool's own location. (default: "
                + "\(RepositoryOptions.variable); with --engine, RESTIC_REPOSITORY or BORG_REPO)", valueName: "dir"))
    var repository: String?
    @OptionGroup var lock: WaitOptions
    @Option(help: ArgumentHelp("Give the snapshots this tag, or several joined by commas.", valueName: "tags"))
    var tag: [TagList] = []
    @Option(help: ArgumentHelp("The name of the computer to record. (default: its host name)", valueName: "name"))
    var host: String?
    @Option(
        help: ArgumentHelp(
            "The date to record, such as 2026-01-31 or 2026-01-31T12:00:00Z, at most a day ahead. (default: now)",
            valueName: "date"))
    var time: DateArgument?
    @Flag(
        name: [.customShort("n"), .long],
        help: "Print what would be stored, in files and bytes, without reading files or storing anything.")
    var dryRun = false
    @Flag(help: "Make no snapshot of a container that has not changed since its last snapshot.")
    var skipIfUnchanged = false
    @OptionGroup(title: "Engine") var engine: EngineOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var shown: RunOptions

    /// The date of the snapshots.
    private var taken: Timestamp { time.map { Timestamp(seconds: $0.seconds, nanoseconds: 0) } ?? .now }

    func validate() throws {
        if containers.contains("-") {
            throw ValidationError(
                "Standard input is not a container. Write it into a file of one, or pipe it into restic backup --stdin."
            )
        }
        if let time, time.seconds > Timestamp.now.seconds + 86_400 || time.seconds < 0 {
            throw ValidationError("--time takes a date from 1970 on, at most a day ahead of the clock.")
        }
        try selection.check(containers)
        guard !selection.sources(containers).isEmpty else {
            throw ValidationError("Missing expected argument '<containers> ...'")
        }
        if engine.engine != nil, dryRun || skipIfUnchanged {
            throw ValidationError(
                "--dry-run and --skip-if-unchanged need a repository of sandboxbackup; with --engine, use `sandboxbackup "
                    + "plan`.")
        }
        guard engine.engine == nil, directory == nil else { return }
        throw ValidationError(
            "Name either a repository directory (--repository, or the variable \(RepositoryOptions.variable)) or a "
                + "tool with its repository (--engine).")
    }

    /// The directory of the repository, without an engine.
    private var directory: String? { repository ?? RepositoryOptions.fromEnvironment }

    func run() throws {
        let sources = selection.sources(containers)
        // Files of patterns may be pipes, which are read once, and errors are reported before anything is stored.
        let rules = try planned.rules
        // With an engine, an input that is not a directory is refused before anything is stored. Other errors are reported below.
        if engine.engine != nil {
            for source in sources {
                do { _ = try open(source) } catch let error as ValidationError { throw error } catch {}
            }
        }
        var failures = ContainerFailures()
        for source in sources {
            let opened = try failures.collect(ifSeveral: sources.count > 1) { try open(source) }
            guard let input = opened else { continue }
            for note in input.notes + input.gaps { Failure.printNote(note) }
            let found = input.containers
            for container in found {
                try failures.collect(ifSeveral: sources.count > 1 || found.count > 1) {
                    try run(container, by: rules, from: source)
                }
            }
            if !input.gaps.isEmpty { failures.addGap() }
        }
        try failures.end()
    }

    private func open(_ source: InputSource) throws -> Input {
        let reason = engine.engine == nil ? nil : "--engine stores the files of a directory"
        return try selection.open(source, inPlaceBecause: reason) {
            try BackupPasswordOptions.password(of: $0, file: backupPasswordFile)
        }
    }

    private func run(_ found: InputContainer, by rules: BackupRules, from source: InputSource) throws {
        found.noteAccessTimes()
        let container = found.container
        guard engine.engine == nil, let path = directory else {
            var backup = try engine.backup(of: container, rules, to: repository, waiting: lock)
            backup.taken = time.map { _ in taken }
            return try runEngine(backup)
        }
        try Self.require(path, isOutside: container)
        if dryRun { return try preview(of: container, by: rules, in: path) }
        let target = try Repository.openOrCreate(path, for: .creating, command: "create", waiting: lock)
        let plan = try Plan(of: container, rules: rules)
        var builder = SnapshotBuilder(container: container, plan: plan, repository: target, taken: taken)
        builder.labels = SnapshotLabels(
            tags: tag.flatMap(\.tags), host: host ?? Self.hostName, source: Self.path(of: found, in: source))
        builder.isDateGiven = time != nil
        builder.skipsUnchanged = skipIfUnchanged
        let total = ProgressAmount(items: plan.includedFiles, bytes: plan.sum(stored: true).bytes)
        let outcome = try shown.showingProgress(of: "file", total, in: output.format) { line in
            builder.progress = { line.reach(ProgressAmount(items: $0, bytes: $1)) }
            return try builder.build()
        }
        try target.close()
        try output.print(outcome, by: shown)
        if !outcome.snapshot.incidents.isEmpty { throw Failure.incomplete }
    }

    private func preview(of container: Container, by rules: BackupRules, in path: String) throws {
        let plan = try Plan(of: container, rules: rules)
        // `create` would create the repository in a directory that is new or empty.
        let folder = try? Folder(opening: FilePath(path))
        let preview: SnapshotBuilder.Preview
        if try folder?.names().isEmpty ?? true {
            preview = try SnapshotBuilder.Preview(of: plan)
        } else {
            let repository = try Repository.open(path, for: .reading, command: "create", waiting: lock)
            preview = try SnapshotBuilder(container: container, plan: plan, repository: repository, taken: .now)
                .preview()
        }
        try output.print(preview, by: shown)
        if !preview.incidents.isEmpty { throw Failure.incomplete }
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

    /// Returns the absolute path to record: that of the container, or of the archive or backup that contains it. Nil for a copy
    /// from a device.
    private static func path(of found: InputContainer, in source: InputSource) -> String? {
        let input = found.isCopy || found.relativePath.isEmpty ? source.path : nil
        guard let path = input ?? (found.isCopy ? nil : found.container.location.string) else { return nil }
        return url(path, isDirectory: false).standardizedFileURL.path
    }

    private static func url(_ path: String, isDirectory: Bool = true) -> URL {
        URL(fileURLWithPath: Invocation.current.workingDirectory.resolved(path), isDirectory: isDirectory)
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
        let directory = url(repository)
        let parent = directory.deletingLastPathComponent().resolvingSymlinksInPath().path
        let outer = FilePath(url(container.location.string).resolvingSymlinksInPath().path)
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
            guard isOneOfMany, (error as? BackupError)?.code != .interrupted,
                !Invocation.current.interruption.isRequested
            else { throw error }
            let failed = Sandboxbackup.report(error)
            // An error counts more than an incomplete snapshot.
            if code == nil || code == Failure.incomplete { code = failed }
        }
        return nil
    }

    /// Records that a part of an input was not read.
    mutating func addGap() { code = code ?? Failure.incomplete }

    func end() throws {
        if let code { throw code }
    }
}
