internal import FileSystem
internal import Foundation

/// When text is coloured.
package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never

    /// By the terminal and what its owner asks for: no-color.org, force-color.org, TERM=dumb.
    package var style: Style {
        let environment = ProcessInfo.processInfo.environment
        switch self {
        case .always: return Style(colored: true)
        case .never: return Style(colored: false)
        case .auto:
            if environment["NO_COLOR"]?.isEmpty == false { return Style(colored: false) }
            if environment["FORCE_COLOR"]?.isEmpty == false { return Style(colored: true) }
            return Style(colored: environment["TERM"] != "dumb" && Host.isTerminal(1))
        }
    }
}
