internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// A record of the evaluation of one item: its summary and the result of each rule.
final class ItemTrace: Sendable {
    /// The result of a rule.
    enum Answer: Sendable {
        /// The item is not in its scope, or a test of its condition failed.
        case scope(String), condition(String)
        /// The condition matches.
        case matched
        /// The condition matches if this is true of the item's siblings.
        case dependsOnSiblings(SiblingQuestion)
    }
    struct Kept: Sendable {
        var itemSummary: ItemSummary
        /// By the index of the rule's form.
        var answers: [RuleIndex: Answer] = [:]
        var isIgnored = false
        var known = ItemVerdict.Known()
    }

    let path: [UInt8]
    private let kept = LockedValue<Kept?>(nil)
    private let noted = LockedValue<(account: FileAccount, traits: NameTraits?)?>(nil)

    init(path: [UInt8]) { self.path = path }

    /// The recorded evaluation; nil if no item has the path.
    var found: Kept? { kept.withLock { $0 } }

    /// The account of a file where evidence may be weighed, and the traits of a candidate; nil for anything else.
    var account: (account: FileAccount, traits: NameTraits?)? { noted.withLock { $0 } }

    /// Keeps the account of a file.
    func note(_ account: FileAccount, _ traits: NameTraits?) { noted.withLock { $0 = (account, traits) } }

    /// Adds what the stores of the app say about the item.
    func add(_ references: References) {
        kept.withLock { kept in
            kept?.known.reference = references[path]
            kept?.known.address = references.address(of: path)
        }
    }

    /// Keeps what is known of the item, and asks every rule.
    ///
    /// - Parameters:
    ///   - evaluation: The item.
    ///   - own: The item as a directory.
    ///   - rules: The rules to evaluate.
    func keep(_ evaluation: Evaluation, as own: Directory?, _ rules: [Policy.Compiled]) {
        var new = Kept(itemSummary: ItemSummary(evaluation, path: path, own: own))
        for (index, compiled) in rules.enumerated() where compiled.paths?.takes(path) ?? true {
            new.answers[RuleIndex(position: index)] = Self.answer(compiled.rule, evaluation)
        }
        new.isIgnored = evaluation.policy.isIgnored(evaluation)
        let (item, policy) = (evaluation.item, evaluation.policy)
        new.known.location = new.itemSummary.location
        new.known.isSystem = path.elementsEqual(Location.metadata.path.utf8)
        new.known.isLog = item.status.isFile && NameForm.isLog(evaluation.name)
        new.known.declared = Configuration.Word.allCases.first { policy.configuration.declares(path, $0) }
        new.known.proof = ItemProof(of: item, evaluation.context, policy.registry)
        kept.withLock { $0 = new }
    }

    private static func answer(_ rule: Rule, _ evaluation: Evaluation) -> Answer {
        if let refusal = rule.scope.refusal(evaluation.traits) { return .scope(refusal) }
        var asked = evaluation
        guard let refusal = rule.condition.refusal(for: &asked) else { return .matched }
        guard let question = asked.siblingQuestion else { return .condition(refusal) }
        var assuming = evaluation
        assuming.assumedSiblingAnswer = true
        return rule.condition.refusal(for: &assuming).map { .condition($0) } ?? .dependsOnSiblings(question)
    }
}
