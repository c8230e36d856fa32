import ArgumentParser
import CommandLineSupport
import ContainerExplorer
internal import ContainerTree
import FileSystem
import TextOutput

/// `sandboxfm search CONTAINER TEXT [PATH…]`
struct SearchCommand: ParsableCommand {
    /// As of `grep`.
    private static let nothingFound = ExitStatus(1, meaning: "nothing found, or failed")

    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Find a text or key inside property lists, archives, JSON, databases and texts.",
        discussion: CommandHelp.discussion(
            """
            Each line has the path, the place (the path of keys, the column and row, or the line) and the text around the \
            match. Keys are those of dictionaries and objects, and the names of tables and columns. A password, token or \
            key is found, and its kind is printed in place of it. Files of more than 64 MiB and databases of more than \
            256 MiB are not read, and named; pictures and other binary files are not searched.
            """,
            examples: [
                "sandboxfm search CONTAINER 'example.com/feed'",
                "sandboxfm search CONTAINER password --keys --json",
                "sandboxfm search CONTAINER 6F9619FF-8B86 Documents 'Library/**/*.plist'",
            ],
            exits: [.done, nothingFound, .usage, .incomplete, .interrupted]))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "The text, in any case of letters.") var text: String?
    @OptionGroup var items: PathArguments
    @Flag(help: "Search only keys, tables and columns.") var keys = false
    @Flag(help: "Search only values and lines of texts.") var values = false
    @Flag(name: .shortAndLong, help: "Distinguish upper and lower case.") var caseSensitive = false
    @OptionGroup(title: "Output") var output: OutputOptions

    /// The text and the paths.
    private var arguments: (text: String, paths: [String]) {
        get throws {
            let all = try container.required("text", arguments: [text].compactMap(\.self) + items.paths)
            return (all[0], Array(all.dropFirst()))
        }
    }

    func validate() throws {
        _ = try arguments
        if keys, values { throw ValidationError("--keys and --values cannot be combined.") }
    }

    func run() throws {
        let (text, paths) = try arguments
        var options = ContentSearch.Options()
        options.part = keys ? .keys : values ? .values : .keysAndValues
        options.ignoresCase = !caseSensitive
        let search = try ContentSearch(text: text, options: options)
        try container.readIndex { index in
            let roots = try index.select(paths.isEmpty ? [""] : paths)
            let interruption = Invocation.current.interruption
            var results = SearchResults()
            let summary = search.run(
                in: index.container, index: index, below: roots, isCancelled: { interruption.isRequested }
            ) { results.add($0) }
            try interruption.check()
            results.summary = summary
            try output.print(results)
            for (path, reason) in summary.unread {
                StandardError.printNote("“\(ByteText.escaped(path))” was not searched completely: \(reason)")
            }
            if summary.unreadCount > summary.unread.count {
                StandardError.printNote("\(summary.unreadCount - summary.unread.count) more files were not searched")
            }
            if let code = Failure.reportFailures(index.failures) { throw code }
            if summary.unreadCount > 0 { throw Failure.incomplete }
            if summary.hits == 0 { throw Failure.failed }
        }
    }
}
