import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import ContainerInputs
internal import ContainerTree
import SourceCode
import StoragePolicy
import TextOutput

/// `sandboxfm info CONTAINER PATH…`
struct Info: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print what items are: class, backup, references, findings, source code.",
        discussion: CommandHelp.discussion(
            """
            The class, its reason and the findings are those of sandboxlint explain, with the configuration that belongs to \
            the container. The container is linted for each item; at most \(mostItems) items.
            """,
            examples: [
                "sandboxfm info CONTAINER Documents/letter.txt",
                "sandboxfm info CONTAINER 'Documents/*.jpg' --json",
            ],
            exits: CommandHelp.reading))

    private static let mostItems = 20

    @OptionGroup var container: ContainerOptions
    @Argument(help: "Paths or patterns of items, relative to the container.") var paths: [String] = []
    @Option(
        help: ArgumentHelp(
            """
            Search the source code in this directory (repeatable), or in none, for the lines that write items. (default: \
            the source-root of the configuration, else the git work tree of the configuration or of the working directory)
            """, valueName: "directory"), completion: .directory)
    var sourceRoot: [String] = []
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws { _ = try container.required("paths", arguments: paths) }

    func run() throws {
        let arguments = try container.required("paths", arguments: paths)
        try container.open { found in
            let container = found.container
            let index = try ContainerIndex(of: DirectoryTree(container))
            let items = try index.select(arguments)
            guard items.count <= Self.mostItems else {
                throw ExplorerError(
                    .usage,
                    description:
                        "\(items.count) items match, and at most \(Self.mostItems) are explained at once. Name fewer; "
                        + "`sandboxfm ls --class` prints the classes of many.")
            }
            let linter = try self.container.linter(for: container)
            let code = try code(linter.configuration, besides: [self.container.shownPath(of: found)])
            let facts = try items.map {
                try ItemFacts.make(of: index.path(of: $0), in: container, linter: linter, code: code)
            }
            try output.print(FactsReport(facts))
            for remark in code.remarks { StandardError.printNote(remark) }
            if let code = Failure.reportFailures(index.failures) { throw code }
            if !facts.allSatisfy(\.isComplete) { throw Failure.incomplete }
        }
    }

    private func code(_ configuration: Configuration, besides inputs: [String]) throws -> AppSource {
        if let problem = SourceRoots(sourceRoot, configuration: nil, besides: inputs).problem {
            throw ValidationError(problem)
        }
        let roots = SourceRoots(
            sourceRoot.isEmpty ? configuration.sourceRoots : sourceRoot, configuration: configuration.files.last,
            besides: inputs)
        return AppSource(roots, besides: inputs, threads: 0, sdk: RegisteredWriters.name)
    }
}
