public import AppContainer
public import Foundation
public import SystemPackage

// As in Container+AsyncSave: the same as the calls of these names that wait, for a task. A read asks the kernel whether
// the file has changed, so it waits for the disk too.
extension Preferences {
    // MARK: - Reads

    /// Looks for changes that others have made: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what a read throws.
    @discardableResult
    public func refresh() async throws(PreferencesError) -> Set<String> {
        try await inBackground { preferences throws(PreferencesError) in try preferences.refresh() }
    }

    /// Returns every key's value: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what a read throws.
    public func values() async throws(PreferencesError) -> [String: PreferenceValue] {
        try await inBackground { preferences throws(PreferencesError) in try preferences.values() }
    }

    /// Returns a key's value: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what a read throws.
    public func value(forKey key: String) async throws(PreferencesError) -> PreferenceValue? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.value(forKey: key) }
    }

    /// Returns a text: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what a read throws.
    public func string(forKey key: String) async throws(PreferencesError) -> String? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.string(forKey: key) }
    }

    /// Returns a truth value: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what a read throws.
    public func bool(forKey key: String) async throws(PreferencesError) -> Bool {
        try await inBackground { preferences throws(PreferencesError) in try preferences.bool(forKey: key) }
    }

    /// Returns a whole number: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what a read throws.
    public func integer(forKey key: String) async throws(PreferencesError) -> Int {
        try await inBackground { preferences throws(PreferencesError) in try preferences.integer(forKey: key) }
    }

    /// Returns a number: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what a read throws.
    public func double(forKey key: String) async throws(PreferencesError) -> Double {
        try await inBackground { preferences throws(PreferencesError) in try preferences.double(forKey: key) }
    }

    /// Returns a number in single precision: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what a read throws.
    public func float(forKey key: String) async throws(PreferencesError) -> Float {
        try await inBackground { preferences throws(PreferencesError) in try preferences.float(forKey: key) }
    }

    /// Returns bytes: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what a read throws.
    public func data(forKey key: String) async throws(PreferencesError) -> Data? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.data(forKey: key) }
    }

    /// Returns a point in time: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what a read throws.
    public func date(forKey key: String) async throws(PreferencesError) -> Date? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.date(forKey: key) }
    }

    /// Returns a URL: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what a read throws.
    public func url(forKey key: String) async throws(PreferencesError) -> URL? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.url(forKey: key) }
    }

    /// Returns an array's members: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what a read throws.
    public func array(forKey key: String) async throws(PreferencesError) -> [PreferenceValue]? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.array(forKey: key) }
    }

    /// Returns an array of texts: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what a read throws.
    public func stringArray(forKey key: String) async throws(PreferencesError) -> [String]? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.stringArray(forKey: key) }
    }

    /// Returns a dictionary's values: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what a read throws.
    public func dictionary(forKey key: String) async throws(PreferencesError) -> [String: PreferenceValue]? {
        try await inBackground { preferences throws(PreferencesError) in try preferences.dictionary(forKey: key) }
    }

    // MARK: - Changes

    /// Makes several changes in one save: see the call that waits. `body` runs in the background.
    ///
    /// - Throws: `cancelled`, and what changing throws.
    public func change<Result: Sendable>(
        durability: Durability = .full, waiting timeout: Duration = Preferences.patience,
        _ body: @escaping @Sendable (inout PreferencesEdit) throws(PreferencesError) -> Result
    ) async throws(PreferencesError) -> Result {
        try await inBackground { preferences throws(PreferencesError) in
            try preferences.change(durability: durability, waiting: timeout, body)
        }
    }

    /// Sets a value: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what changing throws.
    nonisolated(nonsending) public func set(
        _ value: some PreferenceConvertible, forKey key: String, durability: Durability = .full
    ) async throws(PreferencesError) {
        let value = value.preferenceValue
        try await inBackground { preferences throws(PreferencesError) in
            try preferences.set(value, forKey: key, durability: durability)
        }
    }

    /// Sets a URL: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what changing throws.
    public func set(
        _ url: URL, forKey key: String, durability: Durability = .full
    ) async throws(PreferencesError) {
        try await inBackground { preferences throws(PreferencesError) in
            try preferences.set(url, forKey: key, durability: durability)
        }
    }

    /// Takes a value away: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what changing throws.
    public func removeValue(forKey key: String, durability: Durability = .full) async throws(PreferencesError) {
        try await inBackground { preferences throws(PreferencesError) in
            try preferences.removeValue(forKey: key, durability: durability)
        }
    }

    // MARK: - Settings and observers

    /// Registers the defaults of an app's settings bundle: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what registering throws.
    @discardableResult
    public func register(
        settingsBundle bundle: FilePath, localization: String? = nil
    ) async throws(PreferencesError) -> [Setting] {
        try await inBackground { preferences throws(PreferencesError) in
            try preferences.register(settingsBundle: bundle, localization: localization)
        }
    }

    /// Registers the defaults of an app's settings bundle at a file URL: see the call that waits.
    ///
    /// - Throws: `cancelled`, and what registering throws.
    @discardableResult
    public func register(
        settingsBundle bundle: URL, localization: String? = nil
    ) async throws(PreferencesError) -> [Setting] {
        try await inBackground { preferences throws(PreferencesError) in
            try preferences.register(settingsBundle: bundle, localization: localization)
        }
    }

    /// Calls `body` with the keys that have changed: see the call that waits.
    public func observe(_ body: @escaping @Sendable (Set<String>) -> Void) async -> PreferencesObservation {
        await Background.always { self.observe(body) }
    }

    private func inBackground<Value: Sendable>(
        _ body: @escaping @Sendable (Preferences) throws(PreferencesError) -> Value
    ) async throws(PreferencesError) -> Value {
        try await Background.run(orThrow: PreferencesError(ContainerError(cancelledAt: path))) {
            () throws(PreferencesError) in try body(self)
        }
    }
}
