import ArgumentParser
import CommandLineSupport
import ContainerExplorer

/// `sandboxfm archive show CONTAINER PATH`
struct Archive: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show keyed archives.",
        discussion: CommandHelp.discussion(
            "",
            examples: [
                "sandboxfm archive show CONTAINER Documents/books.archive",
                "sandboxfm archive show CONTAINER Documents/books.archive --json",
            ],
            exits: CommandHelp.reading),
        subcommands: [Show.self])

    /// `sandboxfm archive show CONTAINER PATH`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print a keyed archive as readable text.",
            discussion: CommandHelp.discussion(
                """
                Each object is shown with its class and the keys that it was archived with; the class need not exist. An \
                object that is referenced again is marked by its number, and a reference to an enclosing object as a \
                cycle. JSON lists the objects by number.
                """,
                examples: [
                    "sandboxfm archive show CONTAINER Documents/books.archive",
                    "sandboxfm archive show CONTAINER Documents/books.archive --json",
                ],
                exits: CommandHelp.reading))

        @OptionGroup var container: ContainerOptions
        @Argument(help: "The path of the archive, relative to the container.") var path: String?
        @OptionGroup(title: "Output") var output: OutputOptions
        @OptionGroup(title: "Output") var secrets: SecretOptions

        private var arguments: [String] { get throws { try container.required(["path"], arguments: [path]) } }

        func validate() throws { _ = try arguments }

        func run() throws {
            let path = try arguments[0]
            try container.read {
                try output.print(ArchiveListing(FileContent.file(at: path, in: $0)), secrets: secrets)
            }
        }
    }
}
