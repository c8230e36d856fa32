import AppContainer
import ArgumentParser
import Foundation
import StoragePolicy

/// How the tool ends when it could not do what was asked.
enum Failure {
    static let findings = ExitCode(1)
    static let usage = ExitCode(2)
    static let input = ExitCode(3)

    /// Says what is wrong on standard error and ends with code 2, or with 4 for what should not happen.
    static func end(with error: any Error, text: String) -> Never {
        switch error {
        case let error as SourceError: stop(2, "sandboxlint: \(error)")
        case let error as UnreadableSource: stop(2, "sandboxlint: \(error)")
        case let error as UnknownRule: stop(2, "sandboxlint: \(error)")
        case let error as CocoaError: stop(2, "sandboxlint: \(error.localizedDescription)")
        case is ValidationError: stop(2, text)
        default:
            // The parser's own errors are of types that it keeps to itself; they come with a text and a usage.
            stop(text.contains("Usage:") ? 2 : 4, text)
        }
    }

    /// What is done with a container; where that fails, says why and ends with code 3.
    static func ofInput<Result>(_ body: () throws -> Result) throws -> Result {
        do { return try body() } catch {
            guard error is ContainerError || error is UnfinishedFix else { throw error }
            say("sandboxlint: \(error)")
            throw input
        }
    }

    static func say(_ text: String) { FileHandle.standardError.write(Data((text + "\n").utf8)) }

    private static func stop(_ code: Int32, _ text: String) -> Never {
        say(text)
        exit(code)
    }
}
