/// The parts of an item's path that source code can contain.
struct ItemPath {
    /// The directory of a container in which an item is.
    enum Location: Sendable { case documents, support, caches, preferences, temporary, library, root }

    /// A text that a literal may equal, and what it is of a component.
    struct Variant {
        enum Kind: Sendable { case whole, stem, start, end, fileExtension }
        let component: Int
        let kind: Kind
        let text: [UInt8]
    }

    let location: Location
    /// The components below the location.
    let components: [[UInt8]]
    /// The words of the components.
    let words: Set<[UInt8]>
    /// The words of each component without what is between them, empty if they are too short.
    let names: [[UInt8]]
    /// The index of the last component with words, or of the last one.
    var named: Int { components.lastIndex { !Self.isOpaque($0[...]) } ?? components.count - 1 }

    private static let locations: [(location: Location, path: String)] = [
        (.support, "Library/Application Support"), (.caches, "Library/Caches"), (.preferences, "Library/Preferences"),
        (.documents, "Documents"), (.temporary, "tmp"), (.library, "Library"),
    ]
    private static let standardNames: Set<String> = Set(
        locations.flatMap { $0.path.split(separator: "/").map { $0.lowercased() } })
    private static let mostComponents = 16

    /// Returns true for the name of a directory that every container has.
    static func isStandardDirectory(_ name: ArraySlice<UInt8>) -> Bool {
        standardNames.contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    /// Endings of what lies beside a database and has its name.
    private static let companions = ["-wal", "-shm", "-journal", ".lock", ".management", ".note", ".lck"]

    /// Creates the parts of a path relative to a container. The log of a database has the name of the database.
    init(_ path: [UInt8]) {
        let slash = UInt8(ascii: "/")
        var all = path.split(separator: slash).map(Array.init)
        if let name = all.last,
            let end = Self.companions.first(where: { name.count > $0.utf8.count && name.hasEnd($0) })
        {
            all[all.count - 1].removeLast(end.utf8.count)
        }
        for (location, text) in Self.locations {
            let prefix = text.utf8.split(separator: slash).map(Array.init)
            guard all.starts(with: prefix) else { continue }
            self.location = location
            components = Array(all.dropFirst(prefix.count).suffix(Self.mostComponents))
            words = Self.words(of: components)
            names = Self.names(of: components)
            return
        }
        location = .root
        components = Array(all.suffix(Self.mostComponents))
        words = Self.words(of: components)
        names = Self.names(of: components)
    }

    private static func names(of components: [[UInt8]]) -> [[UInt8]] {
        components.map { component in
            let name = Array(CodeFile.wordList(of: component.prefix(endOfStem(component) ?? component.count)).joined())
            return name.count >= 4 && !isOpaque(component[...]) ? name : []
        }
    }

    private static func words(of components: [[UInt8]]) -> Set<[UInt8]> {
        components.reduce(into: []) { $0.formUnion(CodeFile.words(of: $1[...])) }
    }

    /// The position of the extension in a name, after the dot; nil without one.
    static func endOfStem(_ name: [UInt8]) -> Int? {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > 0, dot + 1 < name.count, name.count - dot <= 16
        else {
            return nil
        }
        return dot
    }

    /// True for a name without words: numbers, UUIDs, hashes.
    static func isOpaque(_ name: ArraySlice<UInt8>) -> Bool {
        // The name of a hidden file begins with a dot.
        let stem = name.drop { $0 == UInt8(ascii: ".") }.prefix { $0 != UInt8(ascii: ".") }
        guard stem.count > 2 else { return stem.allSatisfy { !$0.isLetter } }
        var (digits, others) = (0, 0)
        for byte in stem {
            if byte.isDigit { digits += 1 }
            let isHexadecimal = byte.isDigit || byte.asciiLowercased >= 0x61 && byte.asciiLowercased <= 0x66
            if !isHexadecimal, byte != UInt8(ascii: "-"), byte != UInt8(ascii: "_") { others += 1 }
        }
        return others == 0 && (digits * 4 > stem.count || stem.count >= 16)
    }

    /// The texts that a literal may equal.
    var variants: [Variant] {
        var variants: [Variant] = []
        for (number, name) in components.enumerated() where name.count <= CodeLexer.longestText {
            variants.append(Variant(component: number, kind: .whole, text: name))
            var stem = name[...]
            if let dot = Self.endOfStem(name) {
                stem = name[..<dot]
                variants.append(Variant(component: number, kind: .stem, text: Array(stem)))
                variants.append(Variant(component: number, kind: .fileExtension, text: Array(name[(dot + 1)...])))
                variants.append(Variant(component: number, kind: .fileExtension, text: Array(name[dot...])))
                if let second = Self.endOfStem(Array(stem)) {
                    variants.append(Variant(component: number, kind: .stem, text: Array(stem[..<second])))
                    variants.append(Variant(component: number, kind: .end, text: Array(name[second...])))
                    variants.append(Variant(component: number, kind: .end, text: Array(name[(second + 1)...])))
                }
            }
            for index in name.indices.dropFirst() {
                let (before, after) = (name[index - 1], name[index])
                // At most 24 boundaries, so that a name of separators costs no more than others.
                guard variants.count < 400, before.isLetter != after.isLetter || before.isDigit != after.isDigit else {
                    continue
                }
                if index >= 3, index < stem.count || !after.isWord {
                    variants.append(Variant(component: number, kind: .start, text: Array(name[..<index])))
                }
                if name.count - index >= 4, index < stem.endIndex {
                    variants.append(Variant(component: number, kind: .end, text: Array(name[index...])))
                    if stem.endIndex - index >= 4, stem.endIndex < name.endIndex {
                        variants.append(Variant(component: number, kind: .end, text: Array(stem[index...])))
                    }
                }
            }
        }
        return variants
    }

    /// A literal with unknown values, which match any text.
    struct Pattern {
        /// The text before, between and after the unknown values.
        private let pieces: [ArraySlice<UInt8>]
        private let fixed: Int
        /// False if all fixed text is an extension, or has no letters.
        let hasName: Bool

        init(_ text: ArraySlice<UInt8>) {
            pieces = text.split(separator: CodeLiteral.hole, omittingEmptySubsequences: false)
            fixed = pieces.reduce(0) { $0 + $1.count }
            let last = pieces.last ?? []
            let stem = last.prefix { $0 != UInt8(ascii: ".") }
            hasName = pieces.dropLast().contains { $0.contains(where: \.isLetter) } || stem.contains(where: \.isLetter)
        }

        /// Returns false if the pattern matches neither the name nor its start.
        func mayMatch(_ name: [UInt8]) -> Bool {
            guard let first = pieces.first, fixed <= name.count, first.count <= name.count else { return false }
            var index = 0
            for byte in first {
                if name[index] != byte { return false }
                index += 1
            }
            return true
        }

        /// Returns the share of a name that the fixed text covers; nil if the pattern does not match. Values without words,
        /// such as numbers and hashes, do not count.
        ///
        /// Takes time in proportion to the product of the lengths, which are limited.
        func cover(in name: ArraySlice<UInt8>) -> Double? {
            guard let first = pieces.first, let last = pieces.last, pieces.count > 1, fixed <= name.count,
                first.count + last.count <= name.count, name.starts(with: first),
                name.suffix(last.count).elementsEqual(last)
            else { return nil }
            var rest = name.dropFirst(first.count).dropLast(last.count)
            var unknown = 0
            for piece in pieces.dropFirst().dropLast() where !piece.isEmpty {
                guard let end = Self.end(of: piece, in: rest) else { return nil }
                unknown += Self.length(ofValue: rest[..<(end - piece.count)])
                rest = rest[end...]
            }
            unknown += Self.length(ofValue: rest)
            return fixed == 0 ? nil : Double(fixed) / Double(fixed + unknown)
        }

        private static func length(ofValue value: ArraySlice<UInt8>) -> Int {
            guard ItemPath.isOpaque(value) else { return value.count }
            let end = value.dropFirst().firstIndex(of: UInt8(ascii: ".")) ?? value.endIndex
            // The ending of a number or a hash is a word.
            return min(end - value.startIndex, 4) + (value.endIndex - end)
        }

        private static func end(of piece: ArraySlice<UInt8>, in text: ArraySlice<UInt8>) -> Int? {
            guard text.count >= piece.count else { return nil }
            for start in text.startIndex...(text.endIndex - piece.count) where text[start...].starts(with: piece) {
                return start + piece.count
            }
            return nil
        }
    }
}

extension [UInt8] {
    fileprivate func hasEnd(_ end: String) -> Bool { suffix(end.utf8.count).elementsEqual(end.utf8) }
}
