import ArgumentParser
import CommandLineSupport
import TextOutput

/// When names are links.
enum LinkChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}

/// The options that say how text looks.
struct StyleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Colours: auto, always or never. NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR and TERM=dumb are heeded.",
            valueName: "when"))
    var color: ColorChoice = .auto

    @Option(
        help: ArgumentHelp(
            """
            Links on the names of rules: auto (on terminals that are known to take them), always (on any) or never. \
            Never where standard output is no terminal.
            """, valueName: "when"))
    var hyperlinks: LinkChoice = .auto

    /// How standard output looks.
    var style: Style {
        let links = hyperlinks == .auto ? Terminal.takesLinks : hyperlinks == .always
        return Style(colored: color.isColored, links: links && Terminal.isShown, columns: Terminal.columns(of: 1))
    }

    /// How a file looks: it is no terminal.
    var fileStyle: Style { Style(colored: color == .always) }
}
