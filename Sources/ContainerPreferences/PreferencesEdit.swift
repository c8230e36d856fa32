internal import AppContainer
public import Foundation
internal import SystemPackage

/// Changes of preferences that are saved together.
public struct PreferencesEdit: ~Copyable {
    private let container: Container
    private let path: FilePath
    private(set) var values: [String: PreferenceValue]
    private(set) var isChanged = false

    init(_ values: [String: PreferenceValue], container: Container, path: FilePath) {
        self.values = values
        self.container = container
        self.path = path
    }

    /// Returns the stored value of a key with the changes made so far. Does not include registered defaults.
    public func value(forKey key: String) -> PreferenceValue? { values[key] }

    /// Sets a value.
    public mutating func set(_ value: some PreferenceConvertible, forKey key: String) {
        values[key] = value.preferenceValue
        isChanged = true
    }

    /// Sets a URL. A file in the container is stored relative to it.
    ///
    /// - Throws: `unsupported` for a file whose path is not valid text.
    public mutating func set(_ url: URL, forKey key: String) throws(PreferencesError) {
        set(try container.preference(for: url, path: path), forKey: key)
    }

    /// Removes a value, so that the registered default is returned.
    public mutating func removeValue(forKey key: String) {
        if values.removeValue(forKey: key) != nil { isChanged = true }
    }
}
