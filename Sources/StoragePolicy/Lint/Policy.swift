internal import FileSystem

/// The compiled rules of one run for one container.
final class Policy: Sendable {
    /// A rule and its prefilters. An item must pass one of them before the rule is evaluated.
    final class Compiled: Sendable {
        let rule: Rule
        /// The paths for which the rule is evaluated; nil for all.
        let paths: RulePaths?
        let prefilters: [Prefilter]
        /// The needs of its condition besides the item.
        let needs: PredicateNeeds
        /// True if only the sum of what it finds counts.
        let isSummed: Bool

        init(rule: Rule, paths: RulePaths?, prefilters: [Prefilter], needs: PredicateNeeds, isSummed: Bool) {
            (self.rule, self.paths, self.prefilters) = (rule, paths, prefilters)
            (self.needs, self.isSummed) = (needs, isSummed)
        }
    }

    let rules: [Compiled]
    /// Every mask of every rule, flat, for the one loop that each item passes.
    let masks: [RuleSelector.Mask]
    let allocator: TraitAllocator
    /// The globs of all rules.
    let names: NameMatcher
    let appMade: ItemTraits
    /// The traits of the declarations that the configuration uses.
    let declared: ItemTraits
    private let now: Int64
    private let selectors = LockedValue<[ItemTraits: RuleSelector]>([:])
    /// True if every finding is reported separately, without a limit.
    let reportsEach: Bool

    /// Compiles rules for a configuration. `decidesByTraits` returns false for a rule whose matches something else may
    /// change than the traits of the item.
    init(
        forms: [RuleForm], configuration: Configuration, now: Timestamp, reportsEach: Bool, playingEvents: Bool,
        decidesByTraits: (Rule) -> Bool
    ) {
        var allocator = TraitAllocator(playingEvents: playingEvents)
        appMade = allocator.pathExtension(Siblings.appMadeExtensions)
        rules = forms.map { form in
            let rule = form.rule
            let conditions = rule.condition.prefilters(&allocator)
            // If a level is to be found, or an override has paths, the traits are not the whole answer.
            let isPlain = rule.levels.isEmpty && form.paths == nil && decidesByTraits(rule)
            let prefilters = rule.scope.traits.flatMap { scope in
                conditions.map {
                    Prefilter(
                        must: scope.union($0.must), mustNot: $0.mustNot, isWhole: isPlain && $0.isWhole)
                }
            }
            return Compiled(
                rule: rule, paths: form.paths, prefilters: Array(Set(prefilters)),
                needs: rule.condition.needs,
                isSummed: !reportsEach && rule.aggregate.map { $0.scope != .directory } ?? false)
        }
        masks = rules.enumerated().flatMap { index, rule in
            rule.prefilters.map { ($0, RuleIndex(position: index)) }
        }
        self.allocator = allocator
        let globs = allocator.names.flatMap { allocation in allocation.globs.map { ($0, allocation.trait) } }
        names = NameMatcher(globs)
        declared = allocator.declarations.filter { configuration.says($0.words) }.reduce([]) { $0.union($1.trait) }
        self.now = now.seconds
        self.reportsEach = reportsEach
    }

    /// Returns the rule selector for a directory in which every item has these traits.
    func selector(for fixed: ItemTraits) -> RuleSelector {
        selectors.withLock { selectors in
            if let known = selectors[fixed] { return known }
            let selector = RuleSelector(fixed, of: masks, allocator: allocator, appMade: appMade, now: now) {
                rules[$0].needs.contains(.siblings)
            }
            selectors[fixed] = selector
            return selector
        }
    }
}
