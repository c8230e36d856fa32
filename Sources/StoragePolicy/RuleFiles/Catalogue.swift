internal import FileSystem
internal import Foundation
internal import PolicyRules
internal import TextOutput

/// The rules and the registry that a linter works with.
public struct Catalogue: Sendable {
    /// The rules, by their numbers.
    public private(set) var rules: [Rule]
    /// The words that selected rules.
    private var asked: Set<String> = []
    /// The registry entries, for any bundle identifier.
    private var entries: [RegistryEntry] = []
    /// The remedies of added folders, by name.
    private var remedies: [String: SwiftRemedy] = [:]
    /// The files of the folder `evidence`, by name.
    private var evidence: [String: EvidenceFile] = [:]
    /// True if a file of an added folder stands for one of the evidence.
    private(set) var hasOwnEvidence = false
    /// Every rule that was loaded, also those that were left out since.
    private var loaded: [Rule] = []
    /// Every name of every rule that was loaded.
    var names: Set<String> { Set(loaded.flatMap(\.names)) }

    /// The names of rules and groups.
    var words: Set<String> { names.union(RuleGroup.allCases.map(\.rawValue)) }

    /// Returns the built-in catalogue.
    ///
    /// - Throws: The first error in a rule file, with its line and column.
    public static func embedded() throws(SourceError) -> Catalogue { try builtIn.get() }

    private static let builtIn = Result { () throws(SourceError) in
        let files = EmbeddedFiles.files.filter { $0.path.hasSuffix(".yml") && !$0.path.hasPrefix("remedies/") }
        return try Catalogue(files)
    }

    /// A file of the folder `evidence`.
    private enum EvidenceFile {
        case embedded(EmbeddedFiles.File)
        case added(path: String, text: String)

        var value: YAMLValue {
            get throws(SourceError) {
                switch self {
                case .embedded(let file): YAMLValue(file)
                case .added(let path, let text): try YAMLValue(file: path, text: text)
                }
            }
        }
    }

    /// The content of a file of the catalogue.
    private enum Content {
        case rule(Rule), entries([RegistryEntry]), evidence

        init(proven file: EmbeddedFiles.File) throws(SourceError) {
            if file.path.hasPrefix("evidence/") {
                self = .evidence
            } else if file.path.hasPrefix("registry/") {
                self = try .entries(Registry.entries(YAMLValue(file), isProven: true))
            } else {
                self = try .rule(Rule(proven: file))
            }
        }
    }

    /// Reads the files of this build, which its tests have proven, on all processors.
    private init(_ files: [EmbeddedFiles.File]) throws(SourceError) {
        rules = []
        let read = LockedValue<[Int: Result<Content, SourceError>]>([:])
        Invocation.current.concurrentPerform(iterations: files.count) { index in
            let content = Result { () throws(SourceError) in try Content(proven: files[index]) }
            read.withLock { $0[index] = content }
        }
        let contents = read.withLock { $0 }
        for (index, file) in files.enumerated() {
            switch try contents[index]?.get() {
            case .rule(let rule): try add(rule)
            case .entries(let found): entries += found
            case .evidence: evidence[Self.name(of: file.path)] = .embedded(file)
            case nil: break
            }
        }
    }

    /// The registry and the evidence of this build, without rules.
    package static func withoutRules() throws(SourceError) -> Catalogue {
        var catalogue = try Catalogue.embedded()
        catalogue.rules = []
        catalogue.loaded = []
        return catalogue
    }

    /// Adds the rules of every `.yml` file in a folder that a configuration names. No line of these files is shown.
    ///
    /// - Throws: As `add(folder:)`.
    package mutating func add(configuredFolder folder: String) throws {
        do { try add(folder: folder) } catch let error as SourceError { throw error.withoutLine }
    }

    /// Adds the rules of every `.yml` file in a folder and below it; files in a folder `registry` tell of SDKs, those in a
    /// folder `remedies` contain Swift code that rules name.
    ///
    /// - Throws: `SourceError` for a file that is no rule, `UnreadableSource` for a folder or file that cannot be read.
    public mutating func add(folder: String) throws {
        try addFiles(of: folder) { error, _ in throw error }
    }

    /// Adds the rules of a folder, or of one file, that can be read, and returns the errors of all others: a `SourceError` for
    /// each error in a file, at most 100 of them for one file, and an `UnreadableSource` for a file that cannot be read.
    ///
    /// - Throws: `UnreadableSource` for a folder that cannot be read.
    package mutating func add(validFilesOf path: String) throws -> [any Error] {
        var errors: [any Error] = []
        try addFiles(of: path) { error, all in
            let found: [any Error] = all()
            errors += found.isEmpty ? [error] : found
        }
        return errors
    }

    /// Takes the first error of a file, and a function that finds all errors in it.
    private typealias FailedFile = (any Error, () -> [SourceError]) throws -> Void

