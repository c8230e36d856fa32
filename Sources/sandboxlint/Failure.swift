import AppContainer
import CommandLineSupport
import ArgumentParser
import FileSystem
import Foundation
import PolicyReports
import StoragePolicy
import TextOutput

/// How the tool ends when it could not do what was asked.
enum Failure {
    static let findings = ExitCode(1)
    static let usage = ExitCode(2)
    static let input = ExitCode(3)
    static let ownError = ExitCode(4)

    /// Of several reasons to end the one that counts: whoever sees it must not take the run for more than it was.
    static func worst(_ codes: [ExitCode]) -> ExitCode? {
        [ownError, usage, input, findings].first(where: codes.contains)
    }

    /// Reports an error on standard error and returns its exit code. `usage` is the parser's message for wrong usage.
    static func report(_ error: any Error, usage message: String?) -> ExitCode {
        switch error {
        case let error as SourceError:
            say("sandboxlint: \(error)")
            if error.suggestion == nil { say("  = help  \(error.help)") }
            return usage
        case is UnreadableSource, is UnknownRule:
            say("sandboxlint: \(error)")
            return usage
        case let error as CocoaError:
            say(
                "sandboxlint: \(ByteText.printable(error.localizedDescription)) Check the path, and who may write there."
            )
            return usage
        case let error as UnwrittenOutput:
            say("sandboxlint: \(error)")
            return ownError
        default:
            if let message {
                say(message)
                return usage
            }
            say("sandboxlint: \(error). That should not happen; please report it with the command that led to it.")
            return ownError
        }
    }

    /// What is done with a container; where that fails, says why and ends with code 3.
    static func ofInput<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch {
            guard error is ContainerError || error is UnfinishedFix || error is UntrustedUndoFolder else { throw error }
            say("sandboxlint: \(error)")
            throw input
        }
    }

    /// Writes lines on standard error; a name in them may hold anything. A line that only an argument of the command line
    /// begins is none: GitHub takes a line such as `::error::…` for a command.
    static func say(_ text: String) {
        StandardError.say(ArgumentText.joiningLines(of: CommandLine.arguments, in: text))
    }

    /// Says that reading a container may have moved access times, if it may: who does not own a file cannot have the kernel
    /// keep them.
    static func sayIfAccessTimesMoved() {
        guard Host.movesAccessTimes else { return }
        say(
            "sandboxlint: some of what was read belongs to another user, so its access times may have changed. Lint as its "
                + "owner, or on a file system that is mounted read-only or noatime, to keep them.")
    }

    /// Writes on standard error; where that cannot be, there is no one to tell.
    static func write(_ text: String) { StandardError.write(text) }
}

/// The texts of the argument parser and of errors, which repeat what the user gave.
enum ArgumentText {
    /// Replaces each newline that an argument brought into a text by U+FFFD. The text's own lines stay.
    static func joiningLines(of arguments: [String], in text: String) -> String {
        arguments.reduce(text) { text, argument in
            argument.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().reduce(text) {
                $1.isEmpty ? $0 : $0.replacing("\n" + String($1), with: "\u{fffd}" + String($1))
            }
        }
    }
}
