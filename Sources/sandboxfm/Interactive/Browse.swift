import ArgumentParser

/// `sandboxfm CONTAINER`
struct Browse: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a container. This is the default command.",
        discussion: CommandHelp.discussion(
            "Prints the items of the container with their totals, as `ls` does.",
            examples: ["sandboxfm CONTAINER"], exits: CommandHelp.reading))

    @OptionGroup var container: ContainerOptions
    @OptionGroup var date: DateOptions
    @OptionGroup(title: "Output options") var output: OutputOptions

    func run() throws {
        try List.print(container, paths: [], date: date, output: output)
    }
}
