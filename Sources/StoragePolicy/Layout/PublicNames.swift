internal import AppContainer
internal import PolicyTexts

/// Names that are public and reveal nothing of a user: directories of a container, names that the system, file formats
/// and SDKs fix.
struct PublicNames: Sendable {
    /// A part of a name that a glob matches.
    enum Part: Sendable, Equatable {
        /// Text of the glob.
        case literal([UInt8])
        /// Text that `*` stands for.
        case any([UInt8])
        /// Text that a run of `?` stands for.
        case characters([UInt8])
    }

    private let exact: Set<[UInt8]>
    /// Names that count in any case.
    private let caseless: Set<String>
    /// Globs with the most literal text first.
    private let globs: [[UInt8]]
    private let matcher: NameMatcher

    /// Words of the vocabulary that are also given names.
    let givenNames: Set<String>
    /// Words of the vocabulary that are also family names.
    let familyNames: Set<String>

    /// Reads `rules/evidence/layout.yml`.
    ///
    /// - Throws: The first mistake, at its line and column.
    init(_ top: YAMLValue, registry: Registry, vocabulary: Vocabulary) throws(SourceError) {
        let fields = try top.fields(["names", "given-names", "family-names"])
        givenNames = Set(try top.required("given-names", of: fields).strings())
        familyNames = Set(try top.required("family-names", of: fields).strings())
        caseless = vocabulary.system
        var exact: Set<[UInt8]> = []
        var globs: Set<String> = []
        func add(_ name: String) {
            if name.contains(where: { $0 == "*" || $0 == "?" }) {
                globs.insert(name)
            } else {
                exact.insert(Array(name.utf8))
            }
        }
        for name in try top.required("names", of: fields).strings() { add(name) }
        for location in Location.table {
            for name in location.path.split(separator: "/") where !name.contains(where: { $0 == "?" || $0 == "{" }) {
                add(String(name))
            }
        }
        for entry in registry.entries {
            for case .name(let glob) in entry.path.components where Self.isDistinct(glob.text) { add(glob.text) }
        }
        self.exact = exact
        self.globs = globs.map { Array($0.utf8) }.sorted {
            let ranks = (Self.rank($0), Self.rank($1))
            return ranks.0 == ranks.1 ? $0.lexicographicallyPrecedes($1) : ranks.0 > ranks.1
        }
        matcher = NameMatcher(globs.sorted().map { (Glob($0), .registered) })
    }

    /// Fewer letters than this in a registry entry's name could be a user's by chance.
    private static let fewestLetters = 4

    /// Returns true for a name that is long enough, or a version such as `v5`.
    private static func isDistinct(_ glob: String) -> Bool {
        let isExact = !glob.contains { $0 == "*" || $0 == "?" }
        return glob.utf8.count { ASCII.isLetter($0) } >= fewestLetters
            || isExact && glob.utf8.contains { ASCII.isDigit($0) }
    }

    /// Literal bytes first, then `?`, which says more than `*`.
    private static func rank(_ glob: [UInt8]) -> Int {
        glob.reduce(0) { $0 + ($1 == UInt8(ascii: "*") ? 0 : $1 == UInt8(ascii: "?") ? 1 : 300) }
    }

    /// Returns true for a name that is public as it is.
    func contains(_ name: [UInt8]) -> Bool {
        exact.contains(name) || caseless.contains(String(decoding: name, as: UTF8.self).lowercased())
    }

    /// The parts of a name by the most specific glob that matches it; nil if none does.
    func parts(of name: [UInt8]) -> [Part]? {
        guard name.withUnsafeBytes({ !matcher.traits(of: $0).isEmpty }) else { return nil }
        for glob in globs {
            if let parts = Self.parts(of: name[...], glob[...]), Self.endsAtWords(parts) { return parts }
        }
        return nil
    }

    /// The parts of a name by a glob; each `*` takes as little as possible.
    private static func parts(of name: ArraySlice<UInt8>, _ glob: ArraySlice<UInt8>) -> [Part]? {
        var (name, glob) = (name, glob)
        var parts: [Part] = []
        while let first = glob.first {
            if first == UInt8(ascii: "*") {
                let pattern = glob.dropFirst()
                // A last `*` takes the rest; any other ends where the next literal begins.
                guard !pattern.isEmpty else { return parts + [.any(Array(name))] }
                for end in name.startIndex...name.endIndex {
                    if let rest = self.parts(of: name[end...], pattern) {
                        return parts + [.any(Array(name[..<end]))] + rest
                    }
                }
                return nil
            }
            let isCharacter = first == UInt8(ascii: "?")
            let run = glob.prefix { $0 != UInt8(ascii: "*") && ($0 == UInt8(ascii: "?")) == isCharacter }
            guard name.count >= run.count, isCharacter || name.starts(with: run) else { return nil }
            let taken = Array(name.prefix(run.count))
            parts.append(isCharacter ? .characters(taken) : .literal(taken))
            (name, glob) = (name.dropFirst(run.count), glob.dropFirst(run.count))
        }
        return name.isEmpty ? parts : nil
    }

    /// Returns true if no literal part ends within a word: `log*` says nothing about “logan”.
    private static func endsAtWords(_ parts: [Part]) -> Bool {
        zip(parts, parts.dropFirst()).allSatisfy { left, right in
            guard let end = left.bytes.last, let start = right.bytes.first else { return true }
            if !ASCII.isLetter(end) || !ASCII.isLetter(start) { return true }
            return ASCII.isLower(end) && ASCII.isUpper(start)
        }
    }
}

extension PublicNames.Part {
    var bytes: [UInt8] {
        switch self {
        case .literal(let bytes), .any(let bytes), .characters(let bytes): bytes
        }
    }
}

extension Catalogue {
    /// The names that an anonymous layout shows unchanged.
    ///
    /// - Throws: The first mistake in the file, at its line and column.
    func publicNames(_ vocabulary: Vocabulary) throws(SourceError) -> PublicNames {
        try PublicNames(
            evidence("layout.yml"), registry: registryOfAnyApp, vocabulary: vocabulary)
    }
}
