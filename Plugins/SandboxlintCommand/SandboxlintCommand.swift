import PackagePlugin

/// `swift package sandboxlint …`: the commands that do not write files.
@main
struct SandboxlintCommand: CommandPlugin {
    /// The commands that write files, which are refused.
    private static let writing = [
        ["fix"], ["undo"], ["init"], ["baseline", "write"], ["baseline", "update"], ["baseline", "prune"],
        ["rules", "docs"],
    ]

    func performCommand(context: PluginContext, arguments: [String]) throws {
        if let command = Self.writing.first(where: { arguments.starts(with: $0) }) {
            let words = command.joined(separator: " ")
            Diagnostics.error(
                "“\(words)” writes files; run `swift package sandboxlint-write \(words) …`, which asks for permission.")
            return
        }
        try packageManager.runSandboxlint(arguments)
    }
}
