import ArgumentParser
import CommandLineSupport
import ContainerExplorer

/// `sandboxfm exclude CONTAINER PATH…`
struct Exclude: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "exclude",
        abstract: "Exclude items from backup (isExcludedFromBackup).",
        discussion: CommandHelp.discussion(
            """
            A file that is backed up is only excluded if it is proven that it can be downloaded or derived \
            again, or with --unsafe. The exclusion of a directory applies to its content.
            """,
            examples: [
                "sandboxfm exclude CONTAINER Documents/Videos --dry-run",
                "sandboxfm exclude CONTAINER 'Documents/**/*.mp4' --unsafe",
            ],
            exits: CommandHelp.changing))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "Paths or patterns of items, relative to the container.") var paths: [String] = []
    @Flag(help: "Also exclude items that may be user data.") var unsafe = false
    @Flag(
        name: .shortAndLong, help: "Mark each file and directory below, for readers that ignore parent directories.")
    var recursive = false
    @OptionGroup var plan: PlanOption
    @OptionGroup(title: "Output") var output: OutputOptions

    private var arguments: [String] { get throws { try container.required("paths", arguments: paths) } }

    func validate() throws { _ = try arguments }

    func run() throws {
        try container.change(isPlan: plan.dryRun) {
            try output.printChanges(
                ItemChanges($0).exclude(
                    arguments, recursively: recursive, allowsUserData: unsafe, isPlan: plan.dryRun))
        }
    }
}

/// `sandboxfm include CONTAINER PATH…`
struct Include: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "include",
        abstract: "Remove the backup exclusion of items.",
        discussion: CommandHelp.discussion(
            "The exclusion of a parent directory remains in effect, and is stated in the output.",
            examples: [
                "sandboxfm include CONTAINER Documents/Notes",
                "sandboxfm include CONTAINER Documents --recursive --dry-run",
            ],
            exits: CommandHelp.changing))

    @OptionGroup var container: ContainerOptions
    @Argument(help: "Paths or patterns of items, relative to the container.") var paths: [String] = []
    @Flag(name: .shortAndLong, help: "Remove the exclusions of everything below too.") var recursive = false
    @OptionGroup var plan: PlanOption
    @OptionGroup(title: "Output") var output: OutputOptions

    private var arguments: [String] { get throws { try container.required("paths", arguments: paths) } }

    func validate() throws { _ = try arguments }

    func run() throws {
        try container.change(isPlan: plan.dryRun) {
            try output.printChanges(
                ItemChanges($0).include(arguments, recursively: recursive, isPlan: plan.dryRun))
        }
    }
}
