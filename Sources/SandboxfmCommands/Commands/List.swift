import ArgumentParser
import CommandLineSupport
import ContainerExplorer
internal import ContainerTree

extension Listing.Order: ExpressibleByArgument {}

/// `sandboxfm ls CONTAINER [PATH…]`
struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List items with size, backup, location policy, provenance and age.",
        discussion: CommandHelp.discussion(
            """
            The content of a directory is listed, and the items that match a pattern themselves. The size of a directory \
            is the size of its content; a file with several hard links counts once. Narrow terminals show fewer columns.
            """,
            examples: [
                "sandboxfm ls CONTAINER",
                "sandboxfm ls CONTAINER 'Documents/**/*.jpg' --sort size --json",
            ],
            exits: CommandHelp.reading))

    @OptionGroup var container: ContainerOptions
    @OptionGroup var items: PathArguments
    @Flag(name: .shortAndLong, help: "List directories themselves instead of their content.") var directory = false
    @Option(help: "Sort by name, size (largest first) or age (newest first).") var sort: Listing.Order = .name
    @Flag(name: .shortAndLong, help: "Reverse the order.") var reverse = false
    @OptionGroup var date: DateOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        try container.readIndex { index in
            let paths = container.following(items.paths)
            let found = try Listing.items(at: paths, in: index, listsDirectories: directory)
            try output.print(
                Listing(found, of: index, sortedBy: sort, isReversed: reverse, now: date.seconds))
            if let code = Failure.note(index.failures) { throw code }
        }
    }
}
