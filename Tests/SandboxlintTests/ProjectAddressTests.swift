import Foundation
import TestSupport
import Testing

@Suite("The project's address", .timeLimit(.minutes(60))) struct ProjectAddressTests {
    /// The addresses and actions named sandboxlint in the files that users read or run.
    private static func named(in root: URL) throws -> Set<String> {
        let places = [
            "README.md", "CONTRIBUTING.md", "docs", "Examples", "rules", "Sources", "Plugins", "Package.swift",
            "action.yml",
            ".pre-commit-hooks.yaml", ".github",
        ]
        let pattern = "(https?://[^ \"'`)]+/|uses: [^ /]+/)sandboxlint\\b(?!-)"
        return try Set(
            Command("grep", ["-rhoP", "--exclude-dir=.build", pattern] + places, in: root).text.split(separator: "\n")
                .map(
                    String.init))
    }

    private static func expected(_ address: ProjectAddress) -> Set<String> {
        [address.shown, "uses: \(address.name)"]
    }

    @Test("No page and no source names another repository", .needs(.process), .enabled(if: Platform.isLinux))
    func pages() throws {
        let address = try ProjectAddress()
        #expect(try Self.named(in: Workflow.root) == Self.expected(address))
        let grep = try Command("grep", ["-rlF", address.reported, "Sources", "Plugins", "docs"], in: Workflow.root)
        #expect(grep.text.hasPrefix("Sources/PolicyReports/Project.swift\n"))
    }

    @Test(
        "A fork sets it with one command, also a second time", .needs(.externalProgram), .enabled(if: Platform.isLinux))
    func fork() throws {
        try withScratch { folder throws in
            let copy = folder.appending(path: "copy")
            try Command.setUp("git", ["clone", "-q", Workflow.root.path, copy.path])
            for name in ["scripts", "README.md", "docs", "Examples", "Sources/PolicyReports/Project.swift"] {
                let parent = copy.appending(path: name).deletingLastPathComponent().path
                try Command.setUp("cp", ["-R", Workflow.root.appending(path: name).path, parent])
            }
            let script = copy.appending(path: "scripts/set-address").path
            for text in ["https://github.com/someone/sandboxlint", "https://git.example.org/team/sandboxlint"] {
                try Command.setUp(script, [text])
                let address = try ProjectAddress(of: copy)
                #expect(address.reported == text && address.shown == text)
                #expect(try Self.named(in: copy) == [text, "uses: \(address.name)"])
            }
            for text in ["", "someone/sandboxlint", "https://github.com/a/b/c", "https://github.com/a/$(touch x)"] {
                let run = try Command(script, [text])
                #expect(run.code == 2 && run.errors.contains("is not the address of a repository"), "\(run.errors)")
            }
        }
    }
}
