internal import AppContainer
internal import ContainerLifecycle
internal import ContainerPreferences
internal import Foundation

/// The passcode of an app: it counts attempts, and decides when the app asks again.
struct PasscodeLock {
    static let version = "2.0"
    /// The number of wrong passcodes after which the app waits.
    static let limit = 3

    /// The settings, which the life cycle saves when the app enters the background.
    let settings: RegisteredValue<PasscodeSettings>
    private let preferences: Preferences
    private let savesAtOnce: Bool

    /// Reads the settings, and registers them with the life cycle of the app.
    ///
    /// With `savesAtOnce`, each change is saved at once. Otherwise a change is saved when the app enters the background; it
    /// is lost if the system terminates the app before that.
    init(on device: SimulatedDevice, savesAtOnce: Bool) throws {
        let preferences = try device.container.preferences()
        self.preferences = preferences
        self.savesAtOnce = savesAtOnce
        settings = try device.register("passcode", try preferences.value(for: .passcode)) { settings, _ in
            try Self.save(settings, in: preferences)
        }
    }

    /// Returns true if the app asks for the passcode now.
    func asks(at now: Date) -> Bool {
        let settings = settings.value
        return settings.isEnabled && settings.nextCheck.map { $0 <= now } != false
    }

    /// Changes the settings.
    func change(_ body: @Sendable (inout PasscodeSettings) -> Void) throws {
        let changed = settings.change { settings in
            body(&settings)
            return settings
        }
        if savesAtOnce { try Self.save(changed, in: preferences) }
    }

    /// Records an attempt. After a correct passcode the app asks again after the interval, after the third wrong one it
    /// waits an interval for each wrong one.
    func record(isCorrect: Bool, at now: Date) throws {
        try change { settings in
            settings.attempts = isCorrect ? 0 : settings.attempts + 1
            if isCorrect {
                settings.nextCheck = now + settings.checkInterval
            } else if settings.attempts >= Self.limit {
                settings.nextCheck = now + settings.checkInterval * Double(settings.attempts)
            }
        }
    }

    /// Saves the settings and the version of the app in one save.
    private static func save(_ settings: PasscodeSettings, in preferences: Preferences) throws {
        try preferences.change { edit in
            try edit.set(settings, for: .passcode)
            try edit.set(version, for: .appVersion)
        }
    }
}
