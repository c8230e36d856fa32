import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import SystemPackage
import TextOutput

/// `sandboxfm ncdu FILE [PATH]`
struct Ncdu: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ncdu",
        abstract: "Print the sizes in a file that ncdu exported, largest first.",
        discussion: CommandHelp.discussion(
            """
            The columns are those of du. Only the file is read, so that it may be of another computer. du --ncdu writes \
            such a file of a container.
            """,
            examples: ["sandboxfm ncdu backup.ncdu", "sandboxfm ncdu backup.ncdu var/mobile --json"],
            exits: CommandHelp.reading))

    @Argument(help: "A file of ncdu -o, not compressed.", completion: .file()) var file: String
    @Argument(help: "The path of a directory below that of the export. (default: all)") var path: String?
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        let listing = try NcduListing(reading: FilePath(file))
        try output.print(listing.usage(at: path ?? ""))
        for path in listing.unread.prefix(20) {
            StandardError.printNote("“\(ByteText.escaped(path))” was not read by the program that wrote the file")
        }
        if listing.unread.count > 20 { StandardError.printNote("… and \(listing.unread.count - 20) more") }
        if !listing.unread.isEmpty { throw Failure.incomplete }
    }
}
