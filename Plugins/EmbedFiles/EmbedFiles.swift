import Foundation
import PackagePlugin

/// Embeds the texts of files of a target in its binary, so that the tool is a single file: all `.yml`, `.css` and `.js`
/// files, `FORMAT.md` and `PRECISION.md`. They become `EmbeddedFiles.files`.
@main
struct EmbedFiles: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let folder = target.directoryURL
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let embedded = names.filter { name in
            ["FORMAT.md", "PRECISION.md"].contains(name) || [".yml", ".css", ".js"].contains { name.hasSuffix($0) }
        }.sorted()
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles+Files.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(embedded.count) files of \(target.name)",
                executable: try context.tool(named: "embed-files").url,
                arguments: [folder.path, output.path] + embedded,
                inputFiles: embedded.map { folder.appending(path: $0) },
                outputFiles: [output])
        ]
    }
}
