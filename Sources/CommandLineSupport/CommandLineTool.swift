package import ArgumentParser
internal import ContainerInputs
package import FileSystem
package import SystemPackage

/// A command-line tool: its root command, and what differs between tools.
package protocol CommandLineTool: ParsableCommand {
    /// The version that `--version` prints.
    static var version: String { get }
    /// The subcommand of arguments that name none; nil if a subcommand is required.
    static var defaultCommand: (any ParsableCommand.Type)? { get }
    /// The equivalents of the commands of other tools.
    static var otherWords: [String: OtherWord] { get }
    /// The equivalents of long options of other tools, by their names without hyphens. No command of this tool has an option of
    /// these names.
    static var otherOptions: [String: OtherWord] { get }
    /// True if every file that the tool creates is private to its owner, unless the tool sets its mode.
    static var createsPrivateFiles: Bool { get }
    /// The code for an error that is neither a `failure` nor one of usage, and the text before it.
    static var unexpected: (code: ExitCode, prefix: String, suffix: String) { get }

    /// Returns the message and the code for an error; nil for an error of usage and for an unexpected one.
    static func failure(_ error: any Error) -> ToolFailure?
    /// Returns the state on disk after an interruption of a command, and what to do, in one or two sentences.
    static func interruptionNote(for command: any ParsableCommand) -> String
    /// Checks a parsed command before it runs.
    static func check(_ command: any ParsableCommand, arguments: [String]) throws
}

extension CommandLineTool {
    package static var createsPrivateFiles: Bool { true }
    package static var otherOptions: [String: OtherWord] { [:] }
    package static var unexpected: (code: ExitCode, prefix: String, suffix: String) { (ExitCode(1), "", "") }
    package static func check(_ command: any ParsableCommand, arguments: [String]) throws {}

    /// Runs a command: parses the arguments, runs the command, and reports its errors.
    ///
    /// Any number of commands can run at the same time in one process. Nothing of the process is read or changed but the file
    /// system: no working directory, no environment, no stream, no signal handler, and the process does not end.
    ///
    /// - Parameters:
    ///   - arguments: The arguments without the name of the program.
    ///   - environment: The variables of the environment.
    ///   - workingDirectory: The absolute path of the directory from which relative paths start.
    ///   - standardInput: The source of the answers of the user.
    ///   - output: The destination of results.
    ///   - errors: The destination of messages and progress.
    ///   - interruption: The request to end the run early; the code is then 130.
    /// - Returns: The exit code.
    package static func run(
        arguments: [String], environment: [String: String], workingDirectory: FilePath, standardInput: StandardInput,
        output: ByteSink, errors: ByteSink, interruption: Interruption
    ) -> ExitCode {
        let directory: WorkingDirectory
        do throws(FileSystemError) { directory = try WorkingDirectory(opening: workingDirectory) } catch {
            errors.printMessage("\(_commandName): \(LineBreaks.escaped("\(error)"))")
            return ExitCode(ExitStatus.usage.code)
        }
        return run(
            Invocation(
                tool: _commandName, arguments: arguments, environment: environment, workingDirectory: directory,
                standardInput: standardInput, output: output, errors: errors, interruption: interruption,
                createsPrivateFiles: createsPrivateFiles))
    }

    static func run(_ invocation: Invocation) -> ExitCode {
        invocation.perform {
            do {
                try run(invocation.arguments, invocation: invocation)
                return .success
            } catch let code as ExitCode {
                return code
            } catch {
                // The end of the process comes before a message about its consequences.
                Host.waitIfTerminating()
                return report(error)
            }
        }
    }

    private static func run(_ arguments: [String], invocation: Invocation) throws {
        if defaultCommand != nil, arguments.isEmpty { return try show(helpMessage(columns: invocation.helpColumns)) }
        if let unknown = UnknownCommand(in: arguments, of: Self.self) { throw unknown }
        var command: any ParsableCommand
        do { command = try parseAsRoot(completed(arguments)) } catch {
            // The requests for help and for the version are errors with the code for success.
            guard exitCode(for: error) == .success else {
                throw UnknownCommand(option: arguments, of: Self.self) ?? error
            }
            return try show(fullMessage(for: error, columns: invocation.helpColumns))
        }
        try check(command, arguments: arguments)
        invocation.interruption.note = interruptionNote(for: command)
        try invocation.interruption.check()
        do { try command.run() } catch  where !(error is ExitCode) && exitCode(for: error) == .success {
            // A command that only has subcommands shows its help.
            try show(fullMessage(for: error, columns: invocation.helpColumns))
        }
    }

    private static func show(_ text: String) throws {
        let output = Output()
        output.write(text + "\n")
        try output.end()
    }

    /// Prints an error of the current command to standard error, and returns its exit code.
    package static func report(_ error: any Error) -> ExitCode {
        let invocation = Invocation.current
        if invocation.interruption.isRequested {
            invocation.interruption.report("interrupted", by: invocation)
            return ExitCode(ExitStatus.interrupted.code)
        }
        if let unknown = error as? UnknownCommand {
            StandardError.printNote(unknown.description)
            return ExitCode(ExitStatus.usage.code)
        }
        if let error = error as? InputError, error.code == .notRead {
            StandardError.printNote("\(error)")
            return ExitCode(ExitStatus.incomplete.code)
        }
        if let failure = failure(error) {
            StandardError.printMessage(LineBreaks.escapedInArguments("\(invocation.tool): \(failure.message)"))
            return failure.code
        }
        // The parser's error types are not public, but its exit code for usage errors is.
        if exitCode(for: error) == .validationFailure {
            let message = fullMessage(for: error, columns: invocation.helpColumns)
            StandardError.printMessage(LineBreaks.escapedInArguments(message))
            return ExitCode(ExitStatus.usage.code)
        }
        let (code, prefix, suffix) = unexpected
        StandardError.printNote("\(prefix)\(error)\(suffix)")
        return code
    }

    /// Returns the arguments with the name of the default command before them, unless they name a subcommand or ask for help,
    /// the version or what a shell completes. ArgumentParser's default subcommand would cost half of the time that `--version`
    /// takes: the parser reads the default's arguments at each start.
    private static func completed(_ arguments: [String]) -> [String] {
        guard let defaultCommand else { return arguments }
        let others = [
            "help", "-h", "-help", "--help", "--help-hidden", "--version", "--generate-completion-script",
            "--experimental-dump-help",
        ]
        if let first = arguments.first,
            configuration.commandNames.contains(first) || others.contains(first) || first.hasPrefix("---completion")
                || first.hasPrefix("--generate-completion-script=")
        {
            return arguments
        }
        return [defaultCommand._commandName] + arguments
    }
}

/// The message and the exit code for an error.
package struct ToolFailure {
    let message: String
    let code: ExitCode

    /// A message on one line. Names in it may contain line breaks, which are escaped.
    package init(_ message: String, code: ExitCode) { self.init(lines: LineBreaks.escaped(message), code) }

    /// A message of several lines. Line breaks in arguments are escaped.
    package init(lines: String, _ code: ExitCode) { (message, self.code) = (lines, code) }
}

extension Invocation {
    /// The columns of help; nil for those of the terminal of the process.
    fileprivate var helpColumns: Int? { output.isTerminal ? nil : Terminal(self).configuredColumns ?? 80 }
}
