import ArgumentParser
import Foundation
import StoragePolicy

/// A word that is taken for an input, or for an unexpected argument, although a subcommand was meant.
///
/// It is no existing path, has no slash, and at most two edits turn it into the name of a subcommand.
struct MistypedCommand {
    private let word: String
    private let suggestion: String
    /// The words before it: `sandboxlint`, or `sandboxlint baseline`.
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

    /// The first input of a lint that no subcommand asked for, of a command line that begins with an option.
    init?(takenForAnInputOf command: any ParsableCommand, _ arguments: [String]) {
        guard let lint = command as? Lint, let first = arguments.first, first.hasPrefix("-"), !arguments.contains("--"),
            let input = lint.input.first
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

    /// Returns true if anything has the path, also a link that leads nowhere.
    private static func exists(_ path: String) -> Bool {
        (try? FileManager.default.attributesOfItem(atPath: path)) != nil
    }

    /// Prints the message and returns the exit code.
    func reported() -> ExitCode {
        let advice =
            word == suggestion
            ? "the command comes before its options: “\(parent) \(word) …”."
            : "there is no command “\(parent) \(word)”, and no file of that name; did you mean “\(parent) \(suggestion)”?"
        Failure.say("sandboxlint: \(advice) Write ./\(word) if a path is meant.")
        return Failure.usage
    }
}
