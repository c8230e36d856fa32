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
        "mount": .note(
            "no file system is mounted; “sandboxbackup ls”, “find” and “dump” look into snapshots, and “restore --to DIRECTORY” "
                + "restores one; a repository of --engine is mounted with the tool itself, as “restic mount” or “borg mount”"
        ),
        "umount": .note("no file system is mounted"),
        "unlock": .note(
            "a lock ends with its process; the error message states the holder, and “--wait” waits for it"),
        "migrate": .note("there is one format; “sandboxbackup copy” writes snapshots into a new repository"),
        "delete": .use("forget"), "remove": .use("forget"), "rm": .use("forget"),
        "clean": .use("prune"), "cleanup": .use("prune"), "gc": .use("prune"), "compact": .use("prune"),
        "compare": .use("diff"), "explain": .use("plan --explain"), "show": .use("plan"), "clone": .use("copy"),
        "lint": .use("sandboxlint lint"), "version": .use("--version"),
    ]

    package static let otherOptions: [String: OtherWord] = [
        "stdin": standardInput, "stdin-filename": standardInput, "stdin-from-command": standardInput,
        "stdin-name": standardInput, "content-from-command": standardInput,
        "retry-lock": .use("--wait"), "lock-wait": .use("--wait"), "timestamp": .use("--time"),
        "repo": .use("--repository"),
        "repository-file": .use("--repository"), "target": .use("--to"), "json": .use("--format json"),
        "log-json": .use("--format jsonl"), "iexclude": .use("--exclude"), "exclude-from": .use("--exclude-file"),
        "exclude-if-present": .use("--exclude-caches-tag"), "exclude-caches": .use("--exclude-caches-tag"),
        "read-data": .note("“sandboxbackup verify” always reads all content"),
        "read-data-subset": .use("--part"), "verify-data": .note("“sandboxbackup verify” always reads all content"),
        "max-repack-size": .note("“prune --max-unused” limits what stays unused instead"),
        "no-lock": .note("readers need no write access, and wait for no other reader"),
        "last": .use("--latest"), "verify": .note("“restore” verifies each byte before it is in place"),
    ]

    /// The answer to options that store standard input.
    private static let standardInput = OtherWord.note(
        "a snapshot has the files of a container; write the output into a file of the container first, or pipe it into “restic "
            + "backup --stdin”")

    package static func failure(_ error: any Error) -> ToolFailure? {
        guard let error = error as? BackupError else { return nil }
        return ToolFailure("\(error)", code: ExitCode(Failure.status(of: error).code))
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
