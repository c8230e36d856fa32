import AppContainer
import ArgumentParser
internal import ChangeHistory
import CommandLineSupport
import ContainerInputs
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
            guard
                error is ContainerError || error is InputError || error is UnfinishedFix || error is UntrustedUndoFolder
            else { throw error }
            try Invocation.current.interruption.check()
            printMessage("sandboxlint: \(error)")
            throw input
        }
    }

    /// Prints that an input has no item with a path, and returns exit code 3.
    static func missing(
        _ path: String, in input: String,
        _ advice: String = "Pass the path relative to the container, such as Documents/a.jpg."
    ) -> ExitCode {
        printMessage(
            "sandboxlint: \(ByteText.printable(input)) does not contain \(ByteText.escaped(ByteText.unescaped(path))). "
                + advice)
        return Self.input
    }

    /// Prints lines to standard error. A line break in an argument does not start a line, because GitHub runs a line such as
    /// `::error::…` as a command.
    static func printMessage(_ text: String) { StandardError.printMessage(LineBreaks.escapedInArguments(text)) }

    /// Prints a note if reading a container may have changed access times. Only the owner of a file can prevent that.
    static func sayIfAccessTimesMoved() {
        guard Host.movesAccessTimes else { return }
        printMessage(
            "sandboxlint: some files belong to another user, so reading them may have changed their access times. To keep "
                + "access times, run as the owner, or on a file system mounted read-only or noatime.")
    }
}
