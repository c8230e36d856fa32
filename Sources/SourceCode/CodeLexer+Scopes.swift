/// The functions of a source file, and what becomes of the values that they bind.
extension CodeLexer {
    /// A name in the source code.
    struct Name {
        let hash: UInt32
        let start: Int
        let end: Int
        let line: UInt32
    }

    /// A function or a property with a body.
    struct Scope {
        let name: Name
        /// The number of braces around its body.
        let depth: Int
        /// Counts the scopes of a file from 1.
        let number: Int
        let purpose: CodePurpose
    }

    /// A line that uses a value to which a literal is bound.
    struct ValueUse {
        let literals: Range<Int>
        let line: UInt32
        let purpose: CodePurpose
    }

    /// A value to which literals are bound: a constant or a variable.
    struct Value {
        var literals: Range<Int>
        let line: UInt32
        /// The scope of a local value, or 0.
        let scope: Int
    }

    /// The scopes of a file up to a place.
    struct Scopes {
        /// The scopes that are open.
        var open: [Scope] = []
        var depth = 0
        var count = 0
        /// The function whose body may follow.
        var pending: Name?
        /// True if `pending` is a property: its body begins on the same line.
        var isProperty = false
        var isNaming = false
        /// The function that the outermost open call names, and the one whose arguments ended.
        var head: Name?
        var ended: Name?
        var last: Name?
        /// The first byte of the line.
        var lineStart: UInt8 = 0
        var values: [UInt32: Value] = [:]
        /// One bit for the hash of each value, so that most words are compared with none.
        var mask: UInt64 = 0
        var uses: [ValueUse] = []
    }

    private static let functionWords = ["func", "fun", "fn", "function"].map { CodeHash.of($0.utf8) }
    /// One bit for the hash of each of these words, because every word of the source code is compared with them.
    private static let functionMask = functionWords.reduce(0 as UInt64) { $0 | 1 << UInt64($1 & 63) }
    private static let control = hashes(
        """
        if for while switch catch guard else return synchronized autoreleasepool using lock foreach fixed when match with
        """)
    private static let mostScopes = 64
    private static let mostUses = 4_096
    /// A file with more is a generated one.
    private static let mostValues = 512
    /// Languages whose functions begin with their type or their name.
    private var namesByForm: Bool { language.hasTypesFirst || language.hasExpressions }

    private static func hashes(_ text: String) -> Set<UInt32> {
        Set(text.split(separator: " ").map { CodeHash.of($0.utf8) })
    }

    private static let caseWord = CodeHash.of("case".utf8)
    private static let comparisons = hashes(
        """
        hasSuffix hasPrefix endsWith startsWith contains includes isEqualToString isEqual equals strcmp strcasecmp \
        EndsWith StartsWith Contains Equals ends_with starts_with endswith startswith caseInsensitiveCompare indexOf
        """)

    /// Returns true if a literal is compared with a name, so that it makes none.
    func isCompared(after before: UInt8, _ state: State) -> Bool {
        switch before {
        case UInt8(ascii: "="): state.isComparing
        case UInt8(ascii: "("): state.calls.last.map(Self.comparisons.contains) ?? false
        default: before.isWord && state.last == Self.caseWord
        }
    }

    /// Reads a word that may name a function, or use a value.
    func readScopeWord(_ hash: UInt32, from start: Int, to end: Int, after before: UInt8, _ state: inout State) {
        let name = Name(hash: hash, start: start, end: end, line: state.line)
        state.scopes.last = name
        let bit = 1 << UInt64(hash & 63) as UInt64
        if Self.functionMask & bit != 0, Self.functionWords.contains(hash) {
            state.scopes.isNaming = true
        } else if state.scopes.isNaming {
            (state.scopes.pending, state.scopes.isProperty, state.scopes.isNaming) = (name, false, false)
        } else if before == UInt8(ascii: ")"), language.hasTypesFirst, state.calls.isEmpty,
            state.scopes.lineStart == UInt8(ascii: "-") || state.scopes.lineStart == UInt8(ascii: "+"),
            state.scopes.pending?.line != state.line
        {
            (state.scopes.pending, state.scopes.isProperty) = (name, false)
        } else if state.declared == hash, state.declaredLine == state.line, state.scopes.pending?.line != state.line {
            (state.scopes.pending, state.scopes.isProperty) = (name, true)
        }
        guard state.scopes.mask & bit != 0, let value = state.scopes.values[hash],
            value.line != state.line, value.scope == 0 || value.scope == state.scopes.open.last?.number,
            state.scopes.uses.count < Self.mostUses
        else { return }
        var purpose: CodePurpose = []
        for call in state.calls where call != 0 {
            if let meaning = meanings[call] { purpose.formUnion(CodePurpose(meaning)) }
        }
        state.scopes.uses.append(ValueUse(literals: value.literals, line: state.line, purpose: purpose))
    }

