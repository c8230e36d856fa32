import AppContainer
import ArgumentParser
import CommandLineSupport
import FileSystem
import PolicyReports
import StoragePolicy
import SystemPackage
import TextOutput

/// `sandboxlint explain RULE|GROUP|KEY` and `sandboxlint explain INPUT PATH`
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain a rule, a group of rules, a configuration key, or one path in a container.",
        usage: "sandboxlint explain [<options>] <subject> ...",
        discussion: """
            Examples:
              sandboxlint explain stale-tmp                          a rule
              sandboxlint explain backup                             a group of rules
              sandboxlint explain regenerable                        rules with this prefix
              sandboxlint explain user-data                          a configuration key
              sandboxlint explain path/to/container Documents/a.jpg  a file
              sandboxlint explain path/to/container/Documents/a.jpg  the same file

            Exit codes: 0 explained, 2 unknown rule or usage error, 3 path missing or container not fully read, \
            4 internal error.
            """)

    @Argument(
        help: ArgumentHelp(
            """
            A rule (id, number or prefix of an id), a group, a configuration key, a container and a path in it, or a \
            path that includes the container.
            """, valueName: "subject"),
        completion: RuleWords.one)
    var words: [String]

    @OptionGroup(title: "Configuration") var options: ConfigurationOptions

    @OptionGroup(title: "Configuration") var itemSuppressions: ItemSuppressionOptions

    @OptionGroup(title: "Rule Selection") var own: RuleOptions

    @OptionGroup(title: "Analysis") var date: DateOptions

    @OptionGroup(title: "Output") var printed: FormatOptions

    /// The option that selects the length of an explanation.
    struct LengthOptions: ParsableArguments {
        @Flag(name: .shortAndLong, help: "For a path, print every rule and the condition that does not match.")
        var verbose = false
    }

    @OptionGroup(title: "Output") var length: LengthOptions

    @OptionGroup(title: "Output") var look: StyleOptions

    func validate() throws {
        guard (1...2).contains(words.count) else {
            throw ValidationError("Specify a rule, a configuration key, or a container and a path in it.")
        }
    }

    func run() throws {
        if words.count == 2 { return try explainPath(words[1], in: words[0]) }
        let word = words[0]
        if word.contains("/") { return try explainPath(word) }
        let configuration = try options.configuration(for: nil)
        let style = look.style
        if let key = KeyText(word) {
            return try Output.show(
                printed.format, style: style, text: { $0(key.text(style: style)) }, json: { $0(key.json) })
        }
        let catalogue = try own.catalogue(configuration)
        switch catalogue.subject(of: KeyText.rule(in: word) ?? word) {
        case .rule(let rule):
            let text = RuleText([rule])
            try Output.show(printed.format, style: style, text: { $0(text.explanation(style: style)) }, json: text.json)
        case .group(let group, let rules):
            let text = GroupText(group, rules)
            try Output.show(printed.format, style: style, text: { $0(text.text(style: style)) }, json: text.json)
        case .beginning(let rules):
            let text = RuleText(rules)
            try Output.show(
                printed.format, style: style, text: { $0(text.list(style: style) + text.matches(word)) },
                json: text.json)
        case nil:
            if ContainedPath.exists(word) { return try explainPath(word) }
            // It throws the error with the nearest name.
            _ = try catalogue.rule(word)
        }
    }

    private func explainPath(_ whole: String) throws {
        guard let path = ContainedPath(whole) else {
            Failure.say(
                "sandboxlint: “\(whole)” is not in a container. Pass the container and the path in it as two arguments: "
                    + "sandboxlint explain path/to/container Documents/a.jpg.")
            throw Failure.input
        }
        try explainPath(path.path, in: path.container)
    }

    private func explainPath(_ path: String, in input: String) throws {
        let configuration = try options.configuration(for: input)
        let linter = try Linter(
            catalogue: try own.catalogue(configuration), configuration: configuration, now: date.now?.seconds,
            honorsItemSuppressions: itemSuppressions.areHonored(with: options))
        let explanation: PathExplanation?
        do throws(ContainerError) {
            explanation = try linter.explain(path, in: try Container.open(FilePath(input)))
        } catch {
            try Invocation.current.interruption.check()
            Failure.say("sandboxlint: \(error)")
            throw Failure.input
        }
        Failure.sayIfAccessTimesMoved()
        guard let explanation else {
            Failure.say(
                "sandboxlint: \(ByteText.printable(input)) does not contain "
                    + "\(ByteText.escaped(ByteText.unescaped(path))). Pass the path relative to the container, such as "
                    + "Documents/a.jpg.")
            throw Failure.input
        }
        let (text, style) = (PathText(explanation, of: input), look.style)
        try Output.show(
            printed.format, style: style,
            text: { $0(length.verbose ? text.verboseText(style: style) : text.text(style: style)) },
            json: text.json)
        if !explanation.isComplete { throw Failure.input }
    }
}
