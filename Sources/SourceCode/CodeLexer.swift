/// Reads the string literals of a source file, with the identifiers around them. One lexer for all languages, driven by
/// `CodeLanguage`.
///
/// Takes time in proportion to the size of the file, whatever it contains: a literal has at most `longest` bytes, and the
/// lexer gives up after `mostUnterminated` literals without an end.
struct CodeLexer {
    /// Bytes of the longest literal that is read. A longer one has no end.
    static let longest = 1 << 16
    /// Bytes of the longest text that is kept. No name is longer.
    static let longestText = 160
    private static let mostUnterminated = 16
    private static let deepestHole = 8
    /// Lines between a mention and the identifiers that are kept.
    private static let nearby: UInt32 = 4

    private let language: CodeLanguage
    private let meanings: CodeMeaning.Table
    private let keywords: Set<UInt32>
    private let types: Set<UInt32>
    private let imports: Set<UInt32>
    /// The forms of strings that begin with a byte.
    private let forms: [[CodeLanguage.StringForm]]

    init(_ language: CodeLanguage, meanings: CodeMeaning.Table) {
        (self.language, self.meanings) = (language, meanings)
        keywords = Set(
            ["let", "var", "val", "func", "fun", "case", "define", "get", "const", "final", "fn"].map {
                CodeHash.of($0.utf8)
            })
        types = Set(
            [
                "class", "struct", "enum", "extension", "protocol", "interface", "object", "mixin", "namespace",
                "implementation",
            ]
            .map { CodeHash.of($0.utf8) })
        imports = Set(language.imports.map { CodeHash.of($0.utf8) })
        var forms = [[CodeLanguage.StringForm]](repeating: [], count: 256)
        for form in language.strings { forms[Int(form.open[0])].append(form) }
        self.forms = forms
    }

    /// The state of one file.
    private struct State {
        var file = CodeFile()
        var line: UInt32 = 1
        var words: [CodeWord] = []
        var last: UInt32 = 0
        var lastLine: UInt32 = 0
        var declared: UInt32 = 0
        var declaredLine: UInt32 = 0
        var isDeclaring = false
        /// The type whose declaration was last, and the lines of declarations of types.
        var type: UInt32 = 0
        var isDeclaringType = false
        var bound: UInt32 = 0
        var boundLine: UInt32 = 0
        var label: UInt32 = 0
        var importLine: UInt32 = 0
        /// The functions whose arguments are open.
        var calls: [UInt32] = []
        var unterminated = 0
        var text: [UInt8] = []
    }

    /// Returns the literals and the mentions of a file.
    func read(_ bytes: UnsafeRawBufferPointer) -> CodeFile {
        var state = State()
        var index = 0
        /// The last byte that is neither space nor part of a comment.
        var before: UInt8 = 0
        while index < bytes.count, state.unterminated < Self.mostUnterminated {
            let byte = bytes[index]
            switch byte {
            case 0x0a:
                state.line += 1
                index += 1
                continue
            case 0x20, 0x09, 0x0d:
                index += 1
                continue
            case UInt8(ascii: "/"):
                if let end = skipComment(bytes, index, &state) {
                    index = end
                    continue
                }
                if language.hasExpressions, Self.beginsExpression(after: before) {
                    index = Self.endOfExpression(bytes, index)
                    before = byte
                    continue
                }
            default: break
            }
            if !forms[Int(byte)].isEmpty {
                let literal = readString(bytes, index, &state, depth: 0)
                if case .ended(let end) = literal {
                    index = end
                    before = UInt8(ascii: "\"")
                    continue
                } else if literal == .unterminated {
                    // Every quotation mark on the line would be tried, each with the rest of the line.
                    while index < bytes.count, bytes[index] != 0x0a { index += 1 }
                    continue
                }
            }
            if byte.isWord {
                index = readWord(bytes, index, after: before, &state)
                before = byte
                continue
            }
            readPunctuation(byte, before, &state)
            if byte == UInt8(ascii: "'"), language.hasCharacters {
                index = Self.endOfCharacter(bytes, index)
            } else {
                index += 1
            }
            before = byte
        }
        return finished(state)
    }

    // MARK: - Words and punctuation

