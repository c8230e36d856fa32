/// The configuration of a project, `.sandboxlint.yml`.
public struct Configuration: Sendable {
    /// A list of globs, relative to the container.
    package enum Word: String, CaseIterable, Sendable {
        case downloaded, synced, caches, temporary, ignore
        case userData = "user-data"
        case appState = "app-state"
        case mustExclude = "must-exclude"
        case mustInclude = "must-include"
    }

    private var identifier: Located<String>?
    private var moduleNames: Located<[String]>?
    private var moment: Located<Int64>?
    private var sharing: Located<Bool>?
    private var types: Located<[String]>?
    private(set) var allowed: [String: Located<UInt64>] = [:]
    private var globs: [Word: Located<[Located<PathGlob>]>] = [:]
    /// The configurations that it extends, as written.
    private(set) var extends: Located<[String]>?
    private(set) var folders: Located<[String]>?
    private(set) var rules: [String: RuleSetting] = [:]
    private(set) var overrides: [RuleOverride] = []
    private(set) var suppressions: [Located<ConfiguredSuppression>] = []
    /// The source code that writes items, by glob.
    private(set) var sources: [String: Located<ConfiguredSource>] = [:]
    private var known: Located<String>?
    private var roots: Located<[String]>?
    /// The declarations of the app's bundle, for the values that are not configured.
    var declarations: AppDeclarations?
    /// The files it came from, the furthest first.
    public internal(set) var files: [String] = []

    /// Nothing declared.
    public static let none = Configuration()

    private init() {}

    /// A configuration from a file's text. What it `extends` is left out; `read` follows that.
    ///
    /// - Throws: The first error, with its line and column.
    public init(file: String, text: String) throws(SourceError) {
        try self.init(file: file, text: text, hiding: nil)
    }

    /// Creates a configuration. With a reason for `hiding` the file, errors quote nothing of it.
    init(file: String, text: String, hiding: String?) throws(SourceError) {
        try self.init(YAMLValue(file: file, text: text, mayBeEmpty: true, hiding: hiding))
        files = [file]
    }

    init(_ top: YAMLValue) throws(SourceError) {
        // A file that holds nothing but comments.
        guard !top.isNothing else { return }
        let fields = try top.fields(ConfigurationKey.names, summaries: ConfigurationKey.summaries)
        func located<Value>(
            _ key: ConfigurationKey, _ read: (YAMLValue) throws(SourceError) -> Value
        ) throws(SourceError) -> Located<Value>? {
            guard let value = fields[key.rawValue] else { return nil }
            return Located(try read(value), by: value)
        }
        extends = try located(.extends) { value throws(SourceError) in try value.strings() }
        identifier = try located(.bundleIdentifier) { value throws(SourceError) in try value.string() }
        moduleNames = try located(.modules) { value throws(SourceError) in try value.strings() }
        moment = try located(.now) { value throws(SourceError) in try value.moment() }
        sharing = try located(.sharesDocuments) { value throws(SourceError) in try value.boolean() }
        types = try located(.documentTypes) { value throws(SourceError) in try value.strings() }
        folders = try located(.rulesFolder) { value throws(SourceError) in try value.strings() }
        let budgets = fields[ConfigurationKey.budgets.rawValue]
        budgets?.recorder?.record(.reference(SchemaName.budgets))
        for (rule, bytes) in try budgets?.recorder == nil ? budgets?.pairs() ?? [] : [] {
            allowed[try rule.string()] = Located(try bytes.size(), by: bytes)
        }
        for word in Word.allCases {
            guard let value = fields[word.rawValue] else { continue }
            globs[word] = Located(try value.globs(), by: value)
        }
        if let value = fields[ConfigurationKey.rules.rawValue] { rules = try RuleSetting.all(value) }
        for value in fields[ConfigurationKey.overrides.rawValue]?.list() ?? [] {
            overrides.append(try RuleOverride(value))
        }
        for value in fields[ConfigurationKey.suppressions.rawValue]?.list() ?? [] {
            suppressions.append(Located(try ConfiguredSuppression(value), by: value))
        }
        for (glob, source) in try fields[ConfigurationKey.sources.rawValue]?.pairs() ?? [] {
            sources[try glob.string()] = Located(try ConfiguredSource(glob, value: source), by: source)
        }
        known = try located(.baseline) { value throws(SourceError) in try value.string() }
        roots = try located(.sourceRoot) { value throws(SourceError) in try value.strings() }
    }

