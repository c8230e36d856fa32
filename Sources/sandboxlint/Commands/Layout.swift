import AppContainer
import CommandLineSupport
import ArgumentParser
import PolicyReports
import StoragePolicy
import SystemPackage
import TextOutput

/// `sandboxlint layout PATH --anonymize`
struct Layout: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "layout",
        abstract: "Print the anonymous layout of a container: paths, times and sizes, no content.",
        discussion: """
              sandboxlint layout path/to/container --anonymize
              sandboxlint layout path/to/container --anonymize --output layout.json

            What survives: directories that every container has, words of the vocabulary in \
            rules/evidence/vocabulary.yml, names that SDKs and file formats fix, known \
            extensions, and the form of names. Every other word becomes a keyed hash; numbers, \
            UUIDs and hexadecimal names become others of the same length. A name with spaces \
            or characters outside ASCII keeps only its extension.

            The key is random and forgotten after the run, so that no name can be found by \
            guessing. One name has one replacement within a run.

            Times are rounded down to 10 seconds and shifted back by a random number of whole \
            days; sizes keep two digits. Read the layout before you share it.

            Exit: 0 printed, 2 wrong usage or no place to write, 3 input missing or not wholly \
            read, 4 internal error or no room.
            """)

    @Argument(help: "An app container: the directory that holds Documents, Library and tmp.", completion: .directory)
    var input: String

    @Flag(help: "Replace names, times and sizes. Required: a plain layout shows names that the user gave.")
    var anonymize = false

    @Option(
        help: ArgumentHelp("Write to this file instead of standard output.", valueName: "path"), completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "Make the same replacements in every run. Only for tests: whoever knows the seed can guess names.",
            valueName: "text"))
    var seed: String?

    func validate() throws {
        guard anonymize else {
            throw ValidationError("A plain layout would show names that the user gave. Add --anonymize.")
        }
        if let output, output != "-", ReportFile.lies(output, in: input) {
            throw ValidationError(
                "“\(output)” is inside the container “\(input)”, which must not change. Choose a file elsewhere.")
        }
    }

    func run() throws {
        let layout = try Failure.ofInput { try AnonymousLayout(try Container.open(FilePath(input)), seed: seed) }
        let text = LayoutText(layout)
        if let output, output != "-" {
            do throws(ReportFileError) { try ReportFile.replace(output) { text.write(to: $0) } } catch {
                Failure.say("sandboxlint: \(error)")
                throw error.isDiskAtFault ? Failure.ownError : Failure.usage
            }
        } else {
            let shown = Output()
            text.write(to: shown.write)
            try shown.end()
        }
        for remark in text.remarks { Failure.say("sandboxlint: \(remark)") }
        if !text.isComplete { throw Failure.input }
    }
}
