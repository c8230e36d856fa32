internal import Yams

/// A value of a YAML file that knows where it stands, so that whatever is wrong with it can be shown.
struct YAMLValue {
    private let node: Node
    private let source: Source

    /// A file as it was read.
    struct Source {
        let name: String
        let text: String
    }

    private static let maximumSize = 256 * 1024
    private static let maximumNesting = 64

    /// Reads a whole file. Bounded: 256 KiB, 64 levels.
    init(file name: String, text: String) throws(SourceError) {
        source = Source(name: name, text: text)
        guard text.utf8.count <= Self.maximumSize else {
            throw SourceError(file: name, text: "", line: 1, column: 1, "the file is larger than 256 KiB")
        }
        if let line = Self.tooDeepLine(text) {
            throw SourceError(file: name, text: text, line: line, column: 1, "more than 64 levels of nesting")
        }
        do {
            guard let node = try Yams.compose(yaml: text) else {
                throw SourceError(file: name, text: text, line: 1, column: 1, "the file is empty")
            }
            self.node = node
        } catch let error as SourceError {
            throw error
        } catch let error as YamlError {
            throw Self.translate(error, source)
        } catch { throw SourceError(file: name, text: text, line: 1, column: 1, "\(error)") }
    }

    private init(_ node: Node, _ source: Source) {
        self.node = node
        self.source = source
    }

    /// The parser recurses, so nesting is bounded before it sees the text.
    private static func tooDeepLine(_ text: String) -> Int? {
        var open = 0
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let indicators = line.utf8.prefix { " -?:\t".utf8.contains($0) }
            if indicators.count > maximumNesting * 2 { return number + 1 }
            for byte in line.utf8 {
                if byte == UInt8(ascii: "[") || byte == UInt8(ascii: "{") { open += 1 }
                if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") { open = max(0, open - 1) }
                if open > maximumNesting { return number + 1 }
            }
        }
        return nil
    }

    private static func translate(_ error: YamlError, _ source: Source) -> SourceError {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            SourceError(
                file: source.name, text: source.text, line: mark.line, column: mark.column, "not YAML: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            SourceError(
                file: source.name, text: source.text, line: context.mark.line, column: context.mark.column,
                "the same key twice: \(duplicates.map { String(describing: $0) }.joined(separator: ", "))")
        default: SourceError(file: source.name, text: source.text, line: 1, column: 1, "not YAML: \(error)")
        }
    }

    /// An error at this value.
    func error(_ message: String, suggestion: String? = nil) -> SourceError {
        let width = node.scalar?.string.split(separator: "\n").first?.count ?? 1
        return SourceError(
            file: source.name, text: source.text, line: node.mark?.line ?? 1, column: node.mark?.column ?? 1,
            width: width, message, suggestion: suggestion)
    }

    /// An error about a word that is not one of `words`.
    func unknown(_ what: String, _ word: String, among words: some Sequence<String>) -> SourceError {
        let words = Array(words)
        return error(
            "unknown \(what) “\(word)”; known: \(words.sorted().joined(separator: ", "))",
            suggestion: NearestName.of(word, among: words))
    }

    var isMapping: Bool { node.mapping != nil }
    var isSequence: Bool { node.sequence != nil }
    /// Whether it is a scalar without quotes.
    var isPlain: Bool { node.scalar?.style == .plain }

    /// The pairs of a mapping, in the file's order.
    func pairs() throws(SourceError) -> [(key: YAMLValue, value: YAMLValue)] {
        guard let mapping = node.mapping else { throw error("expected a mapping of keys and values") }
        return mapping.map { (YAMLValue($0.key, source), YAMLValue($0.value, source)) }
    }

    /// The values of a mapping, none of whose keys may be outside `known`.
    func fields(_ known: Set<String>) throws(SourceError) -> [String: YAMLValue] {
        var fields: [String: YAMLValue] = [:]
        for (key, value) in try pairs() {
            let name = try key.string()
            guard known.contains(name) else { throw key.unknown("key", name, among: known) }
            fields[name] = value
        }
        return fields
    }

    /// The value of a key that must be there.
    func required(_ key: String, of fields: [String: YAMLValue]) throws(SourceError) -> YAMLValue {
        guard let value = fields[key] else { throw error("the key “\(key)” is missing") }
        return value
    }

    func string() throws(SourceError) -> String {
        guard let scalar = node.scalar else { throw error("expected a text") }
        return scalar.string
    }

    func integer() throws(SourceError) -> Int {
        guard let number = node.int else { throw error("expected a whole number") }
        return number
    }

    func boolean() throws(SourceError) -> Bool {
        guard let value = node.bool else { throw error("expected true or false") }
        return value
    }

    /// A sequence, or one value standing for a sequence of one.
    func list() -> [YAMLValue] {
        guard let sequence = node.sequence else { return [self] }
        return sequence.map { YAMLValue($0, source) }
    }

    func strings() throws(SourceError) -> [String] {
        var strings: [String] = []
        for value in list() { strings.append(try value.string()) }
        return strings
    }

    /// One of an enumeration's words.
    func word<Word: RawRepresentable & CaseIterable>(
        _ what: String, _ type: Word.Type
    ) throws(SourceError) -> Word where Word.RawValue == String {
        let text = try string()
        guard let word = Word(rawValue: text) else {
            throw unknown(what, text, among: Word.allCases.map(\.rawValue))
        }
        return word
    }

    /// Several of an enumeration's words.
    func words<Word: RawRepresentable & CaseIterable>(
        _ what: String, _ type: Word.Type
    ) throws(SourceError) -> [Word] where Word.RawValue == String {
        var words: [Word] = []
        for value in list() { words.append(try value.word(what, type)) }
        return words
    }

    /// A span of time in seconds: `90s`, `1h`, `7d`; `-7d` where it may lie ahead.
    func duration(mayBeAhead: Bool = false) throws(SourceError) -> Int64 {
        var text = try string()
        let isAhead = mayBeAhead && text.hasPrefix("-")
        if isAhead { text.removeFirst() }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let last = text.last, let unit = units[last], let count = Int64(text.dropLast()), (0...36_500) ~= count
        else { throw error("expected a span such as 90s, 1h or 7d") }
        return isAhead ? -count * unit : count * unit
    }

    /// A size in bytes: `512`, `64KiB`, `2MiB`, `1GiB`.
    func size() throws(SourceError) -> UInt64 {
        let text = try string()
        for (suffix, shift) in [("KiB", 10), ("MiB", 20), ("GiB", 30)] where text.hasSuffix(suffix) {
            guard let count = UInt32(text.dropLast(3)) else { break }
            return UInt64(count) << UInt64(shift)
        }
        guard let count = UInt64(text) else { throw error("expected a size such as 512, 64KiB or 2MiB") }
        return count
    }
}
