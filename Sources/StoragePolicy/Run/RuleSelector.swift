internal import ContainerTree
internal import FileSystem

/// A rule to evaluate for an item, or a rule that the traits of the item already decide.
struct RuleCandidate {
    let rule: RuleIndex
    var isDecided: Bool
}

/// The prefilters that items of directories with equal traits can pass, and the tables that compute the allocated
/// traits of an item. Shared by all such directories.
final class RuleSelector: Sendable {
    typealias Mask = (prefilter: Prefilter, rule: RuleIndex)

    /// The traits that any of the masks tests.
    let wanted: ItemTraits
    /// True if a rule asks for the siblings of an item.
    let asksSiblings: Bool
    let needsCollisions: Bool
    let comparesExclusions: Bool
    let needsEmptyDirectories: Bool
    /// The masks without a trait that few items have.
    private let always: [Mask]
    /// The masks with a trait that few items have, sorted by its bit.
    private let keyed: [Mask]
    /// The start index of the masks of each bit, and the end index of the last.
    private let starts: [UInt16]
    private let keys: ItemTraits
    /// The masks with a trait that is known after the directory was read: colliding names, missing exclusions, empty
    /// directories.
    private let late: [Mask]
    private let extensions: ExtensionTable
    private let ages: [(seconds: Int64, trait: ItemTraits)]
    private let aheads: [(seconds: Int64, trait: ItemTraits)]
    private let sizes: [(range: ClosedRange<UInt64>, trait: ItemTraits)]
    private let now: Int64

    /// The traits that differ from item to item.
    private static let varying = ItemTraits([
        .file, .filled, .changedSinceMade, .directory, .link, .special, .included, .excluded, .unknown, .attributes,
        .marked, .registered, .hashNamed, .location, .colliding, .oddlyNamed, .foreignMark, .emptyDirectory,
        .exclusionMissing, .evicted,
    ])
    /// The traits that are known after the directory was read.
    private static let afterwards = ItemTraits([.colliding, .emptyDirectory, .exclusionMissing])
    /// The traits that few items have.
    private static let rare = ItemTraits([
        .directory, .link, .special, .unknown, .excluded, .attributes, .marked, .registered, .hashNamed, .location,
        .oddlyNamed, .foreignMark, .evicted,
    ])

    /// Creates the selector for directories in which every item has the traits `fixed`.
    init(
        _ fixed: ItemTraits, of all: [Mask], allocator: TraitAllocator, appMade: ItemTraits, now: Int64,
        asksSiblings isAskingSiblings: (RuleIndex) -> Bool
    ) {
        let byItem = Self.varying.union(allocator.byItem)
        let masks = all.filter {
            $0.prefilter.must.subtracting(byItem).isSubset(of: fixed)
                && $0.prefilter.mustNot.subtracting(byItem).isDisjoint(with: fixed)
        }
        asksSiblings = masks.contains { isAskingSiblings($0.rule) }
        let asked = asksSiblings ? appMade.union(.registered) : []
        let wanted = masks.reduce(asked) { $0.union($1.prefilter.must).union($1.prefilter.mustNot) }
        self.wanted = wanted

        var always: [Mask] = []
        var late: [Mask] = []
        var keyed = [[Mask]](repeating: [], count: ItemTraits.capacity)
        // The fewest items have the traits of the first set.
        let rarest = [
            allocator.byName, allocator.byExtension, Self.rare, allocator.bySize, allocator.byAge,
        ]
        var keys: ItemTraits = []
        for mask in masks {
            if !mask.prefilter.must.isDisjoint(with: Self.afterwards) {
                late.append(mask)
            } else if let bit = rarest.lazy.compactMap({ mask.prefilter.must.intersection($0).last }).first {
                keyed[bit].append(mask)
                keys.formUnion(ItemTraits(bit: bit))
            } else {
                always.append(mask)
            }
        }
        (self.always, self.late, self.keys) = (always, late, keys)
        self.keyed = keyed.flatMap(\.self)
        starts = keyed.reduce(into: [0]) { $0.append($0[$0.count - 1] + UInt16(clamping: $1.count)) }
        needsCollisions = late.contains { $0.prefilter.must.contains(.colliding) }
        comparesExclusions = late.contains { $0.prefilter.must.contains(.exclusionMissing) }
        needsEmptyDirectories = late.contains { $0.prefilter.must.contains(.emptyDirectory) }

        func isWanted(_ trait: ItemTraits) -> Bool { !wanted.isDisjoint(with: trait) }
        extensions = ExtensionTable(allocator.extensions.filter { isWanted($0.trait) })
        ages = allocator.ages.filter { isWanted($0.trait) }
        aheads = allocator.aheads.filter { isWanted($0.trait) }
        sizes = allocator.sizes.filter { isWanted($0.trait) }
        self.now = now
    }

