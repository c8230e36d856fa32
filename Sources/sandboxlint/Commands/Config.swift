import ArgumentParser
import PolicyReports
import StoragePolicy
import TextOutput

/// `sandboxlint config …`
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "What the configuration says.", subcommands: [Show.self], defaultSubcommand: Show.self)

    /// `sandboxlint config show [INPUT]`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show each value of the configuration, and the file and line or the option that set it.")

        @Argument(help: "The container whose configuration it is; without one, the working directory's.")
        var input: String?

        @OptionGroup var options: ConfigurationOptions

        @OptionGroup var own: RuleOptions

        @Option(help: "How to show it: text or json.")
        var format: Format = .text

        @Option(help: "Colours: auto, always or never.")
        var color: ColorChoice = .auto

        func run() throws {
            let configuration = try options.configuration(for: input)
            // What is wrong with a rule's setting shows only beside the rules.
            _ = try Linter(catalogue: try own.catalogue(configuration), configuration: configuration)
            let text = ConfigurationText(configuration)
            let output = Output()
            switch format {
            case .text: output.write(text.text(style: color.style))
            case .json: text.json(to: output.write)
            }
            output.flush()
        }
    }
}
