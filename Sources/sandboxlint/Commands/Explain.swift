import AppContainer
import CommandLineSupport
import ArgumentParser
import PolicyReports
import StoragePolicy
import SystemPackage
import TextOutput

/// `sandboxlint explain RULE|GROUP|KEY` and `sandboxlint explain INPUT PATH`
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a rule, a group of rules, a key of the configuration, or one path of a container.",
        discussion: """
              sandboxlint explain stale-tmp                          what the rule looks for, why, and what to do
              sandboxlint explain backup                             what the rules of the group are about
              sandboxlint explain regenerable                        the rules whose ids begin so
              sandboxlint explain user-data                          what the word of the configuration means
              sandboxlint explain path/to/container Documents/a.jpg  what becomes of the file, and what each rule says
              sandboxlint explain path/to/container/Documents/a.jpg  the same
            """)

    @Argument(
        help: ArgumentHelp(
            """
            A rule's id, number or the beginning of its id, a group, a configuration's key, or a path in a container, \
            after the container or in one with it.
            """, valueName: "what"),
        completion: RuleWords.one)
    var words: [String]

    @OptionGroup var options: ConfigurationOptions

    @OptionGroup var itemSuppressions: ItemSuppressionOptions

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
        let word = words[0]
        if word.contains("/") { return try explainPath(word) }
        let configuration = try options.configuration(for: nil)
        let style = look.style
        if let key = KeyText(word) {
            return try Output.show(format, style: style, text: { $0(key.text(style: style)) }, json: { $0(key.json) })
        }
        let catalogue = try own.catalogue(configuration)
        switch catalogue.subject(of: KeyText.rule(in: word) ?? word) {
        case .rule(let rule):
            let text = RuleText([rule])
            try Output.show(format, style: style, text: { $0(text.explanation(style: style)) }, json: text.json)
        case .group(let group, let rules):
            let text = GroupText(group, rules)
            try Output.show(format, style: style, text: { $0(text.text(style: style)) }, json: text.json)
        case .beginning(let rules):
            let text = RuleText(rules)
            try Output.show(
                format, style: style, text: { $0(text.list(style: style) + text.matches(word)) }, json: text.json)
        case nil:
            if ContainedPath.exists(word) { return try explainPath(word) }
            // It throws the error with the nearest name.
            _ = try catalogue.rule(word)
        }
    }

    private func explainPath(_ whole: String) throws {
        guard let path = ContainedPath(whole) else {
            Failure.say(
                "sandboxlint: “\(whole)” is in no container. Give the container and the path in it as two words: "
                    + "sandboxlint explain path/to/container Documents/a.jpg.")
            throw Failure.input
        }
        try explainPath(path.path, in: path.container)
    }

    private func explainPath(_ path: String, in input: String) throws {
        let configuration = try options.configuration(for: input)
        let linter = try Linter(
            catalogue: try own.catalogue(configuration), configuration: configuration, now: now?.seconds,
            honorsItemSuppressions: itemSuppressions.areHonored(with: options))
        let explanation: PathExplanation?
        do throws(ContainerError) {
            explanation = try linter.explain(path, in: try Container.open(FilePath(input)))
        } catch {
            Failure.say("sandboxlint: \(error)")
            throw Failure.input
        }
        Failure.sayIfAccessTimesMoved()
        guard let explanation else {
            Failure.say(
                "sandboxlint: \(ByteText.printable(input)) holds nothing of the path "
                    + "\(ByteText.escaped(Array(path.utf8))). Give it relative to the container, as reports show it: "
                    + "Documents/a.jpg.")
            throw Failure.input
        }
        let (text, style) = (PathText(explanation, of: input), look.style)
        try Output.show(
            format, style: style, text: { $0(verbose ? text.verboseText(style: style) : text.text(style: style)) },
            json: text.json)
        if !explanation.isComplete { throw Failure.input }
    }
}