    /// Returns the allocated traits of an item, except those of the globs that its name matches.
    @inline(__always)
    func allocatedTraits(of name: ScannedName, _ status: FileStatus) -> ItemTraits {
        var found = extensions.isEmpty ? [] : extensions.traits(of: name.pathExtension)
        let age = now.subtractingReportingOverflow(status.modified.seconds).partialValue
        // By index: a loop over the array itself would count its references, at every item.
        var index = 0
        while index < ages.count {
            if age >= ages[index].seconds { found.formUnion(ages[index].trait) }
            index += 1
        }
        index = 0
        while age < 0, index < aheads.count {
            if age == .min || -age > aheads[index].seconds { found.formUnion(aheads[index].trait) }
            index += 1
        }
        let size = status.size
        index = 0
        while index < sizes.count {
            if size >= sizes[index].range.lowerBound, size <= sizes[index].range.upperBound {
                found.formUnion(sizes[index].trait)
            }
            index += 1
        }
        return found
    }

    /// Adds the rules to evaluate for an item with these traits, each once.
    @inline(__always)
    func collect(_ traits: ItemTraits, rules: inout [RuleCandidate]) {
        var index = 0
        while index < always.count {
            if always[index].prefilter.isMet(by: traits) { Self.add(always[index], rules: &rules) }
            index += 1
        }
        var rest = traits.intersection(keys)
        while let bit = rest.popFirst() {
            index = Int(starts[bit])
            let end = Int(starts[bit + 1])
            while index < end {
                if keyed[index].prefilter.isMet(by: traits) { Self.add(keyed[index], rules: &rules) }
                index += 1
            }
        }
    }

    /// Adds the rules that depend on the whole directory, after it was read.
    func collectLate(_ trait: ItemTraits, traits: ItemTraits, rules: inout [RuleCandidate]) {
        for mask in late where mask.prefilter.must.isSuperset(of: trait) && mask.prefilter.isMet(by: traits) {
            Self.add(mask, rules: &rules)
        }
    }

    @inline(__always)
    private static func add(_ mask: Mask, rules: inout [RuleCandidate]) {
        for index in rules.indices where rules[index].rule == mask.rule {
            if mask.prefilter.isWhole { rules[index].isDecided = true }
            return
        }
        rules.append(RuleCandidate(rule: mask.rule, isDecided: mask.prefilter.isWhole))
    }
}

/// A hash table of traits by name extension.
private struct ExtensionTable: Sendable {
    private var words: [UInt64] = []
    private var traits: [ItemTraits] = []
    private var mask: UInt64 = 0
    var isEmpty: Bool { words.isEmpty }

    init(_ allocations: [(words: [UInt64], trait: ItemTraits)]) {
        var byWord: [UInt64: ItemTraits] = [:]
        for allocation in allocations {
            for word in allocation.words where word != 0 { byWord[word, default: []].formUnion(allocation.trait) }
        }
        guard !byWord.isEmpty else { return }
        // At least half of the slots stay empty, so that a search ends soon.
        var size = 8
        while size < byWord.count * 2 { size *= 2 }
        mask = UInt64(size - 1)
        words = [UInt64](repeating: 0, count: size)
        traits = [ItemTraits](repeating: [], count: size)
        for (word, trait) in byWord {
            var slot = Self.hash(word) & mask
            while words[Int(slot)] != 0 { slot = (slot + 1) & mask }
            words[Int(slot)] = word
            traits[Int(slot)] = trait
        }
    }

    @inline(__always)
    func traits(of word: UInt64) -> ItemTraits {
        guard word != 0 else { return [] }
        var slot = Self.hash(word) & mask
        while words[Int(slot)] != 0 {
            if words[Int(slot)] == word { return traits[Int(slot)] }
            slot = (slot + 1) & mask
        }
        return []
    }

    private static func hash(_ word: UInt64) -> UInt64 { (word &* 0x9e37_79b9_7f4a_7c15) >> 40 }
}

/// The index of a rule among the compiled rules of a run.
struct RuleIndex: Hashable, Comparable, Sendable {
    let position: Int

    /// The index of the only rule of a separate accumulator.
    static let only = RuleIndex(position: 0)

    static func < (left: RuleIndex, right: RuleIndex) -> Bool { left.position < right.position }
}

extension Array {
    @inline(__always)
    subscript(rule: RuleIndex) -> Element { self[rule.position] }
}
