internal import AppContainer
internal import ContainerPreferences
package import ContainerTree
internal import Foundation
internal import PolicyTexts
internal import Secrets
internal import StoragePolicy
package import TextOutput

/// The preferences of an app in a tree.
package struct PreferenceReport: ExplorerOutput {
    private let values: [(key: String, value: PreferenceValue)]
    /// True to print values without their keys and types.
    private let hasOnlyValues: Bool

    /// Reads all preferences.
    ///
    /// - Parameters:
    ///   - suite: The name of a suite or group. Nil for the app.
    ///   - tree: The tree.
    /// - Throws: `usage` if the identifier is unknown, `wrongContent` for a file that is not a list of preferences.
    package init(suite: String?, of tree: any Tree) throws(ExplorerError) {
        values = try Self.read(suite, tree: tree).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        hasOnlyValues = false
    }

    /// Reads some preferences.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - type: The expected type, or nil for any.
    ///   - suite: The name of a suite or group. Nil for the app.
    ///   - tree: The tree.
    /// - Throws: `notFound` for a key without a value; `wrongContent` for a value of another type; the errors of reading
    ///   all.
    package init(_ keys: [String], as type: PreferenceType?, suite: String?, of tree: any Tree) throws(ExplorerError) {
        let all = try Self.read(suite, tree: tree)
        var found: [(key: String, value: PreferenceValue)] = []
        for key in keys {
            let shown = ByteText.escaped(Array(key.utf8))
            guard let value = all[key] else {
                throw ExplorerError(
                    .notFound, description: "there is no preference “\(shown)”. `sandboxfm prefs list` shows all.")
            }
            let actual = PreferenceType(value)
            if let type, type != actual {
                throw ExplorerError(
                    .wrongContent, description: "the preference “\(shown)” is \(actual.phrase), not \(type.phrase).")
            }
            found.append((key, value))
        }
        values = found
        hasOnlyValues = true
    }

    private static func read(
        _ suite: String?, tree: any Tree
    ) throws(ExplorerError) -> [String: PreferenceValue] {
        guard let name = suite ?? tree.container.bundleIdentifier else {
            throw ExplorerError(
                .usage,
                description:
                    "the identifier of the app, which is the name of its preferences, is unknown. Use --bundle-id.")
        }
        let path = try PathArgument("\(Location.preferences.path)/\(name).plist")
        guard tree.contains(path.bytes) else { return [:] }
        let bytes = try FileContent(path, in: tree).whole(limit: 16 << 20)
        do throws(UnfitForPreferences) { return try PreferenceValue.dictionary(reading: bytes) } catch {
            throw ExplorerError(
                .wrongContent,
                description: "“\(path.shown)” cannot be read as preferences: \(ByteText.printable(error.reason)).")
        }
    }

    package func writeText(in style: Style, to output: (String) -> Void) {
        if hasOnlyValues {
            for (key, value) in values { output(Self.text(of: value, named: key) + "\n") }
            return
        }
        var table = TextTable([.init("TYPE", omission: 1), .init("KEY"), .init("VALUE")])
        for (key, value) in values {
            table.add([
                PreferenceType(value).rawValue, ByteText.escaped(Array(key.utf8)), Self.text(of: value, named: key),
            ])
        }
        if !values.isEmpty { table.write(in: style, to: output) }
    }

    package func write(_ json: inout JSONWriter) {
        json.array("preferences") { json in
            for (key, value) in values {
                json.object { json in
                    json.field("key", key.withoutSecrets)
                    json.field("type", PreferenceType(value).rawValue)
                    json.field("value", json: Self.json(of: value, named: key))
                }
            }
        }
    }

    /// Returns a value in the form in which `set` takes it; a secret as its kind.
    private static func text(of value: PreferenceValue, named name: String) -> String {
        switch value {
        case .boolean(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .real(let value): String(value)
        case .float(let value): String(value)
        case .date(let date): date.ISO8601Format()
        case .data(let data): hexadecimal(data)
        case .string(let text): ByteText.printable(text.withoutSecrets(named: name))
        case .array, .dictionary: ByteText.printable(json(of: value, named: name))
        }
    }

    private static func hexadecimal(_ data: Data) -> String {
        data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Returns a value as JSON. Dates and data are strings; numbers that JSON cannot contain too.
    private static func json(of value: PreferenceValue, named name: String) -> String {
        switch value {
        case .boolean, .integer, .unsigned: text(of: value, named: name)
        case .real(let number): number.isFinite ? String(number) : JSONText.quoted(String(number))
        case .float(let number): number.isFinite ? String(number) : JSONText.quoted(String(number))
        case .string(let text): JSONText.quoted(text.withoutSecrets(named: name))
        case .date, .data: JSONText.quoted(text(of: value, named: name))
        case .array(let members): "[" + members.map { json(of: $0, named: name) }.joined(separator: ",") + "]"
        case .dictionary(let values):
            "{"
                + values.sorted { $0.key < $1.key }.map {
                    JSONText.quoted($0.key.withoutSecrets) + ":" + json(of: $0.value, named: $0.key)
                }
                .joined(separator: ",") + "}"
        }
    }
}
