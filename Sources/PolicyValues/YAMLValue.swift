package import PolicyRules
internal import TextOutput
internal import YAMLFiles

/// A value of a YAML file that knows where it stands, so that whatever is wrong with it can be shown.
///
/// It can also be backed by a recorder instead of a file, which derives a schema from the questions of a parser.
package struct YAMLValue {
    let node: YAMLNode
    let source: Source
    /// The recorder of questions, used instead of a file.
    package let recorder: (any ValueRecorder)?
    /// The pairs of a mapping that no file holds.
    private let made: [(key: YAMLValue, value: YAMLValue)]?

    /// The text of a file.
    package struct Source {
        package let name: String
        package let text: String
        /// The reason why nothing of it may be printed; nil if it may be.
        var hiding: String?
        /// The values of scalars such as `$name`.
        var substitutes: [String: YAMLValue] = [:]
        /// The position of a value that the parser did not read.
        var own = (line: 1, column: 1)
        /// The values with known errors; nil unless all errors are searched.
        var mask: ErrorMask?
    }

    /// Reads a whole file, which may hold nothing if `mayBeEmpty`. Limits: 256 KiB, 64 levels. An error shows the line of
    /// `shown`, unless there is a reason for `hiding` the file.
    package init(
        file name: String, text: String, mayBeEmpty: Bool = false, shown: String? = nil, hiding: String? = nil
    ) throws(SourceError) {
        let source = Source(name: name, text: shown ?? text, hiding: hiding)
        do throws(YAMLTree.Problem) {
            self.init(try YAMLTree(text, mayBeEmpty: mayBeEmpty).root, source: source)
        } catch {
            let position = SourcePosition(
                file: name, text: source.text, line: error.line, column: error.column, width: 1, hiding: hiding)
            throw position.error(error.message)
        }
    }

    /// Reads a file of this build.
    package init(_ file: EmbeddedFiles.File) {
        self.init(
            YAMLTree(bytes: Array(file.tree.utf8)).root, source: Source(name: "rules/\(file.path)", text: file.text))
    }

    init(_ node: YAMLNode, source: Source) {
        if let mask = source.mask, mask.values.contains(node.offset) {
            self = YAMLValue(wildcardFor: node, source)
            return
        }
        if !source.substitutes.isEmpty, let name = node.textBytes, name.first == UInt8(ascii: "$"),
            let value = source.substitutes[String(decoding: name.dropFirst(), as: UTF8.self)]
        {
            self = value
            return
        }
        self.node = node
        self.source = source
        (recorder, made) = (nil, nil)
    }

    /// Creates a scalar that is not in the file, such as a command-line option.
    package init(_ text: String, at position: SourcePosition) {
        self.init(YAMLTree(scalar: text).root, position: position)
    }

    /// Creates a mapping of one key that is not in the file.
    package init(_ key: String, value: YAMLValue, at position: SourcePosition) {
        node = YAMLTree(scalar: key).root
        source = Source(name: position.file, text: position.text, own: (position.line, position.column))
        recorder = nil
        made = [(YAMLValue(key, at: position), value)]
    }

    /// Creates a value without content that passes the questions of a parser to a recorder.
    package init(recording recorder: any ValueRecorder) {
        node = YAMLTree(scalar: recorder.text).root
        source = Source(name: "", text: "")
        self.recorder = recorder
        made = nil
    }

    /// Creates a value that every parser accepts, at the position of a node.
    init(wildcardFor node: YAMLNode, _ source: Source) {
        (self.node, self.source) = (node, source)
        recorder = Wildcard(node, source: source)
        made = nil
    }

    private init(_ node: YAMLNode, position: SourcePosition) {
        self.node = node
        source = Source(name: position.file, text: position.text, own: (position.line, position.column))
        (recorder, made) = (nil, nil)
    }

    /// The same, in which a scalar `$name` stands for the value of that name.
    package func substituting(_ values: [String: YAMLValue]) -> YAMLValue {
        guard recorder == nil, !values.isEmpty else { return self }
        var source = source
        source.substitutes = values
        return YAMLValue(node, source: source)
    }

    /// An error at this value.
    package func error(_ message: String, suggestion: String? = nil, missingKey: String? = nil) -> SourceError {
        var error = position.error(message, suggestion: suggestion)
        error.origin = SourceError.Origin(node: node.offset, missingKey: missingKey)
        return error
    }

    /// The position of the value.
    package var position: SourcePosition {
        SourcePosition(
            file: source.name, text: source.text, line: node.line > 0 ? node.line : source.own.line,
            column: node.column > 0 ? node.column : source.own.column,
            width: node.text?.split(separator: "\n").first?.count ?? 1, hiding: source.hiding)
    }

    /// An error about a word that is not one of `words`.
    package func unknown(_ what: String, word: String, among words: some Sequence<String>) -> SourceError {
        let words = Array(words)
        return error(
            "unknown \(what) “\(word)”; known: \(words.sorted().joined(separator: ", "))",
            suggestion: NearestName.of(word, among: words))
    }

    package var isMapping: Bool { recorder?.isShaped(.mapping) ?? (made != nil || node.isMapping) }
    package var isSequence: Bool { recorder?.isShaped(.sequence) ?? node.isSequence }
    /// True if it is a file without content.
    package var isNothing: Bool { recorder == nil && node.isSequence && node.isEmpty }
    /// True if it is a scalar without quotes.
    package var isPlain: Bool { recorder == nil && node.isPlain }

    /// The pairs of a mapping, in the file's order.
    package func pairs() throws(SourceError) -> [(key: YAMLValue, value: YAMLValue)] {
        if let recorder { return [recorder.openMember] }
        if let made { return made }
        guard node.isMapping, let members = node.members else {
            throw error("expected a mapping of keys and values")
        }
        return stride(from: 0, to: members.count - 1, by: 2).compactMap {
            if let mask = source.mask, mask.values.contains(members[$0].offset) { return nil }
            return (YAMLValue(members[$0], source: source), YAMLValue(members[$0 + 1], source: source))
        }
    }

    /// Returns the values of a mapping, whose keys must be in `known`. Schemas describe the keys with `summaries`.
    package func fields(
        _ known: Set<String>, summaries: [String: String] = [:]
    ) throws(SourceError) -> [String: YAMLValue] {
        if let recorder { return recorder.fields(known, summaries: summaries) }
        var fields: [String: YAMLValue] = [:]
        for (key, value) in try pairs() {
            let name = try key.string()
            guard known.contains(name) else { throw key.unknown("key", word: name, among: known) }
            fields[name] = value
        }
        return fields
    }

    /// The value of a key that must be there.
    package func required(_ key: String, of fields: [String: YAMLValue]) throws(SourceError) -> YAMLValue {
        if let recorder { return recorder.required(key) }
        if let value = fields[key] { return value }
        if let mask = source.mask, mask.missingKeys[node.offset]?.contains(key) == true {
            return YAMLValue(wildcardFor: node, source)
        }
        throw error("the key “\(key)” is missing", missingKey: key)
    }

    package func string() throws(SourceError) -> String {
        if let recorder { return recorder.record(.text, answer: recorder.text) }
        guard let text = node.text else { throw error("expected text") }
        return text
    }

    /// A text that is shown to people: a text without control characters, without marks that turn text about, and of one line
    /// unless it `mayHaveLines`.
    package func shownString(mayHaveLines: Bool = false) throws(SourceError) -> String {
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
    package func shownStrings() throws(SourceError) -> [String] {
        var strings: [String] = []
        for value in list() { strings.append(try value.shownString()) }
        return strings
    }

    package func integer() throws(SourceError) -> Int {
        if let recorder { return recorder.record(.integer, answer: 1) }
        guard let number = node.integer else { throw error("expected a whole number") }
        return number
    }

    package func boolean() throws(SourceError) -> Bool {
        if let recorder { return recorder.record(.boolean, answer: true) }
        guard let value = node.boolean else { throw error("expected true or false") }
        return value
    }

    /// A sequence, or one value standing for a sequence of one.
    package func list() -> [YAMLValue] {
        if let recorder { return [recorder.element, recorder.element] }
        guard node.isSequence, let members = node.members else { return [self] }
        return members.map { YAMLValue($0, source: source) }
    }

    package func strings() throws(SourceError) -> [String] {
        var strings: [String] = []
        for value in list() { strings.append(try value.string()) }
        return strings
    }

    /// One of an enumeration's words.
    package func word<Word: RawRepresentable & CaseIterable>(
        _ what: String, type: Word.Type
    ) throws(SourceError) -> Word where Word.RawValue == String {
        if let recorder, let first = Word.allCases.first {
            return recorder.record(.word(Word.allCases.map(\.rawValue)), answer: first)
        }
        let text = try string()
        guard let word = Word(rawValue: text) else {
            throw unknown(what, word: text, among: Word.allCases.map(\.rawValue))
        }
        return word
    }

    /// Several of an enumeration's words.
    package func words<Word: RawRepresentable & CaseIterable>(
        _ what: String, type: Word.Type
    ) throws(SourceError) -> [Word] where Word.RawValue == String {
        var words: [Word] = []
        for value in list() { words.append(try value.word(what, type: type)) }
        return words
    }

    /// A span of time in seconds: `90s`, `1h`, `7d`.
    package func duration() throws(SourceError) -> Int64 {
        if let recorder { return recorder.record(.span, answer: 86_400) }
        let text = try string()
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        guard let last = text.last, let unit = units[last], let count = Int64(text.dropLast()), (0...36_500) ~= count
        else { throw error("expected a duration such as 90s, 1h or 7d") }
        return count * unit
    }

    /// A size in bytes: `512`, `64KiB`, `2MiB`, `10MB`.
    package func size() throws(SourceError) -> UInt64 {
        if let recorder { return recorder.record(.size, answer: 1) }
        guard let size = Quantity.readBytes(try string()) else {
            throw error("expected a size such as 512, 64KiB, 2MiB or 10MB")
        }
        return size
    }
}
