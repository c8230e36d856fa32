/// A test of an item's traits before a rule is evaluated.
struct Prefilter: Sendable, Hashable {
    /// The traits without which the condition cannot match.
    var must: ItemTraits
    /// The traits with which the condition cannot match.
    var mustNot: ItemTraits
    /// True if the traits decide the condition.
    var isWhole: Bool

    static let nothing = Prefilter(must: [], mustNot: [], isWhole: false)

    @inline(__always)
    func isMet(by traits: ItemTraits) -> Bool { must.isSubset(of: traits) && mustNot.isDisjoint(with: traits) }
}
