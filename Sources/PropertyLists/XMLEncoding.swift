/// The supported encodings of an XML property list: UTF-8, UTF-16 and ISO 8859-1.
enum XMLEncoding {
    private static let utf8Mark: [UInt8] = [0xef, 0xbb, 0xbf]

    /// Returns an XML list as UTF-8 without a byte order mark, or nil if the bytes are not XML.
    ///
    /// - Throws: `malformed` for text that is not valid in its encoding, `unsupported` for another encoding.
    static func utf8(
        _ bytes: [UInt8], brokenText: PropertyListGraph.BrokenText
    ) throws(PropertyListError) -> [UInt8]? {
        if let isBigEndian = isBigEndianUTF16(bytes) {
            guard let text = utf16(bytes, isBigEndian: isBigEndian, brokenText: .replaced), isXML(text) else {
                return nil
            }
            if brokenText == .replaced { return text }
            guard let text = utf16(bytes, isBigEndian: isBigEndian, brokenText: .refused) else {
                throw PropertyListError(.malformed, at: 0, description: "text that is not valid UTF-16")
            }
            return text
        }
        let text = bytes.starts(with: utf8Mark) ? Array(bytes.dropFirst(utf8Mark.count)) : bytes
        guard isXML(text) else { return nil }
        // A byte order mark takes precedence over the declaration.
        guard text.count == bytes.count, let name = declaredEncoding(text) else { return text }
        switch name {
        case "utf-8", "utf8": return text
        case "iso-8859-1", "latin1":
            return text.flatMap { $0 < 0x80 ? [$0] : [0xc0 | $0 >> 6, 0x80 | $0 & 0x3f] }
        default:
            // In all declared single-byte encodings, ASCII is the same.
            guard text.allSatisfy({ $0 < 0x80 }) else {
                throw PropertyListError(.unsupported, at: 0, description: "text in an unsupported encoding")
            }
            return text
        }
    }

    /// Returns true if UTF-8 text begins as an XML property list does, after white space.
    private static func isXML(_ bytes: [UInt8]) -> Bool {
        let start = bytes.prefix(256).drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
        return start.starts(with: "<?xml".utf8) || start.starts(with: "<plist".utf8) || start.starts(with: "<!".utf8)
    }

    /// Returns nil for bytes that are not UTF-16 by their byte order mark or first character.
    private static func isBigEndianUTF16(_ bytes: [UInt8]) -> Bool? {
        guard bytes.count >= 2 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0xfe, 0xff), (0, UInt8(ascii: "<")): return true
        case (0xff, 0xfe), (UInt8(ascii: "<"), 0): return false
        default: return nil
        }
    }

    private static func utf16(
        _ bytes: [UInt8], isBigEndian: Bool, brokenText: PropertyListGraph.BrokenText
    ) -> [UInt8]? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: 0, to: bytes.count, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        let text =
            brokenText == .replaced
            ? String(decoding: units, as: UTF16.self) : String(utf16: units)
        return text.map { text in Array((text.unicodeScalars.first == "\u{feff}" ? text.dropFirst() : text[...]).utf8) }
    }

    /// Returns the encoding of an XML declaration in lowercase; nil without a declaration or an encoding.
    private static func declaredEncoding(_ bytes: [UInt8]) -> String? {
        guard bytes.starts(with: "<?xml".utf8), let end = bytes.prefix(256).firstIndex(of: UInt8(ascii: ">")) else {
            return nil
        }
        let words = String(decoding: bytes[..<end], as: UTF8.self).lowercased()
            .split { " \t\r\n=".contains($0) }
        guard let word = words.firstIndex(of: "encoding"), word + 1 < words.count else { return nil }
        let name = words[word + 1].prefix { $0 != "?" }
        guard let quote = name.first, quote == "\"" || quote == "'", name.count > 2, name.last == quote else {
            return nil
        }
        return String(name.dropFirst().dropLast())
    }
}
