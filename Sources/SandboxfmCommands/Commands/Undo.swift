import AppContainer
import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import TextOutput

/// `sandboxfm undo CONTAINER [NUMBER]`
struct Undo: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Revert the last change, or the change with a number.",
        discussion: CommandHelp.discussion(
            """
            Changes and deleted items are kept beside the container, in <container>.sandboxlint-undo, for 30 days and up to \
            1 GiB. An undo replaces nothing: what has changed since is reported and stays. An interrupted change is \
            reverted first. --empty asks on a terminal.
            """,
            examples: [
                "sandboxfm undo CONTAINER", "sandboxfm undo CONTAINER --list", "sandboxfm undo CONTAINER 3 --dry-run",
                "sandboxfm undo CONTAINER --empty --older-than 7 --yes",
            ],
            exits: CommandHelp.changing))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "The number of a change. (default: the last one)") var number: String?
    @Flag(help: "List the changes that can be reverted, the newest first.") var list = false
    @Flag(help: "Delete the kept items, so that their changes can no longer be reverted.") var empty = false
    @Option(help: ArgumentHelp("With --empty, only of changes that are older than this.", valueName: "days"))
    var olderThan: Int?
    @OptionGroup var confirmation: Confirmation
    @OptionGroup(title: "Output") var output: OutputOptions

    private var chosen: Int? {
        get throws {
            let arguments = container.following([number].compactMap(\.self))
            guard arguments.count <= 1 else { throw ValidationError("Unexpected argument '\(arguments[1])'") }
            guard let text = arguments.first else { return nil }
            guard let number = Int(text), number > 0 else {
                throw ValidationError("The number of a change is a positive number, as in --list.")
            }
            return number
        }
    }

    func validate() throws {
        let number = try chosen
        if list, empty || number != nil {
            throw ValidationError("--list cannot be combined with --empty and a number.")
        }
        if empty, number != nil { throw ValidationError("--empty cannot be combined with a number; use --older-than.") }
        if let olderThan {
            guard empty else { throw ValidationError("--older-than needs --empty.") }
            guard (0...100_000).contains(olderThan) else {
                throw ValidationError("--older-than must be from 0 to 100000.")
            }
        }
    }

    func run() throws {
        try container.change(isPlan: list || confirmation.isPlan, isUndo: true) { container in
            let editor = ContainerEditor(container)
            if list { return try output.print(editor.list()) }
            if empty { return try removeUndoData(editor) }
            let report = try editor.undo(chosen, isPlan: confirmation.isPlan)
            try output.print(report)
            if !report.conflicts.isEmpty { throw Failure.failed }
        }
    }

    private func removeUndoData(_ editor: ContainerEditor) throws {
        let age = olderThan.map { Int64($0) * 86_400 }
        let plan = try editor.empty(olderThan: age, isPlan: true)
        if confirmation.isPlan { return try output.print(plan) }
        let bytes = plan.changes.reduce(UInt64(0)) { $0 &+ $1.kept }
        try confirmation.confirm(
            plan, isEmpty: plan.changes.isEmpty,
            question:
                "Delete the kept items of \(Quantity.count(plan.changes.count, "change")), \(Quantity.bytes(bytes))")
        try output.print(editor.empty(olderThan: age))
    }
}
