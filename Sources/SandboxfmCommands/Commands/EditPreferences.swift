import ArgumentParser
import CTerminal
import CommandLineSupport
import ContainerExplorer
import FileSystem
import Foundation
import SystemPackage
import TextOutput

/// `sandboxfm prefs edit CONTAINER`
struct EditPreferences: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit",
        abstract: "Edit preferences as XML in an editor.",
        discussion: CommandHelp.discussion(
            """
            The editor is that of $VISUAL or $EDITOR, or vi. The text is in a private file that is removed afterwards, and is \
            checked before anything is saved. Only changed values are written. If another process has changed one of them in \
            the meantime, nothing is written, and the edited text is kept.
            """,
            examples: [
                "sandboxfm prefs edit CONTAINER", "sandboxfm prefs edit CONTAINER --dry-run",
            ],
            exits: CommandHelp.changing))

    @OptionGroup var container: ContainerOptions
    @OptionGroup var suite: PreferencesCommand.SuiteOptions
    @OptionGroup var plan: PlanOption
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        try container.change(isPlan: plan.dryRun) { container in
            let edit = try PreferenceEdit(suite: suite.suite, in: container)
            let report = try Invocation.current.interruption.during { try run(edit) }
            if report.changes.isEmpty { StandardError.printNote("no value was changed") }
            try output.printChanges(report)
        }
    }

    /// Shows the text in the editor until it can be saved, and saves it.
    private func run(_ edit: PreferenceEdit) throws -> ChangeReport {
        let name = FilePath("preferences.plist")
        let scratch: ScratchFolder
        do {
            scratch = try ScratchFolder(named: "sandboxfm-edit", in: Invocation.current.temporaryDirectory)
            let file = try scratch.folder.createFile(name, permissions: 0o600)
            try file.write(Array(edit.text.utf8))
            try file.close()
        } catch {
            throw ExplorerError(
                .failed,
                description:
                    "a private temporary file cannot be written: \(error). Nothing on disk has changed. Free some "
                    + "space, or set TMPDIR to another directory.")
        }
        while true {
            try Self.runEditor(on: scratch.path.appending(name.components))
            let bytes: [UInt8]
            do { bytes = try scratch.folder.open(name, followingLinks: false).contents(limit: 16 << 20) } catch {
                throw ExplorerError(
                    .failed, description: "the edited text cannot be read: \(error). Nothing on disk has changed.")
            }
            guard let problem = edit.problem(of: bytes) else {
                do { return try edit.save(bytes, isPlan: plan.dryRun) } catch let error as ExplorerError
                    where error.code == .refused
                {
                    throw ExplorerError(.refused, description: "\(error.description) \(Self.keep(bytes))")
                }
            }
            try Self.askAgain(problem)
        }
    }

    private static func runEditor(on path: FilePath) throws(ExplorerError) {
        let invocation = Invocation.current
        let named = ["VISUAL", "EDITOR"].compactMap { invocation.environment[$0] }.first { !$0.isEmpty }
        guard named != nil || invocation.standardInput.isTerminal else {
            throw ExplorerError(
                .usage,
                description:
                    "without a terminal, an editor is needed in $VISUAL or $EDITOR. Nothing on disk has changed. "
                    + "`sandboxfm prefs set` changes single values.")
        }
        let editor = named ?? "vi"
        // The shell takes the words of a command such as `code --wait` apart, as other tools do.
        let arguments = ["sh", "-c", "\(editor) \"$@\"", editor, path.string]
        let environment = invocation.environment.map { "\($0.key)=\($0.value)" }
        let code = withStrings(arguments) { arguments in
            withStrings(environment) { ct_run("/bin/sh", arguments, $0) }
        }
        guard code == 0 else {
            let reason =
                code < 0 ? Errno(rawValue: -code).description : "exit code \(code)"
            throw ExplorerError(
                .failed,
                description:
                    "the editor “\(ByteText.escaped(Array(editor.utf8)))” failed: \(reason). Nothing on disk has "
                    + "changed. Set $EDITOR to another one.")
        }
    }

    /// Calls `body` with C strings, after which NULL follows.
    private static func withStrings<Result>(
        _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
    ) -> Result {
        let strings = texts.map { strdup($0) }
        defer { for string in strings { free(string) } }
        let pointers = strings.map { UnsafePointer<CChar>($0) } + [nil]
        return pointers.withUnsafeBufferPointer { body($0.baseAddress) }
    }

    /// Asks whether to edit a text with a problem again.
    ///
    /// - Throws: `wrongContent` without a terminal, `refused` for any answer but yes.
    private static func askAgain(_ problem: String) throws(ExplorerError) {
        let invocation = Invocation.current
        let text = "the edited text is not a list of preferences: \(problem)."
        guard invocation.standardInput.isTerminal, invocation.errors.isTerminal else {
            throw ExplorerError(.wrongContent, description: "\(text) Nothing on disk has changed.")
        }
        StandardError.printNote(text)
        StandardError.write("Edit it again? [Y/n] ")
        let answer = invocation.standardInput.readLine()?.lowercased()
        guard let answer, ["", "y", "yes"].contains(answer) else {
            throw ExplorerError(.refused, description: "given up. Nothing on disk has changed.")
        }
    }

    /// Keeps a text in a private file, and returns a sentence that says where.
    private static func keep(_ bytes: [UInt8]) -> String {
        let directory = Invocation.current.temporaryDirectory
        let name = FilePath("sandboxfm-edited-\(String(UInt64.random(in: .min ... .max), radix: 16)).plist")
        do {
            let file = try Folder(opening: directory).createFile(name, permissions: 0o600)
            try file.write(bytes)
            try file.close()
        } catch { return "The edited text cannot be kept: \(error)." }
        let path = directory.appending(name.components)
        return
            "The edited text is kept in “\(ByteText.escaped(Array(path.string.utf8)))”; remove it when it is not needed."
    }
}
