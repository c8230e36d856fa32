import ArgumentParser
import CommandLineSupport
import ContainerExplorer

/// `sandboxfm mkdir CONTAINER PATH…`
struct MakeDirectory: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mkdir",
        abstract: "Create directories with their parents.",
        discussion: CommandHelp.discussion(
            "An existing directory is not an error. {bundle-id} in a path stands for the app's identifier.",
            examples: [
                "sandboxfm mkdir CONTAINER Documents/Letters/2026",
                "sandboxfm mkdir CONTAINER 'Library/Caches/{bundle-id}'",
            ],
            exits: CommandHelp.changing))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "Paths, relative to the container.") var paths: [String] = []
    @OptionGroup var plan: PlanOption
    @OptionGroup(title: "Output") var output: OutputOptions

    private var arguments: [String] { get throws { try container.required("paths", arguments: paths) } }

    func validate() throws { _ = try arguments }

    func run() throws {
        try container.change(isPlan: plan.dryRun) {
            try output.printChanges(ItemChanges.makeDirectories(arguments, in: $0, isPlan: plan.dryRun))
        }
    }
}