    /// Adds what is said nearer: it replaces a value or a list, joins rules, budgets and sources by their names, and comes
    /// after the overrides and suppressions that are there.
    mutating func add(_ nearer: Configuration) {
        identifier = nearer.identifier ?? identifier
        moduleNames = nearer.moduleNames ?? moduleNames
        moment = nearer.moment ?? moment
        folders = nearer.folders ?? folders
        sharing = nearer.sharing ?? sharing
        types = nearer.types ?? types
        allowed.merge(nearer.allowed) { $1 }
        globs.merge(nearer.globs) { $1 }
        rules.merge(nearer.rules) { old, new in
            var setting = old
            setting.add(new)
            return setting
        }
        overrides += nearer.overrides
        suppressions += nearer.suppressions
        sources.merge(nearer.sources) { $1 }
        known = nearer.known ?? known
        roots = nearer.roots ?? roots
        files += nearer.files
    }

    /// The configuration without what it says of the app's files.
    package var withoutDeclarations: Configuration {
        var configuration = self
        for word in Word.allCases where word != .ignore { configuration.globs[word] = nil }
        return configuration
    }

    /// The bundle identifier of containers that do not record one.
    public var bundleIdentifier: String? { identifier?.value }
    /// The modules whose classes may come in archives.
    public var modules: [String] { moduleNames?.value ?? [] }
    /// Seconds since 1970-01-01T00:00:00Z from which ages are counted.
    public var now: Int64? { moment?.value }
    /// True if users see Documents in the Files app; nil if neither configured nor declared by the app's bundle.
    public var sharesDocuments: Bool? { sharing?.value ?? declarations?.sharesDocuments }
    /// Extensions of the documents that people make with the app.
    public var documentTypes: [String] { types?.value ?? declarations?.documentTypes ?? [] }
    /// Folders with rules of the project's own, as paths that can be opened.
    public var rulesFolders: [String] {
        guard let folders else { return [] }
        return folders.value.map { SourceFile.path($0, besides: folders.position) }
    }

    /// The path of the baseline.
    public var baseline: String? { known.map { SourceFile.path($0.value, besides: $0.position) } }

    /// The directories of the app's source code, or `none` alone; nil if they are not configured.
    package var sourceRoots: [String]? {
        guard let roots else { return nil }
        return roots.value == ["none"] ? roots.value : roots.value.map { SourceFile.path($0, besides: roots.position) }
    }

    /// The rules that budgets name, and where.
    var budgetPositions: [(rule: String, position: SourcePosition)] { allowed.map { ($0.key, $0.value.position) } }

    func declares(_ path: [UInt8], word: Word) -> Bool {
        globs[word]?.value.contains { $0.value.matches(path) } ?? false
    }

    /// Returns true if a glob of one of these words matches a path.
    package func declares(_ path: [UInt8], anyOf words: [Word]) -> Bool {
        says(words) && words.contains { declares(path, word: $0) }
    }

    /// Returns the position of the declaration of a path: the longest glob that matches it.
    package func declaration(of path: [UInt8]) -> SourcePosition? {
        let globs = globs.filter { $0.key != .ignore }.flatMap(\.value.value)
            .filter { !$0.position.isOption && $0.value.matches(path) }
        func rank(_ glob: Located<PathGlob>) -> (Int, String, Int) {
            (glob.value.text.utf8.count, glob.position.file, glob.position.line)
        }
        return globs.max { rank($0) < rank($1) }?.position
    }

    /// Returns true if any of the words names anything.
    func says(_ words: [Word]) -> Bool { words.contains { globs[$0]?.value.isEmpty == false } }

