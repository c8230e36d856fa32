/// What can be told of an item without reading anything more: two words of bits, so that most rules are passed
/// over with one comparison.
///
/// The lower bits are fixed; the upper ones are given out to the names, extensions, ages, sizes and locations that the
/// loaded rules ask for.
struct Signals: OptionSet, Sendable, Hashable {
    let rawValue: UInt128

    static let file = Signals(rawValue: 1 << 0)
    static let directory = Signals(rawValue: 1 << 1)
    static let link = Signals(rawValue: 1 << 2)
    static let special = Signals(rawValue: 1 << 3)
    static let included = Signals(rawValue: 1 << 4)
    static let excluded = Signals(rawValue: 1 << 5)
    static let unknown = Signals(rawValue: 1 << 6)
    static let backedUp = Signals(rawValue: 1 << 7)
    static let documents = Signals(rawValue: 1 << 8)
    static let library = Signals(rawValue: 1 << 9)
    static let applicationSupport = Signals(rawValue: 1 << 10)
    static let caches = Signals(rawValue: 1 << 11)
    static let preferences = Signals(rawValue: 1 << 12)
    static let temporary = Signals(rawValue: 1 << 13)
    static let root = Signals(rawValue: 1 << 14)
    /// The directory of a location itself.
    static let location = Signals(rawValue: 1 << 15)
    /// The item has extended attributes.
    static let attributes = Signals(rawValue: 1 << 16)
    /// The item itself carries a mark that Apple's backups heed.
    static let marked = Signals(rawValue: 1 << 17)
    /// The registry knows the item.
    static let registered = Signals(rawValue: 1 << 18)
    /// The name is a hash: 32, 40 or 64 hexadecimal digits before its extension.
    static let hashNamed = Signals(rawValue: 1 << 19)

    /// Another item of the directory has the same name to some file systems; known when the directory has been read.
    static let colliding = Signals(rawValue: 1 << 20)
    /// The name is one that other systems refuse.
    static let oddlyNamed = Signals(rawValue: 1 << 21)
    /// The item lies in a location's own directory.
    static let direct = Signals(rawValue: 1 << 22)
    /// A directory above the item is named as a cache.
    static let insideCache = Signals(rawValue: 1 << 23)
    /// The container is a group's.
    static let group = Signals(rawValue: 1 << 24)

    /// A directory above the item is named as one of logs.
    static let insideLogs = Signals(rawValue: 1 << 25)
    /// The item may carry a mark that other systems' backups heed, not Apple's.
    static let foreignMark = Signals(rawValue: 1 << 26)
    /// The item is a directory that has been read and holds nothing.
    static let emptyDirectory = Signals(rawValue: 1 << 27)
    /// The item has no flag, and most files of its directory that are named like it have one; known when the
    /// directory has been read.
    static let flagMissing = Signals(rawValue: 1 << 28)

    static let firstSlot: UInt128 = 30
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
