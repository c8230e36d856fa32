internal import DatabaseInspection
internal import PolicyTexts

/// Replaces the names of files and directories by anonymous ones that keep their form.
///
/// Words of the vocabulary, public names, known extensions and separators stay. Every other word is replaced by a
/// pseudonym, and every number, hexadecimal text and UUID by another one of the same length. A name that may be a
/// user's own text, since it has spaces or characters that identifiers lack, keeps nothing but its extension.
struct AnonymousNames: Sendable {
    private let vocabulary: Vocabulary
    private let known: PublicNames
    private let pseudonyms: Pseudonyms
    private let bundleIdentifier: [UInt8]?

    init(_ vocabulary: Vocabulary, known: PublicNames, pseudonyms: Pseudonyms, bundleIdentifier: String?) {
        (self.vocabulary, self.known, self.pseudonyms) = (vocabulary, known, pseudonyms)
        self.bundleIdentifier = bundleIdentifier.map { Array($0.utf8) }
    }

    /// The name of the container: no word of the app's identifier survives.
    var container: [UInt8] {
        bundleIdentifier.map(identifier) ?? pseudonyms.word("container".utf8, .text)
    }

    /// The longest name, less some room for an extension; longer ones become one word.
    private static let longest = 200

    /// An anonymous name, the same for the same name as long as the key is the same.
    func name(_ name: [UInt8]) -> [UInt8] {
        if known.contains(name) { return name }
        for companion in DatabaseFileNames.suffixes where name.count > companion.utf8.count {
            guard name.suffix(companion.utf8.count).elementsEqual(companion.utf8) else { continue }
            let database = Array(name.dropLast(companion.utf8.count))
            return (known.contains(database) ? database : other(database)) + companion.utf8
        }
        return other(name)
    }

    /// An anonymous name for one that is neither public nor that of a database's companion.
    private func other(_ name: [UInt8]) -> [UInt8] {
        let (stem, ending) = split(name)
        let parts = known.parts(of: name).flatMap { $0.contains(where: isText) ? nil : $0 }
        if parts == nil, isText(stem) { return text(stem) + ending }
        let anonymous = parts.map(publicName) ?? words(of: stem) + ending
        return anonymous.count > Self.longest ? pseudonyms.word(name, .text) + ending : anonymous
    }

    /// A name without its extension, and the extension with its dot if it is a known one.
    private func split(_ name: [UInt8]) -> (stem: [UInt8], ending: [UInt8]) {
        let kind = name.withUnsafeBytes { vocabulary.kind(of: $0) }
        guard kind < vocabulary.noExtension, let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else {
            return (name, [])
        }
        return (Array(name[..<dot]), Array(name[dot...]))
    }

    private func publicName(_ parts: [PublicNames.Part]) -> [UInt8] {
        parts.flatMap { part in
            switch part {
            case .literal(let bytes): bytes
            case .characters(let bytes): pseudonyms.characters(bytes)
            case .any(let bytes): bytes.isEmpty ? [] : name(bytes)
            }
        }
    }

    // MARK: - Text

    /// Returns true for a name that nobody would give to an identifier: it may be a user's own words.
    private func isText(_ stem: [UInt8]) -> Bool {
        stem.indices.contains { index in
            let byte = stem[index]
            return !ASCII.isAlphanumeric(byte) && !Self.separators.contains(byte) && !isScale(stem, at: index)
        }
    }

    /// Returns true if the part of a public name that the glob leaves open may be a user's own words.
    private func isText(_ part: PublicNames.Part) -> Bool {
        if case .any(let bytes) = part { isText(split(bytes).stem) } else { false }
    }

    private static let separators = Set("._-~+=".utf8)

    /// A text of two words, whatever the number of words was.
    private func text(_ stem: [UInt8]) -> [UInt8] {
        let word = pseudonyms.word(stem, .text)
        let separator = stem.contains(UInt8(ascii: "@")) ? UInt8(ascii: "@") : UInt8(ascii: " ")
        let hidden = stem.prefix { $0 == UInt8(ascii: ".") }.prefix(1)
        return hidden + word.prefix(word.count / 2) + [separator] + word.dropFirst(word.count / 2)
    }

    /// Returns true for the `@` of a screen scale, at the end of a name or before a dot.
    private func isScale(_ stem: [UInt8], at index: Int) -> Bool {
        guard index > 0, ["@2x", "@3x"].contains(where: { stem[index...].starts(with: $0.utf8) }) else { return false }
        return index + 3 == stem.count || stem[index + 3] == UInt8(ascii: ".")
    }

    // MARK: - Identifiers

    /// An identifier such as `com.example.app`: each part is replaced, but not a first one that every app shares.
    private func identifier(_ identifier: [UInt8]) -> [UInt8] {
        let parts = identifier.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let anonymous = parts.enumerated().map { index, part in
            if index == 0, parts.count > 2, Self.domains.contains(Array(part)) { return Array(part) }
            return part.isEmpty ? [] : pseudonyms.word(part)
        }
        return Array(anonymous.joined(separator: [UInt8(ascii: ".")]))
    }

    private static let domains = Set(["com", "io", "net", "org"].map { Array($0.utf8) })

