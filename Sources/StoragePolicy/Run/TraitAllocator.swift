internal import AppContainer

/// The allocator of the upper trait bits: one for each set of names, extensions, … of the loaded rules.
struct TraitAllocator: Sendable {
    private var used = ItemTraits.firstAllocated
    /// True if the run plays events of a device. Predicates about events match nothing in other runs.
    let playsEvents: Bool
    private(set) var names: [(globs: [Glob], trait: ItemTraits)] = []
    private(set) var extensions: [(words: [UInt64], trait: ItemTraits)] = []
    private(set) var ages: [(seconds: Int64, trait: ItemTraits)] = []
    private(set) var aheads: [(seconds: Int64, trait: ItemTraits)] = []
    private(set) var sizes: [(range: ClosedRange<UInt64>, trait: ItemTraits)] = []
    private(set) var declarations: [(words: [Configuration.Word], trait: ItemTraits)] = []
    private(set) var locations: [(locations: [Location], trait: ItemTraits)] = []

    init(playingEvents: Bool = false) { playsEvents = playingEvents }

    /// The bits that differ from item to item.
    var byItem: ItemTraits { byName.union(byExtension).union(bySize).union(byAge) }
    var byName: ItemTraits { ItemTraits(names.map(\.trait)) }
    var byExtension: ItemTraits { ItemTraits(extensions.map(\.trait)) }
    var bySize: ItemTraits { ItemTraits(sizes.map(\.trait)) }
    var byAge: ItemTraits { ItemTraits(ages.map(\.trait) + aheads.map(\.trait)) }
    /// The bits that a directory decides for all that lies in it.
    var byDirectory: ItemTraits { locations.reduce([]) { $0.union($1.trait) } }
    /// The number of free bits.
    var free: Int { ItemTraits.capacity - used }

    /// Returns true if few items have the trait, so that filtering by it is worthwhile.
    func isSeldom(_ trait: ItemTraits) -> Bool { trait == .registered || declarations.contains { $0.trait == trait } }

    /// A bit, or none when all are given out: the rule is then asked about every item of its scope.
    private mutating func next() -> ItemTraits? {
        guard used < ItemTraits.capacity else { return nil }
        defer { used += 1 }
        return ItemTraits(bit: used)
    }

    /// The name matches one of the globs.
    mutating func name(_ globs: [Glob]) -> ItemTraits {
        if let same = names.first(where: { $0.globs == globs }) { return same.trait }
        guard let trait = next() else { return [] }
        names.append((globs, trait))
        return trait
    }

    /// The extension is one of these.
    mutating func pathExtension(_ words: [UInt64]) -> ItemTraits {
        if let same = extensions.first(where: { $0.words == words }) { return same.trait }
        guard let trait = next() else { return [] }
        extensions.append((words, trait))
        return trait
    }

    /// The content was last changed at least so long ago.
    mutating func age(_ seconds: Int64) -> ItemTraits {
        if let same = ages.first(where: { $0.seconds == seconds }) { return same.trait }
        guard let trait = next() else { return [] }
        ages.append((seconds, trait))
        return trait
    }

    /// The content was last changed more than that after now.
    mutating func ahead(_ seconds: Int64) -> ItemTraits {
        if let same = aheads.first(where: { $0.seconds == seconds }) { return same.trait }
        guard let trait = next() else { return [] }
        aheads.append((seconds, trait))
        return trait
    }

    /// A file of so many bytes.
    mutating func size(_ range: ClosedRange<UInt64>) -> ItemTraits {
        guard range != 0...UInt64.max else { return .file }
        guard range != 1...UInt64.max else { return .filled }
        if let same = sizes.first(where: { $0.range == range }) { return same.trait.union(.file) }
        guard let trait = next() else { return .file }
        sizes.append((range, trait))
        return trait.union(.file)
    }

    /// The configuration says one of these words of something.
    mutating func declaration(_ words: [Configuration.Word]) -> ItemTraits {
        // The same words in another order say the same.
        let words = words.sorted { $0.rawValue < $1.rawValue }
        if let same = declarations.first(where: { $0.words == words }) { return same.trait }
        guard let trait = next() else { return [] }
        declarations.append((words, trait))
        return trait
    }

    /// The nearest location is one of these; a directory decides it for all that lies in it.
    mutating func location(_ list: [Location]) -> ItemTraits {
        if let same = locations.first(where: { $0.locations == list }) { return same.trait }
        guard let trait = next() else { return [] }
        locations.append((list, trait))
        return trait
    }
}

/// The cost of evaluating a predicate.
enum Cost: Int, Comparable, Sendable {
    /// The walk already has the data.
    case free
    /// One system call or a few.
    case look
    /// Reading content.
    case read
    /// Known only after the directory or the container was read.
    case later

    static func < (left: Cost, right: Cost) -> Bool { left.rawValue < right.rawValue }
}
