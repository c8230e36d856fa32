import ArgumentParser
import Foundation
import TextOutput

/// A mistyped subcommand that would otherwise be read as an input or an unexpected argument.
///
/// The word is not an existing path, has no slash, and is at most two edits away from the name of a subcommand.
struct MistypedCommand {
    private let word: String
    private let suggestion: String
    /// The command before the word: `sandboxlint`, or `sandboxlint baseline`.
    private let parent: String

    /// The first mistyped subcommand of a command line whose subcommands come first.
    init?(in arguments: [String]) {
        var parent = ["sandboxlint"]
        var commands = Sandboxlint.configuration.subcommands
        var words = arguments[...]
        while let word = words.first,
            let command = commands.first(where: { $0.configuration.commandName == word })
        {
            parent.append(word)
            commands = command.configuration.subcommands
            words.removeFirst()
        }
        guard let word = words.first else { return nil }
        self.init(word, among: commands, of: parent)
    }

    /// The first input of an implicit `lint`, in a command line that begins with an option.
    init?(takenForAnInputOf command: any ParsableCommand, _ arguments: [String]) {
        guard let lint = command as? Lint, let first = arguments.first, first.hasPrefix("-"), !arguments.contains("--"),
            let input = lint.inputs.paths.first
        else { return nil }
        self.init(input, among: Sandboxlint.configuration.subcommands, of: ["sandboxlint"])
    }

    private init?(_ word: String, among commands: [any ParsableCommand.Type], of parent: [String]) {
        let names = commands.compactMap { $0.configuration.commandName } + (parent.count == 1 ? ["help"] : [])
        guard !word.hasPrefix("-"), !word.contains("/"), !Self.exists(word), !(parent.count == 1 && word == "help"),
            let nearest = NearestName.of(word, among: names, within: 2)
        else { return nil }
        (self.word, suggestion, self.parent) = (word, nearest, parent.joined(separator: " "))
    }

    /// Returns true if an item exists at the path, including a broken link.
    private static func exists(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path)) != nil
    }

    /// Prints the message and returns the exit code.
    func reported() -> ExitCode {
        let advice =
            word == suggestion
            ? "the command must come before its options: “\(parent) \(word) …”."
            : "“\(parent) \(word)” is neither a command nor a file; did you mean “\(parent) \(suggestion)”?"
        Failure.say("sandboxlint: \(advice) For a path, write ./\(word).")
        return Failure.usage
    }
}
