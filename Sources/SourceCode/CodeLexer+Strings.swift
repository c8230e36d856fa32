/// The string literals of a language: their ends, escapes, and the holes of interpolation.
extension CodeLexer {
    /// The outcome of reading a literal: the index after it, or the reason why it was not read.
    enum Literal: Equatable { case ended(Int), absent, unterminated }

    /// Reads the literal that begins at an index.
    func readString(
        _ bytes: UnsafeRawBufferPointer, start: Int, state: inout State, depth: Int
    ) -> Literal {
        for form in forms[Int(bytes[start])] where Self.isPresent(form.open, in: bytes, at: start) {
            guard let (open, close) = Self.delimiters(of: form, in: bytes, at: start) else { continue }
            let (line, keptText, keptHoles) = (state.line, state.text, state.holes)
            if depth > 0 { state.text = [] }
            defer { if depth > 0 { (state.text, state.holes) = (keptText, keptHoles) } }
            state.text.removeAll(keepingCapacity: true)
            state.holes.removeAll(keepingCapacity: true)
            if let end = readText(bytes, from: open, to: close, form: form, state: &state, depth: depth) {
                if depth == 0 { add(at: line, &state) }
                return .ended(end)
            }
            state.line = line
            if form.isMultiline { state.unterminated += 1 }
            return .unterminated
        }
        return .absent
    }

    static func isPresent(_ text: [UInt8], in bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
        guard start + text.count <= bytes.count else { return false }
        for index in text.indices where bytes[start + index] != text[index] { return false }
        return true
    }

    /// Returns the index of the text and the bytes that end it.
    static func delimiters(
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
    func readText(
        _ bytes: UnsafeRawBufferPointer, from start: Int, to close: [UInt8], form: CodeLanguage.StringForm,
        state: inout State, depth: Int
    ) -> Int? {
        var index = start
        let isMultiline = form.isMultiline || close.count >= 3
        let limit = min(bytes.count, start + Self.longest)
        while index < limit {
            let byte = bytes[index]
            if byte == close[0], Self.isPresent(close, in: bytes, at: index) {
                if form.escape == .doubled, index + 1 < bytes.count, bytes[index + 1] == close[0] {
                    append(byte, state: &state)
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
            if let hole = startOfHole(byte, next: next, form: form, close: close, bytes: bytes, index: index) {
                guard depth < Self.deepestHole, let end = skipHole(bytes, hole: hole, state: &state, depth: depth)
                else {
                    return nil
                }
                append(CodeLiteral.hole, state: &state)
                state.holes.append(Self.name(inHole: bytes, from: hole.start, to: hole.close == 0 ? end : end - 1))
                index = end
            } else if byte == UInt8(ascii: "\\"), form.escape == .backslash {
                index = unescape(bytes, start: index, state: &state)
            } else {
                append(byte == CodeLiteral.hole ? 1 : byte, state: &state)
                index += 1
            }
        }
        return nil
    }

    func append(_ byte: UInt8, state: inout State) {
        if state.text.count <= Self.longestText { state.text.append(byte) }
    }

    /// The closing bracket of the hole that begins at an index, or 0 for a name, and the index after its opening.
    typealias Hole = (close: UInt8, start: Int)

    func startOfHole(
        _ byte: UInt8, next: UInt8, form: CodeLanguage.StringForm, close: [UInt8],
        bytes: UnsafeRawBufferPointer, index: Int
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
    func skipHole(_ bytes: UnsafeRawBufferPointer, hole: Hole, state: inout State, depth: Int) -> Int? {
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
                switch readString(bytes, start: index, state: &state, depth: depth + 1) {
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

    /// Returns the hash of the last name of a hole with nothing but a name and the types that contain it, or 0.
    private static func name(inHole bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) -> UInt32 {
        guard start < end, end - start <= 64 else { return 0 }
        let names = bytes[start..<end].split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard names.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isWord) }), let last = names.last else { return 0 }
        return CodeHash.of(last)
    }

    /// Keeps the character of an escape sequence and returns the index after it.
    func unescape(_ bytes: UnsafeRawBufferPointer, start: Int, state: inout State) -> Int {
        guard start + 1 < bytes.count else { return start + 1 }
        let byte = bytes[start + 1]
        switch byte {
        case UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"), UInt8(ascii: "0"), 0x0a:
            append(1, state: &state)
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
            for unit in Unicode.Scalar(value).map({ Array(Character($0).utf8) }) ?? [1] {
                append(max(1, unit), state: &state)
            }
            return index
        default:
            append(max(1, byte), state: &state)
            return start + 2
        }
    }
}
