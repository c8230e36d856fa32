/// A word of a file name: at most 16 ASCII letters in lower case, packed into an integer.
typealias PackedWord = UInt128

/// Splits file names into words.
///
/// A word ends at anything that is not a letter and at the humps of camel case: `RemoteConfigCache` is remote, config,
/// cache, and `ECSCacheData` is ecs, cache, data. Digits and bytes outside ASCII separate words.
enum NameWords {
    /// The most letters that a word may have; longer ones are in no vocabulary.
    static let longest = 16

    /// Packs a word, or returns nil for one that cannot occur in a name's words.
    static func packed(_ word: some StringProtocol) -> PackedWord? {
        guard !word.isEmpty, word.utf8.count <= longest else { return nil }
        var packed: PackedWord = 0
        for byte in word.utf8 {
            guard isLower(byte) else { return nil }
            packed = packed << 8 | PackedWord(byte)
        }
        return packed
    }

    /// Unpacks a word.
    static func text(_ word: PackedWord) -> String {
        var bytes: [UInt8] = []
        var rest = word
        while rest != 0 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        return String(decoding: bytes.reversed(), as: UTF8.self)
    }

    /// Calls `body` with each word of a name, from left to right.
    @inline(__always)
    static func forEach(in name: UnsafeRawBufferPointer, _ body: (PackedWord) -> Void) {
        var word: PackedWord = 0
        var length = 0
        var previousIsUpper = false
        func end() {
            if length > 0, length <= longest { body(word) }
            (word, length) = (0, 0)
        }
        for byte in name {
            if isLower(byte) {
                if previousIsUpper, length > 1 {
                    // The last capital of a run begins the next word.
                    let last = word & 0xff
                    word >>= 8
                    length -= 1
                    end()
                    (word, length) = (last, 1)
                }
                word = word << 8 | PackedWord(byte)
                length += 1
                previousIsUpper = false
            } else if isLower(byte | 0x20), byte < 0x80 {
                if !previousIsUpper { end() }
                word = word << 8 | PackedWord(byte | 0x20)
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
