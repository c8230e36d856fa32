package import FileSystem
package import TextOutput

/// The capabilities of a command's terminal, and the preferences of its environment.
package struct Terminal {
    private let invocation: Invocation
    private var environment: [String: String] { invocation.environment }

    package init(_ invocation: Invocation = .current) { self.invocation = invocation }

    /// Returns the columns of the terminal of a stream, or the value of COLUMNS. Nil if it is not a terminal.
    package func columns(of sink: ByteSink) -> Int? {
        guard sink.isTerminal else { return nil }
        return configuredColumns ?? sink.terminalColumns
    }

    /// The columns of standard output. Nil if it is not a terminal.
    package var columns: Int? { columns(of: invocation.output) }

    /// The value of COLUMNS, if it is a number of columns.
    var configuredColumns: Int? {
        environment["COLUMNS"].flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
    }

    /// True if standard output is a terminal.
    package var isShown: Bool { invocation.output.isTerminal }

    /// The style without colours, fitted to the terminal.
    package var plainStyle: Style { Style(colored: false, links: false, columns: columns) }

    /// True if output is coloured. Sources: no-color.org, force-color.org, bixense.com/clicolors.
    package var isColored: Bool {
        if invocation.hasValue("NO_COLOR") { return false }
        if invocation.hasValue("FORCE_COLOR") { return true }
        if invocation.hasValue("CLICOLOR_FORCE"), environment["CLICOLOR_FORCE"] != "0" { return true }
        return isShown && environment["TERM"] != "dumb" && environment["CLICOLOR"] != "0"
    }

    /// True for terminals that are known, from their environment variables, to support OSC 8 links. A multiplexer may
    /// pass on the environment but not the link. Source: egmontkob, "Hyperlinks in terminal emulators", and its list of
    /// adopters.
    package var takesLinks: Bool {
        let term = environment["TERM"] ?? ""
        if invocation.hasValue("CI") || ["screen", "tmux", "dumb"].contains(where: term.hasPrefix) {
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

/// The choice of coloured output.
package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never

    /// True if output is coloured, depending on the terminal and the environment.
    package var isColored: Bool { self == .auto ? Terminal().isColored : self == .always }

    /// The style with or without colours, of unlimited width.
    package var style: Style { Style(colored: isColored) }
}
