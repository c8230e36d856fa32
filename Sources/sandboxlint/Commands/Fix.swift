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
        abstract: "Fix findings: set or remove backup exclusions, delete leftovers. Can be reverted with undo.",
        discussion: """
            Every fix is tried on a copy first. A fix that would cause new findings, or does not remove its finding, is \
            refused. The journal and the removed files are kept beside the container, in <container>.sandboxlint-undo, \
            until `undo`, the next fix that makes a change, or `fix --forget`. An interrupted fix is reverted first.

            Examples:
              sandboxlint fix path/to/container --diff    show the changes
              sandboxlint fix path/to/container           apply them
              sandboxlint undo path/to/container          revert them

            Exit codes: 0 no findings at or above --fail-on left, 1 findings left, 2 usage or configuration error, 3 input \
            missing, locked or not fully read, 4 internal error.
            """)

    @Argument(help: "An app container: the directory that contains Documents, Library and tmp.", completion: .directory)
    var input: String

    @Flag(help: "Print the changes as a diff of the directory tree, without applying them.")
    var diff = false

    @Flag(
        help: "Also apply unsafe fixes, which move or delete files in Documents, Application Support and Preferences.")
    var unsafe = false

    @Flag(help: "Delete the undo data of the last fix, which then cannot be reverted.")
    var forget = false

    @OptionGroup(title: "Rule Selection") var choice: ChoiceOptions

    @Option(help: "Exit with 1 if a finding of at least this severity is left.")
    var failOn: FailOn = .error

    @Option(
        help: ArgumentHelp(
            "Compute ages relative to this date (2026-01-31 or 2026-01-31T12:00:00Z). (default: now)", valueName: "date"
        ))
    var now: DateArgument?

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @OptionGroup(title: "Configuration") var itemSuppressions: ItemSuppressionOptions

    @OptionGroup(title: "Rule Selection") var own: RuleOptions

    @Option(help: "Print text or JSON.")
    var format: Format = .text

    @Option(
        help: ArgumentHelp(
            "Print progress to standard error: on a terminal (auto), always or never.",
            valueName: "when"))
    var progress: ProgressChoice = .auto

    func validate() throws {
        if forget, diff || unsafe { throw ValidationError("--forget cannot be combined with --diff or --unsafe.") }
    }

    func run() throws {
        if forget {
            let wasThere = try Failure.ofInput { try Undo.forget(try Container.open(FilePath(input))) }
            Failure.say(wasThere ? "deleted the undo data of the last fix" : "there is no undo data")
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

    /// Returns a fixer. All enabled rules check the result of the fix; findings of the selected rules are fixed.
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
