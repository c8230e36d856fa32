import AppContainer
import ArgumentParser
import PolicyReports
import StoragePolicy
import SystemPackage
import TextOutput

/// `sandboxlint explain RULE|CONFIG.KEY` and `sandboxlint explain INPUT PATH`
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Tell of a rule, of a word of the configuration, or of one path of a container.",
        discussion: """
              sandboxlint explain stale-tmp                          what the rule looks for, why, and what to do
              sandboxlint explain user-data                          what the word of the configuration means
              sandboxlint explain path/to/container Documents/a.jpg  what becomes of the file, and what each rule says
            """)

    @Argument(
        help: ArgumentHelp(
            "A rule's id or number, a configuration's key, or a container and a path in it.", valueName: "what"),
        completion: RuleWords.one)
    var words: [String]

    @OptionGroup var options: ConfigurationOptions

    @OptionGroup var own: RuleOptions

    @Option(
        help: ArgumentHelp("Count ages back from this moment (2026-01-31 or 2026-01-31T12:00:00Z).", valueName: "date"))
    var now: Moment?

    @Option(help: "How to tell it: text or json.")
    var format: Format = .text

    @Flag(name: .shortAndLong, help: "Show of a path every rule, with the condition that does not hold.")
    var verbose = false

    @OptionGroup var look: StyleOptions

    func validate() throws {
        guard (1...2).contains(words.count) else {
            throw ValidationError("Name a rule, a key of the configuration, or a container and a path in it.")
        }
    }

    func run() throws {
        if words.count == 2 { return try explainPath(words[1], in: words[0]) }
        let configuration = try options.configuration(for: nil)
        let style = look.style
        if let key = KeyText(words[0]) {
            try Output.show(format, style: style, text: { $0(key.text(style: style)) }, json: { $0(key.json) })
        } else {
            let catalogue = try own.catalogue(configuration)
            let text = RuleText([try catalogue.rule(KeyText.rule(in: words[0]) ?? words[0])])
            try Output.show(format, style: style, text: { $0(text.explanation(style: style)) }, json: text.json)
        }
    }

    private func explainPath(_ path: String, in input: String) throws {
        let configuration = try options.configuration(for: input)
        let linter = try Linter(
            catalogue: try own.catalogue(configuration), configuration: configuration, now: now?.seconds)
        let explanation: PathExplanation?
        do throws(ContainerError) {
            explanation = try linter.explain(path, in: try Container.open(FilePath(input)))
        } catch {
            Failure.say("sandboxlint: \(error)")
            throw Failure.input
        }
        guard let explanation else {
            Failure.say(
                "sandboxlint: \(input) holds nothing of the path \(ByteText.escaped(Array(path.utf8))). Give it relative to "
                    + "the container, as reports show it: Documents/a.jpg.")
            throw Failure.input
        }
        let (text, style) = (PathText(explanation, of: input), look.style)
        try Output.show(
            format, style: style, text: { $0(verbose ? text.verboseText(style: style) : text.text(style: style)) },
            json: text.json)
        if !explanation.isComplete { throw Failure.input }
    }
}
