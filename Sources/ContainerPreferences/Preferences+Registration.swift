internal import AppContainer
public import Foundation
internal import FileSystem

/// A value that can be registered as a default: a value that preferences can store, or a URL.
public protocol RegistrablePreference {}

extension URL: RegistrablePreference {}

extension Preferences {
    /// Registers defaults for keys that are not in the file. They are kept in memory by this object. The last
    /// registration of a key is used.
    ///
    /// A URL is converted as `set(_:forKey:durability:)` converts it.
    public func register(defaults: [String: any RegistrablePreference]) {
        let values = defaults.compactMapValues { value -> PreferenceValue? in
            switch value {
            case let value as any PreferenceConvertible: value._preferenceValue
            case let url as URL: registered(url)
            default: nil
            }
        }
        let notifications = state.withLock { state in
            state.registered.merge(values) { $1 }
            return state.notifications(of: values.keys)
        }
        for notify in notifications { notify() }
    }

    private func registered(_ url: URL) -> PreferenceValue {
        // The text of a URL is a URL, too.
        do throws(PreferencesError) { return try container.preference(for: url, path: path) } catch {
            return .string(url.absoluteString)
        }
    }

    /// Registers launch arguments: each pair `-key value`. They take precedence over the values of the file, are kept
    /// in memory by this object, and are never written.
    ///
    ///     preferences.register(launchArguments: CommandLine.arguments)  // reader -volume 7 -nightMode YES
    ///
    /// A typed read converts the text to numbers, Booleans (`YES`, `true`, `1`, `NO`, `false`, `0`), dates (ISO 8601)
    /// and URLs. A value that begins with `(`, `{`, `<` or `"` is read as a property list in the old style or as XML,
    /// as `UserDefaults` does, and is a string if that fails. A value that begins with `-` is only a value if a digit
    /// follows. A repeated key has its last value.
    public func register(launchArguments arguments: [String]) {
        let values = LaunchArguments.values(in: arguments)
        let notifications = state.withLock { state in
            state.arguments.merge(values) { $1 }
            return state.notifications(of: values.keys)
        }
        for notify in notifications { notify() }
    }
}
