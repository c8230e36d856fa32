internal import FileSystem
internal import Foundation

/// The choice of a progress line.
package enum ProgressChoice: String, CaseIterable, Sendable {
    case auto, always, never

    /// True if standard error is watched, or progress is requested.
    var isWatched: Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: Host.isTerminal(2) && ProcessInfo.processInfo.environment["TERM"] != "dumb"
        }
    }
}
