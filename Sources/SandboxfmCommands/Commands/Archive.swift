import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import FileSystem
import SystemPackage
import TextOutput

/// `sandboxfm archive show CONTAINER PATH`
struct Archive: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show and compare keyed archives.",
        discussion: CommandHelp.discussion(
            "",
            examples: [
                "sandboxfm archive show CONTAINER Documents/books.archive",
                "sandboxfm archive diff CONTAINER Documents/books.archive Documents/old.archive",
            ],
            exits: CommandHelp.reading),
        subcommands: [Show.self, Difference.self])

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

    /// `sandboxfm archive diff CONTAINER PATH OTHER`
    struct Difference: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Compare two keyed archives or property lists.",
            discussion: CommandHelp.discussion(
                """
                Values are compared by the keys that lead to them: added, removed, changed. The numbers of the objects in an \
                archive do not matter; an object that is referenced again is compared where it appears first.
                """,
                examples: [
                    "sandboxfm archive diff CONTAINER Documents/books.archive Documents/old.archive",
                    "sandboxfm archive diff CONTAINER Library/Preferences/com.example.app.plist --with saved.plist --json",
                ],
                exits: [
                    ExitStatus(0, meaning: "equal"), ExitStatus(1, meaning: "different, or failed with a message"),
                    .usage,
                    .interrupted,
                ]))

        @OptionGroup var container: ContainerOptions
        @Argument(help: "The path of the first file, relative to the container.") var path: String?
        @Argument(help: "The path of the second file, relative to the container.") var other: String?
        @Option(
            name: .customLong("with"),
            help: ArgumentHelp("Compare with this file outside of the container.", valueName: "file"),
            completion: .file()) var outside: String?
        @OptionGroup(title: "Output") var output: OutputOptions
        @OptionGroup(title: "Output") var secrets: SecretOptions

        private var arguments: [String] {
            get throws {
                try container.required(outside == nil ? ["path", "other"] : ["path"], arguments: [path, other])
            }
        }

        func validate() throws { _ = try arguments }

        func run() throws {
            let arguments = try arguments
            try container.read { tree in
                let first = try FileContent.file(at: arguments[0], in: tree)
                let difference: ArchiveDifference
                if let outside {
                    let name = ByteText.escaped(Array(outside.utf8))
                    let bytes: [UInt8]
                    do {
                        bytes = try OpenFile(opening: FilePath(outside)).contents(limit: FileContent.wholeLimit)
                    } catch {
                        throw ExplorerError(
                            .failed, description: "“\(name)” cannot be read: \(error). Nothing was compared.")
                    }
                    difference = try ArchiveDifference((first.whole(), first.shownPath), (bytes, name))
                } else {
                    let second = try FileContent.file(at: arguments[1], in: tree)
                    difference = try ArchiveDifference(
                        (first.whole(), first.shownPath), (second.whole(), second.shownPath))
                }
                try output.print(difference, secrets: secrets)
                if !difference.isEmpty { throw Failure.failed }
            }
        }
    }
}
