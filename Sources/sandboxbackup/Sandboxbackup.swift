import ArgumentParser
import CommandLineSupport
import BackupOperations
import ExternalPrograms
import FileSystem
import Foundation
import TextOutput

/// The entry point of the tool.
@main
struct Sandboxbackup: ParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "sandboxbackup",
        abstract: "Back up the container of an app, with a reason for every included and excluded path.",
        discussion: CommandHelp.discussion(
            """
            CONTAINER is the directory that contains Documents, Library and tmp; it is never changed. A repository is \
            readable by its owner only, but it is not encrypted; for an encrypted backup use create --engine restic.
            """,
            examples: [
                "sandboxbackup plan CONTAINER",
                "sandboxbackup create CONTAINER --repository REPOSITORY",
                "sandboxbackup restore latest --repository REPOSITORY --to DIRECTORY",
            ],
            exits: ExitStatus.allCases),
        version: version,
        subcommands: [
            PlanCommand.self, Create.self, Snapshots.self, List.self, Find.self, History.self, Dump.self, Diff.self,
            Statistics.self, Verify.self, Restore.self, Copy.self, Forget.self, Prune.self, Export.self,
            Import.self,
        ])

    static func main() {
        // Files created from a container are private to their owner; restored files get the modes of the snapshot.
        umask(0o077)
        runTool(Self.self) { arguments in
            let names = configuration.subcommands.flatMap { [$0._commandName] + $0.configuration.aliases }
            if let unknown = UnknownCommand(arguments, known: names) { throw unknown }
        } preparing: { command, _ in
            SignalHandling.install(
                for: "sandboxbackup",
                saying: Self.interruptionNote(for: command),
                waitingFor: {
                    RunCancellation.cancelRun()
                    let remark = RunCancellation.remark
                    if !remark.isEmpty { Failure.note(remark) }
                })
        } reporting: { error, usage in
            Failure.report(error, usage: usage)
        }
    }

    /// The state on disk after an interruption.
    private static func interruptionNote(for command: any ParsableCommand) -> String {
        switch command {
        case is Restore: "The file in progress was removed; files restored before it are complete."
        case is Export: "The incomplete backup was removed."
        default: "Finished snapshots are complete; the next run continues from the stored content."
        }
    }
}
