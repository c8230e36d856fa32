/// What can be told of an item without reading anything more: two words of bits, so that most rules are passed
/// over with one comparison.
///
/// The lower bits are fixed; the upper ones are given out to the names, extensions and ages that the loaded
/// rules ask for.
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

    /// A glob of the configuration names the item.
    static let declared = Signals(rawValue: 1 << 20)
    /// The item lies in the directory to which the system delivers copies from other apps.
    static let inbox = Signals(rawValue: 1 << 21)
    /// The item may carry a mark that other systems' backups heed, not Apple's.
    static let foreignMark = Signals(rawValue: 1 << 22)
    /// The item is a directory that has been read and holds nothing.
    static let emptyDirectory = Signals(rawValue: 1 << 23)
    /// The item has no flag, and its directory has been read: most files like it there have one.
    static let flagMissing = Signals(rawValue: 1 << 24)

    static let firstSlot: UInt128 = 28
}

/// Gives the upper bits out, and finds them for an item.
struct SignalSlots: Sendable {
    private var used: UInt128 = Signals.firstSlot
    private(set) var names: [(globs: [Glob], signal: Signals)] = []
    private(set) var extensions: [(words: [UInt64], signal: Signals)] = []
    private(set) var ages: [(seconds: Int64, signal: Signals)] = []
    private(set) var sizes: [(bytes: UInt64, signal: Signals)] = []

    /// A bit, or none when all are given out: the rule is then asked about every item of its scope.
    private mutating func next() -> Signals? {
        guard used < 128 else { return nil }
        defer { used += 1 }
        return Signals(rawValue: 1 << used)
    }

    mutating func name(_ globs: [Glob]) -> Signals {
        guard let signal = next() else { return [] }
        names.append((globs, signal))
        return signal
    }

    mutating func pathExtension(_ words: [UInt64]) -> Signals {
        if let same = extensions.first(where: { $0.words == words }) { return same.signal }
        guard let signal = next() else { return [] }
        extensions.append((words, signal))
        return signal
    }

    mutating func size(_ bytes: UInt64) -> Signals {
        if let same = sizes.first(where: { $0.bytes == bytes }) { return same.signal }
        guard let signal = next() else { return [] }
        sizes.append((bytes, signal))
        return signal
    }

    mutating func age(_ seconds: Int64) -> Signals {
        if let same = ages.first(where: { $0.seconds == seconds }) { return same.signal }
        guard let signal = next() else { return [] }
        ages.append((seconds, signal))
        return signal
    }
}

/// File name extensions as numbers: at most eight bytes, small letters.
enum PathExtension {
    static func word(_ text: String) -> UInt64? { text.utf8.count <= 8 ? pack(Array(text.utf8)) : nil }

    /// The extension of a name, 0 where it has none or a longer one.
    static func word(of name: UnsafeRawBufferPointer) -> UInt64 {
        var index = name.count - 1
        let lowest = max(0, name.count - 9)
        while index >= lowest {
            if name[index] == UInt8(ascii: ".") {
                // A leading dot hides a file and begins no extension.
                return index == 0 ? 0 : pack(name[(index + 1)...])
            }
            index -= 1
        }
        return 0
    }

    private static func pack(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0) { word, byte in
            word << 8 | UInt64((UInt8(ascii: "A")...UInt8(ascii: "Z")) ~= byte ? byte | 0x20 : byte)
        }
    }
}
