import ArgumentParser
import CommandLineSupport
import FileSystem
import TextOutput

extension CommandHelp {
    /// The exit codes of a command that reads.
    static let reading: [ExitStatus] = [.done, .failed, .usage, .incomplete, .interrupted]
    /// The exit codes of a command that changes one item after the other.
    static let changing: [ExitStatus] = [.done, .failed, .usage, .interrupted]
}

/// The exit codes of the tool, and its messages.
enum Failure {
    static let failed = ExitCode(ExitStatus.failed.code)
    static let incomplete = ExitCode(ExitStatus.incomplete.code)

    /// Prints the items that could not be read. Returns the exit code of an incomplete run, or nil without failures.
    static func reportFailures(_ failures: [WalkFailure]) -> ExitCode? {
        for failure in failures {
            let path = failure.path.isEmpty ? "the container" : "“\(ByteText.escaped(failure.path))”"
            StandardError.printNote("\(path) was not read: \(failure.reason)")
        }
        return failures.isEmpty ? nil : incomplete
    }
}
