internal import ContainerPreferences
internal import Foundation

/// The settings of the passcode. They are stored as one value, so that a crash cannot separate the count of attempts from
/// the date of the next check. The passcode itself belongs into the keychain, not into preferences, which are backed up.
struct PasscodeSettings: Codable, Equatable {
    var isEnabled = false
    /// The number of wrong passcodes since the last correct one.
    var attempts = 0
    /// The time without use after which the app asks for the passcode, in seconds.
    var checkInterval: TimeInterval = 60
    /// The date from which the app asks for the passcode. Nil asks at once.
    var nextCheck: Date?
}

extension Preferences.Keys {
    /// The settings of the passcode, as one value.
    static let passcode = Preferences.Key<PasscodeSettings>("passcode", default: PasscodeSettings())
    /// The version of the app that saved them.
    static let appVersion = Preferences.Key<String>("appVersion", default: "1.0")
}
