internal import ContainerTree
internal import FileSystem
internal import PolicyTexts

/// A record of the evaluation of one item: its summary, the result of each rule, and the verdict of the evidence.
final class ItemTrace: LintObserver {
    /// The result of a rule.
    enum Answer: Sendable {
        /// The item is not in its scope, or a test of its condition failed.
        case scope(String), condition(String)
        /// The condition matches.
        case matched
    }
    struct Kept: Sendable {
        var itemSummary: ItemSummary
        /// The answer of each rule, by the index of its form.
        var answers: [RuleIndex: Answer] = [:]
        var isIgnored = false
        var known: ItemVerdict.Known
    }

    let path: [UInt8]
    let observedItems: ObservedItems
    private struct State {
        var kept: Kept?
        var account: (account: FileAccount, traits: NameTraits?)?
        var verdict = TracedVerdict()
    }
    private let state = LockedValue(State())

    init(path: [UInt8]) {
        self.path = path
        observedItems = .some([path])
    }

    /// The recorded evaluation; nil if no item has the path.
    var found: Kept? { state.withLock { $0.kept } }

    /// The account of a file where evidence may be weighed; nil for anything else.
    var account: FileAccount? { state.withLock { $0.account?.account } }

    /// The verdict; nil where nothing was weighed.
    func verdict(_ model: EvidenceModel) -> WeighedVerdict? { state.withLock { $0.verdict.weighed(model) } }

    var searchedItems: [[UInt8]] { [path] }

    func observe(_ references: References) {
        state.withLock { state in
            state.kept?.known.reference = references[path]
            state.kept?.known.address = references.address(of: path)
        }
    }

    func observe(_ account: FileAccount, traits: NameTraits?, of path: [UInt8]) {
        state.withLock { $0.account = (account, traits) }
    }

    func observe(
        _ verdict: Verdict, pieces: [PieceOfEvidence], on group: EvidenceGroup, in directory: DirectoryEvidence
    ) {
        state.withLock { state in
            guard let (account, traits) = state.account else {
                let below = path.isEmpty ? [] : path + [UInt8(ascii: "/")]
                guard directory.path == path || directory.path.starts(with: below) else { return }
                return state.verdict.add(verdict, below: group)
            }
            guard directory.path == ItemPath.parent(path), case .candidate = account, let traits,
                group.mayHold(ItemPath.name(path), traits: traits)
            else { return }
            state.verdict.add(verdict, on: group, isExact: group.traits == traits)
        }
    }

    func observe(_ evaluation: Evaluation, as own: Directory?, rules: [Policy.Compiled]) {
        var new = Kept(
            itemSummary: ItemSummary(evaluation, path: path, own: own),
            known: ItemVerdict.Known(evaluation, at: path, as: own))
        for (index, compiled) in rules.enumerated() where compiled.paths?.applies(path) ?? true {
            new.answers[RuleIndex(position: index)] = Self.answer(compiled.rule, evaluation: evaluation)
        }
        new.isIgnored = evaluation.isIgnored
        state.withLock { $0.kept = new }
    }

    private static func answer(_ rule: Rule, evaluation: Evaluation) -> Answer {
        if let refusal = rule.scope.refusal(evaluation.traits) { return .scope(refusal) }
        var asked = evaluation
        return rule.condition.refusal(for: &asked).map { .condition($0) } ?? .matched
    }
}
