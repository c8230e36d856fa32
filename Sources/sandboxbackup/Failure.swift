import AppContainer
import CommandLineSupport
import ArgumentParser
import BackupRepository
import FileSystem
import Foundation
import TextOutput

/// The exit codes of the tool.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case failed = 1
    case usage = 2
    case incomplete = 3
    case noRepository = 10
    case locked = 11
    case damaged = 12
    case interrupted = 130
    case terminated = 143

    var meaning: String {
        switch self {
        case .done: "done"
        case .failed: "failed"
        case .usage: "usage error"
        case .incomplete: "incomplete (the output lists what is missing)"
        case .noRepository: "no repository"
        case .locked: "repository locked"
        case .damaged: "damage found"
        case .interrupted: "interrupted"
        case .terminated: "terminated"
        }
    }
}

/// The text below the options in the help of a command.
enum CommandHelp {
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
    static let damaged = ExitCode(ExitStatus.damaged.rawValue)

    /// Prints an error on standard error and returns its exit code.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - usage: The parser's message for a usage error; nil for others.
    /// - Returns: The exit code.
    static func report(_ error: any Error, usage: String?) -> ExitCode {
        let isUnknown = error is UnknownCommand
        let message = isUnknown ? nil : usage.map(LineBreaks.escapedInArguments)
        StandardError.say(message ?? "sandboxbackup: \(LineBreaks.escaped("\(error)"))")
        return ExitCode((usage != nil || isUnknown ? .usage : status(of: error)).rawValue)
    }

    private static func status(of error: any Error) -> ExitStatus {
        switch (error as? BackupError)?.code {
        case .noRepository: .noRepository
        case .locked: .locked
        case .damaged: .damaged
        case .interrupted: .interrupted
        case .misplaced: .usage
        default: .failed
        }
    }

    /// Prints a note on standard error.
    static func note(_ text: String) { StandardError.say("sandboxbackup: \(LineBreaks.escaped(text))") }

    /// Prints a warning on standard error.
    static func warn(_ text: String) { note("warning: \(text)") }

    /// Warns about the snapshots that were skipped because they cannot be read.
    static func warn(of damaged: [SnapshotList.Damaged]) {
        for one in damaged { warn("snapshot \(one.number) is damaged and was skipped: \(one.reason)") }
    }
}

/// A first argument that is not a command, with suggestions.
struct UnknownCommand: Error, CustomStringConvertible {
    let name: String
    private let known: [String]

    /// Commands of other backup tools and their equivalents here.
    private static let synonyms: [String: [String]] = [
        "backup": ["create"], "save": ["create"], "snapshot": ["create"], "init": ["create"], "add": ["create"],
        "list": ["ls", "snapshots"], "log": ["snapshots", "history"], "versions": ["history"], "cat": ["dump"],
        "info": ["snapshots", "stats"], "status": ["snapshots"], "search": ["find"], "size": ["stats"], "du": ["stats"],
        "fsck": ["verify"], "test": ["verify"], "repair": ["verify"], "scrub": ["verify"], "extract": ["restore"],
        "recover": ["restore"], "get": ["restore", "dump"], "mount": ["ls", "restore"], "delete": ["forget"],
        "remove": ["forget"], "rm": ["forget"], "clean": ["prune"], "cleanup": ["prune"], "gc": ["prune"],
        "compact": ["prune"], "compare": ["diff"], "explain": ["plan"], "show": ["plan"],
        "clone": ["copy"], "version": ["--version"],
    ]

    /// Returns nil if the arguments begin with a command or an option.
    init?(_ arguments: [String], known: [String]) {
        guard let name = arguments.first, !name.hasPrefix("-"), name != "help", !known.contains(name) else {
            return nil
        }
        (self.name, self.known) = (name, known)
    }

    var description: String {
        let similar = NearestName.of(name, among: known, within: 2).map { [$0] } ?? []
        let nearest = Self.synonyms[name.lowercased()] ?? similar
        let hint =
            nearest.isEmpty
            ? "the commands are \(known.joined(separator: ", "))"
            : "did you mean \(nearest.map { "`sandboxbackup \($0)`" }.joined(separator: " or "))?"
        return "unknown command “\(name)”; \(hint)"
    }
}
