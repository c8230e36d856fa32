import ArgumentParser
import PolicyReports
import StoragePolicy

/// `sandboxlint explain RULE`
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tell what a rule looks for, why, and what to do about it.")

    @Argument(help: "The rule's id or number.")
    var rule: String

    @Option(help: "How to tell it: text or json.")
    var format: Format = .text

    @Option(help: "Colours: auto, always or never.")
    var color: ColorChoice = .auto

    func run() throws {
        let text = RuleText([try Catalogue.embedded().rule(rule)])
        let output = Output()
        switch format {
        case .text: output.write(text.explanation(style: color.style))
        case .json: text.json(to: output.write)
        }
        output.flush()
    }
}
