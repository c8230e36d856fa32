import AppContainer
import ArgumentParser
import BackupOperations
import BackupPlan
import BackupReports
import BackupRepository
import FileSystem
import Foundation
import SystemPackage
import TextOutput

/// `sandboxbackup create CONTAINER --store DIR`
struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Keep what the plan says in a store, as a snapshot; make the store where there is none.",
        discussion: """
            With --engine, restic or borg keeps it in a repository of its own, which must be there, and what it stored \
            is held against the plan. SQLite stores in use go into a second snapshot, each as one state of it.

            A store is readable by its owner only, and it is not encrypted; repositories of restic always are.
            """)

    @OptionGroup var planned: PlanOptions

    @Option(help: ArgumentHelp("The store's directory.", valueName: "dir"))
    var store: String?

    @OptionGroup var engine: EngineOptions

    @OptionGroup var answer: AnswerOptions

    @OptionGroup var shown: RunOptions

    func validate() throws {
        if (store == nil) == (engine.engine == nil) {
            throw ValidationError(
                "Name either a store (--store) or a tool with its repository (--engine, --repository).")
        }
    }

    func run() throws {
        let (container, rules) = (try planned.open(), planned.rules)
        guard let store else { return try runEngine(engine.backup(of: container, rules)) }
        try Self.require(store, isOutside: container)
        let target = try Repository.openOrMake(store, command: "create")
        let plan = try Plan(of: container, rules: rules)
        var maker = SnapshotMaker(container: container, plan: plan, store: target, taken: .now)
        let files = plan.count { $0.decision == .include && $0.kind == .file }
        let total = ProgressAmount(items: files, bytes: plan.sum(of: .include).bytes)
        let outcome = try shown.showing("file", of: total, in: answer.format) { line in
            maker.progress = { line.reach(ProgressAmount(items: $0, bytes: $1)) }
            return try maker.make()
        }
        try target.close()
        try answer.say(outcome, by: shown)
        if !outcome.snapshot.incidents.isEmpty { throw Failure.incomplete }
    }

    private func runEngine(_ backup: EngineBackup) throws {
        var backup = backup
        let outcome: EngineBackup.Outcome
        if backup.kind.tellsProgress {
            outcome = try shown.showing("file", of: nil, in: answer.format) { line in
                backup.progress = { done, all in
                    line.expect(ProgressAmount(items: all.files, bytes: all.bytes))
                    line.reach(ProgressAmount(items: done.files, bytes: done.bytes))
                }
                return try backup.make()
            }
        } else {
            outcome = try backup.make()
        }
        try answer.say(outcome, by: shown)
        if !outcome.incidents.isEmpty || !outcome.leftovers.isEmpty { throw Failure.incomplete }
    }
    /// A backup that lies in what it keeps goes with it, and would keep itself.
    private static func require(_ store: String, isOutside container: Container) throws {
        let place = URL(fileURLWithPath: store, isDirectory: true)
        let parent = place.deletingLastPathComponent().resolvingSymlinksInPath().path
        let outer = FilePath(URL(fileURLWithPath: container.location.string).resolvingSymlinksInPath().path)
        // One that is to be made, or what a link of that name leads to.
        let inner = [
            FilePath(parent).appending(place.lastPathComponent), FilePath(place.resolvingSymlinksInPath().path),
        ]
        guard inner.contains(where: { $0.starts(with: outer) }) else { return }
        throw ValidationError("The store lies in the container that it is to keep. Name a place outside it.")
    }
}
