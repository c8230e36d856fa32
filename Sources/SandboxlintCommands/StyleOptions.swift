import ArgumentParser
import CommandLineSupport
import TextOutput

/// The choice of when rule names are hyperlinks.
enum LinkChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}

/// The options that style text output.
struct StyleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Color the output: on a terminal (auto), always or never.",
            discussion: "auto respects NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR and TERM=dumb.",
            valueName: "when"))
    var color: ColorChoice = .auto

    @Option(
        help: ArgumentHelp(
            "Print rule names as hyperlinks: on terminals known to support them (auto), always or never.",
            valueName: "when"))
    var hyperlinks: LinkChoice = .auto

    /// The style of standard output.
    var style: Style {
        let terminal = Terminal()
        let links = hyperlinks == .always || hyperlinks == .auto && terminal.takesLinks && terminal.isShown
        return Style(colored: color.isColored, links: links, columns: terminal.columns)
    }

    /// The style of a file, which is not a terminal.
    var fileStyle: Style { Style(colored: color == .always) }
}
