import ArgumentParser
import CommandLineSupport
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

        @OptionGroup var look: StyleOptions

        func run() throws {
            let configuration = try options.configuration(for: input)
            // What is wrong with a rule's setting shows only beside the rules.
            _ = try Linter(catalogue: try own.catalogue(configuration), configuration: configuration)
            let text = ConfigurationText(configuration)
            let style = look.style
            try Output.show(format, style: style, text: { $0(text.text(style: style)) }, json: text.json)
        }
    }
}
