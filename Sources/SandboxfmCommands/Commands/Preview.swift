import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import ContainerTree
import Secrets
import TextOutput

/// `sandboxfm preview CONTAINER PATH…`
struct Preview: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview",
        abstract: "Print what items contain in a few lines, whatever their format.",
        discussion: CommandHelp.discussion(
            """
            Texts with their encoding, JSON folded, property lists and keyed archives as trees, tables of databases with \
            their first rows, size and camera of pictures, header of films and sounds, names in directories; of other files \
            the first bytes. A bounded part of each item is read, so that any size takes a moment. Secrets are printed as \
            their kind.
            """,
            examples: [
                "sandboxfm preview CONTAINER Documents/library.sqlite",
                "sandboxfm preview CONTAINER 'Documents/*' --json",
            ],
            exits: CommandHelp.reading))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "Paths or patterns of items, relative to the container.") var paths: [String] = []
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Output") var secrets: SecretOptions

    private var arguments: [String] { get throws { try container.required("paths", arguments: paths) } }

    func validate() throws { _ = try arguments }

    func run() throws {
        try container.read { tree in
            try SecretDisplay.showing(secrets.showSecrets) {
                let found = try ItemPreview.paths(of: arguments, in: tree)
                let columns = output.isJSON ? nil : Terminal().columns
                let previews = found.map { path in
                    (path: path, preview: ItemPreview.make(of: path, in: tree.container, columns: columns))
                }
                try output.print(PreviewReport(previews))
            }
        }
    }
}
