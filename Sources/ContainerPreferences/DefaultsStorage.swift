internal import AppContainer
internal import FileSystem
internal import Foundation
internal import SystemPackage

/// Preferences that `UserDefaults` stores. On Apple's systems a daemon caches the preferences of a process, and writes
/// their file later. A change in the file would be lost.
///
/// Values are passed as binary property lists, so that types and limits are those of the file.
struct DefaultsStorage: PreferencesStorage {
    /// The name of the domain: the identifier of the app, a suite or a group.
    let domain: String
    /// True for the domain of the app, which `UserDefaults.standard` changes.
    let isStandard: Bool
    /// True if other processes may change the domain, as in the container of a group. `UserDefaults` reports only the
    /// changes by this process.
    let isShared: Bool
    /// The path for error messages.
    let path: FilePath

    /// A daemon flushes changes to disk some time after the call.
    var durabilityLimit: Durability { .none }
    var isLocked: Bool { false }

    private func defaults() throws(PreferencesError) -> UserDefaults {
        if isStandard { return .standard }
        guard let defaults = UserDefaults(suiteName: domain) else {
            throw PreferencesError(
                .invalidName, path,
                "“\(domain)” is not a valid name for a suite. Use an identifier such as group.com.example.")
        }
        return defaults
    }

    func read(
        unless last: PreferencesFile.Reading?
    ) throws(PreferencesError) -> (PreferencesFile.Reading, [String: PreferenceValue])? {
        guard let values = try defaults().persistentDomain(forName: domain), !values.isEmpty else {
            return (PreferencesFile.Reading(), [:])
        }
        let bytes: Data
        do {
            bytes = try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
        } catch {
            throw .damaged(path, reason: "UserDefaults has a value that is not a property list")
        }
        do throws(UnfitForPreferences) {
            return (PreferencesFile.Reading(), try PreferenceValue.dictionary(reading: Array(bytes)))
        } catch { throw .damaged(path, reason: error.reason) }
    }

    func write(
        _ values: [String: PreferenceValue], replacing old: [String: PreferenceValue], durability: Durability
    ) throws(PreferencesError) {
        // The limits are those of the file.
        _ = try PreferencesFile.bytes(of: values, path)
        let changed = values.filter { key, value in
            guard let previous = old[key] else { return true }
            return !PreferenceValue.areIdentical([key: previous], [key: value])
        }
        let bytes = try PreferencesFile.bytes(of: changed, path)
        let list = try? PropertyListSerialization.propertyList(from: Data(bytes), format: nil)
        guard let list = list as? [String: Any] else {
            throw PreferencesError(
                .unsupported, path, "The values for “\(path)” cannot be passed to UserDefaults. Nothing has changed.")
        }
        let defaults = try defaults()
        // Other keys may have been changed by other code in the meantime, so the domain is not replaced as a whole.
        for key in old.keys where values[key] == nil { defaults.removeObject(forKey: key) }
        for (key, value) in list { defaults.set(value, forKey: key) }
        if durability != .none { _ = defaults.synchronize() }
    }

    func watch(onChange: @escaping @Sendable () -> Void) -> (any PreferencesWatch)? {
        DefaultsWatch(isComplete: !isShared, onChange: onChange)
    }
}

/// An observation of all changes that this process makes with `UserDefaults`, and of those made in Settings.
private final class DefaultsWatch: PreferencesWatch {
    let isComplete: Bool
    private let observer: LockedValue<any NSObjectProtocol>

    init(isComplete: Bool, onChange: @escaping @Sendable () -> Void) {
        self.isComplete = isComplete
        observer = LockedValue(
            NotificationCenter.default.addObserver(
                forName: UserDefaults.didChangeNotification, object: nil, queue: nil
            ) { _ in onChange() })
    }

    deinit { observer.withLock { NotificationCenter.default.removeObserver($0) } }
}
