internal import FileSystem
package import PolicyValues

/// The second judge of names: the words of a path, each with a weight of its own.
///
/// The first judge knows themes of words, kinds of files and places, reviewed by hand; this one knows nothing but how often
/// a word occurs in the paths of re-downloadable data and of other data. Their mean is surer than each alone. It judges by
/// words that several vendors use, so that it learns no app by heart. Source: `make learn`, from layouts of real and
/// open-source apps; see `rules/EVIDENCE.md`.
package struct PathWords: Sendable {
    /// A word at a place of the path.
    package struct Token: Hashable, Sendable {
        package let place: Place
        package let word: PackedWord

        /// The token as `rules/evidence/paths.yml` writes it, with its place: `nearest:cache`.
        package var text: String { "\(place.rawValue):\(NameWords.text(word))" }
    }
    /// The places of a path that words are learned of.
    package enum Place: String, CaseIterable, Sendable {
        /// The name without its extension, and all directories below the location.
        case words
        /// The directory of the file.
        case nearest
        case extensions
    }

    private let bias: Double
    private let weights: [Token: Double]
    /// Words of less letters say nothing.
    private static let fewestLetters = 3

    /// Reads `paths.yml`: for each place, words each followed by its weight in log-odds.
    ///
    /// - Throws: The first mistake, at its line and column.
    package init(_ top: YAMLValue, omitting omitted: Set<String> = []) throws(SourceError) {
        let fields = try top.fields(Set(Place.allCases.map(\.rawValue) + ["bias"]))
        bias = try EvidenceModel.number(top.required("bias", of: fields))
        var weights: [Token: Double] = [:]
        for place in Place.allCases {
            guard let value = fields[place.rawValue] else { continue }
            let parts = try value.string().split(whereSeparator: { $0.isWhitespace }).map { String($0) }
            guard parts.count.isMultiple(of: 2) else { throw value.error("a word without a weight") }
            for index in stride(from: 0, to: parts.count, by: 2) {
                let (text, number) = (parts[index], Double(parts[index + 1]))
                let word =
                    place == .extensions
                    ? PathExtension.word(text).map(PackedWord.init(bytes:)) : NameWords.packed(text)
                guard let word else { throw value.error("“\(text)” is not a word") }
                guard let number, number.isFinite, abs(number) <= 20 else {
                    throw value.error("“\(parts[index + 1])” after “\(text)” is not a number between -20 and 20")
                }
                guard weights.updateValue(number, forKey: Token(place: place, word: word)) == nil else {
                    throw value.error("“\(text)” is listed twice")
                }
                if omitted.contains(text) { weights[Token(place: place, word: word)] = nil }
            }
        }
        self.weights = weights
    }

    /// Returns the log-odds of a path by its words, and the word that says most for its side.
    package func judge(_ tokens: Set<Token>) -> (score: Double, word: PackedWord?) {
        let known = tokens.compactMap { token in weights[token].map { (token, $0) } }
        guard !known.isEmpty else { return (bias, nil) }
        // A path of many words is not surer than one of few.
        let score = bias + known.reduce(0) { $0 + $1.1 } / Double(known.count).squareRoot()
        let side = known.filter { $0.0.place != .extensions && ($0.1 > 0) == (score > 0) }
        let strongest = side.max { (abs($0.1), $0.0.word.low) < (abs($1.1), $1.0.word.low) }
        return (score, strongest?.0.word)
    }

    /// Returns the words of a file's path that the judge may know.
    ///
    /// - Parameters:
    ///   - name: The name, without the app's own.
    ///   - directories: The words of the directories above it.
    ///   - vocabulary: The words that say nothing.
    /// - Returns: The words, each with its place.
    package static func tokens(
        of name: [UInt8], below directories: Set<Token>, _ vocabulary: Vocabulary
    ) -> Set<Token> {
        var tokens = directories
        name.withUnsafeBytes { name in
            let word = PathExtension.word(of: name)
            if word != 0 { tokens.insert(Token(place: .extensions, word: PackedWord(bytes: word))) }
            let stem = word == 0 ? name : UnsafeRawBufferPointer(rebasing: name[..<(name.lastIndex(of: 0x2e) ?? 0)])
            insert(wordsOf: stem, at: .words, into: &tokens, without: vocabulary.silent)
        }
        return tokens
    }

    /// The words of the directories above a file, the nearest first.
    package static func tokens(ofDirectories names: [[UInt8]], _ vocabulary: Vocabulary) -> Set<Token> {
        var tokens: Set<Token> = []
        for (distance, name) in names.enumerated() {
            name.withUnsafeBytes { bytes in
                insert(wordsOf: bytes, at: .words, into: &tokens, without: vocabulary.silent)
                if distance == 0 { insert(wordsOf: bytes, at: .nearest, into: &tokens, without: vocabulary.silent) }
            }
        }
        return tokens
    }

    /// The letters of a hash make no words.
    private static func insert(
        wordsOf name: UnsafeRawBufferPointer, at place: Place, into tokens: inout Set<Token>,
        without silent: Set<PackedWord>
    ) {
        guard !NameForm.isOpaque(name) else { return }
        NameWords.forEach(in: name) { word in
            if word.count >= fewestLetters, !silent.contains(word) { tokens.insert(Token(place: place, word: word)) }
        }
    }
}
