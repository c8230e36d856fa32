internal import DatabaseInspection
internal import FileSystem
internal import PolicyValues

/// The words and file name extensions that speak for or against re-downloadable data, by theme.
///
/// Read from `rules/evidence/vocabulary.yml`.
package final class Vocabulary: Sendable {
    /// The names of the themes; a theme's number is its index.
    package let themes: [String]
    /// The names of the file kinds; a kind's number is its index. The last one is `other`.
    package let kinds: [String]
    /// The number of the kind of files without an extension.
    package let noExtension: Int
    /// The kinds that users create themselves: pictures, sound, video, documents.
    package let userMade: Set<Int>
    /// Kinds of archives, of which an unpacked copy may lie beside.
    package let archives: Set<Int>
    /// Directories of Library that belong to the system or hold no files to judge, in lower case.
    package let system: Set<String>
    /// Words that say nothing, though apps often use them.
    package let silent: Set<PackedWord>
    private let words: WordTable
    private let endings: [(word: PackedWord.Ending, theme: Int)]
    private let extensions: WordTable

    /// Creates the vocabulary of a file.
    ///
    /// - Parameters:
    ///   - top: The content of the file.
    ///   - omitted: Words that are treated as unknown, for measuring what they contribute.
    /// - Throws: The first mistake, at its line and column.
    init(_ top: YAMLValue, omitting omitted: Set<String> = []) throws(SourceError) {
        let fields = try top.fields([
            "themes", "silent", "endings", "kinds", "user-made", "archives", "system-directories",
        ])
        var themes: [String] = []
        var words: [(PackedWord, Int)] = []
        for (key, value) in try top.required("themes", of: fields).pairs() {
            let theme = try key.string()
            themes.append(theme)
            guard themes.count <= Self.mostThemes else { throw key.error("at most \(Self.mostThemes) themes") }
            for word in try value.string().split(whereSeparator: \.isWhitespace) {
                guard let packed = NameWords.packed(word) else {
                    throw value.error("“\(word)” is not a word of 1 to \(NameWords.longest) small letters")
                }
                guard !words.contains(where: { $0.0 == packed }) else {
                    throw value.error("the word “\(word)” is listed under two themes")
                }
                if !omitted.contains(String(word)) { words.append((packed, themes.count - 1)) }
            }
        }
        var silent: Set<PackedWord> = []
        for word in try fields["silent"]?.string().split(whereSeparator: { $0.isWhitespace }) ?? [] {
            guard let packed = NameWords.packed(word) else { throw top.error("“\(word)” of “silent” is not a word") }
            guard !words.contains(where: { $0.0 == packed }) else {
                throw top.error("“\(word)” of “silent” has a theme")
            }
            silent.insert(packed)
        }
        self.silent = silent
        var endings: [(PackedWord, Int)] = []
        for (key, value) in try fields["endings"]?.pairs() ?? [] {
            let name = try key.string()
            guard let theme = themes.firstIndex(of: name) else { throw key.unknown("theme", word: name, among: themes) }
            for word in try value.string().split(whereSeparator: \.isWhitespace) where !omitted.contains(String(word)) {
                guard let packed = NameWords.packed(word), word.utf8.count < NameWords.longest else {
                    throw value.error("“\(word)” is not an ending")
                }
                endings.append((packed, theme))
            }
        }
        var kinds: [String] = []
        var extensions: [(PackedWord, Int)] = []
        for (key, value) in try top.required("kinds", of: fields).pairs() {
            kinds.append(try key.string())
            for word in try value.string().split(whereSeparator: \.isWhitespace) {
                guard let packed = PathExtension.word(String(word)).map(PackedWord.init(bytes:)) else {
                    throw value.error("“\(word)” is not an extension of at most 8 characters")
                }
                guard !extensions.contains(where: { $0.0 == packed }) else {
                    throw value.error("the extension “\(word)” is listed under two kinds")
                }
                extensions.append((packed, kinds.count - 1))
            }
        }
        kinds += ["none", "other"]
        func kindNumbers(_ key: String) throws(SourceError) -> Set<Int> {
            var numbers: Set<Int> = []
            for name in try top.required(key, of: fields).strings() {
                guard let number = kinds.firstIndex(of: name) else {
                    throw top.error("“\(name)” of “\(key)” is not a kind")
                }
                numbers.insert(number)
            }
            return numbers
        }
        userMade = try kindNumbers("user-made")
        archives = try kindNumbers("archives")
        system = Set(try top.required("system-directories", of: fields).strings().map { $0.lowercased() })
        self.themes = themes
        self.kinds = kinds
        noExtension = kinds.count - 2
        self.words = WordTable(words)
        self.endings = endings.map { (word: PackedWord.Ending($0.0), theme: $0.1) }
        self.extensions = WordTable(extensions)
    }

    /// The most themes that a set of themes can hold.
    static let mostThemes = 32

    /// The theme of a word, nil for one that is in no theme.
    @inline(__always)
    package func theme(of word: PackedWord) -> Int? {
        if let theme = words[word] { return theme }
        for ending in endings where ending.word.ends(word) { return ending.theme }
        return nil
    }

    /// The number of letters at a word's end that the vocabulary knows: all for a known word, 0 for none.
    package func knownLetters(of word: PackedWord) -> Int {
        if words[word] != nil || silent.contains(word) { return word.count }
        let found = endings.filter { $0.word.ends(word) }.map(\.word.text.count)
        return found.max() ?? 0
    }

    /// The kind of a file by its name's extension.
    package func kind(of name: UnsafeRawBufferPointer) -> Int {
        kind(of: name, pathExtension: PathExtension.word(of: name))
    }

    /// The kind of a file whose name has this extension, as `PathExtension.word`.
    package func kind(of name: UnsafeRawBufferPointer, pathExtension word: UInt64) -> Int {
        // SQLite's companions are of the database's kind. They end with one of two letters.
        if name.last == UInt8(ascii: "l") || name.last == UInt8(ascii: "m"),
            let dash = name.lastIndex(of: UInt8(ascii: "-")), dash > 0, name.count - dash <= 8,
            Self.companions.contains(where: { name[dash...].elementsEqual($0) })
        {
            return kind(of: UnsafeRawBufferPointer(rebasing: name[..<dash]))
        }
        guard word != 0 else { return hasExtension(name) ? kinds.count - 1 : noExtension }
        return extensions[PackedWord(bytes: word)] ?? kinds.count - 1
    }

    private static let companions = DatabaseFileNames.suffixes.map { Array($0.utf8) }

    private func hasExtension(_ name: UnsafeRawBufferPointer) -> Bool {
        // Longer than eight characters: what follows a dot of a bundle identifier is not an extension either.
        name.last(where: { $0 == UInt8(ascii: ".") }) != nil && name.first != UInt8(ascii: ".")
    }
}

