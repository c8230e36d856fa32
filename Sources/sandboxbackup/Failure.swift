import AppContainer
import ArgumentParser
import BackupReports
import BackupRepository
import FileSystem
import Foundation
import TextOutput

/// How the tool ends when it could not do what was asked.
enum Failure {
    static let failed = ExitCode(1)
    static let incomplete = ExitCode(3)
    static let damaged = ExitCode(12)

    /// Says what is wrong on standard error and ends with 2 for wrong usage, with 1 for all else.
    static func end(with error: any Error, text: String) -> Never {
        // The parser's own errors are of types that it keeps to itself; they come with a text and a usage.
        let isUsage = error is ValidationError || text.contains("Usage:")
        say(isUsage ? withArgumentsEscaped(text) : "sandboxbackup: \(onOneLine("\(error)"))")
        Host.yieldToEnding()
        exit(isUsage || error is UnknownCommand ? 2 : code(of: error))
    }

    private static func code(of error: any Error) -> Int32 {
        switch (error as? BackupError)?.code {
        case .noStore: 10
        case .locked: 11
        case .damaged: 12
        case .interrupted: 130
        case .misplaced: 2
        default: 1
        }
    }

    /// Writes lines on standard error.
    static func say(_ text: String) { StandardError.say(text) }

    /// Writes a warning on standard error.
    static func warn(_ text: String) { say("sandboxbackup: warning: \(onOneLine(text))") }

    /// Names the snapshots that were skipped since they cannot be read; what a command does with the others is done.
    static func warn(of damaged: [SnapshotList.Damaged]) {
        for one in damaged { warn("snapshot \(one.number) is damaged and was skipped: \(one.how)") }
    }

    /// A message without the ends of lines that a name in it may hold: a line of its own could be a command to whatever
    /// reads the log, as `::error::` is on GitHub.
    private static func onOneLine(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { line, scalar in
            switch scalar {
            case "\n": line += "%0A"
            case "\r": line += "%0D"
            default: line.unicodeScalars.append(scalar)
            }
        }
    }

    /// The parser's message, which has lines of its own, with the arguments that it repeats on one line each.
    private static func withArgumentsEscaped(_ text: String) -> String {
        var text = text
        for argument in CommandLine.arguments.dropFirst() {
            let value = argument.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
            for part in [argument, value] where part.unicodeScalars.contains(where: { $0 == "\n" || $0 == "\r" }) {
                text = text.replacing(part, with: onOneLine(part))
            }
        }
        return text
    }
}
