internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import TextOutput

/// `location: [temporary]`: the item is in one of these locations, for rules whose evidence depends on the location.
struct LocationPredicate: Predicate {
    static let key = "location"
    static let cost = Cost.free
    private let locations: [RuleScope.LocationName]

    init(_ value: YAMLValue) throws(SourceError) {
        locations = try value.words("location", type: RuleScope.LocationName.self)
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits {
        locations.count == 1 ? locations[0].trait : []
    }

    func isDecided(by traits: ItemTraits) -> Bool { locations.count == 1 }

    func matches(_ evaluation: inout Evaluation) -> Bool { locations.contains { evaluation.traits.contains($0.trait) } }
}

/// `lies-in: [Library]`: the closest location of the item is one of these, by its path; `.` is the root of the
/// container.
struct LiesInPredicate: Predicate {
    static let key = "lies-in"
    static let cost = Cost.free
    private let locations: [Location]

    init(_ value: YAMLValue) throws(SourceError) {
        var locations: [Location] = []
        for part in value.list() {
            let path = try part.string()
            guard let location = Location.table.first(where: { $0.path == (path == "." ? "" : path) }) else {
                throw part.unknown("location", word: path, among: Location.table.map(\.path) + ["."])
            }
            locations.append(location)
        }
        self.locations = locations
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { allocator.location(locations) }

    func isDecided(by traits: ItemTraits) -> Bool { !traits.isEmpty }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        // The container itself lies in nothing.
        !evaluation.name.isEmpty && locations.contains(evaluation.directory.location)
    }
}

/// `direct: true`: the parent of the item is the directory of the location.
struct DirectPredicate: Predicate {
    static let key = "direct"
    static let cost = Cost.free
    private let answer: Bool

    init(_ value: YAMLValue) throws(SourceError) { answer = try value.boolean() }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { answer ? .direct : [] }

    func isDecided(by traits: ItemTraits) -> Bool { answer }

    func matches(_ evaluation: inout Evaluation) -> Bool { evaluation.directory.isLocation == answer }
}

/// `inside: cache-directory` or `log-directory`: a directory above the item, in the same location, has such a name.
struct InsidePredicate: Predicate {
    static let key = "inside"
    static let cost = Cost.free

    private enum Word: String, CaseIterable {
        case cacheDirectory = "cache-directory"
        case logDirectory = "log-directory"
    }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("directory", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits {
        word == .cacheDirectory ? .insideCache : .insideLogs
    }

    func isDecided(by traits: ItemTraits) -> Bool { true }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let context = evaluation.context
        guard let name = word == .cacheDirectory ? context.cacheDirectory : context.logDirectory else { return false }
        evaluation.addEvidence("directory", value: name)
        return true
    }
}

/// `system-directory: true`: the item is one of the directories that the system defines.
struct SystemDirectoryPredicate: Predicate {
    static let key = "system-directory"
    static let cost = Cost.free
    private let wanted: Bool

    init(_ value: YAMLValue) throws(SourceError) { wanted = try value.boolean() }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { wanted ? [.location, .directory] : [] }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let isSystem = evaluation.ownLocation.map { Location.systemDefined.contains($0) } ?? false
        return isSystem == wanted
    }
}

/// `container: group`: the container belongs to an app group, or with `application` to an app.
struct ContainerKindPredicate: Predicate {
    static let key = "container"
    static let cost = Cost.free

    private enum Word: String, CaseIterable { case application, group }
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) { word = try value.word("kind of container", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { word == .group ? .group : [] }

    func isDecided(by traits: ItemTraits) -> Bool { word == .group }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        (evaluation.run.kind == .group) == (word == .group)
    }
}

/// `shared-documents: [shared, unknown]`: the visibility of Documents in the Files app, from `shares-documents` of the
/// configuration.
struct SharedDocumentsPredicate: Predicate {
    static let key = "shared-documents"
    static let cost = Cost.free

    private enum Word: String, CaseIterable {
        case shared, hidden, unknown
    }
    private let words: [Word]

    init(_ value: YAMLValue) throws(SourceError) { words = try value.words("answer", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .documents }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let word = evaluation.run.configuration.sharesDocuments.map { $0 ? Word.shared : .hidden } ?? .unknown
        return words.contains(word)
    }
}

/// `kind: special`: the item has this kind, for rules whose evidence depends on it.
struct KindPredicate: Predicate {
    static let key = "kind"
    static let cost = Cost.free
    private let kinds: [RuleScope.Kind]

    init(_ value: YAMLValue) throws(SourceError) { kinds = try value.words("kind", type: RuleScope.Kind.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { kinds.count == 1 ? kinds[0].trait : [] }

    func isDecided(by traits: ItemTraits) -> Bool { kinds.count == 1 }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        let kind = RuleScope.Kind.of(evaluation.item.status.kind)
        guard kinds.contains(kind) else { return false }
        let found = evaluation.item.status.kind
        evaluation.addEvidence("kind") { "\(found)" }
        return true
    }
}

/// `link: outside`: a symbolic link out of the container, or to an absolute path, which breaks when the container
/// moves.
struct LinkPredicate: Predicate {
    static let key = "link"
    static let cost = Cost.look

    private enum Word: String, CaseIterable { case outside }
    init(_ value: YAMLValue) throws(SourceError) { _ = try value.word("target", type: Word.self) }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { .link }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard let target = evaluation.item.entry.linkTarget() else { return false }
        guard leadsOut(target, fromDepth: evaluation.directory.depth) else { return false }
        evaluation.addEvidence("target", value: ByteText.escaped(target))
        return true
    }

    private func leadsOut(_ target: [UInt8], fromDepth start: Int) -> Bool {
        guard target.first != UInt8(ascii: "/") else { return true }
        var depth = start
        for component in target.split(separator: UInt8(ascii: "/")) {
            if component.elementsEqual("..".utf8) {
                depth -= 1
            } else if !component.elementsEqual(".".utf8) {
                depth += 1
            }
            if depth < 0 { return true }
        }
        return false
    }
}

/// `empty: true`: the directory is empty. Evaluated after the directory was read; never for the directory of a
/// location.
struct EmptyPredicate: Predicate {
    static let key = "empty"
    static let cost = Cost.free

    init(_ value: YAMLValue) throws(SourceError) {
        guard try value.boolean() else { throw value.error("expected “empty: true”") }
    }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { [.emptyDirectory, .directory] }

    func matches(_ evaluation: inout Evaluation) -> Bool { evaluation.traits.contains(.emptyDirectory) }
}
