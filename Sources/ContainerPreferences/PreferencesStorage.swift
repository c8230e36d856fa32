internal import AppContainer
internal import FileSystem

/// The storage of preferences: the file in a container, or `UserDefaults`.
protocol PreferencesStorage: Sendable {
    /// The strongest durability that a write can reach.
    var durabilityLimit: Durability { get }
    /// True if processes that change the preferences lock the directory.
    var isLocked: Bool { get }

    /// Returns the values, or nil if they have not changed since `last`.
    func read(
        unless last: PreferencesFile.Reading?
    ) throws(PreferencesError) -> (PreferencesFile.Reading, [String: PreferenceValue])?

    /// Stores `values` in place of `old`, which were read before.
    func write(
        _ values: [String: PreferenceValue], replacing old: [String: PreferenceValue], durability: Durability
    ) throws(PreferencesError)

    /// Starts to watch for changes. Returns nil if the system allows no further watches.
    func watch(onChange: @escaping @Sendable () -> Void) -> (any PreferencesWatch)?
}

/// A watch on the storage, which ends with the object.
protocol PreferencesWatch: AnyObject, Sendable {
    /// False if some changes may not be reported.
    var isComplete: Bool { get }
}

extension FileWatch: PreferencesWatch {}
