package import ArgumentParser
package import CommandLineSupport

/// The linter as a command-line tool.
package struct Sandboxlint: CommandLineTool {
    package static let version = "0.1.0"

    package init() {}

    package static let configuration = CommandConfiguration(
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
              sandboxlint demo

            Exit codes: 0 no findings, 1 findings, 2 usage or configuration error, 3 input missing or not fully read, \
            4 internal error or report not written; if several apply, the first of 4, 2, 3, 1. An interrupted run \
            (Ctrl-C) exits with 130.
            """,
        version: version,
        subcommands: [
            Lint.self, BaselineCommand.self, Diff.self, Merge.self, Trend.self, Fix.self, UndoCommand.self,
            Explain.self,
            Suppress.self,
            Rules.self,
            Config.self,
            Initialize.self, Layout.self, Inputs.self, WrittenBy.self, Demo.self,
        ])

    package static let defaultCommand: (any ParsableCommand.Type)? = Lint.self

    package static let otherWords: [String: OtherWord] = [
        "check": .use("lint"), "scan": .use("lint"), "analyze": .use("lint"), "run": .use("lint"), "test": .use("lint"),
        "stats": .use("lint --statistics"), "statistics": .use("lint --statistics"),
        "summary": .use("lint --statistics"), "version": .use("--version"), "rule": .use("explain"),
        "search": .use("rules list"), "find": .use("rules list"), "linter": .use("rules list"),
        "show": .use(["explain", "config show"]), "revert": .use("undo"), "restore": .use("undo"),
        "compare": .use("diff"), "history": .use("trend"), "ls": .use(["inputs", "sandboxfm ls"]),
        "list": .use(["inputs", "rules list"]),
        "open": .use("sandboxfm browse"), "browse": .use("sandboxfm browse"), "backup": .use("sandboxbackup create"),
        "clean": .note("there is no cache to delete"), "plan": .use("sandboxbackup plan"),
        "ignore": .use(["baseline write", "explain suppressions"]), "accept": .use("baseline write"),
    ]

    /// Reports and baselines have the modes of the user's other files.
    package static let createsPrivateFiles = false

    package static var unexpected: (code: ExitCode, prefix: String, suffix: String) {
        (Failure.ownError, "internal error: ", ". Please report it together with the command line.")
    }

    package static func failure(_ error: any Error) -> ToolFailure? { Failure.failure(error) }

    package static func interruptionNote(for command: any ParsableCommand) -> String {
        if (command as? Lint)?.watched.watch == true { return "Nothing was written." }
        return command is Fix || command is UndoCommand
            ? "The next `sandboxlint fix` or `sandboxlint undo` of this container reverts the incomplete fix."
            : "Incomplete output was deleted and existing files are unchanged; run the command again."
    }

    package static func check(_ command: any ParsableCommand, arguments: [String]) throws {
        // The first input of an implicit `lint` may be a mistyped command that follows an option.
        if let lint = command as? Lint, arguments.first?.hasPrefix("-") == true, !arguments.contains("--"),
            let input = lint.inputs.paths.first, let unknown = UnknownCommand(path: input, of: Self.self)
        {
            throw unknown
        }
    }
}
