internal import AppContainer
internal import ContainerLifecycle
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts
internal import Secrets

/// The evaluation of a rule for an item, with the evidence so far.
struct Evaluation {
    /// The facts about the item, shared by all rules.
    let facts: ItemFacts

    /// The evidence of the predicates that matched.
    var evidence: [Evidence] = []
    /// The questions about the container that must be true.
    private(set) var questions: [ContainerQuestion] = []

    /// The event that a predicate found to be the cause.
    var cause: LifecycleEvent?

    /// True if no evidence is collected, because the finding is part of a combined one.
    var isQuiet = false

    init(_ facts: ItemFacts) { self.facts = facts }

    /// Begins the evaluation of another rule for the same item, with evidence that all rules have.
    mutating func restart(with evidence: [Evidence]) {
        if !(self.evidence.isEmpty && evidence.isEmpty) { self.evidence = evidence }
        if !questions.isEmpty { questions = [] }
        (cause, isQuiet) = (nil, false)
    }

    var context: DirectoryContext { facts.setting.context }
    var traits: ItemTraits { facts.setting.traits }
    /// The location whose own directory the item is.
    var ownLocation: Location? { facts.setting.ownLocation }
    /// The item whose name is the same on some file systems, if the rule is about collisions.
    var collidesWith: [UInt8]? { facts.setting.collidesWith }
    var item: Item {
        // Without a copy.
        _read { yield facts.item }
    }
    /// The name of the item, which is read more often than the others.
    var name: UnsafeRawBufferPointer { facts.name }
    var directory: Directory { facts.directory }
    var run: RunContext { facts.run }
    /// The path relative to the container.
    var path: [UInt8] { directory.path(of: item) }

    mutating func addEvidence(_ kind: String, value: String) {
        if !isQuiet { evidence.append(Evidence(kind: kind, value: value)) }
    }

    /// Notes evidence that was found in several places of the file. An index in a list is no part of a place.
    mutating func addEvidence(_ kind: String, value: String, in places: @autoclosure () -> [String]) {
        guard !isQuiet else { return }
        let digests = places().map { place in
            var digest = Digest()
            digest.add(VaryingName.pattern(ofPath: NameSpelling.composed(Array(place.utf8).withoutSecrets)))
            return digest.value
        }
        evidence.append(Evidence(kind: kind, value: value, places: digests))
    }

    /// The same where the text takes work to make.
    mutating func addEvidence(_ kind: String, _ value: () -> String) {
        if !isQuiet { evidence.append(Evidence(kind: kind, value: value())) }
    }

    /// Removes all but the first pieces of evidence.
    mutating func removeEvidence(after count: Int) {
        if evidence.count > count { evidence.removeSubrange(count...) }
    }

    mutating func answer(_ question: SiblingQuestion) -> Bool {
        guard facts.setting.siblings.answer(question) else { return false }
        if !isQuiet { evidence.append(facts.setting.siblings.evidence(of: question)) }
        return true
    }

    /// The proof of the item's class; nil if nothing proves it.
    var proof: ItemProof? { ItemProof(of: item, in: directory, context, run: run) }

    /// Returns the value of an attribute, of at most 4 KiB; nil if it is missing or longer.
    func value(ofAttribute name: String) -> [UInt8]? {
        guard let value = facts.attribute(name), value.count <= 4096 else { return nil }
        return value
    }

    /// Returns the value of an attribute as text.
    func text(ofAttribute name: String) -> String? {
        value(ofAttribute: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The line of the app's source that wrote the item, where it is recorded and can be shown.
    var source: CodeLocation? {
        guard let source = text(ofAttribute: CodeLocation.attribute).flatMap({ CodeLocation($0) }),
            (1...255) ~= source.fileID.utf8.count, source.line > 0
        else { return nil }
        return source
    }

    /// Asks a question about the whole container. The answer counts as true until it is known.
    mutating func answer(_ question: ContainerQuestion) -> Bool {
        assert(!isQuiet, "a predicate that asks about the container says so in `needs`")
        questions.append(question)
        return true
    }

    /// The registry entries that match the item or a directory above it.
    var registryEntries: [RegistryEntry] {
        context.registry.matches(item.name, isDirectory: item.status.kind == .directory)
            .map { run.registry.entries[$0] }
    }

    /// The registry entries that match the item but not its directory.
    var registryEntriesBeginning: [RegistryEntry] {
        context.registry.matches(item.name, isDirectory: item.status.kind == .directory)
            .filter { !context.registry.taken.contains($0) }.map { run.registry.entries[$0] }
    }
}

extension Evaluation {
    /// Returns true if the configuration ignores the item.
    var isIgnored: Bool { run.ignoresSomething && run.configuration.declares(path, word: .ignore) }
}
