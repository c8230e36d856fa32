internal import AppContainer
internal import ContainerTree
internal import PolicyTexts

/// `stored-path: container`: the file contains an absolute path into a container or a bundle. `purgeable`: the path of
/// a file in Library/Caches or tmp, absolute or relative to the container.
struct StoredPathPredicate: Predicate {
    static let key = "stored-path"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case container, purgeable }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("kind of path", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits {
        allocator.size(UInt64(word == .container ? StoredPath.shortest : Self.shortestPurgeable)...UInt64.max)
    }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        switch word {
        case .container:
            let found = evaluation.facts[StoredPathsFact.self].filter { !$0.isArchivedAddress }
            guard let first = found.first else { return false }
            evaluation.addEvidence(
                "target", value: first.path.topDirectory.map { "\($0) of the container" } ?? "the container")
            evaluation.addEvidence(
                "key", value: first.pointer ?? "raw bytes", in: found.map { $0.pointer ?? "raw bytes" })
            evaluation.addEvidence("paths", value: "\(found.count)")
            return true
        case .purgeable:
            guard let (location, pointer) = purgeable(of: evaluation.facts) else { return false }
            evaluation.addEvidence("target", value: location)
            evaluation.addEvidence("key", value: pointer ?? "raw bytes")
            return true
        }
    }

    private func purgeable(of facts: ItemFacts) -> (location: String, pointer: String?)? {
        for found in facts[StoredPathsFact.self] where !Self.isResumption(found.key) {
            if let location = Self.purgeableLocation(of: found.path.tail) { return (location, found.pointer) }
        }
        guard facts[TextTraitsFact.self].contains(.purgeablePath) else { return nil }
        let texts = facts[TextValuesFact.self]
        for index in texts.indices {
            let text = texts[index].text.utf8.drop { $0 == UInt8(ascii: "/") }
            // Most texts are no path of these, which one byte tells.
            guard text.first == UInt8(ascii: "L") || text.first == UInt8(ascii: "t"), text.count <= 1024,
                let location = Self.purgeableLocation(of: Array(text)), !Self.isResumption(texts[index].key)
            else { continue }
            return (location, texts[index].pointer.text)
        }
        return nil
    }

    /// `tmp/a.b`.
    private static let shortestPurgeable = 7

    /// Returns the purgeable location of a path, if its last component is a file name with an extension.
    static func purgeableLocation(of path: [UInt8]) -> String? {
        let (dot, slash) = (UInt8(ascii: "."), UInt8(ascii: "/"))
        guard let location = ["Library/Caches", "tmp"].first(where: { path.starts(with: "\($0)/".utf8) }) else {
            return nil
        }
        let names = path.dropFirst(location.utf8.count + 1).split(separator: slash)
        guard let name = names.last, path.last != slash, name.withUnsafeBytes({ PathExtension.word(of: $0) }) != 0,
            // `com.example.app` is the name of a folder.
            names.count > 1 || name.count(where: { $0 == dot }) < 2
        else { return nil }
        return location
    }

    /// Returns true for a key of a resumable download, which contains the path of its partial file.
    static func isResumption(_ key: String) -> Bool { resumptions.isMet(in: key) }
    private static let resumptions = WordSearch(["resume", "partial", "temp", "tmp", "cache"])
}

/// `referenced: nowhere`: no store of the app names the item. `by-store`: a value in a store names it, and not only its bytes
/// occur. Evaluated after the container was read; see `References`.
struct ReferencedPredicate: Predicate {
    static let key = "referenced"
    static let cost = Cost.later

    private enum Word: String, CaseIterable {
        case nowhere
        case byStore = "by-store"
    }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("answer", type: Word.self) }

    var needs: PredicateNeeds { [.references, .container] }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { [] }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        evaluation.answer(word == .nowhere ? .isNamedByNoStore : .isNamedByStore)
    }
}

/// `addressed: nowhere`: no record with a web address in the app's own data is about the item. Evaluated after the container
/// was read.
struct AddressedPredicate: Predicate {
    static let key = "addressed"
    static let cost = Cost.later

    private enum Word: String, CaseIterable { case nowhere }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("answer", type: Word.self) }

    var needs: PredicateNeeds { [.references, .container] }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { [] }

    func matches(_ evaluation: inout Evaluation) -> Bool { evaluation.answer(.hasNoAddress) }
}
