import AppContainer
import ArgumentParser
import CommandLineSupport
import FileSystem
internal import PolicyFixes
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
              sandboxlint fix path/to/container --diff --traffic capture.har
              sandboxlint fix path/to/container           apply them
              sandboxlint undo path/to/container          revert them

            Exit codes: 0 no findings at or above --fail-on left, 1 findings left, 2 usage or configuration error, 3 input \
            missing, locked or not fully read, 4 internal error.
            """)

    /// The options that select what is fixed.
    struct FixOptions: ParsableArguments {
        @Flag(help: "Print the changes as a diff of the directory tree, without applying them.")
        var diff = false

        @Flag(
            help:
                "Also apply unsafe fixes, which move or delete files in Documents, Application Support and Preferences."
        )
        var unsafe = false

        @Flag(help: "Delete the undo data of the last fix, which then cannot be reverted.")
        var forget = false

        func validate() throws {
            if forget, diff || unsafe { throw ValidationError("--forget cannot be combined with --diff or --unsafe.") }
        }
    }

    /// The option that selects which remaining findings fail a run.
    struct LeftOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp("Exit with 1 if a finding of at least this severity is left.", valueName: "severity"))
        var failOn: FailOn = .error
    }

    /// The option that controls the progress line.
    struct ProgressOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Print progress to standard error: on a terminal (auto), always or never.",
                valueName: "when"))
        var progress: ProgressChoice = .auto
    }

    @Argument(help: "An app container: the directory that contains Documents, Library and tmp.", completion: .directory)
    var input: String

    @OptionGroup(title: "Fixes") var fixes: FixOptions

    @OptionGroup(title: "Exit Code") var failing: LeftOptions

    @OptionGroup(title: "Rule Selection") var choice: ChoiceOptions

    @OptionGroup(title: "Analysis") var date: DateOptions

    @OptionGroup(title: "Analysis") var recorded: TrafficOptions

    @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

    @OptionGroup(title: "Configuration") var itemSuppressions: ItemSuppressionOptions

    @OptionGroup(title: "Rule Selection") var own: RuleOptions

    @OptionGroup(title: "Analysis") var code: SourceRootOptions

    @OptionGroup(title: "Output") var printed: FormatOptions

    @OptionGroup(title: "Output") var watched: ProgressOptions

    func run() throws {
        if fixes.forget {
            let wasThere = try Failure.ofInput { try Undo.forget(try Container.open(FilePath(input))) }
            Failure.printMessage(wasThere ? "deleted the undo data of the last fix" : "there is no undo data")
            return
        }
        try code.check(besides: [input])
        let configuration = try configuration.configuration(for: input)
        let fixer = try fixer(configuration)
        let progress = ProgressLine(watched.progress)
        defer { progress.end() }
        let outcome = try Failure.ofInput {
            try fixer.fix(try Container.open(FilePath(input)), showingOnly: fixes.diff) { progress.add($0) }
        }
        progress.end()
        Failure.sayIfAccessTimesMoved()
        let source = code.sources(for: [configuration], besides: [input]).first
        let text = FixText(outcome, of: input, showingOnly: fixes.diff, code: source)
        try Output.show(printed.format, text: text.text, json: text.json)
        guard outcome.incidents.isEmpty else { throw Failure.input }
        if let least = Severity(rawValue: failing.failOn.rawValue),
            outcome.left.contains(where: { $0.severity >= least })
        {
            throw Failure.findings
        }
    }

    /// Returns a fixer. All enabled rules check the result of the fix; findings of the selected rules are fixed.
    private func fixer(_ configuration: Configuration) throws -> Fixer {
        let honorsItems = itemSuppressions.areHonored(with: self.configuration)
        var catalogue = try own.catalogue(configuration)
        try choice.takeIgnored(outOf: &catalogue)
        var chosen = catalogue
        try choice.restrict(&chosen)
        catalogue.addRequests(as: chosen)
        let linter = try Linter(
            catalogue: catalogue, configuration: configuration, now: date.now?.seconds,
            honorsItemSuppressions: honorsItems
        ).comparing(with: try recorded.readCompletely())
        return try Fixer(linter, chosen: Set(chosen.rules.map(\.number)), allowsUnsafe: fixes.unsafe)
    }
}
