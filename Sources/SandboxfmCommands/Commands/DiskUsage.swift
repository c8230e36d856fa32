import ArgumentParser
import CommandLineSupport
import ContainerExplorer
internal import ContainerTree
import Foundation
import TextOutput

extension Usage.Grouping: ExpressibleByArgument {}

/// `sandboxfm du CONTAINER [PATH…]`
struct DiskUsage: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "du",
        abstract: "Add up sizes by item, location, backup, exclusion, kind or provenance.",
        discussion: CommandHelp.discussion(
            """
            SIZE is the bytes of content of regular files, ON DISK the allocated bytes of all items, with directories. A \
            file with several hard links counts once; as items of a directory, each link counts. The kind of a file is \
            that of its name extension.
            """,
            examples: [
                "sandboxfm du CONTAINER Documents",
                "sandboxfm du CONTAINER --by location --json",
                "sandboxfm du CONTAINER Library --html > usage.html",
                "sandboxfm du CONTAINER --ncdu | ncdu -f -",
            ],
            exits: CommandHelp.reading))

    @OptionGroup var container: ContainerOptions
    @OptionGroup var items: PathArguments
    @Option(help: "Group by item, location, backup, exclusion, kind, provenance or availability.")
    var by: Usage.Grouping = .item
    @Flag(help: "Print a web page with a map of the sizes and the largest files.") var html = false
    @Flag(help: "Print one directory in the export format of ncdu, for `ncdu -f`.") var ncdu = false
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if ncdu, html || output.json || output.format != nil {
            throw ValidationError("--ncdu cannot be combined with --html, --json and --format.")
        }
        if ncdu, by != .item { throw ValidationError("--ncdu prints all items; omit --by.") }
        if html, output.json || output.format != nil {
            throw ValidationError("--html cannot be combined with --json and --format.")
        }
        if html, by != .item { throw ValidationError("--html shows all items; omit --by.") }
    }

    func run() throws { try container.readIndex(printUsage) }

    private func printUsage(_ index: ContainerIndex) throws {
        let paths = container.following(items.paths)
        let roots = try index.select(paths.isEmpty ? [""] : paths)
        if ncdu {
            let export = try NcduExport(of: roots, in: index)
            let stream = Output()
            let now = Int64(Date().timeIntervalSince1970)
            export.write(tool: ("sandboxfm", Sandboxfm.version), now: now) { stream.write($0) }
            try stream.end()
        } else if html {
            let stream = Output()
            UsagePage(of: roots, in: index).write(tool: "sandboxfm \(Sandboxfm.version)", to: stream.write)
            try stream.end()
        } else {
            try output.print(Usage(of: roots, in: index, by: by))
        }
        if let code = Failure.reportFailures(index.failures) { throw code }
    }
}
