/// What a project says of its own containers, in `.sandboxlint.yml`.
public struct Configuration: Sendable {
    /// A list of globs, relative to the container.
    package enum Word: String, CaseIterable, Sendable {
        case downloaded, synced, caches, ignore
        case userData = "user-data"
        case mustExclude = "must-exclude"
        case mustInclude = "must-include"
    }

    /// Whose containers they are, where they do not say.
    public let bundleIdentifier: String?
    /// The modules whose classes may come in archives.
    public let modules: [String]
    /// Bytes that a rule with a budget allows, by the rule's id.
    let budgets: [String: UInt64]
    /// What the words are said of, each glob with its word.
    let declarations: [(word: Word, glob: PathGlob)]

    /// Nothing declared.
    public static let none = Configuration()

    private init() { (bundleIdentifier, modules, budgets, declarations) = (nil, [], [:], []) }

    /// A configuration from a file's text: `bundle-id`, `modules`, `budgets`, and the lists of globs.
    ///
    /// - Throws: What is wrong, at its line and column.
    public init(file: String, text: String) throws(SourceError) {
        let fields = try YAMLValue(file: file, text: text).fields(
            Set(Word.allCases.map(\.rawValue) + ["bundle-id", "modules", "budgets"]))
        bundleIdentifier = try fields["bundle-id"]?.string()
        modules = try fields["modules"]?.strings() ?? []
        var budgets: [String: UInt64] = [:]
        for (rule, bytes) in try fields["budgets"]?.pairs() ?? [] { budgets[try rule.string()] = try bytes.size() }
        self.budgets = budgets
        var declarations: [(Word, PathGlob)] = []
        for word in Word.allCases {
            declarations += try fields[word.rawValue]?.strings().map { (word, PathGlob($0)) } ?? []
        }
        self.declarations = declarations
    }
}
