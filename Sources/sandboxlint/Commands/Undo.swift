import AppContainer
import CommandLineSupport
import ArgumentParser
import PolicyReports
import StoragePolicy
import SystemPackage
import TextOutput

/// `sandboxlint undo INPUT`
struct TakeBack: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take back the last fix of a container: every name, byte, attribute, mode and time is as it was.",
        discussion: """
            What is needed for it lies beside the container, in <container>.sandboxlint-undo, and goes with it.

            Exit: 0 taken back, or nothing to take back; 1 something is left, and named; 3 input missing or locked.
            """)

    @Argument(help: "The container that was fixed.", completion: .directory)
    var input: String

    @Option(help: "How to tell it: text or json.")
    var format: Format = .text

    func run() throws {
        let outcome = try Failure.ofInput { try Undo.undo(try Container.open(FilePath(input))) }
        let text = UndoText(outcome)
        try Output.show(format, text: text.text, json: text.json)
        if !outcome.conflicts.isEmpty { throw Failure.findings }
    }
}
