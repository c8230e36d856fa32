/// A property whose value is a preference.
///
///     final class Player {
///         @Preference var volume: Int
///         init(_ preferences: Preferences) { _volume = Preference(.volume, in: preferences) }
///     }
///
/// The value is never copied into the property: each access reads or changes the preferences. An error of an access
/// cannot be thrown. A read returns the default of the key instead, and a change is not made; the error is reported to
/// `Preferences.observeErrors` and returned by `Preferences.lastError`. Use the preferences directly to handle errors.
@propertyWrapper
public struct Preference<Value: Sendable>: Sendable {
    /// The key.
    public let key: Preferences.Key<Value>
    /// The preferences.
    public let preferences: Preferences

    /// Creates a property for a key.
    public init(_ key: Preferences.Key<Value>, in preferences: Preferences) {
        self.key = key
        self.preferences = preferences
    }

    /// The value of the preference.
    public var wrappedValue: Value {
        get { preferences[key] }
        nonmutating set {
            do throws(PreferencesError) { try preferences.set(newValue, for: key) } catch { preferences.report(error) }
        }
    }

    /// The key and the preferences, and the changes of the value.
    public var projectedValue: Preference<Value> { self }

    /// The changes of the value, as `Preferences.changes(of:)` returns them.
    public var changes: PreferenceChanges<Value> { preferences.changes(of: key) }
}
