import ArgumentParser
import CommandLineSupport
import ContainerExplorer

/// `sandboxfm rename CONTAINER PATH… NAME`
struct Rename: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Give items other names in their directories.",
        discussion: CommandHelp.discussion(
            """
            A new name with a slash, OLD/NEW, replaces a text in each name. In another one, * is the old name and # the \
            number of the item, from 1, with at least as many digits as there are #; the extension of a file is kept. All \
            names are checked before the first item is renamed, and nothing is replaced. `mv` renames one item.
            """,
            examples: [
                "sandboxfm rename CONTAINER 'Documents/*.jpg' 'holiday-##' --dry-run",
                "sandboxfm rename CONTAINER 'Documents/**/*.jpeg' .jpeg/.jpg",
            ],
            exits: CommandHelp.changing))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "Paths or patterns of items, then the new name.") var paths: [String] = []
    @OptionGroup var plan: PlanOption
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        guard try container.following(paths).count >= 2 else {
            throw ValidationError("Name at least one item and the new name.")
        }
    }

    func run() throws {
        let arguments = try container.following(paths)
        let pattern = try RenamePattern(arguments.last ?? "")
        try container.change(isPlan: plan.dryRun) {
            let items = try ItemChanges($0)
            try output.printChanges(items.rename(Array(arguments.dropLast()), by: pattern, isPlan: plan.dryRun))
        }
    }
}
