import ArgumentParser
import BackupOperations
import BackupReports
import BackupRepository
import CommandLineSupport
import FileSystem
import SystemPackage
import TextOutput

/// `sandboxbackup restore SNAPSHOT [PATH…] --to DIR --repository DIR`
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Restore a snapshot, or some of its paths, into a directory.",
        discussion: CommandHelp.discussion(
            """
            Every byte is verified by its hash. Nothing outside the directory is written. With --engine, the tool restores \
            into the temporary directory first, which then contains the content twice, with the databases of the second \
            snapshot in place.
            """,
            examples: [
                "sandboxbackup restore latest --to DIRECTORY --repository REPOSITORY",
                "sandboxbackup restore 3 Documents/a --to DIRECTORY -n --repository REPOSITORY",
                "sandboxbackup restore latest --to DIRECTORY --engine borg --repository REPO",
            ],
            exits: [.done, .failed, .usage, .incomplete, .noRepository, .locked, .damaged, .interrupted]))

    @Argument(help: SnapshotArgument.help) var snapshot: String
    @Argument(
        help: ArgumentHelp(
            "The paths to restore, with everything below them. (default: all)",
            discussion: "A name that is not UTF-8 is written as reports print it: %FF is one such byte."))
    var paths: [String] = []
    @OptionGroup var location: RepositoryOptions
    @OptionGroup var app: AppOptions
    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "Restore into this directory; it is created if it does not exist.",
            discussion: """
                An existing directory keeps its mode, owner, times and attributes, unless the whole snapshot is restored \
                and the directory is empty or --overwrite is given. Directories in it that only lead to a selected path \
                are not changed either.
                """, valueName: "dir"))
    var target: String
    @Flag(help: "Replace existing files. (default: keep and report them)")
    var overwrite = false
    @Flag(
        help: ArgumentHelp(
            "Restore set-user-ID and set-group-ID bits. (default: drop and report them)",
            discussion: "A program with such a bit runs with the rights of its owner or group."))
    var preserveSpecialModes = false
    @Flag(
        name: [.customShort("n"), .long],
        help: ArgumentHelp(
            "List what would be created, replaced and kept, without changing anything.",
            discussion: "+ created, M replaced, m directory attributes changed, ! not restored."))
    var dryRun = false
    @Flag(
        name: .customLong("as-ios"),
        help: ArgumentHelp(
            "Restore as iOS does, and report what the app will miss.",
            discussion: """
                The container is created beneath --to with a new UUID as its name. Library/Caches and tmp are empty, files \
                of the system are omitted, preferences are restored. The report lists items that a backup exclusion kept \
                out, and paths into the old container in links and property lists; databases are not searched.
                """))
    var asIOS = false
    @Flag(help: "With --as-ios, create excluded directories again, empty and excluded from backup.")
    var recreateFlaggedDirectories = false
    @OptionGroup(title: "Engine") var engine: EngineOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var shown: RunOptions

    func validate() throws {
        if recreateFlaggedDirectories, !asIOS {
            throw ValidationError("--recreate-flagged-directories requires --as-ios.")
        }
        if asIOS, dryRun || overwrite || !paths.isEmpty {
            throw ValidationError("--as-ios restores all into a new container; omit paths, --overwrite and --dry-run.")
        }
    }

    func run() throws {
        if let snapshots = try engine.snapshots(in: location.repository) {
            let chosen = try snapshots.snapshot(named: snapshot, of: app.bundleId)
            return try snapshots.withRepository(of: chosen) { try end(run($0, of: $1)) }
        }
        let repository = try location.open(for: .reading, command: "restore")
        try repository.requireOutside(FilePath(target))
        let choice = try Repository.snapshot(self.snapshot, of: app.bundleId, in: repository)
        let result = try run(choice.snapshot, of: repository)
        try end((result.isDamaged || !choice.damaged.isEmpty, result.isComplete))
    }

    private typealias Result = (isDamaged: Bool, isComplete: Bool)

    private func end(_ result: Result) throws {
        if result.isDamaged { throw Failure.damaged }
        if !result.isComplete { throw Failure.incomplete }
    }

    private func run(_ snapshot: Snapshot, of repository: Repository) throws -> Result {
        if asIOS {
            try restoreApp(snapshot, of: repository)
        } else if dryRun {
            try preview(snapshot, of: repository)
        } else {
            try restore(snapshot, of: repository)
        }
    }

    private func restore(_ snapshot: Snapshot, of repository: Repository) throws -> Result {
        var options = try options(for: snapshot, in: repository)
        if options.target == nil { try options.createTarget(FilePath(target)) }
        let result = try shown.showingProgress(of: "file", total(of: snapshot), in: output.format) { line in
            options.progress = { line.reach(ProgressAmount(items: $0, bytes: $1)) }
            var restorer = try Restorer(options)
            return try restorer.restore()
        }
        try output.print(result, by: shown)
        return (result.isDamaged, result.isComplete)
    }

    private func restoreApp(_ snapshot: Snapshot, of repository: Repository) throws -> Result {
        var restorer = AppRestorer(snapshot, of: repository)
        restorer.recreatesFlaggedDirectories = recreateFlaggedDirectories
        restorer.preservesSetIDBits = preserveSpecialModes
        let outcome = try shown.showingProgress(of: "file", total(of: snapshot), in: output.format) { line in
            restorer.progress = { line.reach(ProgressAmount(items: $0, bytes: $1)) }
            return try restorer.restore(beneath: FilePath(target))
        }
        try output.print(outcome, by: shown)
        return (outcome.restored.isDamaged, outcome.restored.isComplete)
    }

    private func preview(_ snapshot: Snapshot, of repository: Repository) throws -> Result {
        let preview = try RestorePreview(options(for: snapshot, in: repository))
        try output.print(preview, by: shown)
        return (preview.isDamaged, preview.isComplete)
    }

    private func options(for snapshot: Snapshot, in repository: Repository) throws -> RestoreOptions {
        let folder: Folder?
        do throws(FileSystemError) { folder = try Folder(opening: FilePath(target)) } catch {
            guard error.errno == .noSuchFileOrDirectory else { throw error }
            folder = nil
        }
        var options = RestoreOptions(snapshot, of: repository, into: folder)
        options.paths = paths
        options.overwritesFiles = overwrite
        options.preservesSetIDBits = preserveSpecialModes
        return options
    }

    /// The amount of work; nil if only some paths are restored.
    private func total(of snapshot: Snapshot) -> ProgressAmount? {
        paths.isEmpty ? ProgressAmount(items: snapshot.files, bytes: snapshot.bytes) : nil
    }
}
