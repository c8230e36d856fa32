internal import TextOutput

/// Lines of borg's `--exclude-from`, for paths from the container on.
///
/// A plain name is a path in full (`pf:`), which borg looks up at once; any other is a regular expression of ASCII
/// alone, in which Python's escapes say what a line cannot hold. Bytes outside UTF-8 are there what Python makes of
/// them, U+DC80 to U+DCFF (PEP 383). Source: borg 1.2, `patterns.py` and `clean_lines`.
enum BorgList {
    static func pattern(_ path: [UInt8]) -> [UInt8] {
        if isPlain(path) { return Array("pf:".utf8) + path + [UInt8(ascii: "\n")] }
        var line = "re:^"
        ByteText.forEachScalar(of: path) { scalar, byte in
            switch scalar {
            case nil: line += "\\udc" + hexadecimal(UInt32(byte), 2)
            case let scalar? where isWord(scalar): line.unicodeScalars.append(scalar)
            case let scalar? where scalar.value > 0xffff: line += "\\U" + hexadecimal(scalar.value, 8)
            case let scalar?: line += "\\u" + hexadecimal(scalar.value, 4)
            }
        }
        return Array((line + "\\Z\n").utf8)
    }

    /// Whether a line can hold the path: UTF-8, no character that ends a line or steers anything, no blank at its end.
    private static func isPlain(_ path: [UInt8]) -> Bool {
        var isPlain = true
        ByteText.forEachScalar(of: path) { scalar, _ in
            switch scalar?.properties.generalCategory {
            case nil, .control, .lineSeparator, .paragraphSeparator: isPlain = false
            default: break
            }
        }
        return isPlain && ByteText.lastScalar(of: path)?.properties.isWhitespace == false
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "/")
    }

    private static func hexadecimal(_ number: UInt32, _ width: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
