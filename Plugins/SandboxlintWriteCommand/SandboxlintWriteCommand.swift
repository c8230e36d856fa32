import PackagePlugin

/// `swift package sandboxlint-write fix …`: the tool with leave to write to the package's directory.
@main
struct SandboxlintWriteCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        try context.tool(named: "sandboxlint").run(arguments)
    }
}
