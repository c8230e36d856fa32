import ArgumentParser
import CommandLineSupport
import ExternalPrograms
import FileSystem
import Foundation
import TextOutput

/// The entry point of the command-line tool.
@main
struct Sandboxlint: ParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "sandboxlint",
        abstract: "Check app containers against Apple's iOS Data Storage Guidelines.",
        discussion: """
            INPUT is an app container: the directory that contains Documents, Library and tmp. sandboxlint reports \
            re-downloadable data that is not excluded from backup (isExcludedFromBackup), user data that is excluded \
            from backup, leftovers, secrets and damaged files. Only `fix` and `undo` modify a container.

            Examples:
              sandboxlint path/to/container
              sandboxlint lint path/to/container --output sarif=out.sarif
              sandboxlint --booted com.example.app
              sandboxlint explain regenerable-in-documents

            Exit codes: 0 no findings, 1 findings, 2 usage or configuration error, 3 input missing or not fully read, \
            4 internal error or report not written; if several apply, the first of 4, 2, 3, 1. An interrupted run \
            (Ctrl-C) exits with 130.
            """,
        version: version,
        subcommands: [
            Lint.self, BaselineCommand.self, Diff.self, Merge.self, Fix.self, UndoCommand.self, Explain.self,
            Rules.self,
            Config.self,
            Initialize.self, Layout.self, Inputs.self,
        ])

    static func main() {
        runTool(Self.self, defaultCommand: Lint.self) { arguments in
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
                saying: command is Fix || command is UndoCommand
                    ? "The next `sandboxlint fix` or `sandboxlint undo` of this container reverts the incomplete fix."
                    : "Incomplete output was deleted and existing files are unchanged; run the command again.",
                waitingFor: RunCancellation.cancelRun)
        } reporting: { error, usage in
            Failure.report(error, usage: usage)
        }
    }
}
