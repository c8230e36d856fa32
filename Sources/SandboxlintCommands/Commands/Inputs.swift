import ArgumentParser
import CommandLineSupport
import ContainerInputs
import FileSystem
import SystemPackage
import TextOutput

/// `sandboxlint inputs PATH…`
struct Inputs: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inputs",
        abstract: "List the containers in a path: packages, simulated devices, archives, device backups, directories.",
        usage: "sandboxlint inputs [<options>] [<input> ...]",
        discussion: """
            The containers of an app are its own, those of its groups and those of its extensions. `lint` lints them together, \
            and --bundle-id selects apps. The apps of a device backup are listed from its manifest.

            Examples:
              sandboxlint inputs ~/Library/Developer/CoreSimulator/Devices
              sandboxlint inputs Reader.xcappdata --format json
              sandboxlint inputs MobileSync/Backup/UDID --password-file FILE

            Exit codes: 0 listed, 2 usage error, 3 no container or not fully read, 4 internal error.
            """)

    /// The option that selects the bundle of the app.
    struct BundleOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Read the app groups and extensions from this app bundle (Reader.app).", valueName: "path"),
            completion: .directory)
        var app: String?
    }

    @OptionGroup(title: "Input") var given: InputPaths

    @OptionGroup(title: "Input") var apps: InputSelection

    @OptionGroup(title: "Input") var secret: BackupPasswordOptions

    @OptionGroup(title: "Input") var bundle: BundleOptions

    @OptionGroup(title: "Output") var printed: FormatOptions

    private var inputs: InputOptions { InputOptions(paths: given.paths, selection: apps, secret: secret) }

    func validate() throws { try inputs.check() }

    func run() throws {
        var contents: AppContents?
        if let app = bundle.app { contents = try Failure.ofInput { try AppContents(at: FilePath(app)) } }
        var (found, isComplete): ([ListedInput], Bool) = ([], true)
        for source in inputs.sources {
            do throws(InputError) {
                let input = try ListedInput(source, only: inputs.bundleID, bundle: contents) {
                    try inputs.secret.password(of: $0)
                }
                for text in input.notes + input.gaps { Failure.printMessage("sandboxlint: \(text)") }
                isComplete = isComplete && input.gaps.isEmpty
                found.append(input)
            } catch {
                try Invocation.current.interruption.check()
                Failure.printMessage("sandboxlint: \(error)")
                isComplete = false
            }
        }
        let text = InputsText(found)
        try Output.show(printed.format, style: Terminal().plainStyle, text: { $0(text.text) }, json: text.json)
        if !isComplete { throw Failure.input }
    }
}