    private func readWord(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, after before: UInt8, _ state: inout State
    ) -> Int {
        var hash = CodeHash()
        var index = start
        while index < bytes.count, bytes[index].isWord {
            hash.add(bytes[index])
            index += 1
        }
        let value = hash.value
        if let meaning = meanings[value] { state.file.mentions.append(CodeMention(line: state.line, meaning: meaning)) }
        if imports.contains(value) { state.importLine = state.line }
        if types.contains(value) {
            state.isDeclaringType = true
        } else if keywords.contains(value) {
            state.isDeclaring = true
        } else {
            if state.isDeclaringType { (state.type, state.isDeclaringType) = (value, false) }
            if before == UInt8(ascii: "."), state.last != 0 {
                state.words.append(CodeWord(line: state.line, hash: CodeHash.member(value, of: state.last)))
            }
            // Shorter names are those of variables everywhere.
            if index - start >= 6 { state.words.append(CodeWord(line: state.line, hash: value)) }
            if state.isDeclaring {
                (state.declared, state.declaredLine, state.isDeclaring) = (value, state.line, false)
                (state.bound, state.boundLine) = (value, state.line)
            }
        }
        (state.last, state.lastLine) = (value, state.line)
        return index
    }

    private func readPunctuation(_ byte: UInt8, _ before: UInt8, _ state: inout State) {
        switch byte {
        case UInt8(ascii: "="):
            let isTyped = state.declaredLine == state.line && state.declared != 0
            (state.bound, state.boundLine) = (isTyped ? state.declared : state.last, state.line)
            state.isDeclaring = false
        case UInt8(ascii: ":"):
            state.label = state.last
            state.isDeclaring = false
        case UInt8(ascii: "("):
            if state.calls.count < 64 { state.calls.append(before.isWord ? state.last : 0) }
            state.isDeclaring = false
            state.label = 0
        case UInt8(ascii: ")"):
            _ = state.calls.popLast()
        case UInt8(ascii: ","): state.label = 0
        case UInt8(ascii: ";"):
            state.calls.removeAll(keepingCapacity: true)
            (state.declared, state.label) = (0, 0)
        case UInt8(ascii: "}"):
            state.calls.removeAll(keepingCapacity: true)
            state.declared = 0
        default: break
        }
    }

    private static func beginsExpression(after byte: UInt8) -> Bool { "\0(,=:[!&|?{};".utf8.contains(byte) }

    /// Returns the end of a regular expression, or of the slash if it is none.
    private static func endOfExpression(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        var (index, isInSet) = (start + 1, false)
        while index < bytes.count, index - start < 2048 {
            switch bytes[index] {
            case 0x0a: return start + 1
            case UInt8(ascii: "\\"): index += 1
            case UInt8(ascii: "["): isInSet = true
            case UInt8(ascii: "]"): isInSet = false
            case UInt8(ascii: "/") where !isInSet: return index + 1
            default: break
            }
            index += 1
        }
        return start + 1
    }

