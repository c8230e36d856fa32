internal import AppContainer
internal import ContainerLifecycle
internal import ContainerTree
internal import FileSystem
internal import PolicyTexts
internal import TextOutput

extension TraitAllocator {
    /// The traits of an item of which an event predicate is asked: none in a run without events.
    fileprivate func eventTraits(_ traits: ItemTraits) -> ItemTraits { playsEvents ? traits : .never }
}

/// `removed-by: [purge]`: one of these events, of those that the run plays, removes the item. Evaluated for files and
/// links.
struct RemovedByPredicate: Predicate {
    static let key = "removed-by"
    static let cost = Cost.look
    private let events: [LifecycleEvent]

    init(_ value: YAMLValue) throws(SourceError) { events = try value.words("event", type: LifecycleEvent.self) }

    var needs: PredicateNeeds { .events }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { allocator.eventTraits([]) }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard let model = evaluation.run.events?.model,
            evaluation.item.status.kind != .directory,
            let cause = model.fate(of: evaluation.item, in: evaluation.directory).removal,
            events.contains(cause)
        else { return false }
        evaluation.cause = cause
        return true
    }
}

/// `dangling: { after: [update, restore], reference: absolute }`: the file or link contains a reference to an item that
/// exists before one of these events, of those that the run plays, and the reference is invalid afterwards, because the
/// container has another path. `reference: removed`: because the event removes the target.
struct DanglingPredicate: Predicate {
    static let key = "dangling"
    static let cost = Cost.read

    private enum Word: String, CaseIterable { case absolute, removed }
    private let events: [LifecycleEvent]
    private let word: Word

    init(_ value: YAMLValue) throws(SourceError) {
        let fields = try value.fields(["after", "reference"])
        events = try value.required("after", of: fields).words("event", type: LifecycleEvent.self)
        word = try value.required("reference", of: fields).word("reference", type: Word.self)
    }

    var needs: PredicateNeeds { .events }

    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits { allocator.eventTraits([]) }

    func matches(_ evaluation: inout Evaluation) -> Bool {
        guard let run = evaluation.run.events,
            run.model.events.contains(where: events.contains),
            // A file that does not exist afterwards contains no reference.
            run.model.fate(of: evaluation.item, in: evaluation.directory).removal == nil
        else { return false }
        let found = found(in: evaluation, run)
        guard let first = found.first else { return false }
        evaluation.cause = first.cause
        evaluation.addEvidence("target", value: evaluation.shown(first.target))
        evaluation.addEvidence("key", value: first.key, in: found.map(\.key))
        evaluation.addEvidence("references", value: "\(found.count)")
        return true
    }

    private struct Found {
        let key: String
        let target: [UInt8]
        let cause: LifecycleEvent
    }

    /// The maximum number of references that are counted in one file.
    private static let most = 200

    private func found(in evaluation: Evaluation, _ run: EventsOfRun) -> [Found] {
        var found: [Found] = []
        func add(_ references: [ContainerReference], key: String) {
            for reference in references {
                guard let cause = cause(of: reference, in: run.model) else { continue }
                return found.append(Found(key: key, target: reference.path, cause: cause))
            }
        }
        switch evaluation.item.status.kind {
        case .symbolicLink:
            guard let target = evaluation.item.entry.linkTarget() else { return [] }
            add(run.references.references(inLink: target, of: evaluation.directory.path), key: "the link")
        case .file:
            for value in evaluation.facts[TextValuesFact.self]
            where found.count < Self.most && !value.hasListedTexts {
                // An interrupted download expects that its partial file may be missing.
                guard word == .absolute || !StoredPathPredicate.isResumption(value.key) else { continue }
                add(run.references.references(in: value.text), key: value.pointer.text)
            }
        default: break
        }
        return found
    }

    /// Returns the event that makes a valid reference invalid; nil if none of those of the predicate does, or for a reason
    /// other than the predicate's.
    private func cause(of reference: ContainerReference, in model: EventModel) -> LifecycleEvent? {
        guard let outcome = model.outcome(ofItemAt: reference.path) else { return nil }
        let move = reference.isAbsolute ? model.move : nil
        // A path of a directory is a setting: the app creates the directory again.
        let removal = outcome.isDirectory ? nil : outcome.fate.removal
        let first = model.events.first { $0 == move || $0 == removal }
        guard let first, events.contains(first), (first == move) == (word == .absolute) else { return nil }
        return first
    }
}

extension Evaluation {
    /// A path of the container for messages.
    fileprivate func shown(_ path: [UInt8]) -> String {
        path.isEmpty ? "the container" : "“\(ByteText.escaped(path))”"
    }
}
