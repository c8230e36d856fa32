import ArgumentParser
import CommandLineSupport
import ContainerInputs
internal import PolicyRecords
import PolicyReports
import StoragePolicy
import TextOutput

/// `sandboxlint baseline …`
struct BaselineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baseline",
        abstract: "Manage the baseline: findings that are accepted and do not fail a run.",
        discussion: """
            For errors and for the groups privacy, loss, database, preferences and integrity, an entry accepts one \
            problem of one item. For other rules, it accepts the findings in one directory, up to twice the items that \
            were found. The limit after `max:` may be edited.

            Examples:
              sandboxlint baseline write path/to/container --baseline baseline.txt
              sandboxlint lint path/to/container --baseline baseline.txt
              sandboxlint baseline prune path/to/container --baseline baseline.txt

            Exit codes: 0 success, 1 differences (baseline diff only), 2 usage or configuration error, 3 input missing \
            or not fully read, 4 internal error.
            """,
        subcommands: [Write.self, Update.self, Prune.self, Report.self, Diff.self])

    /// The option that selects the file.
    struct FileOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "Use this baseline. (default: `baseline` of the configuration, or \(Baseline.standardPath))",
                valueName: "path"), completion: .file())
        var baseline: String?
    }

    /// The options of every subcommand that lints.
    struct Options: ParsableArguments {
        @OptionGroup(title: "Input") var given: InputPaths

        @OptionGroup(title: "Input") var apps: InputSelection

        @OptionGroup(title: "Input") var secret: BackupPasswordOptions

        @OptionGroup(title: "Baseline") var file: FileOptions

        @OptionGroup(title: "Rule Selection") var choice: ChoiceOptions

        @OptionGroup(title: "Configuration") var configuration: ConfigurationOptions

        @OptionGroup(title: "Configuration") var itemSuppressions: ItemSuppressionOptions

        @OptionGroup(title: "Rule Selection") var own: RuleOptions

        @OptionGroup(title: "Analysis") var date: DateOptions

        @OptionGroup(title: "Analysis") var threads: ThreadOptions

        private var inputs: InputOptions { InputOptions(paths: given.paths, selection: apps, secret: secret) }

        func validate() throws { try inputs.check() }

        private var selection: LinterOptions {
            LinterOptions(
                choice: choice, configuration: configuration, itemSuppressions: itemSuppressions, own: own, date: date,
                threads: threads)
        }

        /// Lints the inputs and returns the baseline's path; throws exit code 3 if an input cannot be opened.
        func lint() throws -> (path: String, run: LintedInputs) {
            let linters = try inputs.sources.map { try selection.linter(for: $0.path, besides: inputs.paths) }
            let path = try Self.path(file.baseline, configured: linters.compactMap(\.configuration.baseline))
            if let holder = inputs.paths.first(where: { !Configuration.isAllowed(at: path, besides: $0) }) {
                throw ValidationError(
                    "“\(ByteText.printable(path))” is inside the container “\(ByteText.printable(holder))”, which must not be "
                        + "modified; specify a file outside it with --baseline.")
            }
            var run = LintedInputs()
            try run.lint(
                inputs.sources, only: inputs.bundleID, by: linters, showing: ProgressLine(.auto),
                password: inputs.secret.password)
            if run.isInputWrong { throw Failure.input }
            return (path, run)
        }

        /// Returns the given path, the path that all configurations share, or the standard path in the working directory.
        static func path(_ given: String?, configured: [String]) throws -> String {
            if let given { return given }
            guard let first = configured.first else { return Baseline.standardPath }
            guard configured.allSatisfy({ $0 == first }) else {
                throw ValidationError(
                    "The configurations of the inputs have different baselines; specify one with --baseline.")
            }
            return first
        }
    }

    /// Reads the file, and checks that its entries accept no more than they name.
    private static func read(_ path: String, for run: LintedInputs) throws -> Baseline {
        let baseline = try Baseline(reading: path)
        try Linter.check(baseline, for: run.linters)
        run.sayIfForeign(baseline)
        return baseline
    }

    /// Writes the file and prints its changes to standard error.
    private static func write(_ new: Baseline, over old: Baseline, to path: String, run: LintedInputs) throws {
        try new.write(to: path)
        Failure.printMessage("\(ByteText.printable(path)): \(BaselineText.changes(from: old, to: new))")
        if !run.report.isComplete {
            Failure.printMessage(
                "sandboxlint: the baseline may lack entries, because some items could not be read; `sandboxlint lint` lists them."
            )
            throw Failure.input
        }
    }

    /// `sandboxlint baseline write INPUT…`
    struct Write: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "write",
            abstract: "Write a new baseline with all current findings.",
            discussion: """
                Replaces the previous entries. Without --baseline and without `baseline:` in the configuration, the \
                file is \(Baseline.standardPath) in the working directory.

                Examples:
                  sandboxlint baseline write path/to/container
                  sandboxlint baseline write path/to/container --select backup

                Exit codes: 0 written, 2 usage or configuration error, 3 input missing or not fully read, \
                4 internal error.
                """)

        @OptionGroup var options: Options

        func run() throws {
            let (path, run) = try options.lint()
            // A mistyped path must not overwrite another file.
            if Baseline.exists(path), try !Baseline.isBaseline(path) {
                Failure.printMessage(
                    "sandboxlint: \(ByteText.printable(path)) exists and is not a baseline; it is unchanged. "
                        + "Specify another path with --baseline."
                )
                throw Failure.usage
            }
            let old = (try? Baseline(reading: path)) ?? Baseline([])
            run.sayIfForeign(
                old,
                hint:
                    "Its entries are replaced; to have both, restore the file and specify another one with --baseline."
            )
            try BaselineCommand.write(Baseline(run.report), over: old, to: path, run: run)
            if options.file.baseline == nil, path == Baseline.standardPath {
                Failure.printMessage(
                    "To use it, pass --baseline \(path) or set `baseline: \(path)` in \(Configuration.fileName).")
            }
        }
    }

    /// `sandboxlint baseline update INPUT…`
    struct Update: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "update",
            abstract: "Add new findings, raise exceeded limits and remove stale entries.",
            discussion: """
                Entries of other containers and rules, and limits that are not exceeded, are kept.

                Examples:
                  sandboxlint baseline update path/to/container
                  sandboxlint baseline update path/to/container --baseline ci/baseline.txt

                Exit codes: 0 updated, 2 usage or configuration error, 3 input missing or not fully read, \
                4 internal error.
                """)

        @OptionGroup var options: Options

        func run() throws {
            let (path, run) = try options.lint()
            let old = try BaselineCommand.read(path, for: run)
            try BaselineCommand.write(run.report.updated(old), over: old, to: path, run: run)
        }
    }

    /// `sandboxlint baseline prune INPUT…`
    struct Prune: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune",
            abstract: "Remove stale entries: those that match no finding.",
            discussion: """
                Entries of other containers and rules are kept.

                Examples:
                  sandboxlint baseline prune path/to/container
                  sandboxlint baseline prune path/to/container --baseline ci/baseline.txt

                Exit codes: 0 pruned, 2 usage or configuration error, 3 input missing or not fully read, \
                4 internal error.
                """)

        @OptionGroup var options: Options

        func run() throws {
            let (path, run) = try options.lint()
            let old = try BaselineCommand.read(path, for: run)
            try BaselineCommand.write(run.report.pruned(old), over: old, to: path, run: run)
        }
    }

    /// `sandboxlint baseline report`
    struct Report: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "report",
            abstract: "Print the number of entries of each rule, and what is accepted in a container.",
            usage: "sandboxlint baseline report [<options>] [<input>]",
            discussion: """
                With a container, the findings that the baseline accepts and those that are suppressed are listed, with the \
                reason, the owner and the expiry of each.

                Examples:
                  sandboxlint baseline report --baseline baseline.txt
                  sandboxlint baseline report path/to/container --format json

                Exit codes: 0 printed, 2 usage, configuration or baseline error, 3 input missing or not fully read, \
                4 internal error.
                """)

        @Argument(
            help: "The container whose configuration selects the baseline, and whose accepted findings are listed.",
            completion: .directory)
        var input: String?

        @OptionGroup(title: "Baseline") var file: FileOptions

        @OptionGroup(title: "Rule Selection") var choice: ChoiceOptions

        @OptionGroup(title: "Configuration") var options: ConfigurationOptions

        @OptionGroup(title: "Configuration") var itemSuppressions: ItemSuppressionOptions

        @OptionGroup(title: "Rule Selection") var own: RuleOptions

        @OptionGroup(title: "Analysis") var date: DateOptions

        @OptionGroup(title: "Analysis") var threads: ThreadOptions

        @OptionGroup(title: "Output") var printed: FormatOptions

        func run() throws {
            let linter = try LinterOptions(
                choice: choice, configuration: options, itemSuppressions: itemSuppressions, own: own, date: date,
                threads: threads
            ).linter(for: input)
            let path = try Options.path(file.baseline, configured: linter.configuration.baseline.map { [$0] } ?? [])
            let baseline = try Baseline(reading: path)
            try Linter.check(baseline, for: [linter])
            var accepted: AcceptedFindings?
            var isComplete = true
            if let input {
                var run = LintedInputs()
                try run.lint([.path(input)], by: [linter], showing: ProgressLine(.auto))
                if run.isInputWrong { throw Failure.input }
                run.apply(baseline)
                accepted = AcceptedFindings(run.report)
                isComplete = run.report.isComplete
            }
            let text = BaselineText(baseline, accepting: accepted)
            try Output.show(printed.format, text: text.text, json: text.json)
            if !isComplete { throw Failure.input }
        }
    }

    /// `sandboxlint baseline diff INPUT…`
    struct Diff: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Print new findings and stale entries.",
            discussion: """
                Examples:
                  sandboxlint baseline diff path/to/container
                  sandboxlint baseline diff path/to/container --format json

                Exit codes: 0 no differences, 1 new findings or stale entries, 2 usage or configuration error, \
                3 input missing or not fully read, 4 internal error.
                """)

        @OptionGroup var options: Options

        @OptionGroup(title: "Output") var printed: FormatOptions

        func run() throws {
            let (path, run) = try options.lint()
            let comparison = run.report.comparison(with: try BaselineCommand.read(path, for: run))
            let text = BaselineDifferenceText(run.report, comparison: comparison)
            try Output.show(printed.format, text: text.text, json: text.json)
            if !run.report.isComplete { throw Failure.input }
            if !comparison.new.isEmpty || !comparison.gone.isEmpty { throw Failure.findings }
        }
    }
}
