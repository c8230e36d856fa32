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

extension Condition {
    /// Returns the prefilters of the condition, which are alternatives.
    func prefilters(_ allocator: inout TraitAllocator) -> [Prefilter] {
        switch self {
        case .all(let parts):
            var alternatives = [Prefilter(must: [], mustNot: [], isWhole: true)]
            for part in parts {
                let choices = part.prefilters(&allocator)
                alternatives = alternatives.flatMap { old in
                    choices.map {
                        Prefilter(
                            must: old.must.union($0.must), mustNot: old.mustNot.union($0.mustNot),
                            isWhole: old.isWhole && $0.isWhole)
                    }
                }
                // More than this is no gain; fewer traits only let more items through to the tests.
                if alternatives.count > 64 { alternatives = [.nothing] }
            }
            return alternatives
        case .any(let parts):
            let choices = parts.flatMap { $0.prefilters(&allocator) }
            guard let open = choices.first(where: { $0.must.isEmpty && $0.mustNot.isEmpty }) else { return choices }
            // Any item may pass, but those that a choice decides by its traits alone need no further test.
            return open.isWhole ? [open] : choices.filter(\.isWhole) + [open]
        case .not(let part):
            // A part decided by one trait fails for items with the trait; the predicates decide the rest.
            let choices = part.prefilters(&allocator)
            let decided = choices.filter { $0.isWhole && $0.mustNot.isEmpty && $0.must.count == 1 }
            let refused = decided.reduce(ItemTraits()) { $0.union($1.must) }
            // Without the one trait that a test needs, what it refuses is settled as well: a word that the
            // configuration does not say, an item that the registry does not know.
            if decided.isEmpty, choices.count == 1, let asked = choices.first?.must, asked.count == 1,
                allocator.isSeldom(asked)
            {
                return [
                    Prefilter(must: [], mustNot: asked, isWhole: true),
                    Prefilter(must: asked, mustNot: [], isWhole: false),
                ]
            }
            return [Prefilter(must: [], mustNot: refused, isWhole: decided.count == choices.count)]
        case .predicate(let use):
            let predicate = use.predicate
            let traits = predicate.requiredTraits(&allocator)
            return [Prefilter(must: traits, mustNot: [], isWhole: predicate.isDecided(by: traits))]
        }
    }
}

extension Rule {
    /// Returns true if both rules are evaluated for the same items.
    package func hasSamePrefilters(as other: Rule) -> Bool { traitSets == other.traitSets }

    /// The required and the excluded traits of each prefilter.
    private var traitSets: Set<[ItemTraits]> {
        var allocator = TraitAllocator()
        let prefilters = condition.prefilters(&allocator)
        return Set(scope.traits.flatMap { scope in prefilters.map { [scope.union($0.must), $0.mustNot] } })
    }
}
