internal import ArgumentParser
internal import CommandLineSupport
package import FileSystem
package import Foundation
internal import SandboxbackupCommands
internal import SandboxfmCommands
internal import SandboxlintCommands
internal import SystemPackage
package import TestSupport

/// Runs the linter as a function in this process.
///
/// The arguments do not contain the name of the tool. By default the working directory is the root of the file system: in
/// that of this process, the linter would search the source code of this package. The environment of this process is changed as given. Standard input is a text.
package func sandboxlint(
    _ arguments: String..., in directory: URL? = nil, environment: [String: String] = [:], input: String = ""
) throws -> Command {
    try sandboxlint(arguments, in: directory, environment: environment, input: input)
}

/// Runs the linter as a function in this process. A request of the interruption has the effect of a signal.
package func sandboxlint(
    _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:], input: String = "",
    interruption: Interruption = Interruption()
) throws -> Command {
    try run(Sandboxlint.self, arguments, directory, environment, input, interruption)
}

/// Runs the backup tool as a function in this process. The parameters are those of `sandboxlint`.
package func sandboxbackup(
    _ arguments: String..., in directory: URL? = nil, environment: [String: String] = [:], input: String = ""
) throws -> Command {
    try sandboxbackup(arguments, in: directory, environment: environment, input: input)
}

/// Runs the backup tool as a function in this process. A request of the interruption has the effect of a signal.
package func sandboxbackup(
    _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:], input: String = "",
    interruption: Interruption = Interruption()
) throws -> Command {
    try run(Sandboxbackup.self, arguments, directory, environment, input, interruption)
}

/// Runs the file manager as a function in this process. The parameters are those of `sandboxlint`.
package func sandboxfm(
    _ arguments: String..., in directory: URL? = nil, environment: [String: String] = [:], input: String = ""
) throws -> Command {
    try sandboxfm(arguments, in: directory, environment: environment, input: input)
}

/// Runs the file manager as a function in this process. A request of the interruption has the effect of a signal.
package func sandboxfm(
    _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:], input: String = "",
    interruption: Interruption = Interruption()
) throws -> Command {
    try run(Sandboxfm.self, arguments, directory, environment, input, interruption)
}

/// A tool of this package, for tests of several tools.
package enum TestedTool: String, CaseIterable, Sendable {
    case sandboxlint, sandboxbackup, sandboxfm

    /// The path of the built program.
    package var program: String {
        switch self {
        case .sandboxlint: Command.sandboxlint
        case .sandboxbackup: Command.sandboxbackup
        case .sandboxfm: Command.sandboxfm
        }
    }

    /// The commands without subcommands, by the tree of the parser: `["rules", "list"]`.
    package var commands: [[String]] {
        func leaves(_ command: any ParsableCommand.Type, _ path: [String]) -> [[String]] {
            let subcommands = command.configuration.subcommands
            return subcommands.isEmpty ? [path] : subcommands.flatMap { leaves($0, path + [$0._commandName]) }
        }
        return switch self {
        case .sandboxlint: leaves(Sandboxlint.self, [])
        case .sandboxbackup: leaves(Sandboxbackup.self, [])
        case .sandboxfm: leaves(Sandboxfm.self, [])
        }
    }

    /// Runs the tool as a function in this process.
    package func run(
        _ arguments: [String], in directory: URL? = nil, environment: [String: String] = [:], input: String = "",
        interruption: Interruption = Interruption()
    ) throws -> Command {
        switch self {
        case .sandboxlint:
            try ToolSupport.run(Sandboxlint.self, arguments, directory, environment, input, interruption)
        case .sandboxbackup:
            try ToolSupport.run(Sandboxbackup.self, arguments, directory, environment, input, interruption)
        case .sandboxfm:
            try ToolSupport.run(Sandboxfm.self, arguments, directory, environment, input, interruption)
        }
    }
}

private func run<Tool: CommandLineTool>(
    _ tool: Tool.Type, _ arguments: [String], _ directory: URL?, _ changes: [String: String], _ input: String,
    _ interruption: Interruption
) throws -> Command {
    let path = directory?.path ?? "/"
    // A process cannot start there either.
    guard FileManager.default.fileExists(atPath: path) else { throw CocoaError(.fileReadNoSuchFile) }
    let (output, errors) = (CapturedBytes(), CapturedBytes())
    let code = tool.run(
        arguments: arguments, environment: ProcessInfo.processInfo.environment.merging(changes) { $1 },
        workingDirectory: FilePath(path), standardInput: .bytes(Array(input.utf8)), output: .captured(output),
        errors: .captured(errors), interruption: interruption)
    return Command(
        code: code.rawValue, output: Data(output.bytes), errors: String(decoding: errors.bytes, as: UTF8.self))
}
