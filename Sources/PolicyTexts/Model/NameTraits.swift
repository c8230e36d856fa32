internal import FileSystem

/// The traits of a file that its name and the SDK registry give away: files of one directory with equal traits are
/// judged together.
package struct NameTraits: Hashable, Sendable {
    /// The shape of a name beyond its words.
    package struct Shape: OptionSet, Hashable, Sendable {
        package let rawValue: UInt16
        /// Nothing in the name means anything: a UUID, a hash, a token, a number, a camera's `IMG_0001`.
        package static let opaque = Shape(rawValue: 1 << 0)
        /// Named like a log.
        package static let log = Shape(rawValue: 1 << 1)
        /// Named for a screen scale: `@2x`.
        package static let scale = Shape(rawValue: 1 << 2)
        /// Named as derived from another file: `x.thumb`, `x_th.jpg`.
        package static let derived = Shape(rawValue: 1 << 3)
        /// The log that a log-structured database engine keeps for itself.
        package static let engine = Shape(rawValue: 1 << 4)

        package init(rawValue: UInt16) { self.rawValue = rawValue }
    }

    /// The index of the file kind in the vocabulary, determined by the extension.
    package var kind: UInt8
    /// The theme of the last word that has one; -1 for none.
    package var head: Int8 = -1
    /// The themes of all words, as bits.
    package var themes: UInt32 = 0
    package var shape: Shape = []
    /// The index of the registry entry that bears on the file; -1 for none.
    package var registryEntry: Int32 = -1

    /// The traits of a file's name.
    package init(_ name: UnsafeRawBufferPointer, vocabulary: Vocabulary) {
        self.init(name, kind: vocabulary.kind(of: name), vocabulary: vocabulary)
    }

    /// The traits of the name of a file of a known kind.
    package init(_ name: UnsafeRawBufferPointer, kind: Int, vocabulary: Vocabulary) {
        self.kind = UInt8(clamping: kind)
        let stem = Self.stem(of: name, kind, vocabulary: vocabulary)
        if NameForm.isEngineLog(name) {
            shape.insert(.engine)
            return
        }
        if NameForm.isOpaque(stem) {
            // The letters of a hash make no words.
            shape.insert(.opaque)
        } else {
            takeWords(of: stem, vocabulary)
        }
        if NameForm.isLog(name) { shape.insert(.log) }
        if NameForm.hasScale(name) { shape.insert(.scale) }
        if NameForm.isDerived(name, stem: stem) { shape.insert(.derived) }
    }

    private mutating func takeWords(of stem: UnsafeRawBufferPointer, _ vocabulary: Vocabulary) {
        var hasWord = false
        var (head, themes) = (Int8(-1), UInt32(0))
        NameWords.forEach(in: stem) { word in
            // Two letters and more: a single one beside digits is not a word.
            if word.count > 1 { hasWord = true }
            guard let theme = vocabulary.theme(of: word) else { return }
            head = Int8(clamping: theme)
            themes |= 1 << UInt32(theme)
        }
        (self.head, self.themes) = (head, themes)
        if !hasWord { shape.insert(.opaque) }
    }

    /// The name without its extension; a name whose last part is not a known extension is taken whole.
    package static func stem(
        of name: UnsafeRawBufferPointer, _ kind: Int, vocabulary: Vocabulary
    ) -> UnsafeRawBufferPointer {
        guard kind != vocabulary.noExtension,
            let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, name.count - dot <= 13
        else { return name }
        return UnsafeRawBufferPointer(rebasing: name[..<dot])
    }
}

extension NameTraits {
    /// Traits without any mark but the kind.
    package init(kind: UInt8) { self.kind = kind }

    /// A total order of traits.
    package var order: [Int] { [Int(kind), Int(head), Int(themes), Int(shape.rawValue), Int(registryEntry)] }
}
