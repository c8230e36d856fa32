/// A word of a file name: at most 16 ASCII letters in lower case, packed into an integer.
///
/// Not UInt128, which needs macOS 15 and iOS 18.
package struct PackedWord: Hashable, Sendable {
    package private(set) var high: UInt64 = 0
    package private(set) var low: UInt64 = 0

    /// The word without letters.
    @inline(__always)
    init() {}

    /// A word of one letter.
    @inline(__always)
    init(_ letter: UInt8) { low = UInt64(letter) }

    /// A word of at most eight bytes.
    @inline(__always)
    init(bytes: UInt64) { low = bytes }

    @inline(__always)
    package var isEmpty: Bool { high | low == 0 }
    /// The number of letters.
    @inline(__always)
    package var count: Int { (135 - (high == 0 ? 64 + low.leadingZeroBitCount : high.leadingZeroBitCount)) / 8 }
    /// The last letter; 0 for the empty word.
    @inline(__always)
    package var last: UInt8 { UInt8(truncatingIfNeeded: low) }

    @inline(__always)
    package mutating func append(_ letter: UInt8) {
        high = high << 8 | low >> 56
        low = low << 8 | UInt64(letter)
    }

    @inline(__always)
    package mutating func removeLast() {
        low = low >> 8 | high << 56
        high >>= 8
    }

    /// A word that ends other words, with the masks of its letters.
    struct Ending: Sendable {
        package let text: PackedWord
        private let high: UInt64
        private let low: UInt64

        init(_ text: PackedWord) {
            self.text = text
            let bits = UInt64(text.count * 8)
            low = bits < 64 ? (1 << bits) - 1 : .max
            high = bits > 64 ? .max >> (128 - bits) : 0
        }

        /// Returns true if a word ends with this one.
        @inline(__always)
        package func ends(_ word: PackedWord) -> Bool { word.low & low == text.low && word.high & high == text.high }
    }
}

/// Splits file names into words.
///
/// A word ends at anything that is not a letter and at the humps of camel case: `RemoteConfigCache` is remote, config,
/// cache, and `ECSCacheData` is ecs, cache, data. Digits and bytes outside ASCII separate words.
package enum NameWords {
    /// The most letters of a word that count; of longer ones the last.
    package static let longest = 16

    /// Packs a word, or returns nil for one that cannot occur in a name's words.
    package static func packed(_ word: some StringProtocol) -> PackedWord? {
        guard !word.isEmpty, word.utf8.count <= longest else { return nil }
        var packed = PackedWord()
        for byte in word.utf8 {
            guard isLower(byte) else { return nil }
            packed.append(byte)
        }
        return packed
    }

    /// Unpacks a word.
    package static func text(_ word: PackedWord) -> String {
        var bytes: [UInt8] = []
        var rest = word
        while !rest.isEmpty {
            bytes.append(rest.last)
            rest.removeLast()
        }
        return String(decoding: bytes.reversed(), as: UTF8.self)
    }

    /// Calls `body` with each word of a name, from left to right.
    @inline(__always)
    package static func forEach(in name: UnsafeRawBufferPointer, _ body: (PackedWord) -> Void) {
        var word = PackedWord()
        var length = 0
        var previousIsUpper = false
        func end() {
            // The end of a longer word may be a word as well: `usedserialscache`.
            if length > 0 { body(word) }
            (word, length) = (PackedWord(), 0)
        }
        for byte in name {
            if isLower(byte) {
                if previousIsUpper, length > 1 {
                    // The last capital of a run begins the next word.
                    let last = PackedWord(word.last)
                    word.removeLast()
                    length -= 1
                    end()
                    (word, length) = (last, 1)
                }
                word.append(byte)
                length += 1
                previousIsUpper = false
            } else if isLower(byte | 0x20), byte < 0x80 {
                if !previousIsUpper { end() }
                word.append(byte | 0x20)
                length += 1
                previousIsUpper = true
            } else {
                end()
                previousIsUpper = false
            }
        }
        end()
    }

    @inline(__always)
    private static func isLower(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte }
}
