/// The text of literals.
extension CodeLexer {
    static func trimmed(_ text: [UInt8]) -> [UInt8] {
        var rest = text[...]
        while rest.first == UInt8(ascii: "/") || rest.first == UInt8(ascii: " ") { rest.removeFirst() }
        while rest.last == UInt8(ascii: "/") || rest.last == UInt8(ascii: " ") { rest.removeLast() }
        return Array(rest)
    }

    static func isProse(_ text: [UInt8]) -> Bool {
        var spaces = 0
        for (index, byte) in text.enumerated() {
            if byte == UInt8(ascii: " ") { spaces += 1 }
            if byte == UInt8(ascii: ":"), text.dropFirst(index + 1).starts(with: "//".utf8) { return true }
        }
        return spaces > 6
    }

    /// Replaces the formats of printf, and `{}`, by holes.
    static func replaceFormats(in text: inout [UInt8], braces: Bool) {
        guard text.contains(where: { $0 == UInt8(ascii: "%") || braces && $0 == UInt8(ascii: "{") }) else { return }
        var result: [UInt8] = []
        var index = 0
        while index < text.count {
            if text[index] == UInt8(ascii: "%") {
                var end = index + 1
                while end < text.count, "-+ #.$0123456789hlqzjtL".utf8.contains(text[end]), end - index < 8 { end += 1 }
                if end < text.count, "@dDiuUxXoOfeEgGcCsSpaAv".utf8.contains(text[end]) {
                    result.append(CodeLiteral.hole)
                    index = end + 1
                    continue
                }
            } else if braces, text[index] == UInt8(ascii: "{"),
                let end = text[index...].firstIndex(of: UInt8(ascii: "}")), end - index < 24
            {
                result.append(CodeLiteral.hole)
                index = end + 1
                continue
            }
            result.append(text[index])
            index += 1
        }
        text = result
    }
}
