import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("The manual pages", .needs(.externalProgram)) struct ManualTests {
    private func withPages<Result>(
        of tool: String = Command.sandboxlint, _ body: ([URL]) throws -> Result
    ) throws -> Result {
        try withScratch { folder throws in
            let script = Workflow.root.appending(path: "scripts/write-manual").path
            let run = try Command(script, [tool, folder.path])
            #expect(run.code == 0, "\(run.errors)")
            return try body(run.text.split(separator: "\n").map { URL(fileURLWithPath: String($0)) })
        }
    }

    /// Returns a page as formatted text.
    private func shown(_ page: URL) throws -> String {
        let run = try Command("groff", ["-man", "-ww", "-Tascii", "-P-c", "-P-b", "-P-u", "-rLL=100n", page.path])
        #expect(run.code == 0 && run.errors.isEmpty, "\(page.lastPathComponent): \(run.errors)")
        return run.text
    }

    @Test("There is one for the tool and each command, and groff has no warning about any")
    func warnings() throws {
        try withPages { pages throws in
            let names = Set(pages.map(\.lastPathComponent))
            #expect(names.isSuperset(of: ["sandboxlint.1", "sandboxlint-fix.1", "sandboxlint-baseline-write.1"]))
            for page in pages { #expect(try !shown(page).isEmpty) }
        }
    }

    @Test("The file manager has one for each command too, with every option of its help")
    func fileManager() throws {
        try withPages(of: Command.sandboxfm) { pages throws in
            let names = Set(pages.map(\.lastPathComponent))
            #expect(
                names.isSuperset(of: ["sandboxfm.1", "sandboxfm-ls.1", "sandboxfm-prefs-set.1", "sandboxfm-db-rows.1"]))
            for page in pages {
                let words = page.deletingPathExtension().lastPathComponent.split(separator: "-").dropFirst()
                let help = try sandboxfm(words.map(String.init) + ["--help"]).text
                let text = try shown(page)
                for option in help.matches(of: /--[a-z][a-z-]+/) {
                    #expect(text.contains(option.output), "\(page.lastPathComponent): \(option.output)")
                }
            }
        }
    }

    @Test("They contain everything in --help: each option, each exit code, and examples line by line")
    func content() throws {
        try withPages { pages throws in
            for page in pages {
                // A command may have a hyphen in its name.
                let name = page.deletingPathExtension().lastPathComponent.dropFirst("sandboxlint-".count)
                let words = TestedTool.sandboxlint.commands.first { $0.joined(separator: "-") == name }
                let help = try sandboxlint((words ?? name.split(separator: "-").map(String.init)) + ["--help"]).text
                let text = try shown(page)
                for option in help.matches(of: /--[a-z][a-z-]+/) {
                    #expect(text.contains(option.output), "\(page.lastPathComponent): \(option.output)")
                }
            }
            let tool = try shown(try #require(pages.first { $0.lastPathComponent == "sandboxlint.1" }))
            #expect(tool.contains("\n         sandboxlint path/to/container\n"))
            #expect(tool.contains("EXIT STATUS\n       0      no findings\n\n       1      findings\n"), "\(tool)")
            let fix = try shown(try #require(pages.first { $0.lastPathComponent == "sandboxlint-fix.1" }))
            #expect(fix.contains("       3      input missing, locked or not fully read\n"), "\(fix)")
        }
    }
}
