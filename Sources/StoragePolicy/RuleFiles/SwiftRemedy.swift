internal import PolicyRules

/// Swift code for an app that remedies findings: a call of Apple's frameworks, and the call of this package beside it.
public struct SwiftRemedy: Sendable, Hashable {
    /// The code for one module.
    public struct Code: Sendable, Hashable {
        /// The module that the code imports, such as `Foundation` or `AppContainer`.
        public let module: String
        /// One to ten lines of at most 100 characters, without a line break at the end.
        public let text: String
    }

    /// The effect of the code, in one phrase.
    public let title: String
    /// The same remedy with different modules, those of Apple first; at least one.
    public let codes: [Code]

    private static let mostLines = 10
    private static let mostColumns = 100

    /// Reads a remedy: `{ title: …, code: { Foundation: … } }`.
    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["title", "code"])
        title = try value.required("title", of: fields).shownString()
        let code = try value.required("code", of: fields)
        var codes: [Code] = []
        for (key, text) in try code.pairs() {
            let module = try key.shownString()
            guard key.recorder != nil || Self.isModule(module) else {
                throw key.error("expected the name of a Swift module, such as Foundation")
            }
            codes.append(Code(module: module, text: try Self.lines(text)))
        }
        guard !codes.isEmpty else { throw code.error("a remedy needs code for at least one module") }
        self.codes = codes
    }

    private static func isModule(_ name: String) -> Bool {
        name.utf8.first.map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } == true
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: false
                }
            }
    }

    private static func lines(_ value: YAMLValue) throws(SourceError) -> String {
        let text = try value.shownString(mayHaveLines: true)
        guard value.recorder == nil else { return text }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let code = lines.last?.isEmpty == true ? lines.dropLast() : lines[...]
        guard !text.allSatisfy(\.isWhitespace), code.count <= mostLines,
            code.allSatisfy({ $0.count <= mostColumns })
        else { throw value.error("expected one to \(mostLines) lines of at most \(mostColumns) characters") }
        // It would end the block of code on a page.
        guard !text.contains("```") else { throw value.error("code must not contain ```") }
        return code.joined(separator: "\n")
    }

    /// The title as a sentence, then each code with the name of its module, as Markdown.
    package var markdown: String {
        "\(title.prefix(1).uppercased() + title.dropFirst()):\n\n"
            + codes.map { "With \($0.module):\n\n```swift\n\($0.text)\n```\n" }.joined(separator: "\n")
    }

    /// Reads a file of the folder `remedies`: a mapping of names to remedies.
    ///
    /// - Throws: The first error, with its line and column.
    static func table(_ top: YAMLValue) throws(SourceError) -> [String: SwiftRemedy] {
        var table: [String: SwiftRemedy] = [:]
        for (key, value) in try top.pairs() {
            table[try key.shownString()] = try SwiftRemedy(value)
        }
        return table
    }

    /// The remedies of this build by name. They are read when they are first shown, because a lint shows none. An
    /// invalid file has none; the tests of the build detect it.
    package static let builtIn = EmbeddedFiles.files.filter { $0.path.hasPrefix("remedies/") }.reduce(into: [:]) {
        (table: inout [String: SwiftRemedy], file) in
        table.merge((try? SwiftRemedy.table(YAMLValue(file))) ?? [:]) { first, _ in first }
    }
}

/// The remedies of a rule: `swift: none`, or a list of names of remedies and of remedies themselves.
struct RuleRemedies: Sendable {
    private enum Entry: Sendable {
        case named(String)
        case own(SwiftRemedy)
    }

    private static let none = "none"
    private let entries: [Entry]
    /// The remedies of the folder of the rule, by name.
    private let table: [String: SwiftRemedy]

    /// Reads the value of `swift`.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - table: The remedies of the folder of the rule, which precede those of this build.
    ///   - isProven: True for a rule whose names were checked before.
    /// - Throws: The first error, with its line and column.
    init(_ value: YAMLValue, among table: [String: SwiftRemedy], isProven: Bool) throws(SourceError) {
        self.table = table
        var entries: [Entry] = []
        let all = value.list()
        for part in all {
            if part.isMapping {
                entries.append(.own(try SwiftRemedy(part)))
                continue
            }
            let name = try Self.name(part, among: table, isProven: isProven)
            guard name != Self.none || all.count == 1 || part.recorder != nil else {
                throw part.error("“\(Self.none)” cannot be combined with remedies")
            }
            if name != Self.none { entries.append(.named(name)) }
        }
        self.entries = entries
    }

    private static func name(
        _ value: YAMLValue, among table: [String: SwiftRemedy], isProven: Bool
    ) throws(SourceError) -> String {
        if let recorder = value.recorder {
            return recorder.record(.word([none] + SwiftRemedy.builtIn.keys.sorted()), answer: none)
        }
        let name = try value.string()
        guard isProven || name == none || table[name] != nil || SwiftRemedy.builtIn[name] != nil else {
            throw value.unknown("remedy", word: name, among: [none] + table.keys + SwiftRemedy.builtIn.keys)
        }
        return name
    }

    /// The remedies, in the order of the rule.
    var all: [SwiftRemedy] {
        entries.compactMap { entry in
            switch entry {
            case .named(let name): table[name] ?? SwiftRemedy.builtIn[name]
            case .own(let remedy): remedy
            }
        }
    }
}
