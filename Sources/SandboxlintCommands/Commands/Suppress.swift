import ArgumentParser
import CommandLineSupport
import ContainerInputs
import FileSystem
import PolicyReports
import StoragePolicy
import TextOutput

/// `sandboxlint suppress INPUT FINDING --reason …`
struct Suppress: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "suppress",
        abstract: "Add a suppression of one finding to the configuration.",
        discussion: """
            FINDING is the rule and the path, such as stale-tmp:tmp/old.part, or the fingerprint from a JSON report. The line \
            is added under `suppressions` in the configuration that applies to INPUT; without one, \(Configuration.fileName) is \
            created in the working directory.

            Examples:
              sandboxlint suppress APP stale-tmp:tmp/old.part --reason "sent later"
              sandboxlint suppress APP 619b650f55aa01c3 --reason tests --until 2026-12-31

            Exit codes: 0 written, or suppressed already, 2 usage or configuration error, or no such finding, 3 input missing \
            or not fully read, 4 internal error.
            """)

    @Argument(help: ArgumentHelp("The container.", valueName: "input"), completion: .directory)
    var input: String

    @Argument(help: ArgumentHelp("The finding: RULE:PATH or a fingerprint.", valueName: "finding"))
    var finding: String

    @OptionGroup(title: "Suppression") var terms: Terms

    @OptionGroup(title: "Rule Selection") var choice: ChoiceOptions

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @OptionGroup(title: "Configuration") var itemSuppressions: ItemSuppressionOptions

    @OptionGroup(title: "Rule Selection") var own: RuleOptions

    @OptionGroup(title: "Analysis") var date: DateOptions

    @OptionGroup(title: "Analysis") var threads: ThreadOptions

    /// The reason, the owner and the end of a suppression.
    struct Terms: ParsableArguments {
        @Option(help: ArgumentHelp("The reason, which reports show.", valueName: "text"))
        var reason: String

        @Option(help: ArgumentHelp("The person or team to ask about it.", valueName: "name"))
        var owner: String?

        @Option(help: ArgumentHelp("The last day of the suppression, such as 2026-12-31.", valueName: "date"))
        var until: String?
    }

    func validate() throws {
        let (reason, until) = (terms.reason, terms.until)
        if reason.allSatisfy(\.isWhitespace) { throw ValidationError("--reason must not be empty.") }
        if let until, DateText.seconds(until) == nil {
            throw ValidationError("--until expects a date such as 2026-12-31.")
        }
        if configuration.isolated { throw ValidationError("--isolated uses no configuration to write to.") }
    }

    func run() throws {
        let options = LinterOptions(
            choice: choice, configuration: configuration, itemSuppressions: itemSuppressions, own: own, date: date,
            threads: threads)
        let linter = try options.linter(for: input)
        var run = LintedInputs()
        try run.lint([.path(input)], by: [linter], showing: ProgressLine(.auto))
        if run.isInputWrong { throw Failure.input }
        if let suppression = run.report.suppressedFindings.first(where: isMeant)?.suppression {
            Failure.printMessage(
                "sandboxlint: the finding is suppressed already by \(suppression.location): \(suppression.reason)")
            return
        }
        guard let meant = run.report.findings.first(where: isMeant) else {
            throw ValidationError(
                "There is no finding “\(ByteText.printable(finding))”; `sandboxlint lint \(ByteText.printable(input)) --format "
                    + "compact` lists the findings.")
        }
        let path = configuration.config ?? linter.configuration.files.last ?? Configuration.fileName
        guard Configuration.isAllowed(at: path, besides: input) else {
            throw ValidationError(
                "“\(ByteText.printable(path))” is inside the container, which must not be modified; run the command in a "
                    + "directory outside it, or specify a file with --config.")
        }
        let edit = ConfigurationEdit(suppressing: meant, reason: terms.reason, owner: terms.owner, until: terms.until)
        do { try edit.apply(to: path) } catch let refusal as ConfigurationEdit.Refusal {
            Failure.printMessage("sandboxlint: \(ByteText.printable(refusal.description))")
            throw Failure.usage
        }
        Failure.printMessage("\(ByteText.printable(path)): \(ByteText.printable(edit.line))")
    }

    private func isMeant(_ candidate: Finding) -> Bool {
        if candidate.fingerprint == finding.lowercased() { return true }
        guard let colon = finding.firstIndex(of: ":"), finding[..<colon] == candidate.rule.id else { return false }
        let path = String(finding[finding.index(after: colon)...])
        return path == candidate.displayPath || path == "." && candidate.path.isEmpty
            || NameSpelling.composed(Array(path.utf8)) == NameSpelling.composed(candidate.path)
    }
}
