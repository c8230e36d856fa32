internal import ContainerTree
internal import PolicyTexts
internal import TextOutput

/// `name: ["*.part"]`: the name matches one of these globs, with letter case.
struct NamePredicate: Predicate {
    static let key = "name"
    static let cost = Cost.free
    private let globs: [Glob]

    init(_ value: YAMLValue) throws(SourceError) { globs = try value.strings().map { Glob($0) } }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { allocator.name(globs) }

    func isDecided(by traits: ItemTraits) -> Bool { !traits.isEmpty }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard let glob = globs.first(where: { $0.matches(evaluation.name) }) else { return false }
        evaluation.addEvidence("name", value: glob.text)
        return true
    }
}

/// `name-shape: hash`: the shape of the name. `hash` is 32, 40 or 64 hexadecimal digits, with or without an extension;
/// `cache-directory` and `scratch-directory` are usual names of these; `reverse-dns` is `com.example.app`;
/// `not-portable` is a name that other systems refuse.
struct NameShapePredicate: Predicate {
    static let key = "name-shape"
    static let cost = Cost.free

    private enum Word: String, CaseIterable {
        case hash
        case cacheDirectory = "cache-directory"
        case scratchDirectory = "scratch-directory"
        case reverseDNS = "reverse-dns"
        case notPortable = "not-portable"
    }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("shape", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits {
        switch word {
        case .hash: .hashNamed
        case .cacheDirectory, .scratchDirectory: .directory
        case .reverseDNS: []
        case .notPortable: .oddlyNamed
        }
    }

    func isDecided(by traits: ItemTraits) -> Bool { word == .hash || word == .notPortable }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        switch word {
        case .hash: return NameScan.isHash(evaluation.name)
        case .cacheDirectory: return DirectoryContext.cacheNames.contains(name(of: evaluation))
        case .scratchDirectory: return ["tmp", "temp"].contains(name(of: evaluation))
        case .reverseDNS: return NameScan.isReverseDNS(evaluation.name)
        case .notPortable:
            guard let reason = NameScan.reason(of: evaluation.name) else { return false }
            evaluation.addEvidence("reason", value: reason)
            return true
        }
    }

    private func name(of evaluation: Evaluation) -> String {
        evaluation.name.count > 32 ? "" : String(decoding: evaluation.name, as: UTF8.self).lowercased()
    }
}

/// `extension: [sqlite, db]`: the name has one of these extensions, in any letter case, or says nothing and the content is that of
/// files with such an extension.
struct ExtensionPredicate: Predicate {
    static let key = "extension"
    static let cost = Cost.free
    private let words: [UInt64]

    init(_ value: YAMLValue) throws(SourceError) {
        var words: [UInt64] = []
        for part in value.list() {
            guard let word = PathExtension.word(try part.string()) else {
                throw part.error("expected an extension of at most eight bytes")
            }
            words.append(word)
        }
        self.words = words
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { allocator.pathExtension(words) }

    func isDecided(by traits: ItemTraits) -> Bool { !traits.isEmpty }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        words.contains(PathExtension.word(of: evaluation.name))
            || evaluation.facts[ContentExtensionFact.self].map(words.contains) ?? false
    }
}

/// `path: ["Library/SplashBoard/**"]`: the path in the container matches one of these globs.
struct PathPredicate: Predicate {
    static let key = "path"
    static let cost = Cost.look
    private let globs: [PathGlob]

    init(_ value: YAMLValue) throws(SourceError) { globs = try value.strings().map { PathGlob($0) } }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { [] }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        // Most names decide, and then the path is not needed.
        guard globs.contains(where: { $0.mayEnd(in: evaluation.name) }) else { return false }
        let path = evaluation.directory.path(of: evaluation.item)
        guard let glob = globs.first(where: { $0.matches(path) }) else { return false }
        evaluation.addEvidence("path", value: glob.text)
        return true
    }
}

/// `domain: foreign`: a preferences file is named after an app of another developer.
struct DomainPredicate: Predicate {
    static let key = "domain"
    static let cost = Cost.look

    private enum Word: String, CaseIterable { case foreign }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("domain", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits {
        allocator.pathExtension([PathExtension.word("plist")].compactMap { $0 }).union(.file)
    }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard let identifier = evaluation.run.bundleIdentifier,
            let domain = PreferencesDomain(file: evaluation.name), domain.isForeign(to: identifier)
        else { return false }
        evaluation.addEvidence("domain", value: ByteText.escaped(Array(domain.name.utf8)))
        return true
    }
}

/// The domain of a preferences file, by its name.
struct PreferencesDomain: Hashable {
    let name: String

    /// Creates a domain; nil for a name without a bundle identifier: `settings.plist`, `.GlobalPreferences.plist`.
    init?(file name: UnsafeRawBufferPointer) {
        let text = String(decoding: name, as: UTF8.self)
        guard text.hasSuffix(".plist") else { return nil }
        self.name = String(text.dropLast(6))
        let labels = Self.labels(self.name)
        guard labels.count >= 3, labels.allSatisfy({ !$0.isEmpty }) else { return nil }
    }

    /// Returns true if the developer, the first two parts of the name, differs. Suites of the same developer are not
    /// foreign.
    func isForeign(to identifier: String) -> Bool {
        Self.labels(name).prefix(2) != Self.labels(identifier).prefix(2)
    }

    private static func labels(_ name: String) -> [Substring] {
        let small = name.lowercased()
        let own = small.hasPrefix("group.") ? small.dropFirst(6) : small[...]
        return own.split(separator: ".", omittingEmptySubsequences: false)
    }
}

/// `collides: name`: another item of the directory has the same name on a file system that ignores letter case and
/// Unicode normalization. The first such item by bytes does not match. Evaluated after the directory was read, by name
/// and kind only.
struct CollidesPredicate: Predicate {
    static let key = "collides"
    static let cost = Cost.free

    private enum Word: String, CaseIterable { case name }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("collision", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .colliding }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard evaluation.traits.contains(.colliding), let other = evaluation.collidesWith else { return false }
        evaluation.addEvidence("other", value: ByteText.escaped(other))
        return true
    }
}
