package import ArgumentParser
import BackupRepository
package import CommandLineSupport

/// The backup tool.
package struct Sandboxbackup: CommandLineTool {
    package static let version = "0.1.0"

    package init() {}

    package static let configuration = CommandConfiguration(
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
            exits: [
                .done, .failed, .usage, .incomplete, .noRepository, .locked, .damaged, .interrupted, .terminated,
            ]),
        version: version,
        subcommands: [
            PlanCommand.self, Create.self, Snapshots.self, List.self, Find.self, History.self, Dump.self, Diff.self,
            Statistics.self, Verify.self, Repair.self, Restore.self, Copy.self, Tag.self, Rewrite.self, Forget.self,
            Prune.self, Export.self, Import.self,
        ])

    package static let defaultCommand: (any ParsableCommand.Type)? = nil

    package static let otherWords: [String: OtherWord] = [
        "backup": .use("create"), "save": .use("create"), "snapshot": .use("create"), "init": .use("create"),
        "add": .use("create"), "list": .use(["ls", "snapshots"]), "log": .use(["snapshots", "history"]),
        "versions": .use("history"), "cat": .use("dump"), "open": .use(["ls", "dump"]),
        "info": .use(["snapshots", "stats"]), "status": .use("snapshots"), "search": .use("find"),
        "size": .use("stats"), "du": .use("stats"), "fsck": .use("verify"), "test": .use("verify"),
        "rebuild": .use("repair --rebuild"), "fix": .use("repair"), "scrub": .use("verify"), "extract": .use("restore"),
        "recover": .use("restore"), "undo": .use("restore"), "get": .use(["restore", "dump"]),
        "mount": .use(["ls", "restore"]), "delete": .use("forget"), "remove": .use("forget"), "rm": .use("forget"),
        "clean": .use("prune"), "cleanup": .use("prune"), "gc": .use("prune"), "compact": .use("prune"),
        "compare": .use("diff"), "explain": .use("plan --explain"), "show": .use("plan"), "clone": .use("copy"),
        "lint": .use("sandboxlint lint"), "version": .use("--version"),
    ]

    package static func failure(_ error: any Error) -> ToolFailure? {
        guard let error = error as? BackupError else { return nil }
        return ToolFailure("\(error)", ExitCode(Failure.status(of: error).code))
    }

    /// The state on disk after an interruption.
    package static func interruptionNote(for command: any ParsableCommand) -> String {
        switch command {
        // A restore into a new directory sets its own note.
        case is Restore: "The file in progress was removed; files restored before it are complete."
        case is Export: "The incomplete backup was removed."
        default: "Finished snapshots are complete; the next run continues from the stored content."
        }
    }
}