    /// The identifier's bytes at an index, if it stands there by itself.
    private func identifierLength(in stem: [UInt8], at index: Int) -> Int? {
        guard let bundleIdentifier, !bundleIdentifier.isEmpty, stem[index...].starts(with: bundleIdentifier) else {
            return nil
        }
        let end = index + bundleIdentifier.count
        return end == stem.count || !ASCII.isAlphanumeric(stem[end]) ? bundleIdentifier.count : nil
    }

    // MARK: - Words

    /// A name of words, numbers and separators.
    private func words(of stem: [UInt8]) -> [UInt8] {
        let isOpaque = stem.withUnsafeBytes(NameForm.isOpaque)
        let pieces = stem.isEmpty ? [] : NamePiece.pieces(of: stem, vocabulary)
        let hasUnknown = pieces.contains { if case .word(let word) = $0 { word.isUnknown } else { false } }
        var result: [UInt8] = []
        var index = 0
        while index < stem.count {
            if index == 0 || !ASCII.isAlphanumeric(stem[index - 1]) {
                if let length = identifierLength(in: stem, at: index) {
                    result += identifier(Array(stem[index..<(index + length)]))
                    index += length
                    continue
                }
                if let uuid = HexadecimalName.uuid(in: stem, at: index) {
                    result += uuid.replaced(by: pseudonyms)
                    index += uuid.text.count
                    continue
                }
            }
            guard ASCII.isAlphanumeric(stem[index]) else {
                // A scale is the only text with a character that is no separator.
                let length = stem[index] == UInt8(ascii: "@") ? 3 : 1
                result += stem[index..<(index + length)]
                index += length
                continue
            }
            let run = Array(stem[index...].prefix(while: ASCII.isAlphanumeric))
            if index == 0, isFirstPart(run, of: stem) {
                result += run
            } else {
                result += self.run(run, isFirst: index == 0, isOpaque: isOpaque, besideUnknown: hasUnknown)
            }
            index += run.count
        }
        return result
    }

    /// Returns true for the `com` of `com.example.app`.
    private func isFirstPart(_ run: [UInt8], of stem: [UInt8]) -> Bool {
        Self.domains.contains(run) && stem.dropFirst(run.count).first == UInt8(ascii: ".")
            && stem.count(where: { $0 == UInt8(ascii: ".") }) > 1
    }

    /// A run of letters and digits.
    private func run(_ run: [UInt8], isFirst: Bool, isOpaque: Bool, besideUnknown: Bool) -> [UInt8] {
        if isFirst, let prefix = Self.cameraPrefix(of: run, isWhole: isOpaque) {
            let number = Array(run.dropFirst(prefix.count))
            return prefix
                + (number.isEmpty ? [] : self.run(number, isFirst: false, isOpaque: true, besideUnknown: false))
        }
        if isOpaque || run.count >= 8, let hexadecimal = HexadecimalName(run, lettersOnly: isOpaque) {
            return hexadecimal.replaced(by: pseudonyms)
        }
        if Self.isRandom(run) { return pseudonyms.characters(run) }
        return NamePiece.pieces(of: run, vocabulary).enumerated().flatMap { index, piece -> [UInt8] in
            switch piece {
            case .digits(let digits): HexadecimalName.decimal(digits).replaced(by: pseudonyms)
            case .word(let word): self.word(word, isFirst: isFirst && index == 0, besideUnknown: besideUnknown)
            }
        }
    }

    /// The prefix that cameras give to names; only of a name of which nothing else means anything.
    private static func cameraPrefix(of run: [UInt8], isWhole: Bool) -> [UInt8]? {
        guard isWhole else { return nil }
        for prefix in NameForm.cameraPrefixes.map({ Array($0.utf8) }) where run.starts(with: prefix) {
            if run.dropFirst(prefix.count).allSatisfy(ASCII.isDigit) { return prefix }
        }
        return nil
    }

    /// Returns true for letters and digits in a mix that no word has, as in an identifier made at random.
    private static func isRandom(_ run: [UInt8]) -> Bool {
        zip(run, run.dropFirst()).count { ASCII.isDigit($0) != ASCII.isDigit($1) } >= 4
    }

    private func word(_ word: NamePiece.Word, isFirst: Bool, besideUnknown: Bool) -> [UInt8] {
        let known = String(decoding: word.known, as: UTF8.self).lowercased()
        // In lower case at the beginning, as in `lang.conf`, a family name is unlikely.
        let canBeFamily = besideUnknown && (!isFirst || word.known.first.map(ASCII.isUpper) ?? false)
        let isName = self.known.givenNames.contains(known) || canBeFamily && self.known.familyNames.contains(known)
        let unknown = isName ? word.unknown + word.known : word.unknown
        let kept = isName ? [] : word.known
        guard let first = unknown.first else { return kept }
        if unknown.count == 1, kept.isEmpty { return [pseudonyms.letter(first)] }
        let isUpper = unknown.count > 1 && unknown.allSatisfy(ASCII.isUpper)
        let replacement = pseudonyms.word(
            unknown, .word, isUpper ? .upper : ASCII.isUpper(first) ? .capitalized : .lower)
        guard let letter = kept.first else { return replacement }
        // A capital, so that the known ending stays a word of its own.
        return replacement + [ASCII.isLower(letter) ? letter & 0xdf : letter] + kept.dropFirst()
    }
}
