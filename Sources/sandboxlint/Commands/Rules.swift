import ArgumentParser
import PolicyReports
import StoragePolicy

/// `sandboxlint rules …`
struct Rules: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "What the rules are.", subcommands: [List.self], defaultSubcommand: List.self)

    /// `sandboxlint rules list`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the rules, a line each.")

        @Option(help: "How to list: text or json.")
        var format: Format = .text

        @Option(help: ArgumentHelp("Rules of your own besides: a folder of YAML files.", valueName: "folder"))
        var rules: String?

        @Option(help: "Colours: auto, always or never.")
        var color: ColorChoice = .auto

        func run() throws {
            let text = RuleText(try Catalogue.all(rules: rules).rules)
            let output = Output()
            switch format {
            case .text: output.write(text.list(style: color.style))
            case .json: text.json(to: output.write)
            }
            output.flush()
        }
    }
}
