import ArgumentParser
import FileSystem
import Foundation
import TextOutput

/// The tool's entry: arguments in, exit code out.
@main
struct Sandboxlint: ParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "sandboxlint",
        abstract: "Checks what an app leaves on disk: what is backed up, what can be lost, what is left over.",
        discussion: """
            INPUT is an app container: the directory that holds Documents, Library and tmp.
            Only `fix` and `undo` change anything in it.

              sandboxlint path/to/container
              sandboxlint lint path/to/container --output sarif=out.sarif --output junit=out.xml
              sandboxlint explain regenerable-in-documents

            Exit: 0 clean, 1 findings, 2 wrong usage, rule or place for a report, 3 input missing or not wholly read, \
            4 internal error or no room for a report; of several the first in the order 4, 2, 3, 1. 130: Ctrl-C.
            """,
        version: version,
        subcommands: [
            Lint.self, BaselineCommand.self, Diff.self, Fix.self, TakeBack.self, Explain.self, Rules.self, Config.self,
            Initialize.self, Layout.self,
        ],
        defaultSubcommand: Lint.self)

    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        do {
            guard !arguments.isEmpty else {
                let output = Output()
                output.write(helpMessage() + "\n")
                try output.end()
                return Host.waitIfTerminating()
            }
            if let mistake = MistypedCommand(in: arguments) { throw mistake.reported() }
            var command = try parseAsRoot()
            if let mistake = MistypedCommand(takenForAnInputOf: command, arguments) { throw mistake.reported() }
            SignalHandling.install(
                for: "sandboxlint",
                saying: command is Fix || command is TakeBack
                    ? "The next `sandboxlint fix` or `undo` of this container takes back what was begun."
                    : "What was being written is gone, what was there before is as it was; run it again.")
            try command.run()
            Host.waitIfTerminating()
        } catch let code as ExitCode {
            Host.waitIfTerminating()
            Self.exit(withError: code)
        } catch {
            // Help and version are no errors; of the rest the parser's own code would be 64.
            guard exitCode(for: error) != .success else { Self.exit(withError: error) }
            let code = Failure.tell(error, text: fullMessage(for: error))
            Host.waitIfTerminating()
            Self.exit(withError: code)
        }
    }
}
