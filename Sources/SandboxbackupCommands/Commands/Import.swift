import ArgumentParser
import BackupOperations
import BackupReports
import BackupRepository
import CommandLineSupport
import ContainerInputs
import FileSystem
import MobileBackup
import SystemPackage
import TextOutput

/// `sandboxbackup import BACKUP --repository DIR`
struct Import: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Import the containers of an iPhone backup, each as a snapshot.",
        discussion: CommandHelp.discussion(
            """
            BACKUP is the directory with the name of the device, as Finder, iTunes or `sandboxbackup export` created it, or \
            an archive (zip, tar) of it. It is not changed. Set-user-ID and set-group-ID bits are dropped and reported. The \
            password of an encrypted backup is read from a file, from DEVICE_BACKUP_PASSWORD or from the terminal; the \
            repository is not encrypted.
            """,
            examples: [
                "sandboxbackup import MobileSync/Backup/UDID --repository REPOSITORY",
                "sandboxbackup import UDID --list",
                "sandboxbackup import UDID --bundle-id com.example --repository REPOSITORY",
                "sandboxbackup import UDID --password-file FILE --repository REPOSITORY",
                "sandboxbackup import UDID.zip --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .incomplete, .locked, .damaged, .interrupted]))

    @Argument(help: "The directory of the backup, which contains Manifest.db, or an archive of it.")
    var backup: String
    @Option(help: ArgumentHelp("The directory of the repository.", valueName: "dir"))
    var repository: String?
    @Flag(help: "List the apps, plug-ins and groups of the backup, and import nothing.")
    var list = false
    @Option(help: ArgumentHelp("Import only the container of this app, plug-in or group.", valueName: "identifier"))
    var bundleId: String?
    @Flag(
        help: ArgumentHelp(
            "Keep the owners and groups recorded in the backup. (default: your own)",
            discussion: "A restore as root creates files of these owners."))
    var preserveOwners = false
    @Flag(
        help: ArgumentHelp(
            "Import an incomplete copy of a backup, and report what is missing.",
            discussion: "Such a copy lacks Status.plist, Manifest.plist or the end of Manifest.db."))
    var partial = false
    @OptionGroup var secret: BackupPasswordOptions
    @OptionGroup var lock: WaitOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var shown: RunOptions

    func validate() throws {
        if !list, repository == nil { throw ValidationError("Name the repository (--repository), or --list.") }
    }

    func run() throws {
        let directory = try BackupDirectory(FilePath(backup))
        for gap in directory.gaps { Failure.printNote(gap) }
        // The directory keeps the files that were extracted from an archive.
        try withExtendedLifetime(directory) {
            try run(directory.backup(allowsPartial: partial, password: secret.password))
        }
        if !directory.gaps.isEmpty { throw Failure.incomplete }
    }

    private func run(_ backup: MobileBackup) throws {
        if list {
            let domains = try backup.summaries().filter { $0.domain.owner != .system }
            return try output.printList(domains, named: "domains", none: "no apps, plug-ins or groups")
        }
        var importer = try Importer(of: backup, bundleIdentifier: bundleId)
        importer.preservesOwners = preserveOwners
        let repository = try Repository.openOrCreate(repository ?? "", command: "import", waiting: lock)
        let total = ProgressAmount(items: try importer.fileCount())
        let outcome = try shown.showingProgress(of: "file", total, in: output.format) { line in
            importer.progress = { line.reach(ProgressAmount(items: $0, bytes: $1)) }
            return try importer.importContainers(into: repository, now: .now)
        }
        try repository.close()
        try output.print(outcome, by: shown)
        if outcome.snapshots.contains(where: { !$0.incidents.isEmpty }) { throw Failure.incomplete }
    }
}
