import AppContainer
import ArgumentParser
import CommandLineSupport
import ContainerExplorer
import SystemPackage
import TextOutput

/// `sandboxfm new PATH --bundle-id ID`
struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Create an empty container with its standard directories.",
        discussion: CommandHelp.discussion(
            "Creates Documents, Library, SystemData, tmp and the file with the identifier, as the system does.",
            examples: [
                "sandboxfm new /tmp/reader --bundle-id com.example.reader",
                "sandboxfm new /tmp/group --bundle-id group.com.example",
            ],
            exits: CommandHelp.changing))

    @Argument(help: "A directory that does not exist or is empty.", completion: .directory) var path: String
    @Option(help: ArgumentHelp("The identifier of the app or group.", valueName: "identifier")) var bundleId: String
    @OptionGroup(title: "Output") var output: OutputOptions

    func run() throws {
        _ = try Container.create(at: FilePath(path), bundleIdentifier: bundleId)
        var report = ChangeReport(isPlan: false)
        report.make(
            ChangeReport.Change(.create, path: ByteText.escaped(Array(path.utf8)), note: "container of \(bundleId)")
        ) { nil }
        try output.printChanges(report)
    }
}
