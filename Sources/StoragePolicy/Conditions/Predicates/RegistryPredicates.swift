internal import ContainerTree
internal import PolicyTexts

/// `registry: [regenerable]`: a known SDK wrote the item with this kind of content.
struct RegistryPredicate: Predicate {
    static let key = "registry"
    static let cost = Cost.free
    private let kinds: [RegistryEntry.Holds]

    init(_ value: YAMLValue) throws(SourceError) {
        kinds = try value.words("kind of content", type: RegistryEntry.Holds.self)
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .registered }

    func isDecided(by traits: ItemTraits) -> Bool { false }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        // Layouts that were observed prove nothing against a file; they count as evidence of a verdict.
        let entries = evaluation.registryEntries.filter { kinds.contains($0.holds) && ($0.isProof || $0.isKept) }
        guard let entry = entries.first else { return false }
        evaluation.addEvidence(Evidence.registry, value: Evidence.registered(entry.sdk, entry.path.text))
        return true
    }
}

/// `superseded: true`: a known SDK now keeps its files in another directory, which exists as well. Evaluated after the
/// container was read.
struct SupersededPredicate: Predicate {
    static let key = "superseded"
    static let cost = Cost.later
    var needs: PredicateNeeds { .container }

    init(_ value: YAMLValue) throws(SourceError) {
        guard try value.boolean() else { throw value.error("expected “superseded: true”") }
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .registered }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let run = evaluation.run
        var found: RegistryEntry?
        for entry in evaluation.registryEntriesBeginning {
            if run.registry.successors.contains(entry.path.text) { run.notes.see(Self.name(entry.path.text)) }
            if found == nil, entry.supersededBy != nil { found = entry }
        }
        guard let found, let newer = found.supersededBy else { return false }
        evaluation.addEvidence(Evidence.registry, value: Evidence.registered(found.sdk, found.path.text))
        evaluation.addEvidence("newer", value: newer)
        return evaluation.answer(.wasSeen(Self.name(newer)))
    }

    private static func name(_ path: String) -> String { "registry \(path)" }
}

/// `declared: user-data`: a glob of the configuration matches the item.
struct DeclaredPredicate: Predicate {
    static let key = "declared"
    static let cost = Cost.look
    private let words: [Configuration.Word]

    init(_ value: YAMLValue) throws(SourceError) {
        words = try value.words("declaration", type: Configuration.Word.self)
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { allocator.declaration(words) }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let declaring = evaluation.run.words(declaring: evaluation.path)
        guard let word = words.first(where: declaring.contains) else { return false }
        evaluation.addEvidence("declared", value: word.rawValue)
        return true
    }
}

/// `document-type: declared`: the `document-types` of the configuration contain the item's extension.
struct DocumentTypePredicate: Predicate {
    static let key = "document-type"
    static let cost = Cost.free

    private enum Word: String, CaseIterable { case declared }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("answer", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { [] }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let types = evaluation.run.configuration.documentTypes
        guard !types.isEmpty else { return false }
        let word = PathExtension.word(of: evaluation.name)
        return word != 0 && types.contains { PathExtension.word($0.lowercased()) == word }
    }
}

extension Evidence {
    /// The kind of evidence that an entry of the registry gives.
    static let registry = "registry"

    /// The text for an entry: `Unity (Library/UnityCache/**)`.
    static func registered(_ software: String, _ glob: String) -> String { "\(software) (\(glob))" }

    /// The SDK and the glob of the entry that the evidence is; nil for other evidence.
    package var registered: (software: String, glob: String)? {
        guard kind == Self.registry, value.last == ")", let bracket = value.lastIndex(of: "("),
            bracket > value.startIndex
        else { return nil }
        let glob = value[value.index(after: bracket)...].dropLast()
        return (String(value[..<value.index(before: bracket)]), String(glob))
    }
}
