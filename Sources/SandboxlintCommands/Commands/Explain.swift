import AppContainer
import ArgumentParser
import CommandLineSupport
import ContainerInputs
import FileSystem
import PolicyReports
internal import SourceCode
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
              sandboxlint explain device 'group.com.example.reader: shared/a.jpg'
              sandboxlint explain app.zip Documents/a.jpg
              sandboxlint explain path/to/container Documents/a.jpg --traffic capture.har

            The input is any that `lint` takes. With several containers, pass the path as reports show it, with the name of \
            its container, or relative to the input. All containers of the app are read.

            Exit codes: 0 explained, 2 unknown rule or usage error, 3 path missing or container not fully read, \
            4 internal error.
            """)

    @Argument(
        help: ArgumentHelp(
            """
            A rule (id, number or prefix of an id), a group, a configuration key, an input and a path in it, or a \
            path that includes the container.
            """, valueName: "subject"),
        completion: RuleWords.one)
    var words: [String]

    @OptionGroup(title: "Input") var apps: InputSelection

    @OptionGroup(title: "Input") var secret: BackupPasswordOptions

    @OptionGroup(title: "Analysis") var analysis: AnalysisOptions

    @OptionGroup(title: "Configuration") var options: ConfigurationOptions

    @OptionGroup(title: "Configuration") var itemSuppressions: ItemSuppressionOptions

    @OptionGroup(title: "Rule Selection") var own: RuleOptions

    @OptionGroup(title: "Analysis") var date: DateOptions

    @OptionGroup(title: "Analysis") var code: SourceRootOptions

    @OptionGroup(title: "Analysis") var threads: ThreadOptions

    @OptionGroup(title: "Analysis") var recorded: TrafficOptions

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
        guard apps.hasApp else { return try apps.check(words) }
        guard words.count == 1, apps.sources([]).count == 1 else {
            throw ValidationError("Specify one app, and a path in its container.")
        }
        try apps.check([])
    }

    func run() throws {
        if let app = apps.sources([]).first { return try explainPath(words[0], in: app) }
        if words.count == 2 { return try explainPath(words[1], in: .path(words[0])) }
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
            Failure.printMessage(
                "sandboxlint: “\(whole)” is not in a container. Pass the container and the path in it as two arguments: "
                    + "sandboxlint explain path/to/container Documents/a.jpg.")
            throw Failure.input
        }
        try explainPath(path.path, in: .path(path.container))
    }

    private func explainPath(_ path: String, in input: InputSource) throws {
        try code.check(besides: [input.path].compactMap(\.self))
        let configuration = try options.configuration(for: input.path)
        let source = code.sources(
            for: [configuration], besides: [input.path].compactMap(\.self), threads: threads
        ).first
        let linter = try Linter(
            catalogue: try own.catalogue(configuration), configuration: configuration, now: date.now?.seconds,
            honorsItemSuppressions: itemSuppressions.areHonored(with: options), isFreshInstall: analysis.freshInstall,
            after: analysis.after?.events ?? []
        ).comparing(with: try recorded.readCompletely()).weighing(source)
        let (explanation, item, isComplete) = try Failure.ofInput {
            let bundle = try analysis.app.map { try AppBundle(at: FilePath($0)) }
            let opened = try Input.distinguished([
                Input(
                    input, only: apps.bundleID, bundle: analysis.app.map { try AppContents(at: FilePath($0)) },
                    password: secret.password)
            ])[0]
            for note in opened.notes + opened.gaps { Failure.printMessage("sandboxlint: \(note)") }
            let item = try NamedItem(path, in: opened)
            var identities = ContainerIdentities([opened])
            let linted = opened.apps.map { $0.containers.map { identities.next($0) } }
            let explanation = try linter.completed(by: bundle, for: linted[item.app].first?.container)
                .explain(
                    item.path, inContainerAt: item.index, ofApp: linted[item.app], app: bundle,
                    others: opened.containers.map(\.container))
            return (explanation, item, opened.gaps.isEmpty)
        }
        Failure.sayIfAccessTimesMoved()
        guard let explanation else { throw Failure.missing(path, in: input.name) }
        let text = PathText(
            explanation, of: input.name, in: item.container, configuration: configuration, code: source)
        try Invocation.current.interruption.check()
        let style = look.style
        try Output.show(
            printed.format, style: style,
            text: { $0(length.verbose ? text.verboseText(style: style) : text.text(style: style)) },
            json: text.json)
        for remark in source?.remarks ?? [] { Failure.printMessage("sandboxlint: \(remark)") }
        if !explanation.isComplete || !isComplete { throw Failure.input }
    }
}
