package import ArgumentParser
internal import FileSystem

/// Runs a command-line tool: parses the arguments, runs the command, and ends the process with its exit code.
///
/// - Parameters:
///   - tool: The root command.
///   - defaultCommand: The subcommand of arguments that name none. ArgumentParser's default subcommand would cost
///     half of the time that `--version` takes: the parser reads the default's arguments at each start.
///   - check: Checks the arguments before they are parsed.
///   - prepare: Prepares the run of a parsed command, such as its signal handlers.
///   - report: Reports an error and returns the exit code. `usage` is the parser's message if the arguments are wrong.
package func runTool<Tool: ParsableCommand>(
    _ tool: Tool.Type, defaultCommand: (any ParsableCommand.Type)? = nil,
    checking check: (_ arguments: [String]) throws -> Void,
    preparing prepare: (_ command: any ParsableCommand, _ arguments: [String]) throws -> Void,
    reporting report: (_ error: any Error, _ usage: String?) -> ExitCode
) {
    // A lint or a backup must not download what iCloud has evicted.
    Host.leaveFilesUntouched()
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
        try check(arguments)
        var command = try Tool.parseAsRoot(Tool.completed(arguments, with: defaultCommand))
        try prepare(command, arguments)
        try command.run()
        cleanUp()
    } catch let code as ExitCode {
        cleanUp()
        Tool.exit(withError: code)
    } catch {
        cleanUp()
        // The requests for help and for the version are errors with the code for success.
        guard Tool.exitCode(for: error) != .success else { Tool.exit(withError: error) }
        Tool.exit(withError: report(error, Tool.usageMessage(for: error)))
    }
}

/// Removes what the run keeps in temporary directories. A run that a signal ends does not return: the handler of the signal
/// cleans up and reports.
private func cleanUp() {
    Host.waitIfTerminating()
    TemporaryFileRegistry.removeTrees()
}

extension ParsableCommand {
    /// Returns the arguments with the name of a command before them, unless they name a subcommand or ask for help, the
    /// version or what a shell completes.
    fileprivate static func completed(
        _ arguments: [String], with defaultCommand: (any ParsableCommand.Type)?
    ) -> [String] {
        guard let defaultCommand else { return arguments }
        let names = configuration.subcommands.flatMap { [$0._commandName] + $0.configuration.aliases }
        let others = [
            "help", "-h", "-help", "--help", "--help-hidden", "--version", "--generate-completion-script",
            "--experimental-dump-help",
        ]
        if let first = arguments.first,
            names.contains(first) || others.contains(first) || first.hasPrefix("---completion")
                || first.hasPrefix("--generate-completion-script=")
        {
            return arguments
        }
        return [defaultCommand._commandName] + arguments
    }
}

extension ParsableArguments {
    /// Returns the parser's message if an error is a usage error, else nil. Its error types are not public, but
    /// its exit code for usage errors is.
    package static func usageMessage(for error: any Error) -> String? {
        exitCode(for: error) == .validationFailure ? fullMessage(for: error) : nil
    }
}
