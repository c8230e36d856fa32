import ArgumentParser
import CommandLineSupport
import PolicyAuthoring
import StoragePolicy
import TextOutput

extension Rules {
    /// `sandboxlint rules test [FOLDER]`
    struct RunExamples: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Run the examples of the rules, which are their tests.",
            discussion: """
                Examples:
                  sandboxlint rules test
                  sandboxlint rules test path/to/rules --mutants

                Exit codes: 0 all examples pass, 1 an example fails or too few mutants are detected, 2 usage or rule error, \
                4 internal error.
                """)

        @Argument(help: "The folder of rules to test. (default: the built-in rules)", completion: .directory)
        var folder: String?

        @OptionGroup(title: "Rule Selection") var own: RuleOptions

        @Option(
            help: ArgumentHelp(
                "Restrict the test to these rules: a comma-separated list of ids, numbers or groups.", valueName: "ids")
        )
        var select: [String] = []

        @Flag(help: "Remove each condition of each rule in turn, and list the removals that no example detects.")
        var mutants = false

        @Option(help: ArgumentHelp("The percentage of mutants that must be detected.", valueName: "percent"))
        var atLeast: Int = 90

        @Option(help: "Print text or JSON.")
        var format: Format = .text

        func run() throws {
            var catalogue = try folder.map { try Catalogue.only(folder: $0) } ?? own.catalogue()
            if folder != nil { for more in own.rules { try catalogue.add(folder: more) } }
            try catalogue.restrict(select: select.flatMap { $0.split(separator: ",").map(String.init) }, ignore: [])
            if mutants {
                let text = MutantText(try MutantChecker(catalogue).run(), atLeast: atLeast)
                try Output.show(format, text: text.text, json: text.json)
                if !text.isEnough { throw Failure.findings }
            } else {
                let (examples, failures) = try ExampleChecker(catalogue).run()
                let text = ExampleText(rules: catalogue.rules.count, examples: examples, failures: failures)
                try Output.show(format, text: text.text, json: text.json)
                if !failures.isEmpty { throw Failure.findings }
            }
        }
    }
}
