import ArgumentParser
import ContainerExplorer

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
        try Self.print(
            container, paths: items.paths, directory: directory, sort: sort, reverse: reverse, date: date,
            output: output)
    }

    static func print(
        _ container: ContainerOptions, paths: [String], directory: Bool = false, sort: Listing.Order = .name,
        reverse: Bool = false, date: DateOptions, output: OutputOptions
    ) throws {
        let index = try container.index()
        let items = try Listing.items(at: paths, in: index, listsDirectories: directory)
        try output.print(
            Listing(items, of: index, sortedBy: sort, isReversed: reverse, now: date.seconds))
        if let code = Failure.note(index.failures) { throw code }
    }
}
