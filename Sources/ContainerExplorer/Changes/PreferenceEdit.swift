package import AppContainer
internal import ContainerPreferences
internal import PropertyLists
internal import TextOutput

/// An edit of preferences as XML text: the text, and the changes that an edited text makes.
///
/// A value that the text has unchanged stays as it is, also where XML cannot represent it exactly: single-precision numbers and
/// fractions of seconds.
package struct PreferenceEdit {
    private let preferences: PreferenceChanges
    private let original: [String: PreferenceValue]
    /// The original values, as they are read from XML.
    private let written: [String: PreferenceValue]
    /// The preferences as an XML property list.
    package let text: String

    /// A change of a value.
    private struct Change {
        let key: String
        /// Nil to delete it.
        let value: PreferenceValue?
    }

    /// Reads preferences.
    ///
    /// - Throws: `wrongContent` if XML cannot represent a value; the error of reading.
    package init(suite: String?, in container: Container) throws {
        preferences = try PreferenceChanges(suite: suite, in: container)
        original = try container.preferences(suite: suite).values()
        do throws(UnfitForPreferences) {
            text = try PreferenceValue.xml(of: original)
            written = try PreferenceValue.dictionary(reading: Array(text.utf8))
        } catch {
            throw ExplorerError(
                .wrongContent,
                description: "the preferences cannot be edited as XML: \(ByteText.printable(error.reason)). They are "
                    + "unchanged. `sandboxfm prefs set` changes single values.")
        }
    }

    /// Returns the problem of an edited text with its line and column; nil for text that can be saved.
    package func problem(of bytes: [UInt8]) -> String? {
        do throws(PropertyListError) { _ = try PropertyListGraph(parsing: bytes) } catch {
            guard bytes.indices.contains(max(0, error.offset - 1)) else { return ByteText.printable("\(error)") }
            let before = bytes[..<min(bytes.count, error.offset)]
            let line = before.count { $0 == UInt8(ascii: "\n") } + 1
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
            let column = String(decoding: before[start...], as: UTF8.self).count + 1
            return "line \(line), column \(column): \(ByteText.printable("\(error)"))"
        }
        do throws(UnfitForPreferences) { _ = try PreferenceValue.dictionary(reading: bytes) } catch {
            return ByteText.printable(error.reason)
        }
        return nil
    }

    /// Saves the changes of an edited text, all of them or none.
    ///
    /// - Parameters:
    ///   - bytes: The text, without a problem.
    ///   - isPlan: True to change nothing.
    /// - Returns: The changes.
    /// - Throws: `refused` if another process has changed one of the same values since they were read; the error of the save.
    ///   Nothing has changed.
    package func save(_ bytes: [UInt8], isPlan: Bool) throws -> ChangeReport {
        let edits = try changes(in: bytes)
        let shown = edits.map { edit in
            ChangeReport.Change(
                edit.value == nil ? .delete : .set, path: ByteText.escaped(Array(edit.key.utf8)),
                note: edit.value.map { note($0, before: original[edit.key]) })
        }
        guard !isPlan, !edits.isEmpty else {
            var report = ChangeReport(isPlan: isPlan)
            for change in shown { report.make(change) { nil } }
            return report
        }
        return try preferences.perform(shown) { [original] file in
            let foreign = edits.filter { file.value(forKey: $0.key) != original[$0.key] }
            guard foreign.isEmpty else {
                let names = foreign.prefix(5).map { "“\(ByteText.escaped(Array($0.key.utf8)))”" }
                throw ExplorerError(
                    .refused,
                    description:
                        "\(names.joined(separator: ", ")) \(foreign.count == 1 ? "was" : "were") changed by "
                        + "another process during the edit. Nothing on disk has changed.")
            }
            for edit in edits {
                if let value = edit.value {
                    file.set(value, forKey: edit.key)
                } else {
                    file.removeValue(forKey: edit.key)
                }
            }
        }
    }

    private func note(_ value: PreferenceValue, before old: PreferenceValue?) -> String {
        let type = PreferenceType(value)
        return old.map {
            PreferenceType($0) == type ? type.phrase : "\(type.phrase), before \(PreferenceType($0).phrase)"
        }
            ?? type.phrase
    }

    /// Returns the changes of a text, sorted by key.
    private func changes(in bytes: [UInt8]) throws(ExplorerError) -> [Change] {
        let edited: [String: PreferenceValue]
        do throws(UnfitForPreferences) { edited = try PreferenceValue.dictionary(reading: bytes) } catch {
            throw ExplorerError(
                .wrongContent,
                description:
                    "the edited text cannot be read: \(ByteText.printable(error.reason)). Nothing on disk has changed."
            )
        }
        var changes: [Change] = []
        for (key, value) in edited {
            guard let old = written[key], let first = original[key] else {
                changes.append(Change(key: key, value: value))
                continue
            }
            if value != old {
                changes.append(Change(key: key, value: Self.merged(value, written: old, original: first)))
            }
        }
        changes += written.keys.filter { edited[$0] == nil }.map { Change(key: $0, value: nil) }
        return changes.sorted { $0.key < $1.key }
    }

    /// Returns an edited value with the original parts where the edit has not changed them. At most 400 levels deep, as both
    /// values were read.
    private static func merged(
        _ edited: PreferenceValue, written: PreferenceValue, original: PreferenceValue
    ) -> PreferenceValue {
        if edited == written { return original }
        switch (edited, written, original) {
        case (.dictionary(let edited), .dictionary(let written), .dictionary(let original)):
            return .dictionary(
                Dictionary(
                    uniqueKeysWithValues: edited.map { key, value in
                        guard let old = written[key], let first = original[key] else { return (key, value) }
                        return (key, merged(value, written: old, original: first))
                    }))
        case (.array(let edited), .array(let written), .array(let original))
        where edited.count == written.count && written.count == original.count:
            return .array(edited.indices.map { merged(edited[$0], written: written[$0], original: original[$0]) })
        default: return edited
        }
    }
}
