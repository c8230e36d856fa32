internal import ContainerTree
internal import FileSystem

/// What can matter in the directories of one sort: the masks that their items can still meet, and how the slots of
/// these are found for an item. Made once for all directories of the sort.
final class LintProfile: Sendable {
    typealias Mask = (need: SignalNeed, rule: Int)

    /// A rule that an item must be put before, or that its signals have already decided.
    struct Due {
        let rule: Int
        var isDecided: Bool
    }

    /// Which signals any of the masks asks for.
    let wanted: Signals
    let asksCollisions: Bool
    let asksFlags: Bool
    let asksEmpty: Bool
    /// The names that one look-up finds.
    private let names: NameMatcher
    /// Those with a part in the middle, which must be searched for: only where a rule would else be asked.
    private let searched: NameMatcher
    private let searchedSignals: Signals
    /// Masks that hang on nothing but what each item has.
    private let always: [Mask]
    /// Masks by one bit that an item must have; most items have none of these.
    private let keyed: [Mask]
    /// Where the masks of each bit begin, and those of the last one end.
    private let starts: [UInt16]
    private let keys: Signals
    /// Masks for what is known when the directory has been read: names that collide, flags that are missing,
    /// directories that are empty.
    private let late: [Mask]
    private let extensions: ExtensionTable
    private let ages: [(seconds: Int64, signal: Signals)]
    private let aheads: [(seconds: Int64, signal: Signals)]
    private let sizes: [(range: ClosedRange<UInt64>, signal: Signals)]
    private let now: Int64

    /// Signals that differ from item to item.
    private static let varying = Signals([
        .file, .filled, .changedSinceMade, .directory, .link, .special, .included, .excluded, .unknown, .attributes,
        .marked, .registered, .hashNamed, .location, .colliding, .oddlyNamed, .foreignMark, .emptyDirectory,
        .flagMissing,
    ])
    /// Signals that are known when the directory has been read.
    private static let afterwards = Signals([.colliding, .emptyDirectory, .flagMissing])
    /// Signals that few items have.
    private static let rare = Signals([
        .directory, .link, .special, .unknown, .excluded, .attributes, .marked, .registered, .hashNamed, .location,
        .oddlyNamed, .foreignMark,
    ])

    /// What can matter where `fixed` is true of all items.
    init(_ fixed: Signals, policy: Policy) {
        let slots = policy.slots
        let byItem = Self.varying.union(slots.byItem)
        let searchedSlots = slots.names.filter { slot in slot.globs.contains(where: \.needsSearch) }
        let searchedSignals = searchedSlots.reduce(Signals()) { $0.union($1.signal) }
        self.searchedSignals = searchedSignals
        let masks = policy.masks.filter {
            $0.need.must.subtracting(byItem).isSubset(of: fixed)
                && $0.need.mustNot.subtracting(byItem).isDisjoint(with: fixed)
        }
        let asked = masks.contains { policy.rules[$0.rule].asksSiblings } ? policy.appMade.union(.registered) : []
        let wanted = masks.reduce(asked) { $0.union($1.need.must).union($1.need.mustNot) }
        self.wanted = wanted

        var always: [Mask] = []
        var late: [Mask] = []
        var keyed = [[Mask]](repeating: [], count: Signals.capacity)
        var keys: Signals = []
        for mask in masks {
            let rare = mask.need.must.intersection(Self.rare.union(slots.byItem)).subtracting(searchedSignals)
            if !mask.need.must.isDisjoint(with: Self.afterwards) {
                late.append(mask)
            } else if let bit = rare.last {
                keyed[bit].append(mask)
                keys.formUnion(Signals(bit: bit))
            } else {
                always.append(mask)
            }
        }
        (self.always, self.late, self.keys) = (always, late, keys)
        self.keyed = keyed.flatMap(\.self)
        starts = keyed.reduce(into: [0]) { $0.append($0[$0.count - 1] + UInt16(clamping: $1.count)) }
        asksCollisions = late.contains { $0.need.must.contains(.colliding) }
        asksFlags = late.contains { $0.need.must.contains(.flagMissing) }
        asksEmpty = late.contains { $0.need.must.contains(.emptyDirectory) }

        func isWanted(_ signal: Signals) -> Bool { !wanted.isDisjoint(with: signal) }
        func matcher(_ slots: [(globs: [Glob], signal: Signals)]) -> NameMatcher {
            NameMatcher(
                slots.filter { isWanted($0.signal) }.flatMap { slot in slot.globs.map { ($0, slot.signal) } })
        }
        names = matcher(slots.names.filter { $0.signal.isDisjoint(with: searchedSignals) })
        searched = matcher(searchedSlots)
        extensions = ExtensionTable(slots.extensions.filter { isWanted($0.signal) })
        ages = slots.ages.filter { isWanted($0.signal) }
        aheads = slots.aheads.filter { isWanted($0.signal) }
        sizes = slots.sizes.filter { isWanted($0.signal) }
        now = policy.now.seconds
    }