    private static func endOfCharacter(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> Int {
        guard start + 2 < bytes.count else { return start + 1 }
        if bytes[start + 1] == UInt8(ascii: "\\") {
            var index = start + 3
            while index < min(bytes.count, start + 12), bytes[index] != 0x0a {
                if bytes[index] == UInt8(ascii: "'") { return index + 1 }
                index += 1
            }
            return start + 1
        }
        // A character has at most four bytes. Anything else is a lifetime of Rust.
        for end in (start + 2)..<min(bytes.count, start + 6) where bytes[end] == UInt8(ascii: "'") { return end + 1 }
        return start + 1
    }

    /// Returns the end of the comment that begins at a slash; nil if none does.
    private func skipComment(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ state: inout State) -> Int? {
        guard start + 1 < bytes.count else { return nil }
        var index = start + 2
        if bytes[start + 1] == UInt8(ascii: "/") {
            while index < bytes.count, bytes[index] != 0x0a { index += 1 }
            return index
        }
        guard bytes[start + 1] == UInt8(ascii: "*") else { return nil }
        var depth = 1
        while index < bytes.count {
            let (byte, next) = (bytes[index], index + 1 < bytes.count ? bytes[index + 1] : 0)
            if byte == 0x0a { state.line += 1 }
            if byte == UInt8(ascii: "*"), next == UInt8(ascii: "/") {
                depth -= 1
                index += 2
                if depth == 0 { return index }
            } else if language.nestsComments, byte == UInt8(ascii: "/"), next == UInt8(ascii: "*") {
                depth += 1
                index += 2
            } else {
                index += 1
            }
        }
        return index
    }

    // MARK: - Strings

    /// The outcome of reading a literal: the index after it, or the reason why it was not read.
    private enum Literal: Equatable { case ended(Int), absent, unterminated }

    /// Reads the literal that begins at an index.
    private func readString(
        _ bytes: UnsafeRawBufferPointer, _ start: Int, _ state: inout State, depth: Int
    ) -> Literal {
        for form in forms[Int(bytes[start])] where Self.isPresent(form.open, in: bytes, at: start) {
            guard let (open, close) = Self.delimiters(of: form, in: bytes, at: start) else { continue }
            let (line, keptText) = (state.line, state.text)
            if depth > 0 { state.text = [] }
            defer { if depth > 0 { state.text = keptText } }
            state.text.removeAll(keepingCapacity: true)
            if let end = readText(bytes, from: open, to: close, form, &state, depth: depth) {
                if depth == 0 { add(at: line, &state) }
                return .ended(end)
            }
            state.line = line
            if form.isMultiline { state.unterminated += 1 }
            return .unterminated
        }
        return .absent
    }

    private static func isPresent(_ text: [UInt8], in bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
        guard start + text.count <= bytes.count else { return false }
        for index in text.indices where bytes[start + index] != text[index] { return false }
        return true
    }

    /// Returns the index of the text and the bytes that end it.
    private static func delimiters(
        of form: CodeLanguage.StringForm, in bytes: UnsafeRawBufferPointer, at start: Int
    ) -> (open: Int, close: [UInt8])? {
        var index = start + form.open.count
        switch form.delimiters {
        case .plain: return (index, form.close)
        case .pounds:
            var count = 1
            while index < bytes.count, bytes[index] == UInt8(ascii: "#"), count < 32 {
                count += 1
                index += 1
            }
            guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else { return nil }
            let isTriple = isPresent([UInt8](repeating: UInt8(ascii: "\""), count: 3), in: bytes, at: index)
            let quotes = [UInt8](repeating: UInt8(ascii: "\""), count: isTriple ? 3 : 1)
            return (index + quotes.count, quotes + [UInt8](repeating: UInt8(ascii: "#"), count: count))
        case .word:
            let word = index
            while index < bytes.count, index - word <= 16, bytes[index].isWord { index += 1 }
            guard index < bytes.count, bytes[index] == UInt8(ascii: "(") else { return nil }
            return (index + 1, [UInt8(ascii: ")")] + bytes[word..<index] + [UInt8(ascii: "\"")])
        }
    }

    /// Reads the text of a literal into `state.text`. Returns the index after its end, or nil if it has none.
    private func readText(
        _ bytes: UnsafeRawBufferPointer, from start: Int, to close: [UInt8], _ form: CodeLanguage.StringForm,
        _ state: inout State, depth: Int
    ) -> Int? {
        var index = start
        let isMultiline = form.isMultiline || close.count >= 3
        let limit = min(bytes.count, start + Self.longest)
        while index < limit {
            let byte = bytes[index]
            if byte == close[0], Self.isPresent(close, in: bytes, at: index) {
                if form.escape == .doubled, index + 1 < bytes.count, bytes[index + 1] == close[0] {
                    keep(byte, &state)
                    index += 2
                    continue
                }
                return index + close.count
            }
            if byte == 0x0a {
                guard isMultiline else { return nil }
                state.line += 1
            }
            let next = index + 1 < bytes.count ? bytes[index + 1] : 0
            if let hole = startOfHole(byte, next, form, close, bytes, index) {
                guard depth < Self.deepestHole, let end = skipHole(bytes, hole, &state, depth: depth) else {
                    return nil
                }
                keep(CodeLiteral.hole, &state)
                index = end
            } else if byte == UInt8(ascii: "\\"), form.escape == .backslash {
                index = unescape(bytes, index, &state)
            } else {
                keep(byte == CodeLiteral.hole ? 1 : byte, &state)
                index += 1
            }
        }
        return nil
    }

    private func keep(_ byte: UInt8, _ state: inout State) {
        if state.text.count <= Self.longestText { state.text.append(byte) }
    }

    /// The closing bracket of the hole that begins at an index, or 0 for a name, and the index after its opening.
    private typealias Hole = (close: UInt8, start: Int)

    private func startOfHole(
        _ byte: UInt8, _ next: UInt8, _ form: CodeLanguage.StringForm, _ close: [UInt8],
        _ bytes: UnsafeRawBufferPointer, _ index: Int
    ) -> Hole? {
        switch form.holes {
        case .none: return nil
        case .escapedParentheses:
            guard byte == UInt8(ascii: "\\") else { return nil }
            var start = index + 1
            // `#"…"#` needs `\#(`.
            for pound in close where pound == UInt8(ascii: "#") {
                guard start < bytes.count, bytes[start] == pound else { return nil }
                start += 1
            }
            guard start < bytes.count, bytes[start] == UInt8(ascii: "(") else { return nil }
            return (UInt8(ascii: ")"), start + 1)
        case .dollar:
            guard byte == UInt8(ascii: "$") else { return nil }
            if next == UInt8(ascii: "{") { return (UInt8(ascii: "}"), index + 2) }
            return next.isLetter || next == UInt8(ascii: "_") ? (0, index + 1) : nil
        case .dollarBraces:
            return byte == UInt8(ascii: "$") && next == UInt8(ascii: "{") ? (UInt8(ascii: "}"), index + 2) : nil
        case .braces:
            return byte == UInt8(ascii: "{") && next != byte ? (UInt8(ascii: "}"), index + 1) : nil
        }
    }

    /// Returns the index after a hole, whose expression may contain strings with holes.
    private func skipHole(_ bytes: UnsafeRawBufferPointer, _ hole: Hole, _ state: inout State, depth: Int) -> Int? {
        var index = hole.start
        if hole.close == 0 {
            while index < bytes.count, bytes[index].isWord { index += 1 }
            return index
        }
        let open = hole.close == UInt8(ascii: ")") ? UInt8(ascii: "(") : UInt8(ascii: "{")
        var count = 1
        while index < min(bytes.count, hole.start + 4096) {
            let byte = bytes[index]
            if byte == hole.close {
                count -= 1
                if count == 0 { return index + 1 }
            } else if byte == open {
                count += 1
            } else if byte == 0x0a {
                state.line += 1
            } else if !forms[Int(byte)].isEmpty {
                switch readString(bytes, index, &state, depth: depth + 1) {
                case .ended(let end):
                    index = end
                    continue
                case .unterminated: return nil
                case .absent: break
                }
            }
            index += 1
        }
        return nil
    }

    /// Keeps the character of an escape sequence and returns the index after it.
    private func unescape(_ bytes: UnsafeRawBufferPointer, _ start: Int, _ state: inout State) -> Int {
        guard start + 1 < bytes.count else { return start + 1 }
        let byte = bytes[start + 1]
        switch byte {
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "0"), 0x0a:
            keep(1, &state)
            if byte == 0x0a { state.line += 1 }
            return start + 2
        case UInt8(ascii: "u"), UInt8(ascii: "x"):
            var index = start + 2
            let isBraced = index < bytes.count && bytes[index] == UInt8(ascii: "{")
            if isBraced { index += 1 }
            var value: UInt32 = 0
            let end = min(bytes.count, index + (isBraced ? 8 : byte == UInt8(ascii: "u") ? 4 : 2))
            while index < end, let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue {
                value = value << 4 | UInt32(digit)
                index += 1
            }
            if isBraced, index < bytes.count, bytes[index] == UInt8(ascii: "}") { index += 1 }
            for unit in Unicode.Scalar(value).map({ Array(Character($0).utf8) }) ?? [1] { keep(max(1, unit), &state) }
            return index
        default:
            keep(max(1, byte), &state)
            return start + 2
        }
    }

