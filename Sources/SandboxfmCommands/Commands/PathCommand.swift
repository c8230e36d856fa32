import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import ContainerInputs
import ContainerTree

/// `sandboxfm path CONTAINER [PATH…]`
struct PathCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "path",
        abstract: "Print the absolute paths of items, which need not exist.",
        discussion: CommandHelp.discussion(
            """
            {bundle-id} in a path stands for the app's identifier. In a pipe, names are printed byte by byte; on a \
            terminal and in JSON they are escaped. Items of archives, device backups and devices have no path.
            """,
            examples: [
                "sandboxfm path CONTAINER 'Library/Caches/{bundle-id}'",
                "sandboxfm path CONTAINER 'Documents/*' --null | xargs -0 md5sum",
            ],
            exits: CommandHelp.reading))

    @OptionGroup var container: ContainerOptions
    @OptionGroup var items: PathArguments
    @Flag(name: [.customShort("0"), .long], help: "End each path with a NUL instead of a newline.") var null = false
    @OptionGroup(title: "Output") var output: OutputOptions

    func validate() throws {
        if null, output.isJSON { throw ValidationError("--null and --json cannot be combined.") }
    }

    func run() throws { try container.printLocations(items, as: .path, null: null, output: output) }
}

/// `sandboxfm url CONTAINER [PATH…]`
struct URLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url",
        abstract: "Print the file URLs of items, which need not exist.",
        discussion: CommandHelp.discussion(
            "Each byte other than a letter, a digit and -._~/ is percent-encoded.",
            examples: ["sandboxfm url CONTAINER Documents/letter.txt", "sandboxfm url CONTAINER 'Documents/*' --json"],
            exits: CommandHelp.reading))

    @OptionGroup var container: ContainerOptions
    @OptionGroup var items: PathArguments
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws { try container.printLocations(items, as: .url, null: false, output: output) }
}

extension ContainerOptions {
    fileprivate func printLocations(
        _ items: PathArguments, as form: ItemLocations.Form, null: Bool, output: OutputOptions
    ) throws {
        // The files of a copy do not exist after the run.
        try open(inPlaceBecause: "only items of a directory have a path") { found in
            var index: ContainerIndex?
            let locations = try ItemLocations(of: following(items.paths), in: found.container, as: form) {
                let made = try index ?? ContainerIndex(of: DirectoryTree(found.container))
                index = made
                return made
            }
            if output.isJSON || Terminal().isShown, !null {
                try output.print(locations)
            } else {
                let stream = Output()
                stream.write(locations.bytes(endingIn: null ? 0 : UInt8(ascii: "\n")))
                try stream.end()
            }
            if let index, let code = Failure.reportFailures(index.failures) { throw code }
        }
    }
}
