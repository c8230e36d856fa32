internal import PolicyTexts

/// A piece of a name: a word or a number.
enum NamePiece: Equatable {
    /// Letters that follow each other, of which the vocabulary knows the last ones, all or none.
    struct Word: Equatable {
        var unknown: [UInt8]
        var known: [UInt8]
        /// Returns true if there is more than a single letter that no vocabulary knows.
        var isUnknown: Bool { unknown.count > 1 || !unknown.isEmpty && !known.isEmpty }
    }
    case word(Word)
    case digits([UInt8])

    /// The pieces of a name, without its separators, split as `NameWords` does. Neighboring words that the vocabulary
    /// does not know are one piece.
    static func pieces(of name: [UInt8], _ vocabulary: Vocabulary) -> [NamePiece] {
        var pieces: [NamePiece] = []
        var rest = name[...]
        while let first = rest.first {
            if ASCII.isDigit(first) {
                let digits = rest.prefix(while: ASCII.isDigit)
                pieces.append(.digits(Array(digits)))
                rest = rest.dropFirst(digits.count)
            } else if ASCII.isLetter(first) {
                let letters = rest.prefix(while: ASCII.isLetter)
                pieces += words(of: letters, vocabulary).map(NamePiece.word)
                rest = rest.dropFirst(letters.count)
            } else {
                rest = rest.dropFirst()
            }
        }
        return pieces
    }

    private static func words(of letters: ArraySlice<UInt8>, _ vocabulary: Vocabulary) -> [Word] {
        var words: [Word] = []
        for text in humps(of: letters) {
            let packed = NameWords.packed(String(decoding: text, as: UTF8.self).lowercased())
            let known = packed.map { vocabulary.knownLetters(of: $0) } ?? 0
            let word = Word(unknown: Array(text.dropLast(known)), known: Array(text.suffix(known)))
            if let last = words.last, last.known.isEmpty, word.known.isEmpty {
                words[words.count - 1].unknown += word.unknown
            } else {
                words.append(word)
            }
        }
        return words
    }

    /// The words of camel case: a capital begins a word, and so does the last of several before a small letter.
    private static func humps(of letters: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var humps: [ArraySlice<UInt8>] = []
        var start = letters.startIndex
        for index in letters.indices.dropFirst() where ASCII.isUpper(letters[index]) {
            let next = letters.index(after: index)
            let beginsLower = next < letters.endIndex && ASCII.isLower(letters[next])
            if ASCII.isLower(letters[index - 1]) || beginsLower {
                humps.append(letters[start..<index])
                start = index
            }
        }
        return humps + [letters[start...]]
    }
}

/// A number, a hexadecimal text or a UUID, which is replaced by another one of the same form.
struct HexadecimalName {
    let text: [UInt8]
    private let radix: UInt8
    /// Digits that stay: the version and the variant of a UUID.
    private var fixed: Set<Int> = []
    private var needsBoth = false

    /// Decimal digits.
    static func decimal(_ digits: [UInt8]) -> HexadecimalName { HexadecimalName(text: digits, radix: 10) }

    private init(text: [UInt8], radix: UInt8) { (self.text, self.radix) = (text, radix) }

    /// A run of hexadecimal digits with letters of one case, and with a digit unless `lettersOnly` accepts letters alone;
    /// nil for any other text.
    init?(_ run: [UInt8], lettersOnly: Bool) {
        guard run.allSatisfy({ ASCII.hexadecimal($0) != nil }) else { return nil }
        let (hasDigit, hasLetter) = (run.contains(where: ASCII.isDigit), run.contains(where: ASCII.isLetter))
        guard !hasLetter || !(run.contains(where: ASCII.isLower) && run.contains(where: ASCII.isUpper)) else {
            return nil
        }
        switch (hasDigit, hasLetter) {
        case (true, true): self.init(text: run, radix: 16)
        case (true, false): self.init(text: run, radix: 10)
        default:
            guard lettersOnly else { return nil }
            self.init(text: run, radix: 6)
        }
        needsBoth = radix == 16
    }

    /// Returns the separate UUID at an index; nil without one.
    static func uuid(in name: [UInt8], at index: Int) -> HexadecimalName? {
        guard let text = ASCII.uuid(in: name, at: index) else { return nil }
        var uuid = HexadecimalName(text: text, radix: 16)
        uuid.fixed = [14, 19]
        return uuid
    }

    /// The replacement.
    func replaced(by pseudonyms: Pseudonyms) -> [UInt8] {
        let indices = text.indices.filter { !fixed.contains($0) && ASCII.hexadecimal(text[$0]) != nil }
        let offset: UInt8 = radix == 6 ? 10 : 0
        var digits = indices.compactMap { ASCII.hexadecimal(text[$0]).map { $0 - offset } }
        // The permutation is repeated until the form is right, which makes it a permutation of texts of that form.
        repeat { digits = pseudonyms.digits(digits, radix: radix) } while needsBoth && !Self.hasBoth(digits)
        let letter = text.contains(where: ASCII.isUpper) ? UInt8(ascii: "A") : UInt8(ascii: "a")
        var replaced = text
        for (index, digit) in zip(indices, digits) {
            let value = digit + offset
            replaced[index] = value < 10 ? UInt8(ascii: "0") + value : letter + value - 10
        }
        return replaced
    }

    private static func hasBoth(_ digits: [UInt8]) -> Bool {
        digits.contains { $0 < 10 } && digits.contains { $0 >= 10 }
    }
}
