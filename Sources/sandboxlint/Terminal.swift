import ArgumentParser
import FileSystem
import Foundation
import PolicyReports

/// What the terminal can show, and what its owner asks for.
enum Terminal {
    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// The columns of a descriptor's terminal, or those that COLUMNS says it has; nil where it is none.
    static func columns(of descriptor: Int32) -> Int? {
        guard Host.isTerminal(descriptor) else { return nil }
        let said = environment["COLUMNS"].flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
        return said ?? Host.terminalColumns(descriptor)
    }

    /// Text without colours, made to fit.
    static var plainStyle: Style { Style(colored: false, links: false, columns: columns(of: 1)) }

    /// Sources: no-color.org, force-color.org, bixense.com/clicolors.
    static var isColored: Bool {
        func says(_ name: String) -> Bool { environment[name]?.isEmpty == false }
        if says("NO_COLOR") { return false }
        if says("FORCE_COLOR") || says("CLICOLOR_FORCE") && environment["CLICOLOR_FORCE"] != "0" { return true }
        return Host.isTerminal(1) && environment["TERM"] != "dumb" && environment["CLICOLOR"] != "0"
    }

    /// Terminals that are known to make links of OSC 8 by what they put into the environment. A multiplexer may pass the
    /// environment on and not the link. Source: egmontkob, "Hyperlinks in terminal emulators", and its list of adopters.
    static var takesLinks: Bool {
        let term = environment["TERM"] ?? ""
        if environment["CI"]?.isEmpty == false || ["screen", "tmux", "dumb"].contains(where: term.hasPrefix) {
            return false
        }
        let programs: Set = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Tabby", "Hyper"]
        if programs.contains(environment["TERM_PROGRAM"] ?? "") { return true }
        if ["xterm-kitty", "xterm-ghostty", "alacritty", "foot", "wezterm", "contour"].contains(where: term.hasPrefix) {
            return true
        }
        if let version = environment["VTE_VERSION"].flatMap({ Int($0) }), version >= 5000 { return true }
        return environment["WT_SESSION"] != nil || environment["KONSOLE_VERSION"] != nil
    }
}

/// When text is coloured, or holds links.
enum TerminalChoice: String, ExpressibleByArgument, CaseIterable {
    case auto, always, never
}

/// The options that say how text looks.
struct StyleOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Colours: auto, always or never. NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, CLICOLOR and TERM=dumb are heeded.",
            valueName: "when"))
    var color: TerminalChoice = .auto

    @Option(
        help: ArgumentHelp(
            """
            Links on the names of rules: auto (on terminals that are known to take them), always (on any) or never. \
            Never where standard output is no terminal.
            """, valueName: "when"))
    var hyperlinks: TerminalChoice = .auto

    private var isColored: Bool { color == .auto ? Terminal.isColored : color == .always }

    /// How standard output looks.
    var style: Style {
        let links = hyperlinks == .auto ? Terminal.takesLinks : hyperlinks == .always
        return Style(colored: isColored, links: links && Host.isTerminal(1), columns: Terminal.columns(of: 1))
    }

    /// How a file looks: it is no terminal.
    var fileStyle: Style { Style(colored: color == .always) }
}
