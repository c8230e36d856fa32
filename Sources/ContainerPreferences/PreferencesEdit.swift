internal import AppContainer
public import Foundation
internal import SystemPackage

/// Several changes of preferences, to be saved together.
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

    /// A key's value as it is kept, with the changes made so far; registered defaults do not show here.
    public func value(forKey key: String) -> PreferenceValue? { values[key] }

    /// Sets a value.
    public mutating func set(_ value: some PreferenceConvertible, forKey key: String) {
        values[key] = value.preferenceValue
        isChanged = true
    }

    /// Sets a URL; one of a file in the container is kept relative to it.
    ///
    /// - Throws: `unsupported` for a file whose path is no text.
    public mutating func set(_ url: URL, forKey key: String) throws(PreferencesError) {
        set(try container.preference(for: url, path: path), forKey: key)
    }

    /// Takes a value away, so that the registered default shows again.
    public mutating func removeValue(forKey key: String) {
        if values.removeValue(forKey: key) != nil { isChanged = true }
    }
}
