package import AppContainer
package import ContainerPreferences
internal import FileSystem
internal import SystemPackage
internal import TextOutput

/// Changes of preferences.
package struct PreferenceChanges {
    private let preferences: Preferences
    private let suite: String?
    private let editor: ContainerEditor

    /// Opens the preferences of an app or suite.
    ///
    /// - Throws: `noIdentifier`, `invalidName`.
    package init(suite: String?, in container: Container) throws(PreferencesError) {
        preferences = try container.preferences(suite: suite)
        self.suite = suite
        editor = ContainerEditor(container)
    }

    /// Changes the file of the preferences. The change is made to a copy, which then replaces the file.
    ///
    /// - Throws: The error of the body and of the save. Nothing has changed.
    func perform(
        _ changes: [ChangeReport.Change], _ body: @escaping (inout PreferencesEdit) throws -> Void
    ) throws -> ChangeReport {
        let name = suite ?? editor.container.bundleIdentifier ?? ""
        let path = FilePath("Library/Preferences").appending(name + ".plist")
        let summary = ChangeReport.Change(.set, path: ByteText.escaped(path.bytes))
        var failure: (any Error)?
        let result = try editor.perform(
            [
                ItemChange(
                    change: summary,
                    work: .rewrite(path) { container in
                        do {
                            try container.preferences(suite: suite).change { edit in try body(&edit) }
                        } catch {
                            failure = error
                            throw error
                        }
                    })
            ], as: .set)
        if let failure { throw failure }
        if let reason = result.changes.first?.failure { throw ExplorerError(.failed, description: reason) }
        var report = ChangeReport(isPlan: false)
        for change in changes { report.add(change) }
        report.undo = result.undo
        return report
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
        let note = old.map {
            PreferenceType($0) == expected ? expected.phrase : "\(expected.phrase), before \(PreferenceType($0).phrase)"
        }
        let change = ChangeReport.Change(.set, path: ByteText.escaped(Array(key.utf8)), note: note ?? expected.phrase)
        guard isPlan else { return try perform([change]) { $0.set(value, forKey: key) } }
        var plan = ChangeReport(isPlan: true)
        plan.make(change) { nil }
        return plan
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
        return try perform(changes) { edit in for key in keys { edit.removeValue(forKey: key) } }
    }
}
