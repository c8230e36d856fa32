import ArgumentParser
import BackupOperations
import BackupReports
import BackupRepository
import FileSystem
import MobileBackup
import SystemPackage
import TextOutput

/// `sandboxbackup export SNAPSHOT --to DIR --store DIR`
struct Export: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Write a snapshot as a backup that other tools read: mobilebackup, Apple's of an iPhone.",
        discussion: """
            The backup is a folder in --to, named for the device. What its layout cannot tell is named, and listed on \
            Sources/BackupOperations/Exchange/LAYOUT.md. A snapshot knows no device: what is not said here of it is made \
            up, and the same whenever the same snapshot is exported. Holes are written as zeros, at most 64 GiB in all.
            """)

    /// What a backup is written as.
    enum Layout: String, ExpressibleByArgument, CaseIterable { case mobilebackup }

    @Argument(help: "The snapshot's number, or latest.")
    var snapshot: String

    @OptionGroup var place: StoreOptions

    @Option(help: "The backup's layout: mobilebackup.")
    var layout: Layout = .mobilebackup

    @Option(
        name: .customLong("to"),
        help: ArgumentHelp("Where the backup's folder is made; made where it is missing.", valueName: "dir"))
    var target: String

    @Option(help: ArgumentHelp("The device's identifier, which names the folder.", valueName: "identifier"))
    var udid: String?

    @Option(help: ArgumentHelp("What its owner calls the device.", valueName: "name"))
    var deviceName: String?

    @Option(help: ArgumentHelp("Its iOS, at least 10.2.", valueName: "version"))
    var productVersion: String?

    @Option(
        help: ArgumentHelp(
            "Which app's snapshot is meant by latest; whose container it is, where the snapshot does not say.",
            valueName: "identifier"))
    var bundleId: String?

    @OptionGroup var shown: RunOptions

    func validate() throws {
        if let udid, !BackedUpDevice.isIdentifier(udid) {
            throw ValidationError("--udid takes at most 64 letters, digits and hyphens.")
        }
        guard let productVersion else { return }
        let numbers = productVersion.split(separator: ".", omittingEmptySubsequences: false).map { UInt16($0) }
        guard let major = numbers[0], !numbers.contains(nil),
            major > 10 || major == 10 && (numbers.dropFirst().first ?? 0) ?? 0 >= 2
        else { throw ValidationError("--product-version takes numbers and full stops, such as 17.5.1; at least 10.2.") }
    }

    func run() throws {
        let store = try place.open(for: .reading, command: "export")
        try store.requireOutside(FilePath(target))
        let isKnown =
            try bundleId.map { name in try store.snapshots().snapshots.contains { $0.bundleIdentifier == name } }
            ?? false
        let choice = try Repository.snapshot(self.snapshot, of: isKnown ? bundleId : nil, in: store)
        let snapshot = choice.snapshot
        var exportation = try Exportation(
            snapshot, of: store, bundleIdentifier: bundleId
        ) { device in
            device.identifier = udid ?? device.identifier
            device.name = deviceName ?? device.name
            device.productVersion = productVersion ?? device.productVersion
        }
        let folder = try Folder(makingIfAbsent: FilePath(target))
        let total = ProgressAmount(items: snapshot.files, bytes: snapshot.bytes)
        let outcome = try shown.showing("file", of: total, in: place.format) { line in
            exportation.progress = { line.reach(ProgressAmount(items: $0, bytes: $1)) }
            return try exportation.run(into: folder)
        }
        try place.say(outcome, by: shown)
        if !outcome.incidents.isEmpty { throw Failure.incomplete }
        if !choice.damaged.isEmpty { throw Failure.damaged }
    }
}
