import AppContainer
import ArgumentParser
import ContainerBackup
import FileSystem
import SystemPackage
import TextOutput

/// `sandboxbackup create CONTAINER --store DIR`
struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Keep what the plan says in a store, as a snapshot; make the store where there is none.")

    @Argument(help: "An app's container: the directory that holds Documents, Library and tmp.")
    var container: String

    @OptionGroup var place: StoreOptions

    @Option(help: "Whose backup it is to be like: finder (encrypted), finder-unencrypted, or icloud.")
    var view: BackupView = .finder

    @Option(help: ArgumentHelp("Whose container it is, where it does not say.", valueName: "identifier"))
    var bundleId: String?

    @OptionGroup var shown: RunOptions

    func run() throws {
        let container = try Container.open(FilePath(self.container), bundleIdentifier: bundleId)
        let store = try BackupStore(makingAt: FilePath(place.store), command: "create")
        let plan = try Plan(of: container, rules: PlanRules(view: view))
        var maker = SnapshotMaker(container: container, plan: plan, store: store, taken: .now)
        let files = plan.count { $0.decision == .include && $0.kind == .file }
        let total = ProgressAmount(items: files, bytes: plan.sum(of: .include).bytes)
        let outcome = try shown.showing("file", of: total, in: place.format) { line in
            maker.progress = { line.reach(ProgressAmount(items: $0, bytes: $1)) }
            return try maker.make()
        }
        try store.close()
        try place.say(outcome, by: shown)
        if !outcome.snapshot.incidents.isEmpty { throw Failure.incomplete }
    }
}
