import ArgumentParser
import ContainerBackup
import FileSystem
import SystemPackage

/// `sandboxbackup restore SNAPSHOT [PATH…] --to DIR --store DIR`
struct Restore: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Put a snapshot, or the paths named, into a directory, and nothing outside it.")

    @Argument(help: "The snapshot's number, or latest.")
    var snapshot: String

    @Argument(help: "What to restore, with all that lies below it; all where nothing is named.")
    var paths: [String] = []

    @OptionGroup var place: StoreOptions

    @Option(
        name: .customLong("to"), help: ArgumentHelp("The directory; it is made where it is missing.", valueName: "dir"))
    var target: String

    @Flag(help: "Replace files that are there already; without it they stay, and are named.")
    var overwrite = false

    func run() throws {
        let store = try place.open(for: .reading, command: "restore")
        let snapshot = try store.snapshot(named: self.snapshot)
        let folder = try Folder(makingIfAbsent: FilePath(target))
        var restoration = Restoration(snapshot, of: store, into: folder)
        restoration.paths = paths.map { Array($0.utf8) }
        restoration.replacesFiles = overwrite
        let outcome = try restoration.run()
        place.say(outcome)
        if !outcome.incidents.isEmpty { throw Failure.incomplete }
    }
}
