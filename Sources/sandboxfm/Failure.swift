import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import FileSystem
import Foundation
import TextOutput

/// The exit codes of the tool.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case failed = 1
    case usage = 2
    case incomplete = 3
    case interrupted = 130
    case terminated = 143

    var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed"
        case .usage: "usage error"
        case .incomplete: "incomplete (the output lists what is missing)"
        case .interrupted: "interrupted"
        case .terminated: "terminated"
        }
    }
}

/// The text below the options in the help of a command.
enum CommandHelp {
    /// The exit codes of a command that reads.
    static let reading: [ExitStatus] = [.done, .failed, .usage, .incomplete, .interrupted]
    /// The exit codes of a command that changes one item after the other.
    static let changing: [ExitStatus] = [.done, .failed, .usage, .interrupted]

    /// Returns notes, then examples, then exit codes.
    static func discussion(_ notes: String, examples: [String], exits: [ExitStatus]) -> String {
        let examples = examples.map { "  " + $0 }.joined(separator: "\n")
        let exits = exits.map { "\($0.rawValue) \($0.meaning)" }.joined(separator: ", ")
        return (notes.isEmpty ? "" : notes + "\n\n") + "Examples:\n\(examples)\n\nExit codes: \(exits)."
    }
}

/// Error reporting and exit codes.
enum Failure {
    static let failed = ExitCode(ExitStatus.failed.rawValue)
    static let incomplete = ExitCode(ExitStatus.incomplete.rawValue)

    /// Prints an error on standard error and returns its exit code.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - usage: The parser's message for a usage error; nil for others.
    /// - Returns: The exit code.
    static func report(_ error: any Error, usage: String?) -> ExitCode {
        let isUnknown = error is UnknownCommand
        let message = isUnknown ? nil : usage.map(LineBreaks.escapedInArguments)
        StandardError.say(message ?? "sandboxfm: \(LineBreaks.escaped("\(error)"))")
        let isUsage = usage != nil || isUnknown || (error as? ExplorerError)?.code == .usage
        return ExitCode((isUsage ? ExitStatus.usage : .failed).rawValue)
    }

    /// Prints a note on standard error.
    static func note(_ text: String) { StandardError.say("sandboxfm: \(LineBreaks.escaped(text))") }

    /// Prints the items that could not be read. Returns the exit code of an incomplete run, or nil without failures.
    static func note(_ failures: [WalkFailure]) -> ExitCode? {
        for failure in failures {
            let path = failure.path.isEmpty ? "the container" : "“\(ByteText.escaped(failure.path))”"
            note("\(path) was not read: \(failure.reason)")
        }
        return failures.isEmpty ? nil : incomplete
    }
}

/// A first argument that is neither a command nor an existing path, with a suggestion.
struct UnknownCommand: Error, CustomStringConvertible {
    private let name: String
    private let suggestion: String

    /// Commands of other file managers and their equivalents here.
    private static let synonyms = [
        "list": "ls", "dir": "ls", "find": "ls", "stat": "ls", "usage": "du", "ncdu": "du", "size": "du", "copy": "cp",
        "move": "mv", "rename": "mv", "remove": "rm", "delete": "rm", "del": "rm", "import": "put", "push": "put",
        "export": "get", "pull": "get", "create": "new", "init": "new", "show": "cat", "read": "cat",
        "defaults": "prefs",
        "preferences": "prefs", "plist": "archive", "sqlite": "db", "sql": "db", "clean": "purge", "pwd": "path",
    ]

    /// Returns nil if the arguments begin with a command, an option or an existing path, or if the word does not
    /// resemble a command.
    init?(_ arguments: [String], known: [String]) {
        guard let name = arguments.first, !name.hasPrefix("-"), name != "help", !known.contains(name),
            !name.contains("/"), (try? FileManager.default.attributesOfItem(atPath: name)) == nil
        else { return nil }
        let synonym = Self.synonyms[name.lowercased()].flatMap { known.contains($0) ? $0 : nil }
        guard let suggestion = synonym ?? NearestName.of(name, among: known, within: 2) else { return nil }
        (self.name, self.suggestion) = (name, suggestion)
    }

    var description: String {
        "“\(name)” is neither a command nor a path; did you mean “sandboxfm \(suggestion)”? For a path, write ./\(name)."
    }
}
