internal import FileSystem
internal import Secrets

/// Conversion of names to text that is safe to display.
package enum ByteText {
    /// Returns text in which bytes outside UTF-8, control characters and `%` are percent-escaped, and secrets are replaced by
    /// their kind.
    package static func escaped(_ bytes: [UInt8]) -> String {
        let bytes = bytes.withoutSecrets
        if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "%") }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        var text = ""
        forEachScalar(of: bytes) { scalar, byte in
            if let scalar, isHarmless(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                for byte in scalar.map({ Array(Character($0).utf8) }) ?? [byte] { text += "%" + hexadecimal(byte) }
            }
        }
        return text
    }

    /// Returns the bytes for text of `escaped`.
    package static func unescaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let escaped = UInt8(digits, radix: 16) {
                bytes.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Returns the paths that a typed text can stand for, the likeliest first: as it is written, or as reports escape it, each in
    /// every Unicode form.
    package static func readings(of text: String) -> [[UInt8]] {
        [Array(text.utf8), unescaped(text)].flatMap(NameSpelling.spellings)
    }

    /// Returns text in which control characters are replaced, one for one, and secrets by their kind.
    package static func printable(_ text: String) -> String { text.withoutSecrets.printable }
    package static func printable(_ text: Substring) -> String { printable(String(text)) }

    /// Returns a text as one word of a shell: quoted if it has other characters than letters, digits and `-._/+,@%:=`.
    package static func shellWord(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-._/+,@%:=".utf8.contains(byte)
            }
        }
        return isPlain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// Returns text without secrets and without characters that control a terminal or the order of letters, which are replaced by
    /// U+FFFD. NUL, line breaks and tabs remain, and in styled text the sequences of colors and links.
    ///
    /// All output passes here. Names are escaped before, because here a line break of a name is like any other.
    package static func displayable(_ text: String, isStyled: Bool) -> String {
        let text = text.withoutSecrets
        guard hasControls(text) else { return text }
        var shown = String.UnicodeScalarView()
        var isAfterReturn = false
        for scalar in text.unicodeScalars {
            // A carriage return is part of a line break, or moves the cursor.
            if isAfterReturn { shown.append(scalar == "\n" ? "\r" : "\u{fffd}") }
            isAfterReturn = scalar == "\r"
            switch scalar.value {
            case 0x0d: continue
            // ESC, and the BEL and ESC \ that end a link.
            case 0x1b, 0x07: shown.append(isStyled ? scalar : "\u{fffd}")
            case 0x0a, 0x09, 0: shown.append(scalar)
            case ..<0x20, 0x7f...0x9f, 0x61c, 0x200e...0x200f, 0x202a...0x202e, 0x2066...0x2069:
                shown.append("\u{fffd}")
            default: shown.append(scalar)
            }
        }
        if isAfterReturn { shown.append("\r") }
        return String(shown)
    }

    /// Returns true if text has a character that `displayable` may replace. Most text has none, so the bytes are compared.
    private static func hasControls(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            for index in bytes.indices {
                switch bytes[index] {
                case 0, 0x09, 0x0a, 0x20...0x7e: continue
                case ..<0x20, 0x7f: return true
                // U+0080 to U+009F, and U+061C.
                case 0xc2: if bytes[index + 1] <= 0x9f { return true }
                case 0xd8: if bytes[index + 1] == 0x9c { return true }
                // U+200E, U+200F, U+202A to U+202E, and U+2066 to U+2069.
                case 0xe2:
                    switch (bytes[index + 1], bytes[index + 2]) {
                    case (0x80, 0x8e...0x8f), (0x80, 0xaa...0xae), (0x81, 0xa6...0xa9): return true
                    default: continue
                    }
                default: continue
                }
            }
            return false
        }
    }

    /// Calls `body` with each UTF-8 character in bytes, and with nil for each byte that is not part of one.
    package static func forEachScalar(of bytes: [UInt8], _ body: (Unicode.Scalar?, UInt8) -> Void) {
        var rest = bytes[...]
        while let first = rest.first {
            let scalar = scalar(at: rest)
            body(scalar, first)
            rest = rest.dropFirst(scalar.map(UTF8.width) ?? 1)
        }
    }

    /// Returns the last character of bytes, or nil if they do not end in UTF-8.
    package static func lastScalar(of bytes: [UInt8]) -> Unicode.Scalar? {
        var last: Unicode.Scalar?
        forEachScalar(of: Array(bytes.suffix(4).drop { $0 & 0xc0 == 0x80 })) { scalar, _ in last = scalar }
        return last
    }

    private static func scalar(at bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        var decoder = UTF8()
        var iterator = bytes.prefix(4).makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        return scalar
    }

    /// Returns true for characters other than control characters, bidirectional marks and the escape character.
    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
        default: scalar != "%"
        }
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return byte < 16 ? "0" + digits : digits
    }
}
