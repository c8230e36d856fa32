/// A string literal of a source file, or a part of one between slashes.
struct CodeLiteral: Sendable {
    /// The text in `CodeFile.text`: escapes are replaced, and each unknown value is one `CodeLiteral.hole`.
    let start: UInt32
    let length: UInt16
    /// The line, counted from 1.
    let line: UInt32
    /// The hash of the text in lower case.
    let hash: UInt32
    /// The hash of the constant or the function that the literal is the value of, or 0.
    let binding: UInt32
    /// The hash of the constant as a member of its type, or 0.
    let member: UInt32
    /// The hash of the function that has the literal as an argument, or 0.
    let call: UInt32
    /// The hash of the label of the argument, or 0.
    let label: UInt32
    let isPattern: Bool
    /// True for a part of a literal with slashes.
    let isPart: Bool
    /// The purpose of the value to which the literal is bound.
    var fate: CodePurpose = []

    /// The byte that stands for an unknown value.
    static let hole: UInt8 = 0

    /// Returns the literal with another text, which begins at an index of `CodeFile.text`.
    func replacing(_ text: [UInt8], at start: Int) -> CodeLiteral {
        CodeLiteral(
            start: UInt32(start), length: UInt16(text.count), line: line, hash: CodeHash.ofLowercased(text),
            binding: binding, member: member, call: call, label: label, isPattern: text.contains(Self.hole),
            isPart: isPart, fate: fate)
    }
}

/// An identifier on a line.
struct CodeWord: Sendable {
    let line: UInt32
    let hash: UInt32
}

/// A known function, type or constant on a line.
struct CodeMention: Sendable {
    let line: UInt32
    let meaning: CodeMeaning
}

/// A source file without what no path can match.
struct CodeFile: Sendable {
    /// A property of a file that makes it an unlikely writer of an app's files.
    struct Traits: OptionSet, Sendable {
        let rawValue: UInt8
        static let test = Traits(rawValue: 1)
        static let vendored = Traits(rawValue: 2)
        static let generated = Traits(rawValue: 4)
        static let otherPlatform = Traits(rawValue: 8)
    }

    /// The index of the root that contains the file.
    var root = 0
    /// The path in the root.
    var path: [UInt8] = []
    var traits: Traits = []
    var lines = 0
    var text: [UInt8] = []
    /// By line.
    var literals: [CodeLiteral] = []
    var mentions: [CodeMention] = []
    /// Identifiers near mentions, by line.
    var uses: [CodeWord] = []
    /// The functions whose names state a purpose, by their last line.
    var functions: [CodeFunction] = []

    func text(of literal: CodeLiteral) -> ArraySlice<UInt8> {
        text[Int(literal.start)..<(Int(literal.start) + Int(literal.length))]
    }
}

/// The hash of names: FNV-1a. Equal hashes of different texts are found by comparing the texts.
struct CodeHash {
    private(set) var value: UInt32 = 2_166_136_261

    @inline(__always)
    mutating func add(_ byte: UInt8) { value = (value ^ UInt32(byte)) &* 16_777_619 }

    static func of(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var hash = CodeHash()
        for byte in bytes { hash.add(byte) }
        return hash.value
    }

    /// The hash of a member of a type: `Type.member`.
    static func member(_ member: UInt32, of type: UInt32) -> UInt32 {
        (type &* 31 &+ 0x9e37_79b9) ^ member &* 0x85eb_ca6b
    }

    static func ofLowercased(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var hash = CodeHash()
        for byte in bytes { hash.add(byte.asciiLowercased) }
        return hash.value
    }
}

extension UInt8 {
    @inline(__always) var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5a ? self | 0x20 : self }
    @inline(__always) var isDigit: Bool { self >= 0x30 && self <= 0x39 }
    @inline(__always) var isLetter: Bool { asciiLowercased >= 0x61 && asciiLowercased <= 0x7a }
    /// True for a byte of an identifier; bytes outside ASCII are.
    @inline(__always) var isWord: Bool { isLetter || isDigit || self == 0x5f || self >= 0x80 }
}

extension CodeFile {
    /// The words of a name with at least three letters, in lower case, without the ending of the plural.
    static func words(of name: ArraySlice<UInt8>) -> Set<[UInt8]> { Set(wordList(of: name)) }

    /// The same words in their order.
    static func wordList(of name: ArraySlice<UInt8>) -> [[UInt8]] {
        var (words, word): ([[UInt8]], [UInt8]) = ([], [])
        func finish() {
            if word.last == UInt8(ascii: "s") { word.removeLast() }
            if word.count >= 3 { words.append(word) }
            word = []
        }
        var previous: UInt8 = 0
        for byte in name {
            let isUpper = byte.isLetter && byte != byte.asciiLowercased
            if !byte.isLetter || isUpper && previous.isLetter && previous == previous.asciiLowercased { finish() }
            if byte.isLetter { word.append(byte.asciiLowercased) }
            previous = byte
        }
        finish()
        return words
    }
}
