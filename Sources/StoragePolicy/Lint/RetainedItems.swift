internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The items of one directory that match rules decided by traits, kept until the directory was read. Creating findings
/// is expensive, and many in one directory are reported as one.
struct RetainedItems {
    private struct Kept {
        let start: Int
        let length: Int
        let status: FileStatus
        let attributes: [String]
        let carriesAttributes: Bool
        let traits: ItemTraits
    }

    private var items: [Kept] = []
    private var bytes: [UInt8] = []

    /// Keeps an item and returns its number.
    mutating func keep(_ item: Item, _ traits: ItemTraits) -> Int {
        items.append(
            Kept(
                start: bytes.count, length: item.name.count, status: item.status, attributes: item.attributes,
                carriesAttributes: item.carriesAttributes, traits: traits))
        bytes.append(contentsOf: item.name)
        return items.count - 1
    }

    /// Calls a closure with the item of a number. Its content can no longer be read.
    func withItem<Result>(_ number: Int, _ body: (Item, ItemTraits) -> Result) -> Result {
        let kept = items[number]
        return bytes.withUnsafeBytes { bytes in
            body(
                Item(
                    WalkEntry(
                        name: UnsafeRawBufferPointer(rebasing: bytes[kept.start..<(kept.start + kept.length)]),
                        status: kept.status, carriesAttributes: kept.carriesAttributes),
                    attributes: kept.attributes), kept.traits)
        }
    }
}

/// The matches in one directory of a rule that traits decide.
struct DecidedGroup {
    let rule: RuleIndex
    /// The first items, by their numbers among those that are kept.
    private(set) var kept: [Int] = []
    /// Those that came when no more were kept.
    private(set) var others = FindingGroup.Sum()

    init(rule: RuleIndex) { self.rule = rule }

    /// True if more are only counted.
    var isFull: Bool { kept.count >= FindingGroup.limit }

    mutating func keep(_ number: Int) { kept.append(number) }
    mutating func count(_ known: FindingGroup.Known) { others.add(known) }
}

extension LintVisitor {
    /// Retains or counts the item for the rules that its traits decide. Returns true if no other rule is left.
    func retainDecided(
        _ item: Item, in directory: Directory, _ context: DirectoryContext, _ traits: ItemTraits,
        _ exclusion: BackupExclusion.State, _ accumulator: inout Accumulator
    ) -> Bool {
        var number: Int?
        var isLast = true
        for candidate in accumulator.candidates {
            guard candidate.isDecided else {
                isLast = false
                continue
            }
            let index =
                accumulator.decided.firstIndex { $0.rule == candidate.rule }
                ?? {
                    accumulator.decided.append(DecidedGroup(rule: candidate.rule))
                    return accumulator.decided.count - 1
                }()
            if accumulator.decided[index].isFull {
                accumulator.decided[index].count(known(candidate.rule, item, traits, exclusion, directory, context))
            } else {
                let kept = number ?? accumulator.kept.keep(item, traits)
                number = kept
                accumulator.decided[index].keep(kept)
            }
        }
        if !isLast { accumulator.candidates.removeAll { $0.isDecided } }
        return isLast
    }

    /// Creates findings for the retained items: one for each, or one for all above the limit.
    func evaluateRetained(
        in directory: Directory, _ context: DirectoryContext, _ accumulator: inout Accumulator
    ) {
        for decided in accumulator.decided {
            let candidates = [RuleCandidate(rule: decided.rule, isDecided: false)]
            let areOne = decided.others.items > 0 && policy.rules[decided.rule].rule.aggregate == nil
            var others = decided.others
            for (index, number) in decided.kept.enumerated() {
                accumulator.kept.withItem(number) { item, traits in
                    if areOne, index > 0 {
                        let state = directory.exclusion(stateOf: item)
                        others.add(known(decided.rule, item, traits, state, directory, context))
                    } else {
                        let facts = ItemFacts(item, in: directory, context, traits, policy: policy)
                        evaluate(candidates, for: Evaluation(facts), own: nil, into: &accumulator)
                    }
                }
            }
            accumulator.groups[decided.rule]?.count(others)
        }
    }
}
