import AppContainer
import CommandLineSupport
import ArgumentParser
import FileSystem
import Foundation
import PolicyReports
import StoragePolicy
import TextOutput

/// The exit codes and error messages of the tool.
enum Failure {
    static let findings = ExitCode(1)
    static let usage = ExitCode(2)
    static let input = ExitCode(3)
    static let ownError = ExitCode(4)

    /// Returns the most severe of several exit codes, so that an incomplete run never looks complete.
    static func worst(_ codes: [ExitCode]) -> ExitCode? {
        [ownError, usage, input, findings].first(where: codes.contains)
    }

    /// Reports an error on standard error and returns its exit code. `usage` is the parser's message for a usage error.
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
                "sandboxlint: \(ByteText.printable(error.localizedDescription)) Check the path and its permissions."
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
            say("sandboxlint: internal error: \(error). Please report it together with the command line.")
            return ownError
        }
    }

    /// Runs an operation on a container; if it fails, prints the error and throws exit code 3.
    static func ofInput<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch {
            guard error is ContainerError || error is UnfinishedFix || error is UntrustedUndoFolder else { throw error }
            say("sandboxlint: \(error)")
            throw input
        }
    }

    /// Prints lines to standard error. Newlines in command-line arguments do not start a line, because GitHub runs a line
    /// such as `::error::…` as a command.
    static func say(_ text: String) {
        StandardError.say(ArgumentText.joiningLines(of: CommandLine.arguments, in: text))
    }

    /// Prints a note if reading a container may have changed access times. Only the owner of a file can prevent that.
    static func sayIfAccessTimesMoved() {
        guard Host.movesAccessTimes else { return }
        say(
            "sandboxlint: some files belong to another user, so reading them may have changed their access times. To keep "
                + "access times, run as the owner, or on a file system mounted read-only or noatime.")
    }

    /// Writes to standard error; ignores write errors.
    static func write(_ text: String) { StandardError.write(text) }
}

/// Messages of the argument parser and of errors, which repeat command-line arguments.
enum ArgumentText {
    /// Replaces each newline that comes from an argument with U+FFFD. The message's own lines stay.
    static func joiningLines(of arguments: [String], in text: String) -> String {
        arguments.reduce(text) { text, argument in
            argument.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().reduce(text) {
                $1.isEmpty ? $0 : $0.replacing("\n" + String($1), with: "\u{fffd}" + String($1))
            }
        }
    }
}
