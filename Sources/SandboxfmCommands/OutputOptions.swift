import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import Secrets
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

    /// Prints the result of a command; secrets as their kind, unless the user has asked for them.
    func print(_ result: some ExplorerOutput, secrets: SecretOptions) throws {
        try SecretDisplay.showing(secrets.showSecrets) { try print(result) }
    }

    /// Prints the result of a command without secrets.
    func print(_ result: some ExplorerOutput) throws {
        let style = Style(colored: !isJSON && color.isColored, links: false, columns: Terminal().columns)
        let stream = Output(fitted: style)
        if isJSON {
            var json = JSONWriter(to: stream.write)
            json.object { result.write(&$0) }
            stream.write("\n")
        } else {
            result.writeText(in: style, to: stream.write)
        }
        try stream.end()
    }
}

/// The option that shows secrets.
struct SecretOptions: ParsableArguments {
    @Flag(help: "Show passwords, tokens and keys. Without it, only their kind is printed.") var showSecrets = false
}
