/// The lexical form of a programming language: its comments, its string literals and the words that begin an import.
struct CodeLanguage: Sendable {
    /// The expressions inside a string literal whose values are not known.
    enum Holes: Sendable {
        case none
        /// `\(value)`
        case escapedParentheses
        /// `$value` and `${value}`
        case dollar
        /// `${value}`
        case dollarBraces
        /// `{value}`; `{{` is a brace.
        case braces
    }

    /// The rule by which the end of a string literal is escaped.
    enum Escape: Sendable {
        case none, backslash
        /// The delimiter twice.
        case doubled
    }

    /// The delimiters of a string literal.
    enum Delimiters: Sendable {
        case plain
        /// Any number of `#` before the opening and after the closing delimiter.
        case pounds
        /// A word and a parenthesis between the quotation mark and the text: `R"word(text)word"`.
        case word
    }

    /// One form of string literals.
    struct StringForm: Sendable {
        let open: [UInt8]
        let close: [UInt8]
        let escape: Escape
        let isMultiline: Bool
        let holes: Holes
        let delimiters: Delimiters

        init(
            _ open: String, _ close: String, _ escape: Escape = .backslash, isMultiline: Bool = false,
            holes: Holes = .none, delimiters: Delimiters = .plain
        ) {
            (self.open, self.close) = (Array(open.utf8), Array(close.utf8))
            (self.escape, self.isMultiline, self.holes, self.delimiters) = (escape, isMultiline, holes, delimiters)
        }
    }

    let fileExtensions: [String]
    /// True if block comments contain others.
    var nestsComments = false
    /// The forms of strings; of two that begin alike the longer one is first.
    let strings: [StringForm]
    /// True if `'x'` is a character and not a string.
    var hasCharacters = true
    /// True if a slash after an operator begins a regular expression.
    var hasExpressions = false
    /// True if `{}` and `{0}` in any string stand for a value.
    var formatsBraces = false
    /// True if the type of a constant stands before its name: `const String name = 'x'`.
    var hasTypesFirst = false
    /// Words directly before a string, or before its parenthesis, that is the name of a module or a file of source code.
    let imports: [String]

    static let all: [CodeLanguage] = [
        CodeLanguage(
            fileExtensions: ["swift"], nestsComments: true,
            strings: [
                StringForm(#"""""#, #"""""#, isMultiline: true, holes: .escapedParentheses),
                StringForm(#"""#, #"""#, holes: .escapedParentheses),
                StringForm("#", #"""#, .none, holes: .escapedParentheses, delimiters: .pounds),
            ], hasCharacters: false, imports: ["import"]),
        CodeLanguage(
            fileExtensions: ["m", "mm", "h", "c", "cc", "cpp", "cxx", "hpp", "hh"],
            strings: [
                StringForm(#"R""#, #"""#, .none, isMultiline: true, delimiters: .word),
                StringForm(#"@""#, #"""#), StringForm(#"""#, #"""#),
            ], hasTypesFirst: true, imports: ["include", "import", "extern"]),
        CodeLanguage(
            fileExtensions: ["dart"], nestsComments: true,
            strings: [
                StringForm("r'''", "'''", .none, isMultiline: true),
                StringForm(#"r""""#, #"""""#, .none, isMultiline: true),
                StringForm("r'", "'", .none), StringForm(#"r""#, #"""#, .none),
                StringForm("'''", "'''", isMultiline: true, holes: .dollar),
                StringForm(#"""""#, #"""""#, isMultiline: true, holes: .dollar),
                StringForm("'", "'", holes: .dollar), StringForm(#"""#, #"""#, holes: .dollar),
            ], hasCharacters: false, hasTypesFirst: true, imports: ["import", "export", "part", "of", "library"]),
        CodeLanguage(
            fileExtensions: ["ts", "tsx", "js", "jsx", "mjs", "cjs"],
            strings: [
                StringForm("`", "`", isMultiline: true, holes: .dollarBraces), StringForm("'", "'"),
                StringForm(#"""#, #"""#),
            ], hasCharacters: false, hasExpressions: true, imports: ["import", "from", "require"]),
        CodeLanguage(
            fileExtensions: ["kt", "kts"], nestsComments: true,
            strings: [
                StringForm(#"""""#, #"""""#, .none, isMultiline: true, holes: .dollar),
                StringForm(#"""#, #"""#, holes: .dollar),
            ], imports: ["import", "package"]),
        CodeLanguage(
            fileExtensions: ["cs"],
            strings: [
                StringForm(#"""""#, #"""""#, .none, isMultiline: true),
                StringForm(#"$@""#, #"""#, .doubled, isMultiline: true, holes: .braces),
                StringForm(#"@$""#, #"""#, .doubled, isMultiline: true, holes: .braces),
                StringForm(#"$""#, #"""#, holes: .braces), StringForm(#"@""#, #"""#, .doubled, isMultiline: true),
                StringForm(#"""#, #"""#),
            ], formatsBraces: true, hasTypesFirst: true, imports: ["using", "DllImport"]),
        CodeLanguage(
            fileExtensions: ["go"],
            strings: [StringForm("`", "`", .none, isMultiline: true), StringForm(#"""#, #"""#)],
            imports: ["import"]),
        CodeLanguage(
            fileExtensions: ["rs"], nestsComments: true,
            strings: [
                StringForm("r#", #"""#, .none, isMultiline: true, delimiters: .pounds),
                StringForm(#"r""#, #"""#, .none, isMultiline: true), StringForm(#"b""#, #"""#, isMultiline: true),
                StringForm(#"""#, #"""#, isMultiline: true),
            ], formatsBraces: true, imports: ["extern"]),
    ]

    /// The index of the language of each file extension.
    private static let byExtension: [String: Int] = Dictionary(
        uniqueKeysWithValues: all.indices.flatMap { index in all[index].fileExtensions.map { ($0, index) } })

    /// Returns the index of the language of a file, or nil if its extension is of none.
    static func index(ofFile name: UnsafeRawBufferPointer) -> Int? {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= 6 else { return nil }
        return byExtension[String(decoding: name[(dot + 1)...], as: UTF8.self)]
    }
}
