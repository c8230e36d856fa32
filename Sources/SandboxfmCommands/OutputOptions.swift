import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import TextOutput

extension ColorChoice: ExpressibleByArgument {}

/// The format of a result.
struct OutputOptions: ParsableArguments {
    /// The format of a result.
    enum Format: String, ExpressibleByArgument, CaseIterable { case text, json }

    @Option(help: "Print text or json (one object). (default: text)")
    var format: Format?
    @Flag(help: "The same as --format json.")
    var json = false
    @Option(
        help: ArgumentHelp(
            "Use colors: auto, always or never. NO_COLOR and FORCE_COLOR are respected.", valueName: "when"))
    var color: ColorChoice = .auto

    func validate() throws {
        if json, format == .text { throw ValidationError("--json and --format text cannot be combined.") }
    }

    /// True if the result is printed as JSON.
    var isJSON: Bool { json || format == .json }

    /// Prints the result of a command.
    func print(_ result: some ExplorerOutput) throws {
        let stream = Output()
        if isJSON {
            var json = JSONWriter(to: stream.write)
            json.object { result.write(&$0) }
            stream.write("\n")
        } else {
            let style = Style(colored: color.isColored, links: false, columns: Terminal().columns)
            result.writeText(in: style, to: stream.write)
        }
        try stream.end()
    }
}
