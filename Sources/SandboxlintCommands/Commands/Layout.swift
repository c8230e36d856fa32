import AppContainer
import ArgumentParser
import CommandLineSupport
import PolicyReports
import StoragePolicy
import SystemPackage
import TextOutput

/// `sandboxlint layout PATH --anonymize`
struct Layout: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "layout",
        abstract: "Print the anonymized layout of a container: paths, times and sizes, no content.",
        usage: "sandboxlint layout [<options>] <input>",
        discussion: """
            Kept unchanged: standard directories, words of the vocabulary in rules/evidence/vocabulary.yml, names fixed \
            by SDKs and file formats, known extensions, and the form of names. Every other word is replaced with a keyed \
            hash; numbers, UUIDs and hexadecimal names are replaced with others of the same length. A name with spaces \
            or characters outside ASCII keeps only its extension.

            The key is random and not stored, so names cannot be found by guessing. Within a run, equal names have \
            equal replacements.

            Times are rounded down to 10 seconds and shifted back by a random number of whole days; sizes keep two \
            digits. Read the layout before you share it.

            Examples:
              sandboxlint layout path/to/container --anonymize
              sandboxlint layout path/to/container --anonymize --output layout.json

            Exit codes: 0 printed, 2 usage error or file not written, 3 input missing or not fully read, 4 internal \
            error or disk full.
            """)

    /// The options that control the printed layout.
    struct LayoutOptions: ParsableArguments {
        @Flag(help: "Replace names, times and sizes (required, because plain layouts contain the user's file names).")
        var anonymize = false

        @Option(
            help: ArgumentHelp("Write to this file instead of standard output.", valueName: "path"), completion: .file()
        )
        var output: String?

        @Option(
            help: ArgumentHelp(
                "Use the same replacements in every run. For tests only: the seed makes it possible to guess names.",
                valueName: "text"))
        var seed: String?
    }

    @Argument(help: "An app container: the directory that contains Documents, Library and tmp.", completion: .directory)
    var input: String

    @OptionGroup(title: "Output") var shown: LayoutOptions

    func validate() throws {
        guard shown.anonymize else {
            throw ValidationError("A plain layout would contain the user's file names. Add --anonymize.")
        }
        if let output = shown.output, output != "-", ReportFile.isLocated(output, in: input) {
            throw ValidationError(
                "“\(output)” is inside the container “\(input)”, which must not be modified. Specify a file outside it."
            )
        }
    }

    func run() throws {
        let layout = try Failure.ofInput { try AnonymousLayout(try Container.open(FilePath(input)), seed: shown.seed) }
        let text = LayoutText(layout)
        if let output = shown.output, output != "-" {
            do throws(ReportFileError) { try ReportFile.replace(output) { text.write(to: $0) } } catch {
                Failure.printMessage("sandboxlint: \(error)")
                throw error.isDiskAtFault ? Failure.ownError : Failure.usage
            }
        } else {
            let printed = Output()
            text.write(to: printed.write)
            try printed.end()
        }
        for remark in text.remarks { Failure.printMessage("sandboxlint: \(remark)") }
        if !text.isComplete { throw Failure.input }
    }
}
