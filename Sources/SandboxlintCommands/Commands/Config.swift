import AppContainer
import ArgumentParser
import CommandLineSupport
import FileSystem
internal import PolicyRecords
import PolicyReports
import StoragePolicy
import SystemPackage
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
            usage: "sandboxlint config show [<options>] [<input>] [<path>]",
            discussion: """
                With the path of an item, only the values that apply to it are printed: the patterns that match it, and the \
                settings of rules with those of the override that decides.

                Examples:
                  sandboxlint config show
                  sandboxlint config show path/to/container tmp/exports/a.bin
                  sandboxlint config show path/to/container --set rules.stale-tmp.days=14

                Exit codes: 0 printed, 2 usage or configuration error, 4 internal error.
                """)

        @Argument(
            help: "The container whose configuration is printed, or an item in it. (default: the working directory)")
        var input: String?

        @Argument(help: "The path of an item, relative to the container.")
        var path: String?

        @OptionGroup(title: "Configuration") var options: ConfigurationOptions

        @OptionGroup(title: "Rule Selection") var own: RuleOptions

        @OptionGroup(title: "Output") var printed: FormatOptions

        @OptionGroup(title: "Output") var look: StyleOptions

        func run() throws {
            let (input, path) = item
            let configuration = try options.configuration(for: input)
            // Errors in rule settings are detected only together with the rules.
            _ = try Linter(catalogue: try own.catalogue(configuration), configuration: configuration)
            let text = ConfigurationText(configuration, at: path.map { Array($0.utf8) })
            let style = look.style
            try Output.show(printed.format, style: style, text: { $0(text.text(style: style)) }, json: text.json)
        }

        /// The container and the path of the item in it. One argument may be both: the path of an item in a container that
        /// records its identifier, or the path of an item in any container.
        private var item: (input: String?, path: String?) {
            func plain(_ path: String) -> String {
                path.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
            }
            guard let input, path == nil else { return (input, path.map(plain)) }
            let whole = FilePath(input)
            var (holder, names) = (whole, [String]())
            while let name = holder.lastComponent, name.kind == .regular {
                holder.removeLastComponent()
                names.insert(name.string, at: 0)
                let above = holder.isEmpty ? "." : holder
                guard let folder = try? Folder(opening: above), Container.recordsIdentifier(folder) else { continue }
                return (above.string, names.joined(separator: "/"))
            }
            let isThere = (try? Folder(opening: whole)) != nil || Baseline.exists(input)
            return isThere || whole.isAbsolute ? (input, nil) : (nil, plain(input))
        }
    }
}
