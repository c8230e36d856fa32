import ArgumentParser
import CommandLineSupport
import ContainerExplorer
internal import ContainerTree
internal import StoragePolicy
import TextOutput

/// `sandboxfm find CONTAINER TERM…`
struct FindCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find",
        abstract: "Find items by name, class, size, age, backup or finding.",
        discussion: CommandHelp.discussion(
            """
            An item must match all terms; quote them for the shell. A word is a part of the name in any case, with *, ? or \
            [ a pattern, with a slash one for the path. Further terms: name:*.jpg, path:Documents/**, class:user-data, \
            size>10M, size<1k, age>30d, age<2h, backup:yes (no, unknown), excluded, finding, finding:error, \
            finding:RULE, kind:file (directory, link). A ! before a term negates it. Terms about classes and findings lint \
            the container, with the configuration that belongs to it.
            """,
            examples: [
                "sandboxfm find CONTAINER '*.jpg' 'size>10M'",
                "sandboxfm find CONTAINER class:user-data backup:no --json",
                "sandboxfm find CONTAINER 'path:tmp/**' 'age>7d' --null | xargs -0 sandboxfm rm CONTAINER -n",
            ],
            exits: CommandHelp.reading))

    @OptionGroup var container: ContainerOptions
    @Argument(help: ArgumentHelp("Terms, all of which must hold.", valueName: "term")) var terms: [String] = []
    @Flag(name: .customLong("class"), help: "Also print the class of each item, with ! if it is proven.")
    var printsClasses = false
    @Option(help: "Sort by name, size (largest first) or age (newest first).") var sort: Listing.Order = .name
    @Flag(name: .shortAndLong, help: "Reverse the order.") var reverse = false
    @Flag(name: [.customShort("0"), .long], help: "Print only paths, each ended by a NUL.") var null = false
    @OptionGroup var date: DateOptions
    @OptionGroup(title: "Output") var output: OutputOptions

    private var query: ItemQuery {
        get throws { try ItemQuery(terms: container.required("term", arguments: terms)) }
    }

    func validate() throws {
        _ = try container.required("term", arguments: terms)
        if null, output.isJSON { throw ValidationError("--null and --json cannot be combined.") }
    }

    func run() throws {
        let query = try query
        try container.readIndex { index in
            let run = try lint(index, for: query)
            let found = query.items(
                in: index, now: date.seconds, classes: run.classes, findings: run.findings?.findings ?? { _ in [] })
            let listing = Listing(
                found, of: index, sortedBy: sort, isReversed: reverse, showsPaths: true,
                classes: printsClasses || query.needsClasses ? run.classes : nil, now: date.seconds)
            if null {
                let stream = Output()
                listing.writePaths(endingIn: 0, to: stream.write)
                try stream.end()
            } else {
                try output.print(listing)
            }
            if let unsearched = run.classes?.unsearched, unsearched > 0 {
                StandardError.printNote("the stores of the app were not searched for the names of \(unsearched) items")
            }
            if run.findings?.isIncomplete ?? false {
                StandardError.printNote("a part of the container could not be linted")
            }
            if let code = Failure.reportFailures(index.failures) { throw code }
            if run.findings?.isIncomplete ?? false { throw Failure.incomplete }
        }
    }

    /// Lints the container, if a term or an option needs it.
    private func lint(
        _ index: ContainerIndex, for query: ItemQuery
    ) throws -> (classes: ItemClasses?, findings: BrowserFindings?) {
        guard query.needsFindings || query.needsClasses || printsClasses else { return (nil, nil) }
        let linter = try container.linter(for: index.container)
        // A rule that does not exist reports nothing.
        for id in query.ruleIDs {
            do { _ = try linter.catalogue.rule(id) } catch { throw ExplorerError(.usage, description: "\(error)") }
        }
        guard query.needsClasses || printsClasses else {
            return (nil, BrowserFindings(try linter.lint(index.container), in: index))
        }
        let (report, classes) = try linter.lintWithClasses(index.container)
        return (classes, BrowserFindings(report, in: index))
    }
}
