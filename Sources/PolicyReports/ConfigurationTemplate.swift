public import StoragePolicy
internal import TextOutput

/// A template for a configuration: guessed values are set, all other keys are comments with explanations.
public struct ConfigurationTemplate {
    private let guess: ConfigurationGuess

    /// The configuration with the guessed values.
    public init(_ guess: ConfigurationGuess) { self.guess = guess }

    /// The text of the file.
    public var text: String {
        var text = """
            # Information that sandboxlint cannot read from the disk. Paths are globs relative to the container: `*`
            # matches within a name, `**` across directories. `sandboxlint config show` prints the values and their
            # origin, `sandboxlint explain user-data` explains a key.

            """
        for key in ConfigurationKey.allCases {
            text += "\n" + Self.comment(key.summary)
            switch key {
            case .bundleIdentifier where guess.bundleIdentifier != nil:
                text += "\(key.rawValue): \(guess.bundleIdentifier ?? "")\n"
            case .userData where !guess.userData.isEmpty: text += Self.list(key, guess.userData)
            case .mustExclude where !guess.mustExclude.isEmpty: text += Self.list(key, guess.mustExclude)
            case _ where guess.directories.contains { $0.word == key }: text += "# \(key.rawValue):\n"
            default: text += Self.lines(key.example)
            }
            text += candidates(for: key)
        }
        return text
    }

    /// Returns directories that the verdict suggests for the key, as comments to uncomment.
    private func candidates(for key: ConfigurationKey) -> String {
        guess.directories.filter { $0.word == key }.compactMap { directory in
            guard let glob = directory.glob else { return nil }
            let reason = directory.reason.map { ": \($0)" } ?? ""
            let facts = "\(Quantity.bytes(directory.bytes)) in \(directory.kinds); \(directory.verdict)\(reason)"
            return "#   - \(JSONValue.string(glob).compact)  # \(facts)\n"
        }.joined()
    }

    private static func list(_ key: ConfigurationKey, _ globs: [String]) -> String {
        "\(key.rawValue):\n" + globs.map { "  - \(JSONValue.string($0).compact)\n" }.joined()
    }

    private static func lines(_ example: String) -> String {
        example.split(separator: "\n").map { "# \($0)\n" }.joined()
    }

    /// Returns comment lines of at most 110 columns.
    private static func comment(_ text: String) -> String {
        var lines = ["#"]
        for word in text.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.count + 1 + word.count <= 110 {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append("# " + word)
            }
        }
        return lines.map { $0 + "\n" }.joined()
    }
}
