import Foundation
import TestSupport
import Testing

/// Runs the completion scripts in their shells.
@Suite("The completion scripts", .needs(.externalProgram)) struct CompletionTests {
    private static let lines: [(line: String, among: Set<String>, without: String)] = [
        ("sandboxlint ", ["lint", "fix", "undo", "explain", "rules", "baseline", "diff", "init", "config"], "schema"),
        ("sandboxlint rules ", ["list", "test", "docs", "schema"], "undo"),
        ("sandboxlint lint --fo", ["--format"], "--output"),
        ("sandboxlint lint --format s", ["sarif"], "text"),
        ("sandboxlint fix --fail-on ", ["error", "warning", "note", "never"], "sarif"),
        ("sandboxlint explain regenerable-in-d", ["regenerable-in-documents"], "stale-tmp"),
        ("sandboxlint lint --select 9,stale-t", ["9,stale-tmp"], "9,regenerable-in-documents"),
        ("sandboxlint lint My", ["MyContainer"], "lint"),
        ("sandboxlint lint --config My", ["MyContainer"], "--config"),
        ("sandboxfm ", ["ls", "tree", "du", "cat", "put", "get", "rm", "prefs", "purge"], "lint"),
        ("sandboxfm du --by ", ["location", "exclusion", "kind"], "size"),
        ("sandboxfm prefs ", ["list", "get", "set", "delete"], "ls"),
        ("sandboxfm ls My", ["MyContainer"], "--sort"),
    ]

    @Test("Each offers commands, options, their values, rules and directories", arguments: ["bash", "zsh", "fish"])
    func offers(shell: String) throws {
        try withScratch { folder throws in
            let scripts = folder.appending(path: "share").path
            for tool in [Command.sandboxlint, Command.sandboxfm] {
                let made = try Command(
                    Workflow.root.appending(path: "scripts/write-completions").path, [tool, scripts])
                #expect(made.code == 0, "\(made.errors)")
            }
            try FileManager.default.createDirectory(
                at: folder.appending(path: "MyContainer"), withIntermediateDirectories: true)
            let tools = URL(fileURLWithPath: Command.sandboxlint).deletingLastPathComponent().path
            let path = "\(tools):\(ProcessInfo.processInfo.environment["PATH"] ?? "")"
            for (line, among, without) in Self.lines {
                let run = try Command(
                    Workflow.root.appending(path: "Tests/Workflow/complete-\(shell)").path, [scripts, line],
                    in: folder, environment: ["PATH": path, "HOME": folder.path])
                #expect(run.code == 0 && run.errors.isEmpty, "\(line): \(run.errors)")
                let offered = run.text.split(separator: "\n").map {
                    // A directory may have a trailing slash.
                    $0.trimmingCharacters(in: CharacterSet(charactersIn: " /"))
                }
                #expect(Set(offered).isSuperset(of: among), "\(line): \(offered)")
                #expect(!offered.contains(without), "\(line): \(offered)")
            }
        }
    }
}
