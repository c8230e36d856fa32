import ArgumentParser
import BackupOperations
import BackupReports
import BackupRepository
import FileSystem
import Foundation
import TextOutput

/// The tool's entry: arguments in, exit code out.
@main
struct Sandboxbackup: ParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "sandboxbackup",
        abstract: "Backs up an app's container, and says of every path why it is kept or left out.",
        discussion: """
            CONTAINER is the directory that holds Documents, Library and tmp. Nothing in it is changed. A store is \
            readable by its owner only, but it is not encrypted; for an encrypted backup use create --engine restic.

              sandboxbackup plan path/to/container
              sandboxbackup create path/to/container --store path/to/store
              sandboxbackup restore latest --store path/to/store --to path/to/directory

            Exit: 0 done, 1 failed, 2 wrong usage, 3 incomplete (what is missing is named), 10 no store there, \
            11 locked, 12 damage found, 130 interrupted, 143 told to end.
            """,
        version: version,
        subcommands: [
            PlanCommand.self, Create.self, Snapshots.self, Diff.self, Verify.self, Restore.self, Forget.self,
            Prune.self, Export.self, Import.self,
        ])

    static func main() {
        // What is made from a container is its owner's alone; what is restored gets the modes that were kept.
        umask(0o077)
        do {
            let names = configuration.subcommands.map { $0._commandName }
            if let unknown = UnknownCommand(Array(CommandLine.arguments.dropFirst()), known: names) {
                throw unknown
            }
            var command = try parseAsRoot()
            Interruption.arrange(
                for: "sandboxbackup",
                saying: Self.remark(on: command),
                waitingFor: {
                    RunInterruption.endRun()
                    let remark = RunInterruption.remark
                    if !remark.isEmpty { Failure.say("sandboxbackup: \(remark)") }
                })
            try command.run()
            Host.yieldToEnding()
        } catch let code as ExitCode {
            Host.yieldToEnding()
            Self.exit(withError: code)
        } catch {
            Host.yieldToEnding()
            // Help and version are no errors; of the rest the parser's own code would be 64.
            guard exitCode(for: error) == .success else { Failure.end(with: error, text: fullMessage(for: error)) }
            Self.exit(withError: error)
        }
    }

    /// What is on disk when a command has been interrupted.
    private static func remark(on command: any ParsableCommand) -> String {
        switch command {
        case is Restore: "What was being written is gone; what was restored before it is whole."
        case is Export: "Nothing is left of a backup that was not whole."
        default: "What was finished is whole; the next run uses what was stored."
        }
    }
}
