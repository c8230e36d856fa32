import AppContainer
import ArgumentParser
import ContainerBackup
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
        say(isUsage ? text : "sandboxbackup: \(error)")
        Host.yieldToEnding()
        exit(isUsage ? 2 : code(of: error))
    }

    private static func code(of error: any Error) -> Int32 {
        switch (error as? BackupError)?.code {
        case .noStore: 10
        case .locked: 11
        case .damaged: 12
        default: 1
        }
    }

    /// Writes lines on standard error.
    static func say(_ text: String) { StandardError.say(text) }
}
