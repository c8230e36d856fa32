import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import FileSystem
import TextOutput

/// The options of a command that changes something that cannot be restored.
struct Confirmation: ParsableArguments {
    @Flag(name: .shortAndLong, help: "Do not ask. Required without a terminal.") var yes = false
    @OptionGroup var plan: PlanOption

    /// True if only the plan is shown.
    var isPlan: Bool { plan.dryRun }

    /// Asks on the terminal.
    ///
    /// - Parameters:
    ///   - changes: The planned changes.
    ///   - question: The question without its question mark.
    /// - Throws: `usage` without a terminal, `refused` for any answer but yes.
    func confirm(_ changes: ChangeReport, question: String) throws(ExplorerError) {
        try confirm(changes, isEmpty: changes.changes.isEmpty, question: question)
    }

    /// Asks on the terminal, unless the plan is empty.
    func confirm(_ plan: some ExplorerOutput, isEmpty: Bool, question: String) throws(ExplorerError) {
        if yes || isEmpty { return }
        let invocation = Invocation.current
        guard invocation.standardInput.isTerminal, invocation.errors.isTerminal else {
            throw ExplorerError(
                .usage,
                description: "without a terminal, this needs --yes: \(question). Nothing on disk has changed. "
                    + "--dry-run shows the changes.")
        }
        var text = ""
        plan.writeText(in: Style(colored: false)) { text += $0 }
        let lines = text.split(separator: "\n")
        var shown = lines.prefix(Self.shownLines).map { ByteText.printable($0) + "\n" }.joined()
        if lines.count > Self.shownLines { shown += "… and \(lines.count - Self.shownLines) more\n" }
        StandardError.write(shown + ByteText.printable(question) + "? [y/N] ")
        let answer = invocation.standardInput.readLine()?.lowercased()
        guard answer == "y" || answer == "yes" else {
            throw ExplorerError(.refused, description: "not confirmed. Nothing on disk has changed.")
        }
    }

    private static let shownLines = 20
}

/// The option that only shows changes.
struct PlanOption: ParsableArguments {
    @Flag(name: [.customShort("n"), .long], help: "Show the changes without making them.") var dryRun = false
}

extension OutputOptions {
    /// Prints changes. Throws the exit code for failure if one of them failed.
    func printChanges(_ report: ChangeReport) throws {
        try print(report)
        if !isJSON, let note = report.undoNote { StandardError.printNote(note) }
        if !report.isComplete { throw Failure.failed }
    }
}
