import ArgumentParser
import CommandLineSupport
import PolicyReports
import StoragePolicy
import TextOutput

extension Rules {
    /// `sandboxlint rules test [FOLDER]`
    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "test",
            abstract: "Run the examples of the rules, which are their tests; exit with 1 where one fails.")

        @Argument(help: "A folder of rules to test instead of those of this build.", completion: .directory)
        var folder: String?

        @OptionGroup var own: RuleOptions

        @Option(help: ArgumentHelp("Only these rules: ids, numbers or groups, joined by commas.", valueName: "ids"))
        var select: [String] = []

        @Flag(help: "Take each condition out of each rule in turn, and tell which of that no example notices.")
        var mutants = false

        @Option(help: ArgumentHelp("The percentage of mutants that must be noticed.", valueName: "percent"))
        var atLeast: Int = 90

        @Option(help: "How to tell it: text or json.")
        var format: Format = .text

        func run() throws {
            var catalogue = try folder.map { try Catalogue.only(folder: $0) } ?? own.catalogue()
            if folder != nil { for more in own.rules { try catalogue.add(folder: more) } }
            try catalogue.restrict(select: select.flatMap { $0.split(separator: ",").map(String.init) }, ignore: [])
            if mutants {
                let text = MutantText(try MutantTest(catalogue).run(), atLeast: atLeast)
                try Output.show(format, text: text.text, json: text.json)
                if !text.isEnough { throw Failure.findings }
            } else {
                let (examples, failures) = try ExampleTest(catalogue).run()
                let text = ExampleText(rules: catalogue.rules.count, examples: examples, failures: failures)
                try Output.show(format, text: text.text, json: text.json)
                if !failures.isEmpty { throw Failure.findings }
            }
        }
    }
}