/// A map from packed words to small numbers that answers with one look-up.
struct WordTable: Sendable {
    private var keys: [PackedWord]
    private var values: [Int16]
    private let mask: Int

    /// Keeps the first of several equal keys; an empty key means nothing.
    init(_ pairs: [(PackedWord, Int)]) {
        var size = 8
        while size < pairs.count * 2 { size *= 2 }
        keys = [PackedWord](repeating: PackedWord(), count: size)
        values = [Int16](repeating: 0, count: size)
        mask = size - 1
        for (key, value) in pairs where !key.isEmpty && self[key] == nil {
            var index = Self.hash(key) & mask
            while !keys[index].isEmpty { index = (index + 1) & mask }
            keys[index] = key
            values[index] = Int16(clamping: value)
        }
    }

    @inline(__always)
    package subscript(key: PackedWord) -> Int? {
        var index = Self.hash(key) & mask
        while !keys[index].isEmpty {
            if keys[index] == key { return Int(values[index]) }
            index = (index + 1) & mask
        }
        return nil
    }

    @inline(__always)
    private static func hash(_ key: PackedWord) -> Int {
        let folded = key.low ^ (key.high << 3 | key.low >> 61)
        return Int(truncatingIfNeeded: (folded &* 0x9e37_79b9_7f4a_7c15) >> 36)
    }
}