    /// Adds the files of a folder, or one file with the remedies beside it.
    private mutating func addFiles(of path: String, fail: FailedFile) throws {
        let (folder, names) = try Self.fileNames(of: path)
        let files = names.map { (name: $0, path: folder.hasSuffix("/") ? folder + $0 : "\(folder)/\($0)") }
        // Rules name them.
        for file in files where Self.isFile(file.name, in: "remedies") {
            let own = try Self.read(file.path, fail: fail) { value, _ throws(SourceError) in
                try SwiftRemedy.table(value)
            }
            remedies.merge(own ?? [:]) { $1 }
        }
        for (name, path) in files where !Self.isFile(name, in: "remedies") {
            if Self.isFile(name, in: "evidence") {
                guard let text = try Self.read(path, fail: fail, { _, text in text }) else { continue }
                evidence[Self.name(of: path)] = .added(path: path, text: text)
                hasOwnEvidence = true
            } else if Self.isFile(name, in: "registry") {
                entries +=
                    try Self.read(path, fail: fail) { value, _ throws(SourceError) in try Registry.entries(value) }
                    ?? []
            } else {
                let remedies = remedies
                let rule = try Self.read(path, fail: fail) { value, text throws(SourceError) in
                    try Rule(value, file: path, text: text, remedies: remedies)
                }
                guard let rule else { continue }
                do throws(SourceError) { try add(rule) } catch { try fail(error) { [] } }
            }
        }
    }

    /// Returns the content of a file; nil after an error that `fail` has accepted.
    private static func read<Content>(
        _ path: String, fail: FailedFile, _ parse: @escaping (YAMLValue, String) throws(SourceError) -> Content
    ) throws -> Content? {
        let text: String
        let top: YAMLValue
        do {
            text = try SourceFile.text(path)
            top = try YAMLValue(file: path, text: text)
        } catch {
            try fail(error) { [] }
            return nil
        }
        do throws(SourceError) { return try parse(top, text) } catch {
            try fail(error) { top.errors { value throws(SourceError) in _ = try parse(value, text) } }
            return nil
        }
    }

    private static func isFile(_ name: String, in folder: String) -> Bool {
        name.hasPrefix("\(folder)/") || name.contains("/\(folder)/")
    }

    /// Returns the folder and the names of its YAML files, sorted. The path of one file stands for this file and the files of
    /// the folder `remedies` beside it.
    private static func fileNames(of path: String) throws -> (folder: String, names: [String]) {
        let working = Invocation.current.workingDirectory
        var (folder, only) = (path, String?.none)
        if SourceFile.isRegular(path), path.hasSuffix(".yml") || path.hasSuffix(".yaml") {
            let slash = path.lastIndex(of: "/")
            folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
            only = slash.map { String(path[path.index(after: $0)...]) } ?? path
        }
        guard let names = try? FileManager.default.subpathsOfDirectory(atPath: working.resolved(folder)) else {
            throw UnreadableSource(
                path: path, reason: "the folder of rules cannot be read",
                hint: "Check --rules and `rules-folder` in the configuration.")
        }
        let files = names.sorted().filter { name in
            (name.hasSuffix(".yml") || name.hasSuffix(".yaml"))
                && only.map { name == $0 || name.hasPrefix("remedies/") } ?? true
        }
        try refuseLinksOut(of: folder, files)
        return (folder, files)
    }

    /// Refuses links that lead out of a folder of rules: an error about a rule quotes a line of its file.
    private static func refuseLinksOut(of folder: String, _ names: [String]) throws {
        let top = SourceFile.identity(folder)
        for name in names {
            let file = SourceFile.identity("\(folder)/\(name)")
            guard !file.hasPrefix(top == "/" ? top : top + "/") else { continue }
            throw UnreadableSource(
                path: "\(folder)/\(name)", reason: "it is a link that leads out of the folder of rules",
                hint: "Copy the file into the folder.")
        }
    }

    private mutating func add(_ rule: Rule) throws(SourceError) {
        for other in rules where other.id == rule.id || other.number == rule.number {
            let key = other.id == rule.id ? "id" : "number"
            let value = try YAMLValue(file: rule.file, text: rule.text).pairs().first { (try? $0.key.string()) == key }
            let same = other.id == rule.id ? "the id “\(rule.id)”" : "the number \(rule.number)"
            let message = "\(same) is also that of “\(other.id)” in \(other.file)"
            throw value?.value.error(message)
                ?? SourceError(file: rule.file, text: rule.text, line: 1, column: 1, message)
        }
        loaded.append(rule)
        rules.append(rule)
        rules.sort { $0.number < $1.number }
    }

    /// The same with one rule, which may be a changed one; one that judges exceptions has all others beside it, since
    /// it is about what they find.
    package func alone(_ rule: Rule) -> Catalogue {
        var catalogue = self
        catalogue.rules = [rule] + (rule.exception == nil ? [] : loaded.filter { $0.id != rule.id })
        catalogue.asked = [rule.id]
        return catalogue
    }

