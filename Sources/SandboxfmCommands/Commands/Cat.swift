import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import ContainerTree
import Secrets
import TextOutput

/// `sandboxfm cat CONTAINER PATH…`
struct Cat: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat",
        abstract: "Print the content of files.",
        discussion: CommandHelp.discussion(
            """
            In a pipe, the bytes are printed as they are. On a terminal, control characters are replaced, and a file that \
            is not text is refused. In JSON, a file of at most 16 MiB is text, or base64 if it is not UTF-8.
            """,
            examples: [
                "sandboxfm cat CONTAINER Documents/letter.txt",
                "sandboxfm cat CONTAINER 'Documents/*.pdf' > all.pdf",
            ],
            exits: CommandHelp.reading))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "Paths or patterns of files, relative to the container.") var paths: [String] = []
    @OptionGroup(title: "Output") var output: OutputOptions

    private var arguments: [String] { get throws { try container.required("paths", arguments: paths) } }

    func validate() throws { _ = try arguments }

    // The user asks for the content itself.
    func run() throws { try SecretDisplay.showing(true) { try container.read(write) } }

    private func write(_ tree: any Tree) throws {
        let files = try FileContent.files(at: arguments, in: tree)
        if output.isJSON { return try output.print(FileContent.Texts(files)) }
        let stream = Output()
        for file in files {
            if Terminal().isShown {
                try file.writeText(to: stream.write)
            } else {
                try file.write { stream.write($0) }
            }
        }
        try stream.end()
    }
}
