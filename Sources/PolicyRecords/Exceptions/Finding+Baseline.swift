internal import FileSystem
internal import PolicyTexts
internal import Secrets
internal import StoragePolicy
internal import TextOutput

extension Rule {
    /// True if a baseline accepts the rule's findings item by item; otherwise it accepts a number of items in a directory.
    ///
    /// Nobody notices one more private key among several that are accepted, so such findings are never counted together. The
    /// files of a cache come and go, so they are.
    var isAcceptedByItem: Bool {
        guard aggregate == nil, exception == nil else { return false }
        return Self.groupsAcceptedByItem.contains(group) || severity == .error
            || levels.contains { $0.severity == .error }
    }

    private static let groupsAcceptedByItem: Set<RuleGroup> = [.privacy, .loss, .database, .preferences, .integrity]

    /// True if the size of the items is part of the problem, so that more bytes are a new problem.
    var measuresBytes: Bool {
        measuresRegenerable || aggregate.map { $0.bytes < .max } ?? false
            || ([message] + levels.compactMap(\.message)).contains { $0.contains("{size}") }
    }
}

extension Baseline {
    /// A name as one word of a line.
    static func word(_ name: String) -> String { word(Array(name.utf8)) }

    /// A path as one word of a line.
    static func word(_ path: [UInt8]) -> String { ByteText.escaped(path).replacing(" ", with: "%20") }

    /// The path of an item or a directory as one word of a line, with `*` for the parts of names that change by themselves,
    /// and without secrets. Canonically equal names have one word.
    static func pattern(_ path: [UInt8]) -> String {
        let star = UInt8(ascii: "*")
        let path = NameSpelling.composed(path).withoutSecrets
        let names = path.split(separator: UInt8(ascii: "/")).map { name -> String in
            // A star of the name itself is escaped, and no pattern.
            let parts = VaryingName.pattern(of: Array(name).map { $0 == star ? 0 : $0 })
            return parts.split(separator: star, omittingEmptySubsequences: false).map { part in
                part.split(separator: 0, omittingEmptySubsequences: false).map { word(Array($0)) }
                    .joined(separator: "%2A")
            }.joined(separator: "*")
        }
        // A path without a constant part would leave nothing to tell the item from others.
        if !names.isEmpty, names.allSatisfy({ $0 == "*" }) { return word(path).replacing("*", with: "%2A") }
        return names.isEmpty ? "." : names.joined(separator: "/")
    }
}

extension Finding {
    /// The directory under which a baseline counts the finding, as a word of a line.
    var baselineDirectory: String {
        func directory(_ word: String) -> String { word.isEmpty ? "." : word == "." ? word : word + "/" }
        switch part {
        case .item: return directory(Baseline.pattern(Array(path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)])))
        case .contents: return directory(Baseline.pattern(path))
        // The subject of a budget; where all of it lies changes with each file.
        case .sum(let of):
            let word = Baseline.word(of)
            return word.hasSuffix("*") ? word : directory(word)
        case .rest: return Baseline.anywhere
        case .exception: return "."
        }
    }

    /// The kinds of evidence that tell one problem of an item from another, and do not change by themselves.
    private static let identifyingKinds: Set<String> = [
        "companion", "content", "domain", "identifier", "registry", "table",
    ]

    /// The number of times that each problem was found in the item, by the digest of what was found and where in the file; by
    /// nil for a rule that finds only one problem in an item.
    var baselineProblems: [UInt64?: Int] {
        var digest = Digest()
        var hasKind = false
        var places: [UInt64] = []
        for piece in evidence {
            places += piece.places
            let isPlace = piece.kind == "key" && piece.places.isEmpty
            guard isPlace || Self.identifyingKinds.contains(piece.kind) else { continue }
            hasKind = true
            digest.add(piece.kind.utf8)
            digest.add(VaryingName.pattern(ofPath: NameSpelling.composed(Array(piece.value.utf8))))
        }
        guard !places.isEmpty else { return [hasKind ? digest.value : nil: items] }
        return places.reduce(into: [:]) { problems, place in
            var whole = digest
            withUnsafeBytes(of: place.littleEndian) { whole.add($0) }
            problems[whole.value, default: 0] += 1
        }
    }
}
