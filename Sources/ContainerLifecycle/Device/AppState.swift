/// A state of an app, as UIKit defines it.
///
/// Source: Apple, Managing your app's life cycle; App Programming Guide for iOS, The App Life Cycle.
public enum AppState: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// The app was not launched, or it was terminated.
    case notRunning = "not-running"
    /// The app is in the foreground and receives no events, as between launch and activation or during a call.
    case inactive
    /// The app is in the foreground and receives events.
    case active
    /// The app is not visible and executes code.
    case background
    /// The app is in memory and executes no code. The system may terminate it without notice.
    case suspended

    /// The states that may follow directly. Every running app may be terminated.
    package var successors: [AppState] {
        switch self {
        case .notRunning: [.inactive, .background]
        case .inactive: [.notRunning, .active, .background]
        case .active: [.notRunning, .inactive]
        case .background: [.notRunning, .inactive, .suspended]
        case .suspended: [.notRunning, .background]
        }
    }

    /// Returns true if this state may be followed directly by `state`.
    package func canBecome(_ state: AppState) -> Bool { successors.contains(state) }

    /// The state in words: “not running”.
    public var description: String { self == .notRunning ? "not running" : rawValue }
}
