import ArgumentParser
import CommandLineSupport
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
        runTool(Self.self) { arguments in
            guard !arguments.isEmpty else {
                let output = Output()
                output.write(helpMessage() + "\n")
                try output.end()
                throw ExitCode.success
            }
            if let mistake = MistypedCommand(in: arguments) { throw mistake.reported() }
        } preparing: { command, arguments in
            if let mistake = MistypedCommand(takenForAnInputOf: command, arguments) { throw mistake.reported() }
            SignalHandling.install(
                for: "sandboxlint",
                saying: command is Fix || command is TakeBack
                    ? "The next `sandboxlint fix` or `undo` of this container takes back what was begun."
                    : "What was being written is gone, what was there before is as it was; run it again.")
        } reporting: { error, usage in
            Failure.report(error, usage: usage)
        }
    }
}
