public import Foundation
internal import AppContainer

extension Preferences {
    /// Copies values of `UserDefaults`, such as those of an earlier version of the app or of an app that now shares
    /// them with its extension.
    ///
    ///     try group.preferences().importValues(from: .standard, keys: ["theme", "fontSize"])
    ///
    /// All values are copied in one save. Those of `defaults` remain.
    ///
    /// - Parameters:
    ///   - defaults: The source. Registered defaults and launch arguments are values, too.
    ///   - keys: The keys.
    ///   - overwrite: True to replace values that are already set here.
    /// - Returns: The keys that were set.
    /// - Throws: `unsupported` for a value that a property list cannot contain, and the errors of `change`.
    @discardableResult
    public func importValues(
        from defaults: UserDefaults, keys: [String], overwriting overwrite: Bool = false
    ) throws(PreferencesError) -> Set<String> {
        var found: [String: PreferenceValue] = [:]
        for key in keys {
            guard let object = defaults.object(forKey: key) else { continue }
            let values: [String: PreferenceValue]
            do {
                let list = try PropertyListSerialization.data(
                    fromPropertyList: [key: object], format: .binary, options: 0)
                values = try PreferenceValue.dictionary(reading: [UInt8](list))
            } catch {
                throw PreferencesError(
                    .unsupported, path,
                    "The value of “\(key)” cannot be stored in preferences. Nothing on disk has changed. Leave the key out, "
                        + "and store the value in a file.")
            }
            found.merge(values) { $1 }
        }
        let values = found
        return try change { (edit) throws(PreferencesError) -> Set<String> in
            var changed: Set<String> = []
            for (key, value) in values where try overwrite || edit.value(forKey: key) == nil {
                edit.set(value, forKey: key)
                changed.insert(key)
            }
            return changed
        }
    }
}
