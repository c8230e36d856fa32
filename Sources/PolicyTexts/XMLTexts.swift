/// Finds the texts of elements and attributes in XML: `<token>value</token>`, `<user token="value"/>`.
///
/// Reads the bytes once, from left to right. Comments, declarations and entities other than the five of XML are not interpreted,
/// so nothing expands.
package enum XMLTexts {
    /// Calls `show` with each text and its position, until it returns false.
    package static func visit(_ bytes: [UInt8], show: (ValuePointer, String) -> Bool) {
        var (position, line) = (0, 1)
        while let open = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
            line += bytes[position..<open].count { $0 == 0x0a }
            guard let close = bytes[open...].firstIndex(of: UInt8(ascii: ">")) else { return }
            let tag = bytes[(open + 1)..<close]
            position = close + 1
            guard let first = tag.first, !"!?/".utf8.contains(first) else {
                line += tag.count { $0 == 0x0a }
                continue
            }
            let name = String(decoding: tag.prefix { $0 > 0x20 && $0 != UInt8(ascii: "/") }, as: UTF8.self)
            guard attributes(of: tag, line, show) else { return }
            line += tag.count { $0 == 0x0a }
            guard tag.last != UInt8(ascii: "/") else { continue }
            let text = bytes[position...].prefix { $0 != UInt8(ascii: "<") }
            if text.contains(where: { $0 > 0x20 }), text.count <= TextValue.longest,
                !show(ValuePointer(line: line, name: name), unescaped(text))
            {
                return
            }
        }
    }

    private static func attributes(
        of tag: ArraySlice<UInt8>, _ line: Int, _ show: (ValuePointer, String) -> Bool
    ) -> Bool {
        var rest = tag.drop { $0 > 0x20 }
        while let sign = rest.firstIndex(of: UInt8(ascii: "=")), let quote = rest[(sign + 1)...].first,
            "\"'".utf8.contains(quote), let end = rest[(sign + 2)...].firstIndex(of: quote)
        {
            let name = rest[..<sign].drop { $0 <= 0x20 }.prefix { $0 > 0x20 }
            guard
                show(
                    ValuePointer(line: line, name: String(decoding: name, as: UTF8.self)),
                    unescaped(rest[(sign + 2)..<end]))
            else { return false }
            rest = rest[(end + 1)...]
        }
        return true
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        var text = String(decoding: bytes, as: UTF8.self)
        guard text.utf8.contains(UInt8(ascii: "&")) else { return trimmed(text) }
        for (entity, letter) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")] {
            text = text.replacing(entity, with: letter)
        }
        return trimmed(text)
    }

    private static func trimmed(_ text: String) -> String {
        let bytes = text.utf8.drop { $0 <= 0x20 }.reversed().drop { $0 <= 0x20 }.reversed()
        return String(decoding: Array(bytes), as: UTF8.self)
    }
}
