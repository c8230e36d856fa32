internal import FileSystem
internal import Foundation

/// When a line tells how far a run has come.
package enum ProgressChoice: String, CaseIterable, Sendable {
    case auto, always, never

    /// Whether a person watches standard error, or is said to.
    var isWatched: Bool {
        switch self {
        case .always: true
        case .never: false
        case .auto: Host.isTerminal(2) && ProcessInfo.processInfo.environment["TERM"] != "dumb"
        }
    }
}
