internal import FileSystem
internal import Foundation
package import TextOutput

/// The capabilities of the terminal and the preferences of the environment.
package enum Terminal {
    private static var environment: [String: String] { ProcessInfo.processInfo.environment }

    /// Returns the columns of a descriptor's terminal, or the value of COLUMNS. Nil if it is not a terminal.
    package static func columns(of descriptor: Int32) -> Int? {
        guard Host.isTerminal(descriptor) else { return nil }
        let configured = environment["COLUMNS"].flatMap { Int($0) }.flatMap { (1...10_000).contains($0) ? $0 : nil }
        return configured ?? Host.terminalColumns(descriptor)
    }

    /// True if standard output is a terminal.
    package static var isShown: Bool { Host.isTerminal(1) }

    /// The style without colours, fitted to the terminal.
    package static var plainStyle: Style { Style(colored: false, links: false, columns: columns(of: 1)) }

    /// True if output is coloured. Sources: no-color.org, force-color.org, bixense.com/clicolors.
    package static var isColored: Bool {
        func says(_ name: String) -> Bool { environment[name]?.isEmpty == false }
        if says("NO_COLOR") { return false }
        if says("FORCE_COLOR") || says("CLICOLOR_FORCE") && environment["CLICOLOR_FORCE"] != "0" { return true }
        return Host.isTerminal(1) && environment["TERM"] != "dumb" && environment["CLICOLOR"] != "0"
    }

    /// True for terminals that are known, from their environment variables, to support OSC 8 links. A multiplexer may
    /// pass on the environment but not the link. Source: egmontkob, "Hyperlinks in terminal emulators", and its list of
    /// adopters.
    package static var takesLinks: Bool {
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

/// The choice of coloured output.
package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never

    /// True if output is coloured, depending on the terminal and the environment.
    package var isColored: Bool { self == .auto ? Terminal.isColored : self == .always }

    /// The style with or without colours, of unlimited width.
    package var style: Style { Style(colored: isColored) }
}
