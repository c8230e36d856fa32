internal import AppContainer
internal import ContainerTree
internal import FileSystem

/// The properties of an item that are known without further reading, as a set of bits. Most rules are skipped with one
/// comparison.
///
/// The lower bits are fixed. The upper ones are allocated for the names, extensions, ages, sizes and locations of the
/// loaded rules. The methods are named as in `SetAlgebra`.
struct ItemTraits: Sendable, Hashable, ExpressibleByArrayLiteral {
    // Not UInt128, which needs macOS 15 and iOS 18.
    private var words: Words = Words(0, 0, 0, 0)

    private struct Words: Sendable, Hashable {
        var a, b, c, d: UInt64

        @inline(__always)
        init(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) { (self.a, self.b, self.c, self.d) = (a, b, c, d) }
    }

    /// The number of bits.
    static let capacity = 256

    /// The trait of one bit.
    init(bit: Int) {
        let word: UInt64 = 1 << UInt64(bit & 63)
        switch bit >> 6 {
        case 0: words.a = word
        case 1: words.b = word
        case 2: words.c = word
        default: words.d = word
        }
    }

    init(arrayLiteral traits: ItemTraits...) { self.init(traits) }

    init(_ traits: [ItemTraits]) {
        for trait in traits { formUnion(trait) }
    }

    @inline(__always)
    private init(_ words: Words) { self.words = words }

    @inline(__always)
    var isEmpty: Bool { words.a | words.b | words.c | words.d == 0 }
    /// The number of traits.
    var count: Int {
        words.a.nonzeroBitCount + words.b.nonzeroBitCount + words.c.nonzeroBitCount + words.d.nonzeroBitCount
    }

    @inline(__always)
    mutating func formUnion(_ other: ItemTraits) { self = union(other) }

    @inline(__always)
    func union(_ other: ItemTraits) -> ItemTraits {
        let (left, right) = (words, other.words)
        return ItemTraits(Words(left.a | right.a, left.b | right.b, left.c | right.c, left.d | right.d))
    }

    @inline(__always)
    func intersection(_ other: ItemTraits) -> ItemTraits {
        let (left, right) = (words, other.words)
        return ItemTraits(Words(left.a & right.a, left.b & right.b, left.c & right.c, left.d & right.d))
    }

    @inline(__always)
    func subtracting(_ other: ItemTraits) -> ItemTraits {
        let (left, right) = (words, other.words)
        return ItemTraits(Words(left.a & ~right.a, left.b & ~right.b, left.c & ~right.c, left.d & ~right.d))
    }

    @inline(__always)
    func isSubset(of other: ItemTraits) -> Bool { subtracting(other).isEmpty }

    @inline(__always)
    func isSuperset(of other: ItemTraits) -> Bool { other.isSubset(of: self) }

    @inline(__always)
    func isDisjoint(with other: ItemTraits) -> Bool { intersection(other).isEmpty }

    @inline(__always)
    func contains(_ other: ItemTraits) -> Bool { other.isSubset(of: self) }

    /// Removes and returns the lowest bit; nil for an empty set.
    @inline(__always)
    mutating func popFirst() -> Int? {
        if words.a != 0 { return Self.popFirst(of: &words.a) }
        if words.b != 0 { return 64 + Self.popFirst(of: &words.b) }
        if words.c != 0 { return 128 + Self.popFirst(of: &words.c) }
        return words.d != 0 ? 192 + Self.popFirst(of: &words.d) : nil
    }

    @inline(__always)
    private static func popFirst(of word: inout UInt64) -> Int {
        defer { word &= word &- 1 }
        return word.trailingZeroBitCount
    }

    /// The highest bit; nil for an empty set.
    var last: Int? {
        if words.d != 0 { return 255 - words.d.leadingZeroBitCount }
        if words.c != 0 { return 191 - words.c.leadingZeroBitCount }
        if words.b != 0 { return 127 - words.b.leadingZeroBitCount }
        return words.a != 0 ? 63 - words.a.leadingZeroBitCount : nil
    }

    static let file = ItemTraits(bit: 0)
    static let directory = ItemTraits(bit: 1)
    static let link = ItemTraits(bit: 2)
    static let special = ItemTraits(bit: 3)
    static let included = ItemTraits(bit: 4)
    static let excluded = ItemTraits(bit: 5)
    static let unknown = ItemTraits(bit: 6)
    static let backedUp = ItemTraits(bit: 7)
    static let documents = ItemTraits(bit: 8)
    static let library = ItemTraits(bit: 9)
    static let applicationSupport = ItemTraits(bit: 10)
    static let caches = ItemTraits(bit: 11)
    static let preferences = ItemTraits(bit: 12)
    static let temporary = ItemTraits(bit: 13)
    static let root = ItemTraits(bit: 14)
    /// The directory of a location itself.
    static let location = ItemTraits(bit: 15)
    /// The item has extended attributes.
    static let attributes = ItemTraits(bit: 16)
    /// The item itself has an exclusion that Apple's backups respect.
    static let marked = ItemTraits(bit: 17)
    /// The registry knows the item.
    static let registered = ItemTraits(bit: 18)
    /// The name is a hash: 32, 40 or 64 hexadecimal digits before its extension.
    static let hashNamed = ItemTraits(bit: 19)

    /// Another item of the directory has the same name to some file systems; known when the directory has been read.
    static let colliding = ItemTraits(bit: 20)
    /// The name is one that other systems refuse.
    static let oddlyNamed = ItemTraits(bit: 21)
    /// The item lies in a location's own directory.
    static let direct = ItemTraits(bit: 22)
    /// A directory above the item is named as a cache.
    static let insideCache = ItemTraits(bit: 23)
    /// The container is a group's.
    static let group = ItemTraits(bit: 24)

    /// A directory above the item is named as one of logs.
    static let insideLogs = ItemTraits(bit: 25)
    /// The item may have an exclusion mark of other backup systems.
    static let foreignMark = ItemTraits(bit: 26)
    /// The item is a directory that has been read and holds nothing.
    static let emptyDirectory = ItemTraits(bit: 27)
    /// The item is not excluded, but most similarly named files of its directory are. Known after the directory was
    /// read.
    static let exclusionMissing = ItemTraits(bit: 28)

    /// The item is a file with content on this disk, so that there is something to read.
    static let filled: ItemTraits = [file, ItemTraits(bit: 29)]

    /// The item's content was changed in a later second than the item was made.
    static let changedSinceMade = ItemTraits(bit: 30)

    /// No item has this trait. Predicates that require it are evaluated after the run.
    static let never = ItemTraits(bit: 31)

    /// The item is a file whose content is not on this disk.
    static let evicted = ItemTraits(bit: 32)

    static let firstAllocated = 33

    /// Returns the traits of a kind, a size, times and the availability of the content.
    @inline(__always)
    static func of(_ status: FileStatus, _ availability: Availability) -> ItemTraits {
        var traits = status.isFile && status.size > 0 ? filled : RuleScope.Kind.of(status.kind).trait
        if availability == .evicted { traits = [file, evicted] }
        if let birth = status.birth, status.modified.seconds > birth.seconds { traits.formUnion(changedSinceMade) }
        return traits
    }
}

extension Item {
    /// True if the item may have an exclusion mark of other backup systems.
    var mayHaveForeignMark: Bool {
        status.kind == .directory || status.isNoDump
            || (!attributes.isEmpty && attributes.contains(ExclusionMark.robots.rawValue))
    }
}
