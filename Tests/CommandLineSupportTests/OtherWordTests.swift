import Foundation
import TestSupport
import Testing
import ToolSupport

@Suite("Commands of other tools") struct OtherWordTests {
    /// Runs a tool where nothing is called like the word: elsewhere the word may be a path.
    private func inEmptyFolder(_ run: (URL) throws -> Command) throws -> Command { try withScratch(run) }

    @Test(
        "A word of another tool exits with 2, and the message says what to use here",
        arguments: [
            ("check", "“sandboxlint lint”"), ("version", "“sandboxlint --version”"),
            ("stats", "“sandboxlint lint --statistics”"), ("search", "“sandboxlint rules list”"),
            ("open", "“sandboxfm browse”"), ("restore", "“sandboxlint undo”"),
        ])
    func linter(word: String, use: String) throws {
        let run = try inEmptyFolder { try sandboxlint(word, in: $0) }
        #expect(run.code == 2 && run.output.isEmpty)
        #expect(run.errors.contains("“sandboxlint \(word)” is neither a command nor a path; did you mean \(use)?"))
    }

    @Test(
        "sandboxbackup has no default command, so every unknown word is an error",
        arguments: [
            ("backup", "did you mean “sandboxbackup create”?"), ("undo", "did you mean “sandboxbackup restore”?"),
            ("list", "did you mean “sandboxbackup ls” or “sandboxbackup snapshots”?"),
            ("version", "did you mean “sandboxbackup --version”?"),
            ("snapshts", "did you mean “sandboxbackup snapshots”?"),
            ("xyzzy", "the commands are plan, create, snapshots, "),
        ])
    func backup(word: String, hint: String) throws {
        let run = try inEmptyFolder { try sandboxbackup(word, in: $0) }
        #expect(run.code == 2 && run.output.isEmpty)
        #expect(
            run.errors.hasPrefix("sandboxbackup: “sandboxbackup \(word)” is not a command; \(hint)"), "\(run.errors)")
    }

    @Test(
        "Of the file manager, too",
        arguments: [
            ("stats", "did you mean “sandboxfm du”?"), ("stat", "did you mean “sandboxfm info”?"),
            ("grep", "did you mean “sandboxfm search”?"), ("compare", "did you mean “sandboxfm diff”?"),
            ("open", "did you mean “sandboxfm browse” or “sandboxfm cat”?"),
            ("revert", "did you mean “sandboxfm undo”?"),
        ])
    func fileManager(word: String, hint: String) throws {
        let run = try inEmptyFolder { try sandboxfm(word, in: $0) }
        #expect(run.code == 2 && run.output.isEmpty)
        #expect(run.errors.contains("“sandboxfm \(word)” is neither a command nor a path; \(hint)"), "\(run.errors)")
    }

    @Test("A path that is named like a command of another tool is a path")
    func path() throws {
        try withScratch { folder throws in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "check/Documents"), withIntermediateDirectories: true)
            #expect(try sandboxlint("check", in: folder).code == 0)
        }
    }

    @Test("A mistyped subcommand of a command is found, too, and a word after options")
    func nested() throws {
        let nested = try inEmptyFolder { try sandboxfm("prefs", "lst", "c", in: $0) }
        #expect(nested.code == 2 && nested.errors.contains("did you mean “sandboxfm prefs list”?"), "\(nested.errors)")
        let late = try inEmptyFolder { try sandboxlint("--isolated", "lint", "good", in: $0) }
        #expect(late.code == 2 && late.errors.contains("the command must come before its options"), "\(late.errors)")
    }
}
