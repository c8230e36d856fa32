internal import Dispatch
package import SystemPackage

/// One run of a command: what it is given, where its output goes, and the request to end it.
///
/// Commands of several tools run in one process at the same time, so nothing that differs between runs is global. The value is
/// bound to the task or thread that runs the command, because ArgumentParser calls `validate` and `run` without parameters.
/// A thread that the command starts does not have it: code that starts threads reads the value before.
package struct Invocation: Sendable {
    /// The name of the tool, which begins its messages.
    package let tool: String
    /// The arguments without the name of the program.
    package let arguments: [String]
    /// The variables of the environment.
    package let environment: [String: String]
    /// The directory from which relative paths start.
    package let workingDirectory: WorkingDirectory
    package let standardInput: StandardInput
    package let output: ByteSink
    package let errors: ByteSink
    package let interruption: Interruption
    /// True if new files and directories are private to their owner, whatever permissions are requested.
    package let createsPrivateFiles: Bool

    package init(
        tool: String, arguments: [String], environment: [String: String], workingDirectory: WorkingDirectory,
        standardInput: StandardInput, output: ByteSink, errors: ByteSink, interruption: Interruption,
        createsPrivateFiles: Bool
    ) {
        (self.tool, self.arguments, self.environment) = (tool, arguments, environment)
        (self.workingDirectory, self.standardInput) = (workingDirectory, standardInput)
        (self.output, self.errors, self.interruption) = (output, errors, interruption)
        self.createsPrivateFiles = createsPrivateFiles
    }

    /// The surroundings of this process, in which code runs outside of a command.
    package static let ofProcess = Invocation(
        tool: "", arguments: [], environment: Host.environment, workingDirectory: .ofProcess,
        standardInput: .descriptor(0), output: .descriptor(1), errors: .descriptor(2), interruption: Interruption(),
        createsPrivateFiles: false)

    private static let bound = TaskLocal(wrappedValue: ofProcess)

    /// The invocation of the command that this task or thread runs.
    package static var current: Invocation { bound.get() }

    /// Runs `body` with this value as the current one.
    package func perform<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.bound.withValue(self, operation: body)
    }

    /// The directory for temporary files: the value of `TMPDIR`, or `/tmp`.
    package var temporaryDirectory: FilePath {
        guard let path = environment["TMPDIR"], !path.isEmpty else { return "/tmp" }
        return workingDirectory.absolute(FilePath(path))
    }

    /// Returns the permissions of a new file or directory, from which the kernel removes those of the umask.
    func permissions(_ requested: UInt32) -> UInt32 { createsPrivateFiles ? requested & 0o700 : requested }

    /// True if a variable is set and not empty.
    package func hasValue(_ variable: String) -> Bool { environment[variable]?.isEmpty == false }
}

extension Invocation {
    /// Runs `body` for each number below `iterations`, on the threads of the system, with this value as the current one.
    package func concurrentPerform(iterations: Int, _ body: @Sendable (Int) -> Void) {
        DispatchQueue.concurrentPerform(iterations: iterations) { number in perform { body(number) } }
    }
}
