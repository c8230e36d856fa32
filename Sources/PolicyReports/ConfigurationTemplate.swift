public import StoragePolicy
internal import TextOutput

/// A template for a configuration: the bundle identifier is set. All other keys are comments with explanations, and with
/// suggestions where the evidence decides.
public struct ConfigurationTemplate {
    private let guess: ConfigurationGuess
    private let answers: AnsweredQuestions?

    /// The configuration with the guessed values.
    public init(_ guess: ConfigurationGuess) { self.init(guess, answers: nil) }

    /// The configuration with the guessed values, and with the answers to questions in place of guesses about files.
    package init(_ guess: ConfigurationGuess, answers: AnsweredQuestions?) {
        (self.guess, self.answers) = (guess, answers)
    }

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
            case _ where answers?.lines(for: key).isEmpty == false:
                text += "\(key.rawValue):\n" + (answers?.lines(for: key) ?? []).map { "  \($0)\n" }.joined()
            case _ where !candidates(for: key).isEmpty: text += "# \(key.rawValue):\n" + candidates(for: key)
            default: text += Self.lines(key.example)
            }
        }
        return text + (answers.map(openQuestions) ?? questions)
    }

    /// The questions without an answer, as comments to uncomment under a key.
    private func openQuestions(_ answers: AnsweredQuestions) -> String {
        guard !answers.open.isEmpty else { return "" }
        let words = "`user-data`, `caches` (re-downloadable or regenerable), `app-state` or `temporary`"
        return "\n" + Self.comment("\(AnsweredQuestions.heading) Put each under \(words).")
            + answers.open.map { question in
                "# \(question.summary)\n"
                    + AnsweredQuestions.lines(of: question).map { "#   \($0)\n" }.joined()
            }
            .joined()
    }

    /// The directories of which the evidence does not say what they are, and those that are excluded from backup.
    private var questions: String {
        var lines = guess.directories.filter { $0.word == nil }.compactMap { directory -> String? in
            guard let glob = directory.glob else { return nil }
            let pieces = [directory.reason.map { "; \($0)" }, directory.objection.map { "; but \($0)" }]
            let evidence = pieces.compactMap { $0 }.joined()
            return "#   - \(JSONValue.string(glob).compact)  # \(facts(directory))\(evidence)\n"
        }
        if !lines.isEmpty {
            lines.insert(
                "\n"
                    + Self.comment(
                        "\(AnsweredQuestions.heading) `user-data` if the user made them, `downloaded` if the app can fetch "
                            + "them again."), at: 0)
        }
        lines += list(
            guess.databases,
            question:
                "Databases that no known SDK writes: `user-data` if they hold what the user wrote, `downloaded` if a server has all "
                + "of it.")
        lines += list(
            guess.excluded,
            question:
                "Directories that are excluded from backup: `must-exclude` if the app can fetch or compute their files again; if the "
                + "user made them, the exclusion is a mistake.")
        return lines.joined()
    }

    private func list(_ globs: [String], question: String) -> [String] {
        globs.isEmpty ? [] : ["\n" + Self.comment(question)] + globs.map { "#   - \(JSONValue.string($0).compact)\n" }
    }

    private func facts(_ directory: UndeclaredDirectory) -> String {
        "\(Quantity.bytes(directory.bytes)) in \(directory.kinds); \(directory.verdict)"
    }

    /// Returns directories that the verdict suggests for the key, as comments to uncomment.
    private func candidates(for key: ConfigurationKey) -> String {
        guard answers == nil else { return "" }
        return guess.directories.filter { $0.word == key }.compactMap { directory -> String? in
            guard let glob = directory.glob else { return nil }
            let reason = directory.reason.map { ": \($0)" } ?? ""
            return "#   - \(JSONValue.string(glob).compact)  # \(facts(directory))\(reason)\n"
        }.joined()
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
