import AppContainer
import CommandLineSupport
import ArgumentParser
import PolicyReports
import StoragePolicy
import SystemPackage
import TextOutput

/// `sandboxlint fix INPUT`
struct Fix: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fix",
        abstract:
            "Do away with findings: flags, leftovers and the like; tried on a clone first, and taken back by undo.",
        discussion: """
              sandboxlint fix path/to/container --diff    what would be done
              sandboxlint fix path/to/container           does it
              sandboxlint undo path/to/container          takes it back

            What would lead to new findings, or does not help, is refused. The journal, and \
            what is taken away, are kept beside the container, in \
            <container>.sandboxlint-undo, until `undo`, the next fix that changes something, \
            or `fix --forget`. A fix that was interrupted is taken back first.

            Exit: 0 no findings of --fail-on left, 1 some left, 2 wrong usage or rule, 3 input \
            missing, locked or not wholly read.
            """)

    @Argument(help: "An app container: the directory that holds Documents, Library and tmp.", completion: .directory)
    var input: String

    @Flag(help: "Show what would be done, as a diff of the tree, and change nothing.")
    var diff = false

    @Flag(
        help: """
            Do also what asks: whatever moves or takes away files in Documents, Application Support and Preferences. \
            Look at it with --diff first.
            """)
    var unsafe = false

    @Flag(help: "Only give up what the last fix keeps; it can then not be taken back.")
    var forget = false

    @OptionGroup var choice: ChoiceOptions

    @Option(help: "Exit with 1 where findings of this severity are left: error, warning, note, or never.")
    var failOn: FailOn = .error

    @Option(
        help: ArgumentHelp("Count ages back from this moment (2026-01-31 or 2026-01-31T12:00:00Z).", valueName: "date"))
    var now: Moment?

    @OptionGroup var configuration: ConfigurationOptions

    @OptionGroup var itemSuppressions: ItemSuppressionOptions

    @OptionGroup var own: RuleOptions

    @Option(help: "How to tell it: text or json.")
    var format: Format = .text

    @Option(
        help: ArgumentHelp(
            "A line on standard error that tells how far it has come: auto (on a terminal), always or never.",
            valueName: "when"))
    var progress: ProgressChoice = .auto

    func validate() throws {
        if forget, diff || unsafe { throw ValidationError("--forget goes alone: it fixes nothing.") }
    }

    func run() throws {
        if forget {
            let wasThere = try Failure.ofInput { try Undo.forget(try Container.open(FilePath(input))) }
            Failure.say(wasThere ? "what the last fix kept is gone" : "nothing was kept")
            return
        }
        let fixer = try fixer()
        let progress = ProgressLine(progress)
        defer { progress.end() }
        let outcome = try Failure.ofInput {
            try fixer.fix(try Container.open(FilePath(input)), showingOnly: diff) { progress.add($0) }
        }
        progress.end()
        Failure.sayIfAccessTimesMoved()
        let text = FixText(outcome, of: input, showingOnly: diff)
        try Output.show(format, text: text.text, json: text.json)
        guard outcome.incidents.isEmpty else { throw Failure.input }
        if let least = Severity(rawValue: failOn.rawValue), outcome.left.contains(where: { $0.severity >= least }) {
            throw Failure.findings
        }
    }

    /// A linter with all rules but those to ignore, which judge what the fix leads to; and those whose findings are to go.
    private func fixer() throws -> Fixer {
        let honorsItems = itemSuppressions.areHonored(with: configuration)
        let configuration = try configuration.configuration(for: input)
        var catalogue = try own.catalogue(configuration)
        try choice.takeIgnored(outOf: &catalogue)
        var chosen = catalogue
        try choice.restrict(&chosen)
        catalogue.ask(as: chosen)
        let linter = try Linter(
            catalogue: catalogue, configuration: configuration, now: now?.seconds, honorsItemSuppressions: honorsItems)
        return try Fixer(linter, chosen: Set(chosen.rules.map(\.number)), allowsUnsafe: unsafe)
    }
}