    /// The bits that the loaded rules gave out, for one item.
    @inline(__always)
    func slots(of name: UnsafeRawBufferPointer, _ status: FileStatus) -> Signals {
        var found = names.signals(of: name)
        if !extensions.isEmpty { found.formUnion(extensions.signals(of: PathExtension.word(of: name))) }
        let age = now.subtractingReportingOverflow(status.modified.seconds).partialValue
        // By index: a loop over the array itself would count its references, at every item.
        var index = 0
        while index < ages.count {
            if age >= ages[index].seconds { found.formUnion(ages[index].signal) }
            index += 1
        }
        index = 0
        while age < 0, index < aheads.count {
            if age == .min || -age > aheads[index].seconds { found.formUnion(aheads[index].signal) }
            index += 1
        }
        let size = status.size
        index = 0
        while index < sizes.count {
            if size >= sizes[index].range.lowerBound, size <= sizes[index].range.upperBound {
                found.formUnion(sizes[index].signal)
            }
            index += 1
        }
        return found
    }

    /// Adds the rules that an item with these signals must be put before, each once.
    @inline(__always)
    func collect(_ signals: inout Signals, _ name: UnsafeRawBufferPointer, _ rules: inout [Due]) {
        var isSearched = searched.isEmpty
        var index = 0
        while index < always.count {
            if isMet(always[index].need, by: &signals, name, &isSearched) { Self.add(always[index], &rules) }
            index += 1
        }
        var rest = signals.intersection(keys)
        while let bit = rest.popFirst() {
            index = Int(starts[bit])
            let end = Int(starts[bit + 1])
            while index < end {
                if isMet(keyed[index].need, by: &signals, name, &isSearched) { Self.add(keyed[index], &rules) }
                index += 1
            }
        }
    }

    @inline(__always)
    private func isMet(
        _ need: SignalNeed, by signals: inout Signals, _ name: UnsafeRawBufferPointer, _ isSearched: inout Bool
    ) -> Bool {
        if isSearched { return need.isMet(by: signals) }
        guard need.must.subtracting(searchedSignals).isSubset(of: signals), need.mustNot.isDisjoint(with: signals)
        else { return false }
        guard !need.must.union(need.mustNot).isDisjoint(with: searchedSignals) else { return true }
        signals.formUnion(searched.signals(of: name))
        isSearched = true
        return need.isMet(by: signals)
    }

    /// The same when the directory has been read: the rules that hang on what is known only then.
    func collectLate(
        _ signal: Signals, _ signals: inout Signals, _ name: UnsafeRawBufferPointer, _ rules: inout [Due]
    ) {
        signals.formUnion(searched.signals(of: name))
        for mask in late where mask.need.must.isSuperset(of: signal) && mask.need.isMet(by: signals) {
            Self.add(mask, &rules)
        }
    }

    @inline(__always)
    private static func add(_ mask: Mask, _ rules: inout [Due]) {
        for index in rules.indices where rules[index].rule == mask.rule {
            if mask.need.isWhole { rules[index].isDecided = true }
            return
        }
        rules.append(Due(rule: mask.rule, isDecided: mask.need.isWhole))
    }
}

/// Signals by a name's extension: one look-up, whatever the number of extensions.
private struct ExtensionTable: Sendable {
    private var words: [UInt64] = []
    private var signals: [Signals] = []
    private var mask: UInt64 = 0
    var isEmpty: Bool { words.isEmpty }

    init(_ slots: [(words: [UInt64], signal: Signals)]) {
        var byWord: [UInt64: Signals] = [:]
        for slot in slots {
            for word in slot.words where word != 0 { byWord[word, default: []].formUnion(slot.signal) }
        }
        guard !byWord.isEmpty else { return }
        // At least half of the places stay empty, so that a search ends soon.
        var size = 8
        while size < byWord.count * 2 { size *= 2 }
        mask = UInt64(size - 1)
        words = [UInt64](repeating: 0, count: size)
        signals = [Signals](repeating: [], count: size)
        for (word, signal) in byWord {
            var place = Self.hash(word) & mask
            while words[Int(place)] != 0 { place = (place + 1) & mask }
            words[Int(place)] = word
            signals[Int(place)] = signal
        }
    }

    @inline(__always)
    func signals(of word: UInt64) -> Signals {
        guard word != 0 else { return [] }
        var place = Self.hash(word) & mask
        while words[Int(place)] != 0 {
            if words[Int(place)] == word { return signals[Int(place)] }
            place = (place + 1) & mask
        }
        return []
    }

    private static func hash(_ word: UInt64) -> UInt64 { (word &* 0x9e37_79b9_7f4a_7c15) >> 40 }
}
