import PackagePlugin

/// `swift package sandboxlint-write fix …`: all commands, with permission to write to the package directory.
@main
struct SandboxlintWriteCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        try packageManager.runSandboxlint(arguments)
    }
}
