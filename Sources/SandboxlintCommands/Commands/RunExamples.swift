import ArgumentParser
import CommandLineSupport
import PolicyAuthoring
import StoragePolicy
import TextOutput

extension Rules {
    /// `sandboxlint rules test [PATH]`
    struct RunExamples: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Run the examples of the rules, which are their tests.",
            usage: "sandboxlint rules test [<options>] [<path>]",
            discussion: """
                All errors in all files are printed as file:line:column: message. The examples of the other files are run.

                Examples:
                  sandboxlint rules test
                  sandboxlint rules test path/to/rules --mutants

                Exit codes: 0 all examples pass, 1 an example fails or too few mutants are detected, 2 usage or rule error, \
                4 internal error.
                """)

        /// The options that select the examples and the kind of test.
        struct TestOptions: ParsableArguments {
            @Option(
                help: ArgumentHelp(
                    "Restrict the test to these rules: a comma-separated list of ids, numbers or groups.",
                    valueName: "ids")
            )
            var select: [String] = []

            @Flag(help: "Remove each condition of each rule in turn, and list the removals that no example detects.")
            var mutants = false

            @Option(help: ArgumentHelp("The percentage of mutants that must be detected.", valueName: "percent"))
            var atLeast: Int = 90
        }

        @Argument(
            help: "The folder of rules to test, or the file of one rule. (default: the built-in rules)",
            completion: .file(extensions: ["yml", "yaml"]))
        var path: String?

        @OptionGroup(title: "Rule Selection") var own: RuleOptions

        @OptionGroup(title: "Test") var test: TestOptions

        @OptionGroup(title: "Output") var printed: FormatOptions

        func run() throws {
            var catalogue = try path == nil ? Catalogue.embedded() : Catalogue.withoutRules()
            var errors: [any Error] = []
            for path in [path].compactMap(\.self) + own.rules { errors += try catalogue.add(validFilesOf: path) }
            for error in errors { Failure.printMessage("\(error)") }
            if !errors.isEmpty {
                Failure.printMessage(
                    "\(Quantity.count(errors.count, "error")), at most 100 of each file. \(SourceError.formatHelp)")
                guard !catalogue.rules.isEmpty else { throw Failure.usage }
            }
            try catalogue.restrict(
                select: test.select.flatMap { $0.split(separator: ",").map(String.init) }, ignore: [])
            if test.mutants {
                let text = MutantText(try MutantChecker(catalogue).run(), atLeast: test.atLeast)
                try Output.show(printed.format, text: text.text, json: text.json)
                if !text.isEnough, errors.isEmpty { throw Failure.findings }
            } else {
                let (examples, failures) = try ExampleChecker(catalogue).run()
                let text = ExampleText(
                    rules: catalogue.rules.count, examples: examples, failures: failures, errors: errors)
                try Output.show(printed.format, text: text.text, json: text.json)
                if !failures.isEmpty, errors.isEmpty { throw Failure.findings }
            }
            if !errors.isEmpty { throw Failure.usage }
        }
    }
}