    /// True if `ignore` names anything.
    var ignoresSomething: Bool { says([.ignore]) }

    /// The patterns with their keys. Suppressions are left out: those that are not used are findings.
    var patterns: [PatternUse.Pattern] {
        let lists = globs.flatMap { word, list in
            list.value.map { PatternUse.Pattern($0.value, key: word.rawValue, at: $0.position) }
        }
        let paths = overrides.flatMap { override in
            override.paths.value.map { PatternUse.Pattern($0, key: "overrides", at: override.paths.position) }
        }
        let files = sources.values.map { PatternUse.Pattern($0.value.glob, key: "sources", at: $0.position) }
        return lists + paths + files
    }

    /// The values that apply to all paths.
    private var commonEntries: [ConfigurationEntry] {
        var entries: [ConfigurationEntry] = []
        func add<Value>(_ key: ConfigurationKey, located: Located<Value>?) {
            if let located { entries.append(ConfigurationEntry(key.rawValue, located: located)) }
        }
        add(.bundleIdentifier, located: identifier)
        add(.modules, located: moduleNames)
        add(.now, located: moment)
        add(.rulesFolder, located: folders)
        add(.sharesDocuments, located: sharing)
        add(.documentTypes, located: types)
        add(.baseline, located: known)
        add(.sourceRoot, located: roots)
        return entries
    }

    /// The values that apply to an item, sorted by key, each with its position: the patterns that match its path, and the
    /// settings of rules with those of the override that decides.
    ///
    /// - Parameter path: The path relative to the container.
    /// - Returns: The values. Those for all paths are included.
    package func entries(at path: [UInt8]) -> [ConfigurationEntry] {
        var entries = commonEntries
        for (word, list) in globs {
            entries += list.value.filter { $0.value.matches(path) }.map {
                ConfigurationEntry(word.rawValue, located: $0)
            }
        }
        entries += allowed.map { ConfigurationEntry("budgets.\($0.key)", located: $0.value) }
        var settings = rules
        for rule in Set(overrides.flatMap(\.rules.keys)) {
            let last = overrides.last { override in
                override.rules[rule] != nil && override.paths.value.contains { $0.matches(path) }
            }
            guard let own = last?.rules[rule] else { continue }
            settings[rule] =
                settings[rule].map { common in
                    var whole = common
                    whole.add(own)
                    return whole
                } ?? own
        }
        entries += settings.flatMap { $0.value.entries("rules.\($0.key)") }
        for (index, suppression) in suppressions.enumerated()
        where suppression.value.paths.contains(where: { $0.matches(path) }) {
            entries.append(ConfigurationEntry("suppressions.\(index)", located: suppression))
        }
        entries += sources.filter { $0.value.value.glob.matches(path) }
            .map { ConfigurationEntry("sources.\($0.key)", located: $0.value) }
        return entries.sorted {
            ($0.key, $0.position.file, $0.position.line) < ($1.key, $1.position.file, $1.position.line)
        }
    }

    /// All values, sorted by key, each with its position.
    package var entries: [ConfigurationEntry] {
        var entries = commonEntries
        entries += globs.map { ConfigurationEntry($0.key.rawValue, located: $0.value) }
        entries += allowed.map { ConfigurationEntry("budgets.\($0.key)", located: $0.value) }
        entries += rules.flatMap { $0.value.entries("rules.\($0.key)") }
        for (index, override) in overrides.enumerated() {
            entries.append(ConfigurationEntry("overrides.\(index).paths", located: override.paths))
            entries += override.rules.flatMap { $0.value.entries("overrides.\(index).rules.\($0.key)") }
        }
        for (index, suppression) in suppressions.enumerated() {
            entries.append(ConfigurationEntry("suppressions.\(index)", located: suppression))
        }
        entries += sources.map { ConfigurationEntry("sources.\($0.key)", located: $0.value) }
        return entries.sorted { $0.key < $1.key }
    }
}
