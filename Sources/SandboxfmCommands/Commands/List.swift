import ArgumentParser
import CommandLineSupport
import ContainerExplorer
internal import ContainerTree
internal import StoragePolicy

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
                "sandboxfm ls CONTAINER Documents --class",
            ],
            exits: CommandHelp.reading))

    @OptionGroup var container: ContainerOptions
    @OptionGroup var items: PathArguments
    @Flag(name: .shortAndLong, help: "List directories themselves instead of their content.") var directory = false
    @Flag(
        name: .customLong("class"),
        help: ArgumentHelp(
            "Also print the class of each item, with ! if it is proven.",
            discussion: """
                The classes are those of sandboxlint explain: user-data, app-state, regenerable, temporary, log, system, \
                undecided. The container is linted for them, with the configuration that belongs to it.
                """)) var printsClasses = false
    @Option(help: "Sort by name, size (largest first) or age (newest first).") var sort: Listing.Order = .name
    @Flag(name: .shortAndLong, help: "Reverse the order.") var reverse = false
    @OptionGroup var date: DateOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        try container.readIndex { index in
            let paths = container.following(items.paths)
            let found = try Listing.items(at: paths, in: index, listsDirectories: directory)
            let classes = printsClasses ? try container.classes(of: found, in: index) : nil
            try output.print(
                Listing(
                    found, of: index, sortedBy: sort, isReversed: reverse, classes: classes, now: date.seconds))
            if let unsearched = classes?.unsearched, unsearched > 0 {
                StandardError.printNote("the stores of the app were not searched for the names of \(unsearched) items")
            }
            if let code = Failure.reportFailures(index.failures) { throw code }
        }
    }
}
