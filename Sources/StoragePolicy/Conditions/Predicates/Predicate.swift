/// A predicate about an item. Its type is named after its key in rules.
protocol Predicate: Sendable {
    /// The key in a rule's `when`.
    static var key: String { get }
    /// The cost of an evaluation.
    static var cost: Cost { get }
    init(_ value: YAMLValue) throws(SourceError)
    /// Returns the traits without which the predicate does not match.
    func requiredTraits(_ allocator: inout TraitAllocator) -> ItemTraits
    /// Returns true if the predicate matches every item with the required traits.
    func isDecided(by traits: ItemTraits) -> Bool
    func matches(_ evaluation: inout Evaluation) -> Bool
    /// The needs of the predicate besides the item, so that a run provides it.
    var needs: PredicateNeeds { get }
    /// The answer if it is the same for every item of a run; nil if it depends on the item.
    func answer(onFreshInstall isFreshInstall: Bool) -> Bool?
}

extension Predicate {
    func isDecided(by traits: ItemTraits) -> Bool { false }
    var needs: PredicateNeeds { [] }
    func answer(onFreshInstall isFreshInstall: Bool) -> Bool? { nil }
}

/// The needs of predicates besides the item.
struct PredicateNeeds: OptionSet, Sendable {
    let rawValue: UInt16
    /// An answer about all items of the directory.
    static let siblings = PredicateNeeds(rawValue: 1 << 0)
    /// A comparison of the backup exclusions in the directory.
    static let siblingExclusions = PredicateNeeds(rawValue: 1 << 1)
    /// The dates of all files of the container.
    static let dates = PredicateNeeds(rawValue: 1 << 2)
    /// The attributes of all items of the container.
    static let attributes = PredicateNeeds(rawValue: 1 << 3)
    /// The names of files in the stores of the app.
    static let references = PredicateNeeds(rawValue: 1 << 4)
    /// The content of the app's other containers.
    static let otherContainers = PredicateNeeds(rawValue: 1 << 5)
    /// The events that a run plays.
    static let events = PredicateNeeds(rawValue: 1 << 6)
    /// Answers that are known when the whole container was read.
    static let container = PredicateNeeds(rawValue: 1 << 7)
    /// The files outside the inbox of sizes that files in it have.
    static let copies = PredicateNeeds(rawValue: 1 << 8)
}
