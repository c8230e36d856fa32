import ArgumentParser
import CommandLineSupport
import ContainerExplorer
internal import ContainerTree

/// `sandboxfm tree CONTAINER [PATH…]`
struct TreeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tree",
        abstract: "Show items as a tree, with sizes and what backups exclude.",
        discussion: CommandHelp.discussion(
            "The treatment by backups is shown where it differs from that of the directory.",
            examples: ["sandboxfm tree CONTAINER --depth 2", "sandboxfm tree CONTAINER Documents --json"],
            exits: CommandHelp.reading))

    @OptionGroup var container: ContainerOptions
    @OptionGroup var items: PathArguments
    @Option(help: ArgumentHelp("Show at most this many levels. (default: all)", valueName: "n")) var depth: Int?
    @OptionGroup var date: DateOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if let depth, depth < 0 { throw ValidationError("--depth must not be negative.") }
    }

    func run() throws {
        try container.readIndex { index in
            let paths = container.following(items.paths)
            let roots = try index.select(paths.isEmpty ? [""] : paths)
            try output.print(TreeListing(roots, of: index, depth: depth ?? .max, now: date.seconds))
            if let code = Failure.reportFailures(index.failures) { throw code }
        }
    }
}
