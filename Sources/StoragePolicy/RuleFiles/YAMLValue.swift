internal import TextOutput
internal import Yams

/// A value of a YAML file that knows where it stands, so that whatever is wrong with it can be shown.
///
/// It can also be backed by a recorder instead of a file, which derives a schema from the questions of a parser.
package struct YAMLValue {
    private let node: Node
    private let source: Source
    /// The recorder of questions, used instead of a file.
    let recorder: (any ValueRecorder)?
    /// The pairs of a mapping that no file holds.
    private let made: [(key: YAMLValue, value: YAMLValue)]?

    /// The text of a file.
    struct Source {
        let name: String
        let text: String
        /// The values of scalars such as `$name`.
        var substitutes: [String: YAMLValue] = [:]
        /// The position of a value that the parser did not read.
        var own = (line: 1, column: 1)
    }

    private static let maximumSize = 256 * 1024
    private static let maximumNesting = 64

    /// Reads a whole file, which may hold nothing if `mayBeEmpty`. Bounded: 256 KiB, 64 levels. An error
    /// shows the line of `shown`.
    init(file name: String, text: String, mayBeEmpty: Bool = false, shown: String? = nil) throws(SourceError) {
        source = Source(name: name, text: shown ?? text)
        (recorder, made) = (nil, nil)
        guard text.utf8.count <= Self.maximumSize else {
            throw SourceError(file: name, text: "", line: 1, column: 1, "the file is larger than 256 KiB")
        }
        if let line = Self.tooDeepLine(text) {
            throw SourceError(file: name, text: text, line: line, column: 1, "more than 64 levels of nesting")
        }
        do {
            // The default encoding is found in the environment of the process, which takes longer than a small file.
            let root = try Yams.compose(yaml: text, .basic, .default, .utf8)
            guard let node = root ?? (mayBeEmpty ? Node([Node]()) : nil) else {
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
        if let name = node.scalar?.string, name.first == "$", let value = source.substitutes[String(name.dropFirst())] {
            self = value
            return
        }
        self.node = node
        self.source = source
        (recorder, made) = (nil, nil)
    }

    /// Creates a scalar that is not in the file, such as a command-line option.
    init(_ text: String, at position: SourcePosition) {
        self.init(Node(text), position)
    }

    /// Creates a mapping of one key that is not in the file.
    init(_ key: String, _ value: YAMLValue, at position: SourcePosition) {
        node = Node(key)
        source = Source(name: position.file, text: position.text, own: (position.line, position.column))
        recorder = nil
        made = [(YAMLValue(key, at: position), value)]
    }

    /// Creates a value without content that passes the questions of a parser to a recorder.
    package init(recording recorder: any ValueRecorder) {
        node = Node(recorder.text)
        source = Source(name: "", text: "")
        self.recorder = recorder
        made = nil
    }

    private init(_ node: Node, _ position: SourcePosition) {
        self.node = node
        source = Source(name: position.file, text: position.text, own: (position.line, position.column))
        (recorder, made) = (nil, nil)
    }

    /// The same, in which a scalar `$name` stands for the value of that name.
    func substituting(_ values: [String: YAMLValue]) -> YAMLValue {
        guard recorder == nil, !values.isEmpty else { return self }
        var source = source
        source.substitutes = values
        return YAMLValue(node, source)
    }

    /// The parser recurses, so nesting is bounded before it sees the text.
    private static func tooDeepLine(_ text: String) -> Int? {
        var (open, number, indicators) = (0, 1, 0)
        var isIndented = true
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\n"):
                number += 1
                (indicators, isIndented) = (0, true)
                continue
            case UInt8(ascii: "["), UInt8(ascii: "{"): open += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): open = max(0, open - 1)
            default: break
            }
            if isIndented, " -?:\t".utf8.contains(byte) {
                indicators += 1
            } else {
                isIndented = false
            }
            if open > maximumNesting || indicators > maximumNesting * 2 { return number }
        }
        return nil
    }

    private static func translate(_ error: YamlError, _ source: Source) -> SourceError {
        switch error {
        case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
            .composer(_, let problem, let mark, _):
            SourceError(
                file: source.name, text: source.text, line: mark.line, column: mark.column, "invalid YAML: \(problem)")
        case .duplicatedKeysInMapping(let duplicates, let context):
            SourceError(
                file: source.name, text: source.text, line: context.mark.line, column: context.mark.column,
                "duplicate key: \(duplicates.map { String(describing: $0) }.joined(separator: ", "))")
        case .reader(let problem, let offset, _, _):
            SourceError(
                file: source.name, text: source.text,
                line: 1 + source.text.prefix(offset ?? 0).count(where: \.isNewline), column: 1,
                "invalid YAML: \(problem)")
        default: SourceError(file: source.name, text: source.text, line: 1, column: 1, "invalid YAML: \(error)")
        }
    }

    /// An error at this value.
    func error(_ message: String, suggestion: String? = nil) -> SourceError {
        position.error(message, suggestion: suggestion)
    }

    /// The position of the value.
    var position: SourcePosition {
        SourcePosition(
            file: source.name, text: source.text, line: node.mark?.line ?? source.own.line,
            column: node.mark?.column ?? source.own.column,
            width: node.scalar?.string.split(separator: "\n").first?.count ?? 1)
    }

    /// An error about a word that is not one of `words`.
    func unknown(_ what: String, _ word: String, among words: some Sequence<String>) -> SourceError {
        let words = Array(words)
        return error(
            "unknown \(what) “\(word)”; known: \(words.sorted().joined(separator: ", "))",
            suggestion: NearestName.of(word, among: words))
    }

    var isMapping: Bool { recorder?.isShaped(.mapping) ?? (made != nil || node.mapping != nil) }
    var isSequence: Bool { recorder?.isShaped(.sequence) ?? (node.sequence != nil) }
    /// True if it is a file without content.
    var isNothing: Bool { recorder == nil && node.sequence?.isEmpty == true }
    /// True if it is a scalar without quotes.
    var isPlain: Bool { recorder == nil && node.scalar?.style == .plain }

    /// The pairs of a mapping, in the file's order.
    func pairs() throws(SourceError) -> [(key: YAMLValue, value: YAMLValue)] {
        if let recorder { return [recorder.openMember] }
        if let made { return made }
        guard let mapping = node.mapping else { throw error("expected a mapping of keys and values") }
        return mapping.map { (YAMLValue($0.key, source), YAMLValue($0.value, source)) }
    }

    /// Returns the values of a mapping, whose keys must be in `known`. Schemas describe the keys with `summaries`.
    func fields(_ known: Set<String>, summaries: [String: String] = [:]) throws(SourceError) -> [String: YAMLValue] {
        if let recorder { return recorder.fields(known, summaries: summaries) }
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
        if let recorder { return recorder.required(key) }
        guard let value = fields[key] else { throw error("the key “\(key)” is missing") }
        return value
    }

    func string() throws(SourceError) -> String {
        recorder?.ask(.text)
        guard let scalar = node.scalar else { throw error("expected text") }
        return scalar.string
    }

    /// A text that is shown to people: a text without control characters, without marks that turn text about, and of one line
    /// unless it `mayHaveLines`.
    func shownString(mayHaveLines: Bool = false) throws(SourceError) -> String {
        let text = try string()
        guard recorder == nil, !Self.isPrintableASCII(text) else { return text }
        for scalar in text.unicodeScalars where !Self.isShowable(scalar) && !(mayHaveLines && scalar == "\n") {
            let number = String(scalar.value, radix: 16, uppercase: true)
            throw error(
                scalar == "\n"
                    ? "expected a single line of text"
                    : "control characters are not allowed: U+\(String(repeating: "0", count: max(0, 4 - number.count)))\(number)"
            )
        }
        return text
    }

    private static func isPrintableASCII(_ text: String) -> Bool { text.utf8.allSatisfy { 0x20 <= $0 && $0 < 0x7f } }

    /// The two joiners that some scripts and emoji need steer nothing.
    private static func isShowable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: scalar == "\u{200c}" || scalar == "\u{200d}"
        default: true
        }
    }

    /// Several such texts of one line.
    func shownStrings() throws(SourceError) -> [String] {
        var strings: [String] = []
        for value in list() { strings.append(try value.shownString()) }
        return strings
    }

    func integer() throws(SourceError) -> Int {
        if let recorder { return recorder.ask(.integer, 1) }
        guard let number = node.int else { throw error("expected a whole number") }
        return number
    }

    func boolean() throws(SourceError) -> Bool {
        if let recorder { return recorder.ask(.boolean, true) }
        guard let value = node.bool else { throw error("expected true or false") }
        return value
    }

    /// A sequence, or one value standing for a sequence of one.
    func list() -> [YAMLValue] {
        if let recorder { return [recorder.element, recorder.element] }
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
        if let recorder, let first = Word.allCases.first {
            return recorder.ask(.word(Word.allCases.map(\.rawValue)), first)
        }
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

    /// A span of time in seconds: `90s`, `1h`, `7d`.
    func duration() throws(SourceError) -> Int64 {
        if let recorder { return recorder.ask(.span, 86_400) }
        let text = try string()
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let last = text.last, let unit = units[last], let count = Int64(text.dropLast()), (0...36_500) ~= count
        else { throw error("expected a duration such as 90s, 1h or 7d") }
        return count * unit
    }

    /// A size in bytes: `512`, `64KiB`, `2MiB`, `10MB`.
    func size() throws(SourceError) -> UInt64 {
        if let recorder { return recorder.ask(.size, 1) }
        guard let size = ByteCount.read(try string()) else {
            throw error("expected a size such as 512, 64KiB, 2MiB or 10MB")
        }
        return size
    }
}
