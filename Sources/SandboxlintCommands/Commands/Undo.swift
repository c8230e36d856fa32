import AppContainer
import ArgumentParser
import CommandLineSupport
internal import PolicyFixes
import PolicyReports
import StoragePolicy
import SystemPackage
import TextOutput

/// `sandboxlint undo INPUT`
struct UndoCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Revert the last fix: restore names, content, attributes, permissions and dates.",
        discussion: """
            The undo data is stored beside the container, in <container>.sandboxlint-undo, and is deleted after a \
            complete undo.

            Examples:
              sandboxlint undo path/to/container
              sandboxlint undo path/to/container --format json

            Exit codes: 0 reverted, or nothing to revert, 1 some changes could not be reverted, 2 usage error, 3 input \
            missing or locked, 4 internal error.
            """)

    @Argument(help: "The container that was fixed.", completion: .directory)
    var input: String

    @OptionGroup(title: "Output") var printed: FormatOptions

    func run() throws {
        let outcome = try Failure.ofInput { try Undo.undo(try Container.open(FilePath(input))) }
        let text = UndoText(outcome)
        try Output.show(printed.format, text: text.text, json: text.json)
        if !outcome.conflicts.isEmpty { throw Failure.findings }
    }
}
