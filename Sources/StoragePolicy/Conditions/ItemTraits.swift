internal import FileSystem

/// The properties of an item that are known without further reading, as a set of bits. Most rules are skipped with one
/// comparison.
///
/// The lower bits are fixed. The upper ones are allocated for the names, extensions, ages, sizes and locations of the
/// loaded rules. The methods are named as in `SetAlgebra`.
struct ItemTraits: Sendable, Hashable, ExpressibleByArrayLiteral {
    private var low: UInt128 = 0
    private var high: UInt128 = 0

    /// The number of bits.
    static let capacity = 256

    /// The trait of one bit.
    init(bit: Int) {
        if bit < 128 { low = 1 << bit } else { high = 1 << (bit - 128) }
    }

    init(arrayLiteral traits: ItemTraits...) { self.init(traits) }

    init(_ traits: [ItemTraits]) {
        for trait in traits { formUnion(trait) }
    }

    private init(low: UInt128, high: UInt128) { (self.low, self.high) = (low, high) }

    var isEmpty: Bool { low | high == 0 }
    /// The number of traits.
    var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

    @inline(__always)
    mutating func formUnion(_ other: ItemTraits) {
        low |= other.low
        high |= other.high
    }

    @inline(__always)
    func union(_ other: ItemTraits) -> ItemTraits { ItemTraits(low: low | other.low, high: high | other.high) }

    @inline(__always)
    func intersection(_ other: ItemTraits) -> ItemTraits { ItemTraits(low: low & other.low, high: high & other.high) }

    @inline(__always)
    func subtracting(_ other: ItemTraits) -> ItemTraits { ItemTraits(low: low & ~other.low, high: high & ~other.high) }

    @inline(__always)
    func isSubset(of other: ItemTraits) -> Bool { (low & ~other.low) | (high & ~other.high) == 0 }

    @inline(__always)
    func isSuperset(of other: ItemTraits) -> Bool { other.isSubset(of: self) }

    @inline(__always)
    func isDisjoint(with other: ItemTraits) -> Bool { (low & other.low) | (high & other.high) == 0 }

    @inline(__always)
    func contains(_ other: ItemTraits) -> Bool { other.isSubset(of: self) }

    /// Removes and returns the lowest bit; nil for an empty set.
    @inline(__always)
    mutating func popFirst() -> Int? {
        if low != 0 {
            defer { low &= low &- 1 }
            return low.trailingZeroBitCount
        }
        guard high != 0 else { return nil }
        defer { high &= high &- 1 }
        return 128 + high.trailingZeroBitCount
    }

    /// The highest bit; nil for an empty set.
    var last: Int? {
        if high != 0 { return 255 - high.leadingZeroBitCount }
        return low != 0 ? 127 - low.leadingZeroBitCount : nil
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

    /// The item is a file with content, so that there is something to read.
    static let filled: ItemTraits = [file, ItemTraits(bit: 29)]

    /// The item's content was changed in a later second than the item was made.
    static let changedSinceMade = ItemTraits(bit: 30)

    /// No item has this trait. Predicates that require it are evaluated after the run.
    static let never = ItemTraits(bit: 31)

    static let firstAllocated = 32

    /// Returns the traits of a kind, a size and times.
    @inline(__always)
    static func of(_ status: FileStatus) -> ItemTraits {
        var traits = status.isFile && status.size > 0 ? filled : RuleScope.Kind.of(status.kind).trait
        if let birth = status.birth, status.modified.seconds > birth.seconds { traits.formUnion(changedSinceMade) }
        return traits
    }
}

/// File name extensions as numbers: at most eight bytes, small letters.
enum PathExtension {
    static func word(_ text: String) -> UInt64? { text.utf8.count <= 8 ? pack(Array(text.utf8)) : nil }

    /// The extension of a name, 0 where it has none or a longer one.
    static func word(of name: UnsafeRawBufferPointer) -> UInt64 {
        var word: UInt64 = 0
        var shift: UInt64 = 0
        var index = name.count - 1
        // A leading dot hides a file and begins no extension.
        while index > 0 {
            let byte = name[index]
            if byte == UInt8(ascii: ".") { return word }
            guard shift < 64 else { return 0 }
            word |= UInt64(small(byte)) << shift
            shift += 8
            index -= 1
        }
        return 0
    }

    private static func pack(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { word, byte in word << 8 | UInt64(small(byte)) }
    }

    private static func small(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte ? byte | 0x20 : byte
    }
}
