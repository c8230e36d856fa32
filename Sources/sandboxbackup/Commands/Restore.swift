import ArgumentParser
import BackupOperations
import BackupReports
import BackupRepository
import FileSystem
import SystemPackage
import TextOutput

/// `sandboxbackup restore SNAPSHOT [PATH…] --to DIR --store DIR`
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put a snapshot, or the paths named, into a directory, and nothing outside it.")

    @Argument(help: "The snapshot's number, or latest.")
    var snapshot: String

    @Argument(
        help: ArgumentHelp(
            "What to restore, with all that lies below it; all where nothing is named.",
            discussion: "A name of other bytes than a shell's text is written as reports print it: %FF is such a byte.")
    )
    var paths: [String] = []

    @OptionGroup var place: StoreOptions

    @Option(help: ArgumentHelp("Which app's snapshot is meant by latest.", valueName: "identifier"))
    var bundleId: String?

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp(
            "The directory; it is made where it is missing.",
            discussion: """
                One that is there keeps its own mode, owner, times and attributes, unless the whole snapshot goes into it \
                and it is empty or --overwrite is given. So do directories in it that only lead to what is named.
                """, valueName: "dir"))
    var target: String

    @Flag(help: "Replace files that are there already; without it they stay, and are named.")
    var overwrite = false

    @Flag(
        help: ArgumentHelp(
            "Restore set-user-ID and set-group-ID bits.",
            discussion: "Without it they are dropped and named: they lend a program's runner its owner's rights."))
    var preserveSpecialModes = false

    @Flag(
        name: [.customShort("n"), .long],
        help: ArgumentHelp(
            "Only say what would be made, replaced and left alone, path by path.",
            discussion: "+ is made, M replaced, m a directory whose mode, times or attributes are set, ! not restored.")
    )
    var dryRun = false

    @Flag(
        name: .customLong("as-ios"),
        help: ArgumentHelp(
            "Restore as iOS does, and tell what the app will miss.",
            discussion: """
                The container gets a new UUID for its name beneath --to, Library/Caches and tmp are empty, what is the \
                system's stays out, preferences come back. Told are paths into the old container, in links and property \
                lists, and what a flag kept out; databases are not looked into.
                """))
    var asIOS = false

    @Flag(help: "With --as-ios, make directories that a flag kept out again, empty and flagged.")
    var recreateFlaggedDirectories = false

    @OptionGroup var shown: RunOptions

    func validate() throws {
        if recreateFlaggedDirectories, !asIOS {
            throw ValidationError("--recreate-flagged-directories goes with --as-ios.")
        }
        if asIOS, dryRun || overwrite || !paths.isEmpty {
            throw ValidationError("--as-ios makes a new container of all; leave paths, --overwrite and --dry-run out.")
        }
    }

    func run() throws {
        let store = try place.open(for: .reading, command: "restore")
        try store.requireOutside(FilePath(target))
        let choice = try Repository.snapshot(self.snapshot, of: bundleId, in: store)
        try restore(choice.snapshot, of: store)
        if !choice.damaged.isEmpty { throw Failure.damaged }
    }

    private func restore(_ snapshot: Snapshot, of store: BackupStore) throws {
        if asIOS { return try restoreApp(snapshot, of: store) }
        if dryRun { return try preview(snapshot, of: store) }
        var restoration = try restoration(of: snapshot, in: store)
        if restoration.target == nil { try restoration.makeTarget(FilePath(target)) }
        let outcome = try shown.showing("file", of: total(of: snapshot), in: place.format) { line in
            restoration.progress = { line.reach(ProgressAmount(items: $0, bytes: $1)) }
            return try restoration.run()
        }
        try place.say(outcome, by: shown)
        if !outcome.incidents.isEmpty { throw Failure.incomplete }
    }

    private func restoreApp(_ snapshot: Snapshot, of store: BackupStore) throws {
        var restoration = AppRestoration(snapshot, of: store)
        restoration.recreatesFlaggedDirectories = recreateFlaggedDirectories
        restoration.keepsSetIDBits = preserveSpecialModes
        let outcome = try shown.showing("file", of: total(of: snapshot), in: place.format) { line in
            restoration.progress = { line.reach(ProgressAmount(items: $0, bytes: $1)) }
            return try restoration.run(beneath: FilePath(target))
        }
        try place.say(outcome, by: shown)
        if !outcome.restored.incidents.isEmpty { throw Failure.incomplete }
    }

    private func preview(_ snapshot: Snapshot, of store: BackupStore) throws {
        let preview = try restoration(of: snapshot, in: store).preview()
        try place.say(preview, by: shown)
        if !preview.isComplete { throw Failure.incomplete }
    }

    private func restoration(of snapshot: Snapshot, in store: BackupStore) throws -> Restoration {
        let folder: Folder?
        do throws(FileSystemError) { folder = try Folder(opening: FilePath(target)) } catch {
            guard error.errno == .noSuchFileOrDirectory else { throw error }
            folder = nil
        }
        var restoration = Restoration(snapshot, of: store, into: folder)
        restoration.paths = paths
        restoration.replacesFiles = overwrite
        restoration.keepsSetIDBits = preserveSpecialModes
        return restoration
    }

    /// How much there is to do, where it is known without a look at all of it.
    private func total(of snapshot: Snapshot) -> ProgressAmount? {
        paths.isEmpty ? ProgressAmount(items: snapshot.files, bytes: snapshot.bytes) : nil
    }
}