    /// Narrows the rules down: only those selected, if any are named, less those ignored. A word is a rule's id,
    /// its number or a group. An optional rule is enabled only by its id or number.
    ///
    /// - Throws: `UnknownRule` for another word.
    public mutating func restrict(select: [String], ignore: [String]) throws(UnknownRule) {
        for word in select + ignore where !rules.contains(where: { $0.isNamed(word) }) && !isGroup(word) {
            let names = rules.map(\.id) + RuleGroup.allCases.map(\.rawValue)
            throw UnknownRule(word: word, suggestion: NearestName.of(word, among: names))
        }
        rules.removeAll { rule in
            (!select.isEmpty && !select.contains { rule.isNamed($0) }) || ignore.contains { rule.isNamed($0) }
        }
        asked.formUnion(select)
    }

    /// Asks for the optional rules that another catalogue asks for.
    package mutating func addRequests(as other: Catalogue) { asked.formUnion(other.asked) }

    /// Returns true if a rule was selected by its own id or number, which is what puts an optional one.
    func requests(for rule: Rule) -> Bool { asked.contains { $0 != rule.group.rawValue && rule.isNamed($0) } }

    /// Returns the rules of an id, number or group, including disabled ones; empty for an unknown word.
    func loaded(named word: String) -> [Rule] { loaded.filter { $0.isNamed(word) } }

    /// Returns true if nothing of that name was left out.
    func hasAll(named word: String) -> Bool {
        loaded(named: word).allSatisfy { rule in rules.contains { $0.id == rule.id } }
    }

    private func isGroup(_ word: String) -> Bool { RuleGroup(rawValue: word) != nil }

    /// The rule of that id or number.
    ///
    /// - Throws: `UnknownRule`.
    public func rule(_ word: String) throws(UnknownRule) -> Rule {
        guard let rule = rules.first(where: { $0.id == word || $0.aliases.contains(word) || String($0.number) == word })
        else {
            throw UnknownRule(word: word, suggestion: NearestName.of(word, among: rules.map(\.id)))
        }
        return rule
    }

    /// Returns the content of a file of the folder `evidence`.
    func evidence(_ name: String) throws(SourceError) -> YAMLValue {
        try (evidence[name] ?? .added(path: "rules/evidence/\(name)", text: "")).value
    }

    private static func name(of path: String) -> String { String(path.split(separator: "/").last ?? "") }

    /// The omitted parts of the vocabulary and the registry, to measure their contribution.
    package struct Omitted: Sendable {
        package var words: Set<String> = []
        package var sdks: Set<String> = []
        package init() {}
    }
    package var omitted = Omitted()

    /// The lowest number from 900, the first of own rules, that no rule has.
    package var freeNumber: Int {
        let numbers = Set(loaded.map(\.number))
        return (900...).first { !numbers.contains($0) } ?? 900
    }

    /// Returns true if a rule has the id, or had it before, or if it is the name of a group.
    package func isTaken(_ id: String) -> Bool { words.contains(id) }

    /// Returns the rules of a word.
    package enum Subject: Sendable {
        /// The rule of that id, former id or number.
        case rule(Rule)
        /// The group of that name.
        case group(RuleGroup, [Rule])
        /// Several rules whose ids begin so.
        case beginning([Rule])
    }

    /// Returns the rules of a word; nil for an unknown word.
    package func subject(of word: String) -> Subject? {
        if let rule = try? rule(word) { return .rule(rule) }
        if let group = RuleGroup(rawValue: word) { return .group(group, rules.filter { $0.group == group }) }
        let matches = word.isEmpty ? [] : rules.filter { $0.id.hasPrefix(word) }
        if let only = matches.first, matches.count == 1 { return .rule(only) }
        return matches.isEmpty ? nil : .beginning(matches)
    }

    /// Returns the registry for an app with this bundle identifier.
    func registry(bundleIdentifier: String?) -> Registry {
        Registry(entries: knownEntries.compactMap { $0.resolved(bundleIdentifier) })
    }

    /// The registry with all its names, for an app of any identifier.
    var registryOfAnyApp: Registry { Registry(entries: knownEntries) }

    private var knownEntries: [RegistryEntry] {
        omitted.sdks.isEmpty ? entries : entries.filter { !omitted.sdks.contains($0.sdk) }
    }
}

extension Rule {
    /// True for a built-in rule, also with the settings of a configuration.
    package var isBuiltIn: Bool { EmbeddedFiles.files.contains { "rules/\($0.path)" == file && $0.text == text } }

    fileprivate func isNamed(_ word: String) -> Bool {
        word == id || aliases.contains(word) || word == String(number) || word == group.rawValue
    }
}

/// A word that names no rule.
public struct UnknownRule: Error, Sendable, Hashable, CustomStringConvertible {
    /// The word.
    public let word: String
    /// The nearest name that there is.
    public let suggestion: String?
    /// The error and a suggestion.
    public var description: String {
        "there is no rule or group “\(ByteText.printable(word))”"
            + (suggestion.map { "; did you mean “\($0)”?" } ?? ".")
            + " `sandboxlint rules list` lists all rules."
    }
}
