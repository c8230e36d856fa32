import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import TextOutput

/// `sandboxfm rm CONTAINER PATH…`
struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Delete items, and everything below directories.",
        discussion: CommandHelp.discussion(
            """
            Asks on a terminal. Links are deleted, not followed. The directories of every container, such as Documents, \
            are not deleted; their content is. Deleted items are kept beside the container for `sandboxfm undo`.
            """,
            examples: [
                "sandboxfm rm CONTAINER 'tmp/*' --dry-run",
                "sandboxfm rm CONTAINER Documents/old.txt --yes",
            ],
            exits: CommandHelp.changing))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "Paths or patterns of items, relative to the container.") var paths: [String] = []
    @Flag(help: "Do not keep the deleted items: free their space, without an undo.") var forGood = false
    @OptionGroup var confirmation: Confirmation
    @OptionGroup(title: "Output") var output: OutputOptions

    private var arguments: [String] { get throws { try container.required("paths", arguments: paths) } }

    func validate() throws { _ = try arguments }

    func run() throws {
        try container.change(isPlan: confirmation.isPlan) { container in
            let report = try ItemChanges(container).delete(
                arguments, forGood: forGood, isPlan: confirmation.isPlan
            ) { plan, noUndo in
                let items = plan.changes.reduce(0) { $0 + $1.items }
                let bytes = plan.changes.reduce(UInt64(0)) { $0 &+ $1.bytes }
                let question = "Delete \(Quantity.count(items, "item")), \(Quantity.bytes(bytes))"
                let remark = forGood ? " for good" : noUndo.map { ", which cannot be undone because \($0)" } ?? ""
                try confirmation.confirm(plan, question: question + remark)
            }
            try output.printChanges(report)
        }
    }
}
