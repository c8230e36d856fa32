import ArgumentParser
import BackupOperations
import BackupReports
import BackupRepository
import FileSystem
import MobileBackup
import SystemPackage
import TextOutput

/// `sandboxbackup import DIR --store DIR`
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Take the containers of an iPhone's backup into a store, each as a snapshot.",
        discussion: """
            DIR is the folder that is named for the device, as Finder, iTunes or `sandboxbackup export` made it. It is \
            not changed. Encrypted backups are not read. Set-user-ID and set-group-ID bits are dropped and named.
            """)

    @Argument(help: "The backup's folder, which holds Manifest.db.")
    var backup: String

    @OptionGroup var place: StoreOptions

    @Option(help: ArgumentHelp("Take this app's, plug-in's or group's container only.", valueName: "identifier"))
    var bundleId: String?

    @Flag(
        help: ArgumentHelp(
            "Keep the owners and groups that the backup says.",
            discussion: "Without it, all that is stored is yours: restored by root, it would else be any user's."))
    var preserveOwners = false

    @OptionGroup var shown: RunOptions

    func run() throws {
        let backup = try MobileBackup(in: Folder(opening: FilePath(backup)))
        var importation = try Importation(of: backup, bundleIdentifier: bundleId)
        importation.keepsOwners = preserveOwners
        let store = try Repository.openOrMake(place.store, command: "import")
        let total = ProgressAmount(items: try importation.fileCount())
        let outcome = try shown.showing("file", of: total, in: place.format) { line in
            importation.progress = { line.reach(ProgressAmount(items: $0, bytes: $1)) }
            return try importation.run(into: store, now: .now)
        }
        try store.close()
        try place.say(outcome, by: shown)
        if outcome.snapshots.contains(where: { !$0.incidents.isEmpty }) { throw Failure.incomplete }
    }
}
