import ArgumentParser
import CommandLineSupport
import PolicyReports
import StoragePolicy
import TextOutput

/// `sandboxlint baseline …`
struct BaselineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baseline",
        abstract: "Findings that are known, and do not fail a run: write the file that holds them, and keep it small.",
        discussion: """
              sandboxlint baseline write path/to/container --baseline baseline.txt
              sandboxlint lint path/to/container --baseline baseline.txt
              sandboxlint baseline prune path/to/container --baseline baseline.txt

            A line accepts the findings of one rule in one directory, up to twice as many items and bytes as were
            found; more is new. `max:` may be edited. `update` turns a file of format 1 into the present one.
            """,
        subcommands: [Write.self, Update.self, Prune.self, Report.self, Diff.self])

    /// What every subcommand that lints is given.
    struct Options: ParsableArguments {
        @Argument(help: "App containers: directories that hold Documents, Library and tmp.", completion: .directory)
        var input: [String]

        @Option(
            help: ArgumentHelp(
                "The baseline, instead of the configuration's or, without one, \(Baseline.standardPath).",
                valueName: "path"), completion: .file())
        var baseline: String?

        @OptionGroup var selection: SelectionOptions

        /// Lints, and gives the baseline's path; ends with 3 where an input cannot be linted at all.
        func lint() throws -> (path: String, run: LintedInputs) {
            let linters = try input.map { try selection.linter(for: $0, besides: input) }
            let path = try Self.path(baseline, linters.compactMap(\.configuration.baseline))
            if let holder = input.first(where: { ReportFile.lies(path, in: $0) }) {
                throw ValidationError(
                    "“\(ByteText.printable(path))” lies in the container “\(ByteText.printable(holder))”, which linting does "
                        + "not change; name a file elsewhere by --baseline.")
            }
            var run = LintedInputs()
            run.lint(input, by: linters, showing: ProgressLine(.auto))
            if run.isInputWrong { throw Failure.input }
            return (path, run)
        }

        /// The one that is given, that all configurations name, or else the standard one in the working directory.
        static func path(_ given: String?, _ configured: [String]) throws -> String {
            if let given { return given }
            guard let first = configured.first else { return Baseline.standardPath }
            guard configured.allSatisfy({ $0 == first }) else {
                throw ValidationError("The inputs' configurations name different baselines; name one by --baseline.")
            }
            return first
        }
    }

    /// Writes the file and reports on standard error what has changed in it.
    private static func write(_ new: Baseline, over old: Baseline, to path: String, _ run: LintedInputs) throws {
        try new.write(to: path)
        Failure.say("\(ByteText.printable(path)) holds \(BaselineText.changes(from: old, to: new))")
        if !run.report.isComplete {
            Failure.say(
                "sandboxlint: not all could be looked at, so that it may lack some; `sandboxlint lint` says what.")
            throw Failure.input
        }
    }

    /// `sandboxlint baseline write INPUT…`
    struct Write: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "write",
            abstract: "Hold all that is found now; what the file held before is forgotten.",
            discussion: """
                Without --baseline, and without `baseline:` in the configuration, the file is \(Baseline.standardPath) \
                in the working directory.
                """)

        @OptionGroup var options: Options

        func run() throws {
            let (path, run) = try options.lint()
            // A path that was mistyped must not cost a file.
            if Baseline.exists(path), try !Baseline.isBaseline(path) {
                Failure.say(
                    "sandboxlint: \(ByteText.printable(path)) is there already and is no baseline; it is left as it is. "
                        + "Name another by --baseline."
                )
                throw Failure.usage
            }
            try BaselineCommand.write(
                Baseline(run.report), over: (try? Baseline(reading: path)) ?? Baseline([]), to: path, run)
            if options.baseline == nil, path == Baseline.standardPath {
                Failure.say(
                    "Use it with --baseline \(path), or with `baseline: \(path)` in \(Configuration.fileName).")
            }
        }
    }

    /// `sandboxlint baseline update INPUT…`
    struct Update: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "update",
            abstract: "Hold what is found now of these containers and rules; other entries stay.",
            discussion: """
                Limits that are not exceeded stay, also edited ones. Entries of format 1 become entries by directory.
                """)

        @OptionGroup var options: Options

        func run() throws {
            let (path, run) = try options.lint()
            let old = try Baseline(reading: path)
            try BaselineCommand.write(run.report.updated(old), over: old, to: path, run)
        }
    }

    /// `sandboxlint baseline prune INPUT…`
    struct Prune: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune",
            abstract: "Take out the entries of these containers and rules that are no longer found; add none.")

        @OptionGroup var options: Options

        func run() throws {
            let (path, run) = try options.lint()
            let old = try Baseline(reading: path)
            try BaselineCommand.write(run.report.pruned(old), over: old, to: path, run)
        }
    }

    /// `sandboxlint baseline report`
    struct Report: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "report", abstract: "Tell how many entries of each rule it holds.")

        @Argument(
            help: "The container whose configuration names the baseline, where --baseline does not.",
            completion: .directory)
        var input: String?

        @Option(
            help: ArgumentHelp(
                "The baseline, instead of the configuration's or, without one, \(Baseline.standardPath).",
                valueName: "path"), completion: .file())
        var baseline: String?

        @OptionGroup var options: ConfigurationOptions

        @Option(help: "How to tell it: text or json.")
        var format: Format = .text

        func run() throws {
            let configured = try options.configuration(for: input).baseline
            let path = try Options.path(baseline, configured.map { [$0] } ?? [])
            let text = BaselineText(try Baseline(reading: path))
            try Output.show(format, text: text.text, json: text.json)
        }
    }

    /// `sandboxlint baseline diff INPUT…`
    struct Diff: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Show what is found and not held, and what is held and no longer found; 1 where there is any.")

        @OptionGroup var options: Options

        @Option(help: "How to show it: text or json.")
        var format: Format = .text

        func run() throws {
            let (path, run) = try options.lint()
            let comparison = run.report.comparison(with: try Baseline(reading: path))
            let text = BaselineDifferenceText(run.report, comparison)
            try Output.show(format, text: text.text, json: text.json)
            if !run.report.isComplete { throw Failure.input }
            if !comparison.new.isEmpty || !comparison.gone.isEmpty { throw Failure.findings }
        }
    }
}
