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
    static let mostUnterminated = 16
    static let deepestHole = 8
    /// Lines between a mention and the identifiers that are kept.
    static let nearby: UInt32 = 4

    let language: CodeLanguage
    let meanings: CodeMeaning.Table
    let keywords: Set<UInt32>
    let types: Set<UInt32>
    let imports: Set<UInt32>
    /// The forms of strings that begin with a byte.
    let forms: [[CodeLanguage.StringForm]]

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
    struct State {
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
        /// True after `==` or `!=`, and if the literal that is read is compared.
        var isComparing = false
        var isCompared = false
        /// True if the literal that is read is the name of a module or of a file of source code.
        var isImport = false
        /// The unknown values of the text of the literal that is read: the hash of a name, or 0.
        var holes: [UInt32] = []
        /// The literals with the name of a constant among their unknown values.
        var interpolated: [(literal: Int, holes: [UInt32])] = []
        /// The functions whose arguments are open.
        var calls: [UInt32] = []
        var unterminated = 0
        var scopes = Scopes()
        let bytes: UnsafeRawBufferPointer
        var text: [UInt8] = []
    }

    /// Returns the literals and the mentions of a file.
    func read(_ bytes: UnsafeRawBufferPointer) -> CodeFile {
        var state = State(bytes: bytes)
        var index = 0
        /// The last byte that is neither space nor part of a comment.
        var before: UInt8 = 0
        while index < bytes.count, state.unterminated < Self.mostUnterminated {
            let byte = bytes[index]
            switch byte {
            case 0x0a:
                state.line += 1
                state.scopes.lineStart = 0
                index += 1
                continue
            case 0x20, 0x09, 0x0d:
                index += 1
                continue
            case UInt8(ascii: "/"):
                if let end = skipComment(bytes, start: index, state: &state) {
                    index = end
                    continue
                }
                if language.hasExpressions, Self.beginsExpression(after: before) {
                    index = Self.endOfExpression(bytes, start: index)
                    before = byte
                    continue
                }
            default: break
            }
            if state.scopes.lineStart == 0 { state.scopes.lineStart = byte }
            if !forms[Int(byte)].isEmpty {
                state.isImport = isImport(after: before, state)
                state.isCompared = isCompared(after: before, state)
                let literal = readString(bytes, start: index, state: &state, depth: 0)
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
                index = readWord(bytes, start: index, after: before, state: &state)
                before = byte
                continue
            }
            readPunctuation(byte, before: before, state: &state)
            if byte == UInt8(ascii: "'"), language.hasCharacters {
                index = Self.endOfCharacter(bytes, start: index)
            } else {
                index += 1
            }
            before = byte
        }
        return finished(&state)
    }

    /// Returns true if the word before a literal, or before its parenthesis, is one of an import.
    private func isImport(after before: UInt8, _ state: State) -> Bool {
        before.isWord
            ? state.lastLine == state.line && imports.contains(state.last)
            : before == UInt8(ascii: "(") && state.calls.last.map(imports.contains) ?? false
    }

    // MARK: - Words and punctuation

    func readWord(
        _ bytes: UnsafeRawBufferPointer, start: Int, after before: UInt8, state: inout State
    ) -> Int {
        var hash = CodeHash()
        var index = start
        while index < bytes.count, bytes[index].isWord {
            hash.add(bytes[index])
            index += 1
        }
        let value = hash.value
        if let meaning = meanings[value] { state.file.mentions.append(CodeMention(line: state.line, meaning: meaning)) }
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
            } else if isName(after: before, state) {
                (state.declared, state.bound) = (value, value)
            }
        }
        (state.last, state.lastLine) = (value, state.line)
        readScopeWord(value, from: start, to: index, after: before, &state)
        return index
    }

    /// Returns true if a word follows a type that was taken for the name of a constant.
    private func isName(after before: UInt8, _ state: State) -> Bool {
        guard language.hasTypesFirst, state.declared != 0, state.bound == state.declared,
            state.declaredLine == state.line
        else { return false }
        if before == UInt8(ascii: ">") { return true }
        return state.last == state.declared && (before.isWord || "*?".utf8.contains(before))
    }

    func readPunctuation(_ byte: UInt8, before: UInt8, state: inout State) {
        switch byte {
        case UInt8(ascii: "="):
            // A comparison binds nothing.
            let isComparison = before == byte || before == UInt8(ascii: "!")
            let isTyped = state.declaredLine == state.line && state.declared != 0
            let bound = isComparison ? 0 : isTyped ? state.declared : state.last
            (state.bound, state.boundLine, state.isComparing) = (bound, state.line, isComparison)
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
        readScopePunctuation(byte, before: before, &state)
    }

    static func beginsExpression(after byte: UInt8) -> Bool { "\0(,=:[!&|?{};".utf8.contains(byte) }

    /// Returns the end of a regular expression, or of the slash where none begins.
    static func endOfExpression(_ bytes: UnsafeRawBufferPointer, start: Int) -> Int {
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

    static func endOfCharacter(_ bytes: UnsafeRawBufferPointer, start: Int) -> Int {
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
    func skipComment(_ bytes: UnsafeRawBufferPointer, start: Int, state: inout State) -> Int? {
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

    // MARK: - Literals

    /// Adds the literal in `state.text`, and its parts between slashes.
    func add(at line: UInt32, _ state: inout State) {
        guard !state.isImport, state.text.count <= Self.longestText else { return }
        let names = state.holes
        // A format would be one more hole.
        if names.isEmpty { Self.replaceFormats(in: &state.text, braces: language.formatsBraces) }
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
        let isWhole = !text.contains(slash)
        var next = 0
        let first = state.file.literals.count
        defer { bind(from: first, at: line, to: context.binding, &state) }
        for part in text.split(separator: slash) {
            let holes = part.count { $0 == CodeLiteral.hole }
            let known = Array(names.dropFirst(next).prefix(holes))
            next += holes
            let count = state.file.literals.count
            let isNamed = known.contains { $0 != 0 }
            add(Array(part), isPart: !isWhole, isNamed: isNamed, line: line, context: context, state: &state)
            if state.file.literals.count > count, isNamed {
                state.interpolated.append((count, known))
            }
        }
    }

    struct Context {
        let binding: UInt32
        let type: UInt32
        let call: UInt32
        let label: UInt32
    }

    func add(_ text: [UInt8], isPart: Bool, isNamed: Bool, line: UInt32, context: Context, state: inout State) {
        let isPattern = text.contains(CodeLiteral.hole)
        // A name has two bytes at least; unknown values without letters match everything, unless a constant gives some.
        guard text.count >= 2, !isPattern || isNamed || text.contains(where: { $0.isLetter || $0 >= 0x80 }) else {
            return
        }
        let start = state.file.text.count
        state.file.text += text
        state.file.literals.append(
            CodeLiteral(
                start: UInt32(start), length: UInt16(text.count), line: line, hash: CodeHash.ofLowercased(text),
                binding: context.binding,
                member: context.binding == 0 || context.type == 0
                    ? 0 : CodeHash.member(context.binding, of: context.type),
                call: context.call, label: context.label, isPattern: isPattern, isPart: isPart,
                fate: state.isCompared ? .compares : []))
    }

    /// The file, with the values of its constants in its literals and the identifiers near its mentions.
    func finished(_ state: inout State) -> CodeFile {
        // Two owners would copy what is changed.
        var file = CodeFile()
        swap(&file, &state.file)
        file.lines = Int(state.line)
        Self.fillHoles(of: state.interpolated, in: &file)
        Self.addFates(of: state.scopes.uses, to: &file)
        if !state.interpolated.isEmpty { file.literals.removeAll { $0.length == 0 } }
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

    /// Replaces unknown values by those of the constants of the same file that have their names, once each.
    private static func fillHoles(of interpolated: [(literal: Int, holes: [UInt32])], in file: inout CodeFile) {
        guard !interpolated.isEmpty else { return }
        var values: [UInt32: [UInt8]] = [:]
        for literal in file.literals where literal.binding != 0 && !literal.isPattern && !literal.isPart {
            // If there are two values, neither is known.
            let isKnown = values[literal.binding] != nil
            values[literal.binding] = isKnown ? [] : Array(file.text(of: literal))
        }
        for (number, holes) in interpolated {
            let literal = file.literals[number]
            var (text, next): ([UInt8], Int) = ([], 0)
            for byte in file.text(of: literal) {
                guard byte == CodeLiteral.hole, next < holes.count else {
                    text.append(byte)
                    continue
                }
                let value = values[holes[next]] ?? []
                text += value.isEmpty ? [byte] : value
                next += 1
            }
            // Unknown values without letters match everything.
            if !text.contains(where: { $0.isLetter || $0 >= 0x80 }) { text = [] }
            guard text.count <= longestText, !text.elementsEqual(file.text(of: literal)) else { continue }
            file.literals[number] = literal.replacing(text, at: file.text.count)
            file.text += text
        }
    }
}
