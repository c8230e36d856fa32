/// File name extensions as numbers: at most eight bytes, small letters.
package enum PathExtension {
    package static func word(_ text: String) -> UInt64? { text.utf8.count <= 8 ? pack(Array(text.utf8)) : nil }

    /// The extension of a name, 0 where it has none or a longer one.
    package static func word(of name: UnsafeRawBufferPointer) -> UInt64 {
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
