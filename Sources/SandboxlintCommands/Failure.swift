import AppContainer
import ArgumentParser
import CommandLineSupport
import FileSystem
import Foundation
internal import PolicyFixes
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

    /// Returns the message and the code for an error; nil for an error of usage and for an unexpected one.
    static func failure(_ error: any Error) -> ToolFailure? {
        switch error {
        case let error as SourceError:
            ToolFailure(lines: error.suggestion == nil ? "\(error)\n  = help  \(error.help)" : "\(error)", usage)
        case is UnreadableSource, is UnknownRule: ToolFailure(lines: "\(error)", usage)
        case let error as CocoaError:
            ToolFailure(
                lines: "\(ByteText.printable(error.localizedDescription)) Check the path and its permissions.", usage)
        case let error as UnwrittenOutput: ToolFailure(lines: "\(error)", ownError)
        default: nil
        }
    }

    /// Runs an operation on a container; if it fails, prints the error and throws exit code 3.
    static func ofInput<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch {
            guard error is ContainerError || error is UnfinishedFix || error is UntrustedUndoFolder else { throw error }
            try Invocation.current.interruption.check()
            say("sandboxlint: \(error)")
            throw input
        }
    }

    /// Prints lines to standard error. A line break in an argument does not start a line, because GitHub runs a line such as
    /// `::error::…` as a command.
    static func say(_ text: String) { StandardError.say(LineBreaks.escapedInArguments(text)) }

    /// Prints a note if reading a container may have changed access times. Only the owner of a file can prevent that.
    static func sayIfAccessTimesMoved() {
        guard Host.movesAccessTimes else { return }
        say(
            "sandboxlint: some files belong to another user, so reading them may have changed their access times. To keep "
                + "access times, run as the owner, or on a file system mounted read-only or noatime.")
    }
}
