internal import ArgumentParser
internal import FileSystem
internal import Foundation

/// The process of a command-line tool, which runs one command.
package enum ToolProcess {
    /// Runs the command of the process's arguments, and ends the process with its exit code.
    package static func run<Tool: CommandLineTool>(_ tool: Tool.Type) -> Never {
        // A lint or a backup must not download what iCloud has evicted.
        Host.leaveFilesUntouched()
        // Also with a umask that forbids more, which the tool could not open its own files with.
        if tool.createsPrivateFiles { umask(0o077) }
        let invocation = Invocation(
            tool: tool._commandName, arguments: Array(CommandLine.arguments.dropFirst()),
            environment: Host.environment, workingDirectory: .ofProcess, standardInput: .descriptor(0),
            output: .descriptor(1), errors: .descriptor(2), interruption: Interruption(),
            createsPrivateFiles: tool.createsPrivateFiles)
        SignalHandling.install(for: invocation)
        let code = tool.run(invocation)
        // A run that a signal ends does not return: the handler of the signal cleans up and reports.
        Host.waitIfTerminating()
        TemporaryFileRegistry.removeTrees()
        exit(code.rawValue)
    }
}
