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
    let names: NameMatcher
    /// Masks that hang on nothing but what each item has.
    private let always: [Mask]
    /// Masks by one bit that an item must have; most items have none of these.
    private let keyed: [[Mask]]
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
        .file, .directory, .link, .special, .included, .excluded, .unknown, .attributes, .marked, .registered,
        .hashNamed, .location, .colliding, .oddlyNamed, .foreignMark, .emptyDirectory, .flagMissing,
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
        let masks = policy.masks.filter {
            $0.need.must.subtracting(byItem).isSubset(of: fixed)
                && $0.need.mustNot.subtracting(byItem).isDisjoint(with: fixed)
        }
        let asked = masks.contains { policy.rules[$0.rule].asksSiblings } ? policy.appMade.union(.registered) : []
        let wanted = masks.reduce(asked) { $0.union($1.need.must).union($1.need.mustNot) }
        self.wanted = wanted

        var always: [Mask] = []
        var late: [Mask] = []
        var keyed = [[Mask]](repeating: [], count: 128)
        var keys: Signals = []
        for mask in masks {
            let rare = mask.need.must.intersection(Self.rare.union(slots.byItem))
            if !mask.need.must.isDisjoint(with: Self.afterwards) {
                late.append(mask)
            } else if rare.isEmpty {
                always.append(mask)
            } else {
                let bit = 127 - rare.rawValue.leadingZeroBitCount
                keyed[bit].append(mask)
                keys.insert(Signals(rawValue: 1 << bit))
            }
        }
        (self.always, self.late, self.keyed, self.keys) = (always, late, keyed, keys)
        asksCollisions = late.contains { $0.need.must.contains(.colliding) }
        asksFlags = late.contains { $0.need.must.contains(.flagMissing) }
        asksEmpty = late.contains { $0.need.must.contains(.emptyDirectory) }

        func isWanted(_ signal: Signals) -> Bool { !wanted.isDisjoint(with: signal) }
        names = NameMatcher(
            slots.names.filter { isWanted($0.signal) }.flatMap { slot in slot.globs.map { ($0, slot.signal) } })
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
        for slot in ages where age >= slot.seconds { found.formUnion(slot.signal) }
        for slot in aheads where age < 0 && (age == .min || -age > slot.seconds) { found.formUnion(slot.signal) }
        let size = status.size
        for slot in sizes where slot.range.contains(size) { found.formUnion(slot.signal) }
        return found
    }

    /// Adds the rules that an item with these signals must be put before, each once.
    @inline(__always)
    func collect(_ signals: Signals, _ rules: inout [Due]) {
        for mask in always where mask.need.isMet(by: signals) { Self.add(mask, &rules) }
        var rest = signals.intersection(keys).rawValue
        while rest != 0 {
            for mask in keyed[rest.trailingZeroBitCount] where mask.need.isMet(by: signals) {
                Self.add(mask, &rules)
            }
            rest &= rest &- 1
        }
    }

    /// The same when the directory has been read: the rules that hang on what is known only then.
    func collectLate(_ signal: Signals, _ signals: Signals, _ rules: inout [Due]) {
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
