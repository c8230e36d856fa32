import AppContainer
import ArgumentParser
import BackupOperations
import BackupReports
import BackupRepository
import CommandLineSupport
import ContainerInputs
import FileSystem
import SystemPackage
import TextOutput

extension OverwritePolicy: ExpressibleByArgument {}

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
                "sandboxbackup restore latest:Documents --include '*.txt' --to DIRECTORY --repository REPOSITORY",
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
                A new directory gets its name when everything in it is on disk. Until then it has a private name beside it; \
                after an interruption, the same command continues there. \
                In a package .xcappdata, the container is its AppData; in a simulated device, that of the snapshot's app. The \
                file that records the identity of a container stays that of the target. \
                An existing directory keeps its mode, owner, times and attributes, unless the whole snapshot is restored \
                and the directory is empty or --overwrite is given. Directories in it that only lead to a selected path \
                are not changed either.
                """, valueName: "dir"))
    var target: String
    @Option(
        defaultAsFlag: OverwritePolicy.always, parsing: .next,
        help: ArgumentHelp(
            "Replace existing files: always, if-changed, if-newer or never. (default: never; always without a value)",
            discussion: """
                Files that match the snapshot are never written. never keeps others and reports them. if-changed compares \
                size and modification time instead of the content. if-newer keeps files that are as new as in the snapshot \
                or newer.
                """, valueName: "when"))
    var overwrite: OverwritePolicy?
    @Option(
        help: ArgumentHelp(
            "Restore only items that match a pattern, with everything below them; repeat the option for several.",
            discussion: "As in create --exclude.", valueName: "pattern"))
    var include: [String] = []
    @Option(
        help: ArgumentHelp(
            "Omit items that match a pattern, with everything below them; repeat the option for several.",
            valueName: "pattern"))
    var exclude: [String] = []
    @Flag(
        help: ArgumentHelp(
            "Delete selected items that the snapshot does not contain.",
            discussion: """
                Only items that a backup would include are deleted; those that were excluded from the snapshot, or could \
                not be read, stay. Look at the effect with --dry-run first.
                """))
    var delete = false
    @Flag(
        help: ArgumentHelp(
            "Restore set-user-ID and set-group-ID bits. (default: drop and report them)",
            discussion: "A program with such a bit runs with the rights of its owner or group."))
    var preserveSpecialModes = false
    @Flag(
        name: [.customShort("n"), .long],
        help: ArgumentHelp(
            "List what would be created, replaced and kept, without changing anything.",
            discussion: "+ created, M replaced, m directory attributes changed, - deleted, ! not restored."))
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
        let isPartial = !paths.isEmpty || !include.isEmpty || !exclude.isEmpty || snapshot.contains(":")
        if asIOS, dryRun || overwrite != nil || delete || isPartial {
            throw ValidationError(
                "--as-ios restores all into a new container; omit paths, patterns, --overwrite, --delete and --dry-run."
            )
        }
        if asIOS, RestoreTarget.isPackage(FilePath(target)) {
            throw ValidationError("--as-ios creates a container with a new UUID. Restore into a package without it.")
        }
        if delete, snapshot.contains(":") {
            throw ValidationError("--delete needs a whole snapshot. Name the directory as a path to restore instead.")
        }
    }

    func run() throws {
        if let snapshots = try engine.snapshots(in: location) {
            let parts = snapshot.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let chosen = try snapshots.snapshot(named: parts[0], of: app.bundleId)
            return try snapshots.withRepository(of: chosen) { snapshot, repository in
                try end(run(parts.count > 1 ? repository.rooted(snapshot, at: parts[1]) : snapshot, of: repository))
            }
        }
        let repository = try location.open(for: .reading, command: "restore")
        try repository.requireOutside(RestoreTarget.directory(of: FilePath(target)))
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
        let directory = try directory(for: snapshot, in: repository)
        var options = try options(for: snapshot, in: repository, directory)
        if options.target == nil {
            try options.requireItems()
            if RestoreTarget.isPackage(FilePath(target)) {
                try RestoreTarget.makePackage(FilePath(target), for: snapshot)
            }
            try options.createTarget(directory)
        }
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
        let preview = try RestorePreview(
            options(for: snapshot, in: repository, directory(for: snapshot, in: repository)))
        try output.print(preview, by: shown)
        return (preview.isDamaged, preview.isComplete)
    }

    /// Returns the directory of the container in the target. In a simulated device, it is the container of the snapshot's app.
    private func directory(for snapshot: Snapshot, in repository: Repository) throws -> FilePath {
        let layouts = ["data/Containers/Data/Application", "data/Containers/Shared/AppGroup"]
        guard layouts.contains(where: { (try? Folder(opening: FilePath(target).appending($0))) != nil }) else {
            return RestoreTarget.directory(of: FilePath(target))
        }
        guard let identifier = snapshot.bundleIdentifier else {
            throw ValidationError("The snapshot has no bundle identifier. Name the container of the device with --to.")
        }
        let input = try Input(.path(target), only: [identifier])
        let found = input.containers.filter { $0.container.bundleIdentifier == identifier }
        guard let container = found.first?.container, found.count == 1 else {
            throw ValidationError("The device has several containers of \(identifier). Name one of them with --to.")
        }
        try repository.requireOutside(container.location)
        return container.location
    }

    private func options(
        for snapshot: Snapshot, in repository: Repository, _ directory: FilePath
    ) throws -> RestoreOptions {
        let folder: Folder?
        do throws(FileSystemError) { folder = try Folder(opening: directory) } catch {
            guard error.errno == .noSuchFileOrDirectory else { throw error }
            folder = nil
        }
        var options = RestoreOptions(snapshot, of: repository, into: folder)
        options.paths = paths
        options.included = include.isEmpty ? nil : try ItemPatterns.parse(include)
        options.excluded = exclude.isEmpty ? nil : try ItemPatterns.parse(exclude)
        options.overwrite = overwrite ?? .never
        options.deletes = delete
        options.preservesSetIDBits = preserveSpecialModes
        return options
    }

    /// The amount of work; nil if only some paths are restored.
    private func total(of snapshot: Snapshot) -> ProgressAmount? {
        paths.isEmpty && include.isEmpty && snapshot.root.isEmpty
            ? ProgressAmount(items: snapshot.files, bytes: snapshot.bytes) : nil
    }
}