    // MARK: - Literals

    /// Adds the literal in `state.text`, and its parts between slashes.
    private func add(at line: UInt32, _ state: inout State) {
        guard state.importLine != line, state.text.count <= Self.longestText else { return }
        Self.replaceFormats(in: &state.text, braces: language.formatsBraces)
        let text = Self.trimmed(state.text)
        // Prose and addresses are no names.
        guard !text.isEmpty, !text.contains(where: { $0 == 1 || $0 == 0x0a }), !Self.isProse(text) else { return }
        var call: UInt32 = 0
        for open in state.calls.reversed() where open != 0 {
            call = open
            break
        }
        // An argument on a later line belongs to another statement.
        let isBound = state.bound != 0 && line - state.boundLine <= (state.calls.isEmpty ? 2 : 0)
        let context = Context(binding: isBound ? state.bound : 0, type: state.type, call: call, label: state.label)
        let slash = UInt8(ascii: "/")
        guard text.contains(slash) else { return add(text, isPart: false, line, context, &state) }
        for part in text.split(separator: slash) { add(Array(part), isPart: true, line, context, &state) }
    }

    private struct Context {
        let binding: UInt32
        let type: UInt32
        let call: UInt32
        let label: UInt32
    }

    private func add(_ text: [UInt8], isPart: Bool, _ line: UInt32, _ context: Context, _ state: inout State) {
        let isPattern = text.contains(CodeLiteral.hole)
        // A name has two bytes at least; an unknown value alone matches everything.
        guard text.count >= 2, !isPattern || text.contains(where: \.isWord),
            text.contains(where: { $0 != CodeLiteral.hole })
        else { return }
        let start = state.file.text.count
        state.file.text += text
        state.file.literals.append(
            CodeLiteral(
                start: UInt32(start), length: UInt16(text.count), line: line, hash: CodeHash.ofLowercased(text),
                binding: context.binding,
                member: context.binding == 0 || context.type == 0
                    ? 0 : CodeHash.member(context.binding, of: context.type),
                call: context.call, label: context.label, isPattern: isPattern, isPart: isPart))
    }

