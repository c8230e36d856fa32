import ArgumentParser
import BackupOperations
import BackupReports
import BackupRepository
import CommandLineSupport
import FileSystem
import MobileBackup
import SystemPackage
import TextOutput

/// `sandboxbackup export SNAPSHOT --to DIR --repository DIR`
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Export a snapshot as an unencrypted iPhone backup in Apple's layout.",
        discussion: CommandHelp.discussion(
            """
            The backup is a directory in --to with the name of the device. Details that the layout cannot store are \
            listed in the output and explained in Sources/BackupOperations/Exchange/LAYOUT.md. Device properties that are \
            not given are derived from the snapshot. Holes in sparse files are written as zeros, at most 64 GiB in total.
            """,
            examples: [
                "sandboxbackup export latest --to BACKUPS --repository REPOSITORY",
                "sandboxbackup export 3 --to BACKUPS --udid UDID --repository REPOSITORY",
            ],
            exits: [.done, .failed, .usage, .incomplete, .noRepository, .locked, .damaged, .interrupted]))

    /// The layout of the backup.
    enum Layout: String, ExpressibleByArgument, CaseIterable { case mobilebackup }

    @Argument(help: SnapshotArgument.help) var snapshot: String
    @OptionGroup var location: RepositoryOptions
    @Option(help: "The layout of the backup: mobilebackup.")
    var layout: Layout = .mobilebackup
    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("Create the backup in this directory; it is created if it does not exist.", valueName: "dir")
    )
    var target: String
    @Option(
        help: ArgumentHelp(
            "Resolve latest among the snapshots of this app; name the app if the snapshot does not.",
            valueName: "identifier"))
    var bundleId: String?
    @Option(help: ArgumentHelp("Set the identifier of the device, which names the directory.", valueName: "identifier"))
    var udid: String?
    @Option(help: ArgumentHelp("Set the name of the device.", valueName: "name"))
    var deviceName: String?
    @Option(help: ArgumentHelp("Set the iOS version of the device, at least 10.2.", valueName: "version"))
    var productVersion: String?
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var shown: RunOptions

    func validate() throws {
        if snapshot.contains(":") {
            throw ValidationError("A backup has the whole container. Name the snapshot without a directory.")
        }
        if let udid, !BackedUpDevice.isIdentifier(udid) {
            throw ValidationError("--udid takes at most 64 letters, digits and hyphens.")
        }
        guard let productVersion else { return }
        let numbers = productVersion.split(separator: ".", omittingEmptySubsequences: false).map { UInt16($0) }
        guard let major = numbers[0], !numbers.contains(nil),
            major > 10 || major == 10 && (numbers.dropFirst().first ?? 0) ?? 0 >= 2
        else { throw ValidationError("--product-version takes numbers and dots, such as 17.5.1; at least 10.2.") }
    }

    func run() throws {
        let repository = try location.open(for: .reading, command: "export")
        try repository.requireOutside(FilePath(target))
        let isKnown =
            try bundleId.map { name in try repository.snapshots().snapshots.contains { $0.bundleIdentifier == name } }
            ?? false
        let choice = try Repository.snapshot(self.snapshot, of: isKnown ? bundleId : nil, in: repository)
        let snapshot = choice.snapshot
        var exporter = try Exporter(snapshot, of: repository, bundleIdentifier: bundleId) { device in
            device.identifier = udid ?? device.identifier
            device.name = deviceName ?? device.name
            device.productVersion = productVersion ?? device.productVersion
        }
        let folder = try Folder(makingIfAbsent: FilePath(target))
        let total = ProgressAmount(items: snapshot.files, bytes: snapshot.bytes)
        let outcome = try shown.showingProgress(of: "file", total, in: output.format) { line in
            exporter.progress = { line.reach(ProgressAmount(items: $0, bytes: $1)) }
            return try exporter.export(into: folder)
        }
        try output.print(outcome, by: shown)
        if outcome.isDamaged || !choice.damaged.isEmpty { throw Failure.damaged }
        if !outcome.isComplete { throw Failure.incomplete }
    }
}