    /// Reads punctuation that may begin or end the body of a function.
    func readScopePunctuation(_ byte: UInt8, before: UInt8, _ state: inout State) {
        switch byte {
        case UInt8(ascii: "("):
            if state.calls.count <= 1 { state.scopes.head = before.isWord ? state.scopes.last : nil }
            (state.scopes.ended, state.scopes.isNaming) = (nil, false)
        case UInt8(ascii: ")"):
            if state.calls.isEmpty { state.scopes.ended = state.scopes.head }
        case UInt8(ascii: "{"): beginScope(after: before, &state)
        case UInt8(ascii: "}"):
            state.scopes.depth -= 1
            while let scope = state.scopes.open.last, scope.depth > state.scopes.depth {
                state.scopes.open.removeLast()
                end(scope, &state)
            }
        case UInt8(ascii: ";"):
            (state.scopes.pending, state.scopes.ended) = (nil, nil)
        case UInt8(ascii: "="):
            if state.scopes.isProperty { state.scopes.pending = nil }
            state.scopes.ended = nil
        default: break
        }
    }

    private func beginScope(after before: UInt8, _ state: inout State) {
        state.scopes.depth += 1
        var name: Name?
        if let pending = state.scopes.pending, !state.scopes.isProperty || pending.line == state.line {
            name = pending
        } else if namesByForm, let ended = state.scopes.ended, !Self.control.contains(ended.hash) {
            name = ended
        }
        (state.scopes.pending, state.scopes.ended, state.scopes.head) = (nil, nil, nil)
        guard let name, state.scopes.open.count < Self.mostScopes else { return }
        state.scopes.count += 1
        state.scopes.open.append(
            Scope(
                name: name, depth: state.scopes.depth, number: state.scopes.count,
                purpose: CodePurpose(ofName: UnsafeRawBufferPointer(rebasing: state.bytes[name.start..<name.end]))))
    }

    /// Keeps the lines of a function with a purpose.
    private func end(_ scope: Scope, _ state: inout State) {
        guard !scope.purpose.isEmpty, !state.file.literals.isEmpty || !state.file.mentions.isEmpty else { return }
        state.file.functions.append(
            CodeFunction(name: scope.name.hash, first: scope.name.line, last: state.line, purpose: scope.purpose))
    }

    /// Keeps the value to which the literals from an index on are bound.
    func bind(from first: Int, at line: UInt32, to binding: UInt32, _ state: inout State) {
        let end = state.file.literals.count
        guard binding != 0, first < end,
            state.scopes.values.count < Self.mostValues || state.scopes.values[binding] != nil
        else { return }
        state.scopes.mask |= 1 << UInt64(binding & 63)
        var start = first
        if let known = state.scopes.values[binding], known.line == line, known.literals.upperBound == first {
            start = known.literals.lowerBound
        }
        state.scopes.values[binding] = Value(
            literals: start..<end, line: line, scope: state.scopes.open.last?.number ?? 0)
    }

    /// Writes what becomes of the bound values into their literals: what the calls do that take them, and those on their lines.
    static func addFates(of uses: [ValueUse], to file: inout CodeFile) {
        for use in uses {
            var purpose = use.purpose
            for mention in file.mentions[CodeSearch.range(file.mentions, around: use.line, by: 0)] {
                purpose.formUnion(CodePurpose(mention.meaning))
            }
            guard !purpose.isEmpty else { continue }
            for literal in use.literals { file.literals[literal].fate.formUnion(purpose) }
        }
    }
}
