package import AppContainer
package import ContainerPreferences
internal import TextOutput

/// Changes of preferences.
package struct PreferenceChanges {
    private let preferences: Preferences

    /// Opens the preferences of an app or suite.
    ///
    /// - Throws: `noIdentifier`, `invalidName`.
    package init(suite: String?, in container: Container) throws(PreferencesError) {
        preferences = try container.preferences(suite: suite)
    }

    /// Sets a value.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - text: The value as text.
    ///   - type: The type. Nil for that of the existing value, or a string.
    ///   - isPlan: True to change nothing.
    /// - Returns: The change.
    /// - Throws: `wrongContent` for a text that is not a value of the type; the error of the save.
    package func set(_ key: String, to text: String, as type: PreferenceType?, isPlan: Bool) throws -> ChangeReport {
        let old = try preferences.value(forKey: key)
        let expected = type ?? old.map { PreferenceType($0) } ?? .string
        let value: PreferenceValue
        do throws(ExplorerError) { value = try expected.value(of: text) } catch {
            guard type == nil, old != nil else { throw error }
            throw ExplorerError(
                .wrongContent,
                description: "the preference “\(ByteText.escaped(Array(key.utf8)))” is \(expected.phrase), and "
                    + "\(error.description) --type changes the type.")
        }
        var report = ChangeReport(isPlan: isPlan)
        let note = old.map {
            PreferenceType($0) == expected ? expected.phrase : "\(expected.phrase), before \(PreferenceType($0).phrase)"
        }
        let change = ChangeReport.Change(.set, path: ByteText.escaped(Array(key.utf8)), note: note ?? expected.phrase)
        if isPlan {
            report.make(change) { nil }
        } else {
            try preferences.set(value, forKey: key)
            report.make(change) { nil }
        }
        return report
    }

    /// Deletes values.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - isPlan: True to change nothing.
    ///   - confirm: Receives the plan, and throws if it is not confirmed.
    /// - Returns: The changes.
    /// - Throws: `notFound` for a key without a value; the error of `confirm` and of the save. Nothing has changed.
    package func delete(
        _ keys: [String], isPlan: Bool, confirm: (ChangeReport) throws -> Void
    ) throws -> ChangeReport {
        let values = try preferences.values()
        for key in keys where values[key] == nil {
            throw ExplorerError(
                .notFound,
                description:
                    "there is no preference “\(ByteText.escaped(Array(key.utf8)))”. Nothing on disk has changed. "
                    + "`sandboxfm prefs list` shows all.")
        }
        let changes = keys.map { ChangeReport.Change(.delete, path: ByteText.escaped(Array($0.utf8))) }
        var plan = ChangeReport(isPlan: true)
        for change in changes { plan.make(change) { nil } }
        if isPlan { return plan }
        try confirm(plan)
        try preferences.change { edit in for key in keys { edit.removeValue(forKey: key) } }
        var report = ChangeReport(isPlan: false)
        for change in changes { report.make(change) { nil } }
        return report
    }
}
