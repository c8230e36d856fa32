internal import ContainerTree
internal import FileSystem

/// The cached results of the predicates that read the content of one item, during the visit of the item.
///
/// A predicate whose result is unknown is evaluated. What it reads, the siblings that it looks at and its effects are
/// recorded, also those of facts that an earlier predicate computed.
final class CachedItem {
    /// The reads and the effects of a predicate or a fact so far.
    private struct Use {
        var readsContent = false
        var isRepeatable = true
        var effects: Set<Int> = []

        mutating func add(_ other: Use) {
            readsContent = readsContent || other.readsContent
            isRepeatable = isRepeatable && other.isRepeatable
            effects.formUnion(other.effects)
        }
    }

    private let item: Item
    private let directory: CachedDirectory
    private lazy var content = known ?? CachedContent(state: ContentState(item.status))
    /// The stored outcomes, if they are valid.
    private lazy var known = directory.content(of: item)
    private var performed: Set<Int> = []
    private var siblings: [[UInt8]: ContentState?] = [:]
    private var positions: [ContentEffect: Int] = [:]
    private var running: [Use] = []
    private var facts: [ObjectIdentifier: Use] = [:]
    /// The time before anything was read.
    private var started: Timestamp?
    private var isAsked = false
    private var isChanging = false

    /// The number of outcomes that are kept for a file, and of effects.
    private static let (mostOutcomes, mostEffects) = (512, 2_000)

    init(_ item: Item, in directory: CachedDirectory) {
        self.item = item
        self.directory = directory
    }

    // MARK: - Known outcomes

    /// Returns the known result of a predicate, with the effects that it has and that were not performed yet.
    func outcome(of key: UInt64) -> (outcome: ContentOutcome, effects: [ContentEffect])? {
        isAsked = true
        guard let outcome = content.outcomes.first(where: { $0.key == key }) else { return nil }
        let new = outcome.effects.filter { performed.insert($0).inserted }
        return (outcome, new.map { content.effects[$0] })
    }

    // MARK: - New outcomes

    /// Records the evaluation of a predicate whose result is unknown.
    func recording(_ key: UInt64, _ evaluate: () -> Evaluation.Result) -> Evaluation.Result {
        begin()
        let result = evaluate()
        let use = end()
        guard use.readsContent, use.isRepeatable else { return result }
        content.outcomes.append(
            ContentOutcome(
                key: key, isMatch: result.isMatch, evidence: result.evidence, questions: result.questions,
                effects: use.effects.sorted()))
        return result
    }

    /// Records the computation of a fact.
    func recording<Value>(_ fact: ObjectIdentifier, _ compute: () -> Value) -> Value {
        begin()
        let value = compute()
        facts[fact] = end()
        return value
    }

    /// Records the use of a fact that was computed before.
    func noteUse(of fact: ObjectIdentifier) {
        guard !running.isEmpty, let use = facts[fact] else { return }
        running[running.count - 1].add(use)
    }

    /// Records a read of content, which failed if `isComplete` is false.
    func noteRead(isComplete: Bool) {
        guard !running.isEmpty else { return }
        running[running.count - 1].readsContent = true
        if !isComplete { running[running.count - 1].isRepeatable = false }
    }

    /// Records the status of a sibling that a predicate or a fact depends on. The sibling may be the item itself.
    func note(_ state: ContentState?, ofSibling name: [UInt8]) {
        guard !name.elementsEqual(item.name) else {
            if state != content.state { isChanging = true }
            return
        }
        if let earlier = siblings.updateValue(state, forKey: name), earlier != state { isChanging = true }
    }

    func note(_ effect: ContentEffect) {
        guard !running.isEmpty else { return }
        guard effect.isRepeatable, content.effects.count < Self.mostEffects || positions[effect] != nil else {
            running[running.count - 1].isRepeatable = false
            return
        }
        if positions.isEmpty {
            for (position, effect) in content.effects.enumerated() { positions[effect] = position }
        }
        let position = positions[effect] ?? content.effects.count
        if position == content.effects.count {
            content.effects.append(effect)
            positions[effect] = position
        }
        performed.insert(position)
        running[running.count - 1].effects.insert(position)
    }

    private func begin() {
        if started == nil { started = directory.clock() }
        running.append(Use())
    }

    private func end() -> Use {
        let use = running.removeLast()
        if !running.isEmpty { running[running.count - 1].add(use) }
        return use
    }

    // MARK: - After the visit

    /// Hands the outcomes over to the directory: known ones as they are, and new ones if the file did not change while it
    /// was read and any later change is sure to be visible.
    func finish() {
        guard isAsked else { return }
        guard content.outcomes.count > known?.outcomes.count ?? 0 else {
            if known != nil { directory.keepKnown(item.name) }
            return
        }
        for sibling in content.siblings { note(sibling.state, ofSibling: sibling.name) }
        content.siblings = siblings.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map {
            CachedContent.Sibling(name: $0.key, state: $0.value)
        }
        guard let started, !isChanging, content.outcomes.count <= Self.mostOutcomes,
            ([content.state] + content.siblings.compactMap(\.state)).allSatisfy({ $0.isSettled(at: started) }),
            item.entry.status(ofSibling: Array(item.name)).map(ContentState.init) == content.state,
            content.isValid(for: item)
        else { return }
        directory.keep(content, of: item.name)
    }
}

extension Evaluation {
    /// The result of one predicate.
    struct Result {
        let isMatch: Bool
        let evidence: [Evidence]
        let questions: [ContainerQuestion]
    }

    /// Evaluates a predicate, or takes its result from the cache of the run.
    mutating func matches(_ use: PredicateUse) -> Bool {
        guard let cached = facts.cached, let key = use.key else { return use.predicate.matches(&self) }
        let mixed = key ^ policy.contentKey
        let result: Result
        if let (outcome, effects) = cached.outcome(of: mixed) {
            for effect in effects { facts.perform(effect) }
            result = Result(isMatch: outcome.isMatch, evidence: outcome.evidence, questions: outcome.questions)
        } else {
            // The evidence is recorded, even if this finding does not need it.
            var own = unevaluated
            result = cached.recording(mixed) {
                let isMatch = use.predicate.matches(&own)
                return Result(isMatch: isMatch, evidence: own.evidence, questions: own.questions)
            }
        }
        if !isQuiet { evidence += result.evidence }
        for question in result.questions { _ = ask(question) }
        return result.isMatch
    }
}
