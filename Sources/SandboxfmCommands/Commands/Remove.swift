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
            are not deleted; their content is.
            """,
            examples: [
                "sandboxfm rm CONTAINER 'tmp/*' --dry-run",
                "sandboxfm rm CONTAINER Documents/old.txt --yes",
            ],
            exits: CommandHelp.changing))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "Paths or patterns of items, relative to the container.") var paths: [String] = []
    @OptionGroup var confirmation: Confirmation
    @OptionGroup(title: "Output") var output: OutputOptions

    private var arguments: [String] { get throws { try container.required("paths", arguments: paths) } }

    func validate() throws { _ = try arguments }

    func run() throws {
        try container.change(isPlan: confirmation.isPlan) { container in
            let report = try ItemChanges(container).delete(arguments, isPlan: confirmation.isPlan) { plan in
                let items = plan.changes.reduce(0) { $0 + $1.items }
                let bytes = plan.changes.reduce(UInt64(0)) { $0 &+ $1.bytes }
                try confirmation.confirm(
                    plan, question: "Delete \(Quantity.count(items, "item")), \(Quantity.bytes(bytes))")
            }
            try output.printChanges(report)
        }
    }
}
