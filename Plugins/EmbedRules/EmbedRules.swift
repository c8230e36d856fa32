import Foundation
import PackagePlugin

/// Embeds the texts of all `.yml` files of a target and `PRECISION.md` in its binary, so that the tool is a single file.
@main
struct EmbedRules: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let rules = names.filter { $0.hasSuffix(".yml") || $0 == "PRECISION.md" }.sorted()
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedRules+Files.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(rules.count) rule files",
                executable: try context.tool(named: "embed-rules").url,
                arguments: [folder.path, output.path] + rules,
                inputFiles: rules.map { folder.appending(path: $0) },
                outputFiles: [output])
        ]
    }
}
