internal import FileSystem

/// What can be told of an item without reading anything more: a set of bits, so that most rules are passed over with
/// one comparison.
///
/// The lower bits are fixed; the upper ones are given out to the names, extensions, ages, sizes and locations that the
/// loaded rules ask for. It has the names of `SetAlgebra`, of which it needs only these.
struct Signals: Sendable, Hashable, ExpressibleByArrayLiteral {
    private var low: UInt128 = 0
    private var high: UInt128 = 0

    /// How many bits there are.
    static let capacity = 256

    /// The signal of one bit.
    init(bit: Int) {
        if bit < 128 { low = 1 << bit } else { high = 1 << (bit - 128) }
    }

    init(arrayLiteral signals: Signals...) { self.init(signals) }

    init(_ signals: [Signals]) {
        for signal in signals { formUnion(signal) }
    }

    private init(low: UInt128, high: UInt128) { (self.low, self.high) = (low, high) }

    var isEmpty: Bool { low | high == 0 }
    /// How many signals these are.
    var count: Int { low.nonzeroBitCount + high.nonzeroBitCount }

    @inline(__always)
    mutating func formUnion(_ other: Signals) {
        low |= other.low
        high |= other.high
    }

    @inline(__always)
    func union(_ other: Signals) -> Signals { Signals(low: low | other.low, high: high | other.high) }

    @inline(__always)
    func intersection(_ other: Signals) -> Signals { Signals(low: low & other.low, high: high & other.high) }

    @inline(__always)
    func subtracting(_ other: Signals) -> Signals { Signals(low: low & ~other.low, high: high & ~other.high) }

    @inline(__always)
    func isSubset(of other: Signals) -> Bool { (low & ~other.low) | (high & ~other.high) == 0 }

    @inline(__always)
    func isSuperset(of other: Signals) -> Bool { other.isSubset(of: self) }

    @inline(__always)
    func isDisjoint(with other: Signals) -> Bool { (low & other.low) | (high & other.high) == 0 }

    @inline(__always)
    func contains(_ other: Signals) -> Bool { other.isSubset(of: self) }

    /// Takes the lowest bit out; none if there is none.
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

    /// The highest bit; none if there is none.
    var last: Int? {
        if high != 0 { return 255 - high.leadingZeroBitCount }
        return low != 0 ? 127 - low.leadingZeroBitCount : nil
    }

    static let file = Signals(bit: 0)
    static let directory = Signals(bit: 1)
    static let link = Signals(bit: 2)
    static let special = Signals(bit: 3)
    static let included = Signals(bit: 4)
    static let excluded = Signals(bit: 5)
    static let unknown = Signals(bit: 6)
    static let backedUp = Signals(bit: 7)
    static let documents = Signals(bit: 8)
    static let library = Signals(bit: 9)
    static let applicationSupport = Signals(bit: 10)
    static let caches = Signals(bit: 11)
    static let preferences = Signals(bit: 12)
    static let temporary = Signals(bit: 13)
    static let root = Signals(bit: 14)
    /// The directory of a location itself.
    static let location = Signals(bit: 15)
    /// The item has extended attributes.
    static let attributes = Signals(bit: 16)
    /// The item itself carries a mark that Apple's backups heed.
    static let marked = Signals(bit: 17)
    /// The registry knows the item.
    static let registered = Signals(bit: 18)
    /// The name is a hash: 32, 40 or 64 hexadecimal digits before its extension.
    static let hashNamed = Signals(bit: 19)

    /// Another item of the directory has the same name to some file systems; known when the directory has been read.
    static let colliding = Signals(bit: 20)
    /// The name is one that other systems refuse.
    static let oddlyNamed = Signals(bit: 21)
    /// The item lies in a location's own directory.
    static let direct = Signals(bit: 22)
    /// A directory above the item is named as a cache.
    static let insideCache = Signals(bit: 23)
    /// The container is a group's.
    static let group = Signals(bit: 24)

    /// A directory above the item is named as one of logs.
    static let insideLogs = Signals(bit: 25)
    /// The item may carry a mark that other systems' backups heed, not Apple's.
    static let foreignMark = Signals(bit: 26)
    /// The item is a directory that has been read and holds nothing.
    static let emptyDirectory = Signals(bit: 27)
    /// The item has no flag, and most files of its directory that are named like it have one; known when the
    /// directory has been read.
    static let flagMissing = Signals(bit: 28)

    /// The item is a file with content, so that there is something to read.
    static let filled: Signals = [file, Signals(bit: 29)]

    /// The item's content was changed in a later second than the item was made.
    static let changedSinceMade = Signals(bit: 30)

    /// No item has it: what asks for it is answered otherwise.
    static let never = Signals(bit: 31)

    static let firstSlot = 32

    /// What an item's kind, size and times say.
    @inline(__always)
    static func of(_ status: FileStatus) -> Signals {
        var signals = status.isFile && status.size > 0 ? filled : RuleScope.Kind.of(status.kind).signal
        if let birth = status.birth, status.modified.seconds > birth.seconds { signals.formUnion(changedSinceMade) }
        return signals
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