    private static func trimmed(_ text: [UInt8]) -> [UInt8] {
        var rest = text[...]
        while rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: " ") { rest.removeFirst() }
        while rest.last == UInt8(ascii: "/") || rest.last == UInt8(ascii: " ") { rest.removeLast() }
        return Array(rest)
    }

    private static func isProse(_ text: [UInt8]) -> Bool {
        var spaces = 0
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: " ") { spaces += 1 }
            if byte == UInt8(ascii: ":"), text.dropFirst(index + 1).starts(with: "//".utf8) { return true }
        }
        return spaces > 6
    }

    /// Replaces the formats of printf, and `{}`, by holes.
    private static func replaceFormats(in text: inout [UInt8], braces: Bool) {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || braces && $0 == UInt8(ascii: "{") }) else { return }
        var result: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%") {
                var end = index + 1
                while end < text.count, "-+ #.$0123456789hlqzjtL".utf8.contains(text[end]), end - index < 8 { end += 1 }
                if end < text.count, "@dDiuUxXoOfeEgGcCsSpaAv".utf8.contains(text[end]) {
                    result.append(CodeLiteral.hole)
                    index = end + 1
                    continue
                }
            } else if braces, text[index] == UInt8(ascii: "{"),
                let end = text[index...].firstIndex(of: UInt8(ascii: "}")), end - index < 24
            {
                result.append(CodeLiteral.hole)
                index = end + 1
                continue
            }
            result.append(text[index])
            index += 1
        }
        text = result
    }

    /// The file, with the identifiers near its mentions.
    private func finished(_ state: State) -> CodeFile {
        var file = state.file
        file.lines = Int(state.line)
        let words = state.words
        var (next, kept): (Int, Set<UInt32>) = (0, [])
        for mention in file.mentions where mention.meaning != .resource {
            let low = mention.line > Self.nearby ? mention.line - Self.nearby : 0
            while next < words.count, words[next].line < low { next += 1 }
            while next < words.count, words[next].line <= mention.line + Self.nearby {
                let word = words[next]
                if meanings[word.hash] == nil, kept.insert(word.hash).inserted { file.uses.append(word) }
                next += 1
            }
        }
        return file
    }
}
