import AppContainer
import ArgumentParser
import BackupReports
import BackupRepository
import SystemPackage
import TextOutput

/// `sandboxbackup verify --store DIR`
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Read every byte of a store and name all that is not as it was written.")

    @OptionGroup var place: StoreOptions

    @OptionGroup var shown: RunOptions

    @Flag(
        help: ArgumentHelp(
            "Make damaged and missing objects whole where their content is found, then look at all of it again.",
            discussion: "It is looked for among the store's own files and, with --from, in the container."))
    var repair = false

    @Option(
        help: ArgumentHelp(
            "With --repair, a container whose files may still be those that were kept.", valueName: "container"))
    var from: String?

    func validate() throws {
        if from != nil, !repair { throw ValidationError("--from goes with --repair.") }
    }

    func run() throws {
        let damage = try repair ? repaired() : verified()
        if !damage.isEmpty { throw Failure.damaged }
    }

    private func verified() throws -> [Damage] {
        let store = try place.open(for: .reading, command: "verify")
        var verification = Verification(store)
        let outcome = try shown.showing("object", of: nil, in: place.format) { line in
            verification.progress = { line.reach($0, of: $1) }
            return try verification.run()
        }
        try place.say(outcome, by: shown)
        return outcome.damage
    }

    private func repaired() throws -> [Damage] {
        let container = try from.map { try Container.open(FilePath($0)) }
        let store = try place.open(for: .adding, command: "verify --repair")
        var repair = Repair(store)
        repair.container = container
        let outcome = try shown.showing("object", of: nil, in: place.format) { line in
            repair.progress = { line.reach($0, of: $1) }
            return try repair.run()
        }
        try store.close()
        try place.say(outcome, by: shown)
        return outcome.verification.damage
    }
}

extension ProgressLine {
    /// So many items are done of so many.
    fileprivate func reach(_ done: Int, of all: Int) {
        expect(ProgressAmount(items: all))
        reach(ProgressAmount(items: done))
    }
}
