/// Names as text that cannot do harm.
package enum ByteText {
    /// Bytes outside UTF-8, control characters and `%` percent-escaped.
    package static func escaped(_ bytes: [UInt8]) -> String {
        if bytes.allSatisfy({ $0 >= 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "%") }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        var text = ""
        var rest = bytes[...]
        while !rest.isEmpty {
            var length = 1
            if let scalar = scalar(at: rest) {
                length = UTF8.width(scalar)
                if isHarmless(scalar) {
                    text.unicodeScalars.append(scalar)
                    rest = rest.dropFirst(length)
                    continue
                }
            }
            for byte in rest.prefix(length) { text += "%" + hexadecimal(byte) }
            rest = rest.dropFirst(length)
        }
        return text
    }

    /// A text of someone else's with nothing in it that steers a terminal; each character stays in its column.
    package static func printable(_ text: some StringProtocol) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .format, .lineSeparator, .paragraphSeparator: "\u{fffd}"
                    default: scalar
                    }
                }))
    }

    private static func scalar(at bytes: ArraySlice<UInt8>) -> Unicode.Scalar? {
        var decoder = UTF8()
        var iterator = bytes.prefix(4).makeIterator()
        guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return nil }
        return scalar
    }

    /// Neither a control nor a mark that turns the direction of text about, nor the escape itself.
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
