import ArgumentParser
import ContainerBackup

/// `sandboxbackup verify --store DIR`
struct Verify: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Read every byte of a store and name all that is not as it was written.")

    @OptionGroup var place: StoreOptions

    func run() throws {
        let store = try place.open(for: .reading, command: "verify")
        let outcome = try Verification(store).run()
        place.say(outcome)
        if !outcome.damage.isEmpty { throw Failure.damaged }
    }
}
