internal import StoragePolicy
package import TextOutput

/// The description of a configuration key.
package struct KeyText {
    private let key: ConfigurationKey

    /// Creates the description of a key, with or without the prefix `config.`; nil for an unknown key.
    package init?(_ word: String) {
        let name = word.hasPrefix("config.") ? String(word.dropFirst(7)) : word
        guard let key = ConfigurationKey(rawValue: name) else { return nil }
        self.key = key
    }

    /// The rule of a key such as `rules.stale-tmp.days`.
    package static func rule(in word: String) -> String? {
        let parts = word.split(separator: ".").drop { $0 == "config" }
        guard parts.count >= 2, ["rules", "budgets"].contains(parts.first) else { return nil }
        return parts.dropFirst().first.map(String.init)
    }

    /// The text: the key, its meaning and an example.
    package func text(style: Style) -> String {
        let example = key.example.split(separator: "\n").map { "  \($0)\n" }.joined()
        return "\(style.bold(key.rawValue))  (\(Configuration.fileName))\n\n  \(key.summary)\n\n\(example)"
    }

    /// The JSON object.
    package var json: String {
        JSONValue.object([
            "key": .string(key.rawValue), "summary": .string(key.summary), "example": .string(key.example),
        ]).indented
    }
}
