internal import PolicyTexts
internal import Secrets
internal import TextOutput

/// The places of one file that have a text.
struct FoundPlaces {
    struct Place {
        let place: String
        let isKey: Bool
        let excerpt: String
    }

    let needle: TextNeedle
    private let part: ContentSearch.Part
    private let most: Int
    private(set) var all: [Place] = []
    /// True if there are more places than may be reported.
    private(set) var isFull = false

    private static let longestPlace = 1_024

    init(_ needle: TextNeedle, _ part: ContentSearch.Part, most: Int) {
        (self.needle, self.part, self.most) = (needle, part, most)
    }

    /// True if keys are searched.
    var takesKeys: Bool { part != .values }
    /// True if values are searched.
    var takesValues: Bool { part != .keys }

    /// Removes all places, to search the file in another way.
    mutating func removeAll() {
        all = []
        isFull = false
    }

    /// Adds a key that has the text.
    mutating func addKey(_ key: String, shownAs shown: String? = nil, at place: @autoclosure () -> String) {
        guard takesKeys, !isFull, needle.isFound(in: key) else { return }
        add(place: place(), isKey: true, excerpt: Excerpt.text((shown ?? key).withoutSecrets, needle))
    }

    /// Adds a value that has the text.
    ///
    /// - Parameters:
    ///   - text: The value.
    ///   - names: The names under which the value stands, the nearest first. Under a name such as `password` it may be a secret.
    ///   - place: The place.
    mutating func addValue(
        _ text: String, named names: @autoclosure () -> [String], at place: @autoclosure () -> String
    ) {
        guard takesValues, !isFull, needle.isFound(in: text) else { return }
        add(place: place(), isKey: false, excerpt: Excerpt.text(of: text, named: names(), needle))
    }

    /// Adds a line of a text that has the text.
    mutating func addLine(_ line: String, number: Int) {
        guard takesValues, !isFull else { return }
        add(place: "line \(number)", isKey: false, excerpt: Excerpt.text(of: line, named: [], needle))
    }

    private mutating func add(place: String, isKey: Bool, excerpt: String) {
        guard all.count < most else {
            isFull = true
            return
        }
        let shown = ByteText.printable(place)
        all.append(
            Place(
                place: shown.count > Self.longestPlace ? shown.prefix(Self.longestPlace) + "…" : shown, isKey: isKey,
                excerpt: excerpt))
    }
}

/// A piece of a text around a match, without secrets.
enum Excerpt {
    private static let before = 40
    private static let longest = 160
    /// The characters before and after the match that are searched for secrets: more than the longest secret has.
    private static let window = 16_384

    /// Returns the piece of a text around the first match, without secrets.
    static func text(of text: String, named names: [String], _ needle: TextNeedle) -> String {
        guard text.utf8.count > 2 * window else { return self.text(redacted(text, named: names), needle) }
        let match = needle.range(in: text)?.lowerBound ?? text.startIndex
        let start = text.index(match, offsetBy: -window, limitedBy: text.startIndex) ?? text.startIndex
        let part = String(text[start...].prefix(2 * window))
        let shown = self.text(redacted(part, named: names), needle)
        return (shown.hasPrefix("…") ? "" : "…") + shown + (shown.hasSuffix("…") ? "" : "…")
    }

    /// Returns a text in which secrets are replaced by their kinds: those of a known form, those under one of the names, and
    /// those that follow a name in the text itself, such as `password=…` and `"token": "…"`.
    static func redacted(_ text: String, named names: [String]) -> String {
        guard !SecretDisplay.isFull else { return text }
        for name in names where name.isNameOfSecret {
            if let shape = SecretValue.shape(of: text, named: name) { return shape.placeholder }
        }
        let shown = names.reduce(text.withoutSecrets) { $0.withoutSecrets(named: $1) }
        return withoutNamedSecrets(shown).withoutOpaqueWords
    }

    /// Returns a text in which words that follow a name of a secret and look like one are replaced.
    private static func withoutNamedSecrets(_ text: String) -> String {
        var shown = ""
        var name: Substring?
        var rest = text[...]
        while !rest.isEmpty {
            let separator = rest.prefix { isSeparator($0) }
            shown += separator
            rest = rest[separator.endIndex...]
            let word = rest.prefix { !isSeparator($0) }
            guard !word.isEmpty else { continue }
            // Without separators, and up to the next space or quotation mark: a password may contain them.
            let whole = name == nil ? word : rest.prefix(SecretValue.longestOpaque).prefix(while: isUnquoted)
            if let name, let (secret, shape) = secret(in: [whole, word], named: String(name)) {
                shown += shape.placeholder
                rest = rest[secret.endIndex...]
            } else {
                shown += word
                rest = rest[word.endIndex...]
                // A name may have several parts: `user.password`.
                if word.utf8.count <= 256, String(word).isNameOfSecret { name = word }
            }
        }
        return shown
    }

    private static func secret(in words: [Substring], named name: String) -> (Substring, SecretShape)? {
        for word in words where !word.isEmpty {
            if let shape = SecretValue.shape(of: String(word), named: name) { return (word, shape) }
        }
        return nil
    }

    private static func isUnquoted(_ character: Character) -> Bool {
        !character.isWhitespace && !"\"'`<>".contains(character)
    }

    private static func isSeparator(_ character: Character) -> Bool {
        character.isWhitespace || "=:\"'`<>,;&?{}[]()|\\".contains(character)
    }

    /// Returns the piece around the first match, in one line without control characters. The text has no secrets any more.
    static func text(_ text: String, _ needle: TextNeedle) -> String {
        let match = needle.range(in: text)
        let start =
            match.flatMap { text.index($0.lowerBound, offsetBy: -before, limitedBy: text.startIndex) }
            ?? text.startIndex
        let piece = text[start...].prefix(longest)
        let isCut = piece.endIndex < text.endIndex
        // Secrets were replaced before the text was cut, because a part of one has no form.
        return (start > text.startIndex ? "…" : "")
            + ByteText.printable(piece).replacing("\t", with: " ")
            .replacing("\n", with: " ") + (isCut ? "…" : "")
    }
}
