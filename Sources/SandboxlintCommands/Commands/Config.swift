import ArgumentParser
import CommandLineSupport
import PolicyReports
import StoragePolicy
import TextOutput

/// `sandboxlint config …`
struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the effective configuration.",
        discussion: """
            Examples:
              sandboxlint config show
              sandboxlint config show path/to/container --format json

            Exit codes: 0 printed, 2 usage or configuration error, 4 internal error.
            """,
        subcommands: [Show.self], defaultSubcommand: Show.self)

    /// `sandboxlint config show [INPUT]`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print each configuration value with the file and line, or the option, that set it.",
            usage: "sandboxlint config show [<options>] [<input>]",
            discussion: """
                Examples:
                  sandboxlint config show
                  sandboxlint config show path/to/container --set rules.stale-tmp.days=14

                Exit codes: 0 printed, 2 usage or configuration error, 4 internal error.
                """)

        @Argument(help: "The container whose configuration is printed. (default: the working directory)")
        var input: String?

        @OptionGroup(title: "Configuration") var options: ConfigurationOptions

        @OptionGroup(title: "Rule Selection") var own: RuleOptions

        @OptionGroup(title: "Output") var printed: FormatOptions

        @OptionGroup(title: "Output") var look: StyleOptions

        func run() throws {
            let configuration = try options.configuration(for: input)
            // Errors in rule settings are detected only together with the rules.
            _ = try Linter(catalogue: try own.catalogue(configuration), configuration: configuration)
            let text = ConfigurationText(configuration)
            let style = look.style
            try Output.show(printed.format, style: style, text: { $0(text.text(style: style)) }, json: text.json)
        }
    }
}
