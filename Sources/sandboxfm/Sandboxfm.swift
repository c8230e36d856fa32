import ArgumentParser
import CommandLineSupport
import Foundation

/// The entry point of the tool.
@main
struct Sandboxfm: ParsableCommand {
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
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
            exits: ExitStatus.allCases),
        version: version,
        subcommands: [
            List.self, TreeCommand.self, DiskUsage.self, Cat.self, PathCommand.self, URLCommand.self, New.self,
            MakeDirectory.self, Put.self, Get.self, Copy.self, Move.self, Remove.self, Exclude.self, Include.self,
            PreferencesCommand.self, Archive.self, Database.self, Purge.self, Update.self, Restore.self, State.self,
            Browse.self,
        ])

    static func main() {
        // Files that the tool writes from a container are private to their owner.
        umask(0o077)
        runTool(Self.self, defaultCommand: Browse.self) { arguments in
            guard !arguments.isEmpty else {
                let output = Output()
                output.write(helpMessage() + "\n")
                try output.end()
                throw ExitCode.success
            }
            if let unknown = UnknownCommand(arguments, known: configuration.subcommands.map { $0._commandName }) {
                throw unknown
            }
        } preparing: { _, _ in
            SignalHandling.install(
                for: "sandboxfm",
                saying: "Each file is complete, old or new; run the command again to continue.")
        } reporting: { error, usage in
            Failure.report(error, usage: usage)
        }
    }
}
