import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import ContainerInputs
import SourceCode

/// `sandboxfm CONTAINER`
struct Browse: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a container interactively (the default).",
        discussion: CommandHelp.discussion(
            """
            Shows directories with the size, items, backup and findings of each item. Arrow keys move, Enter opens, f \
            finds, v shows contents, d deletes, u undoes, ? lists the keys and : all commands, q quits. A second \
            container, an archive or a backup can be opened beside it, compared and copied from. Needs a terminal; scripts \
            use ls, tree and du. A container in an archive or a device backup cannot be changed.
            """,
            examples: [
                "sandboxfm CONTAINER", "sandboxfm browse CONTAINER --beside OTHER",
                "sandboxfm browse CONTAINER --color never --no-mouse",
            ],
            exits: [.done, .failed, .usage, .incomplete, .interrupted, .terminated]))

    @OptionGroup var container: ContainerOptions
    @Option(
        help: ArgumentHelp(
            "Use colors: auto, always or never. NO_COLOR and FORCE_COLOR are respected.", valueName: "when"))
    var color: ColorChoice = .auto
    @Flag(help: "Leave the mouse to the terminal, which selects text with it.") var noMouse = false
    @Option(
        help: ArgumentHelp("Open another container, archive or backup in a second pane.", valueName: "input"),
        completion: .file())
    var beside: String?
    @Option(
        help: ArgumentHelp(
            """
            Search the source code in this directory (repeatable), or in none, for the lines that write items. (default: \
            the source-root of the configuration, else the git work tree of the configuration or of the working directory)
            """, valueName: "directory"), completion: .directory)
    var sourceRoot: [String] = []

    func run() throws {
        try container.open { found in
            try InteractiveRun.checkTerminal()
            let path = container.shownPath(of: found)
            if let problem = SourceRoots(sourceRoot, configuration: nil, besides: [path]).problem {
                throw ValidationError(problem)
            }
            let (container, sourceRoot) = (container, sourceRoot)
            // A password cannot be asked for on the screen.
            let password: @Sendable (String) throws -> String? = {
                try container.secret.isStored ? container.secret.password(of: $0) : nil
            }
            var run = InteractiveRun(
                found, titled: path, openInput: { try container.openInput(at: $0, password: password) }
            ) { input, path in
                BrowserSession(
                    input.container, configuredAt: path, searchesCode: true, sourceRoots: sourceRoot,
                    canChange: !input.isCopy)
            }
            try run.run(isColored: color.isColored, hasMouse: !noMouse, beside: beside)
        }
    }
}
