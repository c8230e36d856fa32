public import AppContainer
public import Foundation
public import SystemPackage

// Async versions of the blocking calls of the same names. See Container+AsyncSave. A read checks if the file has
// changed, so it uses the disk too.
extension Preferences {
    // MARK: - Reads

    /// Reads changes by other processes. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    @discardableResult
    public func refresh() async throws(PreferencesError) -> Set<String> {
        try await inBackground { preferences throws(PreferencesError) in try preferences.refresh() }
    }

    /// Returns every key's value. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func values() async throws(PreferencesError) -> [String: PreferenceValue] {
        try await inBackground { preferences throws(PreferencesError) in try preferences.values() }
    }

    /// Returns a key's value. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func value(forKey key: String) async throws(PreferencesError) -> PreferenceValue? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.value(forKey: key) }
    }

    /// Returns a string. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func string(forKey key: String) async throws(PreferencesError) -> String? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.string(forKey: key) }
    }

    /// Returns a Boolean. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func bool(forKey key: String) async throws(PreferencesError) -> Bool {
        try await inBackground { preferences throws(PreferencesError) in try preferences.bool(forKey: key) }
    }

    /// Returns an integer. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func integer(forKey key: String) async throws(PreferencesError) -> Int {
        try await inBackground { preferences throws(PreferencesError) in try preferences.integer(forKey: key) }
    }

    /// Returns a number. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func double(forKey key: String) async throws(PreferencesError) -> Double {
        try await inBackground { preferences throws(PreferencesError) in try preferences.double(forKey: key) }
    }

    /// Returns a single-precision number. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func float(forKey key: String) async throws(PreferencesError) -> Float {
        try await inBackground { preferences throws(PreferencesError) in try preferences.float(forKey: key) }
    }

    /// Returns data. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func data(forKey key: String) async throws(PreferencesError) -> Data? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.data(forKey: key) }
    }

    /// Returns a date. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func date(forKey key: String) async throws(PreferencesError) -> Date? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.date(forKey: key) }
    }

    /// Returns a URL. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func url(forKey key: String) async throws(PreferencesError) -> URL? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.url(forKey: key) }
    }

    /// Returns an array. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func array(forKey key: String) async throws(PreferencesError) -> [PreferenceValue]? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.array(forKey: key) }
    }

    /// Returns an array of strings. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func stringArray(forKey key: String) async throws(PreferencesError) -> [String]? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.stringArray(forKey: key) }
    }

    /// Returns a dictionary. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func dictionary(forKey key: String) async throws(PreferencesError) -> [String: PreferenceValue]? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.dictionary(forKey: key) }
    }

    // MARK: - Changes

    /// Makes several changes in one save. See the blocking call of the same name. `body` runs in the background.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func change<Result: Sendable>(
        durability: Durability = .full, waiting timeout: Duration = Preferences.patience,
        _ body: @escaping @Sendable (inout PreferencesEdit) throws(PreferencesError) -> Result
    ) async throws(PreferencesError) -> Result {
        try await inBackground { preferences throws(PreferencesError) in
            try preferences.change(durability: durability, waiting: timeout, body)
        }
    }

    /// Makes several changes in one save. See the blocking call of the same name. `body` runs in the background.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    @_disfavoredOverload
    public func change<Result: Sendable>(
        durability: Durability = .full, waiting timeout: Duration = Preferences.patience,
        _ body: @escaping @Sendable (inout PreferencesEdit) throws -> Result
    ) async throws -> Result {
        try await Background.run(orThrow: PreferencesError(ContainerError(cancelledAt: path)) as any Error) {
            try self.change(durability: durability, waiting: timeout, body)
        }
    }

    /// Sets a value. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    nonisolated(nonsending) public func set(
        _ value: some PreferenceConvertible, forKey key: String, durability: Durability = .full
    ) async throws(PreferencesError) {
        let value = value.preferenceValue
        try await inBackground { preferences throws(PreferencesError) in
            try preferences.set(value, forKey: key, durability: durability)
        }
    }

    /// Sets a URL. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func set(
        _ url: URL, forKey key: String, durability: Durability = .full
    ) async throws(PreferencesError) {
        try await inBackground { preferences throws(PreferencesError) in
            try preferences.set(url, forKey: key, durability: durability)
        }
    }

    /// Removes a value. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func removeValue(forKey key: String, durability: Durability = .full) async throws(PreferencesError) {
        try await inBackground { preferences throws(PreferencesError) in
            try preferences.removeValue(forKey: key, durability: durability)
        }
    }

    // MARK: - Typed reads and changes

    /// Reads changes by other processes. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func synchronize() async throws(PreferencesError) {
        try await inBackground { preferences throws(PreferencesError) in try preferences.synchronize() }
    }

    /// Returns the value of a key. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func value<Value>(for key: Key<Value>) async throws(PreferencesError) -> Value {
        try await inBackground { preferences throws(PreferencesError) in try preferences.value(for: key) }
    }

    /// Returns true if the file contains a value for the key. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func isSet<Value>(_ key: Key<Value>) async throws(PreferencesError) -> Bool {
        try await inBackground { preferences throws(PreferencesError) in try preferences.isSet(key) }
    }

    /// Sets the value of a key. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func set<Value>(
        _ value: Value, for key: Key<Value>, durability: Durability = .full
    ) async throws(PreferencesError) {
        try await inBackground { preferences throws(PreferencesError) in
            try preferences.set(value, for: key, durability: durability)
        }
    }

    /// Removes the value of a key. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func remove<Value>(_ key: Key<Value>, durability: Durability = .full) async throws(PreferencesError) {
        try await inBackground { preferences throws(PreferencesError) in
            try preferences.remove(key, durability: durability)
        }
    }

    /// Removes all values of the file. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    public func removeAll(durability: Durability = .full) async throws(PreferencesError) {
        try await inBackground { preferences throws(PreferencesError) in
            try preferences.removeAll(durability: durability)
        }
    }

    // MARK: - Settings

    /// Registers the defaults of an app's settings bundle. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    @discardableResult
    public func register(
        settingsBundle bundle: FilePath, localization: String? = nil
    ) async throws(PreferencesError) -> [Setting] {
        try await inBackground { preferences throws(PreferencesError) in
            try preferences.register(settingsBundle: bundle, localization: localization)
        }
    }

    /// Registers the defaults of an app's settings bundle at a file URL. See the blocking call of the same name.
    ///
    /// - Throws: `cancelled`, and the errors of the blocking call.
    @discardableResult
    public func register(
        settingsBundle bundle: URL, localization: String? = nil
    ) async throws(PreferencesError) -> [Setting] {
        try await inBackground { preferences throws(PreferencesError) in
            try preferences.register(settingsBundle: bundle, localization: localization)
        }
    }

    private func inBackground<Value: Sendable>(
        _ body: @escaping @Sendable (Preferences) throws(PreferencesError) -> Value
    ) async throws(PreferencesError) -> Value {
        try await Background.run(orThrow: PreferencesError(ContainerError(cancelledAt: path))) {
            () throws(PreferencesError) in try body(self)
        }
    }
}
