package import ArgumentParser
package import CommandLineSupport
import ContainerExplorer

/// The file manager.
package struct Sandboxfm: CommandLineTool {
    package static let version = "0.1.0"

    package init() {}

    package static let configuration = CommandConfiguration(
        commandName: "sandboxfm",
        abstract: "List, measure and change the files in an app container.",
        discussion: CommandHelp.discussion(
            """
            CONTAINER is the directory that contains Documents, Library and tmp. Paths are relative to it and cannot lead \
            out of it. In a path, * and ? match within a name, ** also matches slashes, [a-z] matches one character, and \
            \\ quotes the next one; quote patterns for the shell. Without a command, CONTAINER is shown interactively.
            """,
            examples: [
                "sandboxfm ls CONTAINER 'Documents/*.jpg'",
                "sandboxfm du CONTAINER --by exclusion",
                "sandboxfm exclude CONTAINER Documents/Videos",
            ],
            exits: [.done, .failed, .usage, .incomplete, .interrupted, .terminated]),
        version: version,
        subcommands: [
            List.self, FindCommand.self, SearchCommand.self, Info.self, TreeCommand.self, DiskUsage.self, Ncdu.self,
            Cat.self, Preview.self, PathCommand.self, URLCommand.self, New.self,
            MakeDirectory.self, Put.self, Get.self, Copy.self, Move.self, Rename.self, Remove.self, Exclude.self,
            Include.self, Undo.self, PreferencesCommand.self, Archive.self, Database.self, Purge.self, Update.self,
            Restore.self, State.self, Diff.self, Browse.self,
        ])

    package static let defaultCommand: (any ParsableCommand.Type)? = Browse.self

    package static let otherWords: [String: OtherWord] = [
        "list": .use("ls"), "dir": .use("ls"), "stat": .use("info"), "explain": .use("info"), "grep": .use("search"),
        "locate": .use("find"), "usage": .use("du"), "size": .use("du"), "stats": .use("du"), "copy": .use("cp"),
        "move": .use("mv"), "remove": .use("rm"), "delete": .use("rm"), "del": .use("rm"),
        "import": .use("put"), "push": .use("put"), "export": .use("get"), "pull": .use("get"), "create": .use("new"),
        "init": .use("new"), "show": .use("cat"), "read": .use("cat"), "open": .use(["browse", "cat"]),
        "defaults": .use("prefs"), "preferences": .use("prefs"), "plist": .use(["prefs", "archive"]),
        "sqlite": .use("db"), "sql": .use("db"), "clean": .use("purge"), "pwd": .use("path"),
        "compare": .use("diff"), "cmp": .use("diff"), "check": .use("sandboxlint lint"),
        "lint": .use("sandboxlint lint"), "fix": .use("sandboxlint fix"), "backup": .use("sandboxbackup create"),
        "revert": .use("undo"), "history": .use("undo"), "version": .use("--version"),
    ]

    package static func failure(_ error: any Error) -> ToolFailure? {
        guard let error = error as? ExplorerError else { return nil }
        return ToolFailure("\(error)", code: ExitCode((error.code == .usage ? ExitStatus.usage : .failed).code))
    }

    package static func interruptionNote(for command: any ParsableCommand) -> String {
        "Each file is complete, old or new; the next change or `sandboxfm undo` reverts a change that was interrupted."
    }
}
