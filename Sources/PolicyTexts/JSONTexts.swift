internal import FileSystem

/// Finds the texts of JSON with their names, and reads truncated and malformed JSON as far as possible.
///
/// It keeps the open levels (with names up to a depth of 128) and nothing else. Source: RFC 8259.
package struct JSONTexts {
    /// A text as it stands in the JSON, between its quotation marks.
    package struct Text {
        fileprivate let range: Range<Int>
        /// True if the text has no escapes, so that its bytes are those of its value.
        package let isPlain: Bool
    }

    private struct Level {
        let isObject: Bool
        var name: Text?
        var position = 0
        /// Created for the first value whose location is asked for.
        var parent: ValuePointer.Parent?
    }

    private static let depth = 128
    private static let longest = TextValue.longest
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var levels: [Level] = []
    /// The number of open levels beyond `depth`.
    private var deeper = 0

    package init(in bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    /// Returns true if bytes begin and end as an object or an array does.
    package static func isJSON(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let last = bytes.last(where: { $0 > 0x20 })
        else { return false }
        return last == (first == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }

    /// Returns the next text that is a value; nil at the end.
    package mutating func next() -> Text? {
        while let byte = nextMark() {
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if levels.count < Self.depth, deeper == 0 {
                    levels.append(Level(isObject: byte == UInt8(ascii: "{")))
                } else {
                    deeper += 1
                }
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if deeper > 0 { deeper -= 1 } else { _ = levels.popLast() }
            case UInt8(ascii: ","):
                guard deeper == 0, !levels.isEmpty else { continue }
                levels[levels.count - 1].name = nil
                levels[levels.count - 1].position += 1
            case UInt8(ascii: "\""):
                let text = text()
                guard deeper == 0, text.range.count <= Self.longest else { continue }
                let last = levels.count - 1
                guard last >= 0, levels[last].isObject, levels[last].name == nil else { return text }
                levels[last].name = text
            default: break
            }
        }
        return nil
    }

    /// Returns the next byte that may open or close a level, separate values or begin a text; nil at the end.
    private mutating func nextMark() -> UInt8? {
        let bytes = bytes
        var next = position
        while next < bytes.count {
            let byte = bytes[next]
            next += 1
            // Digits, and what stands in numbers and before values.
            guard byte &- UInt8(ascii: "-") > UInt8(ascii: ":") - UInt8(ascii: "-") else { continue }
            // Brackets and braces have these bits in common, and few other bytes have them.
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: ",") || byte & 0xd9 == 0x59 {
                position = next
                return byte
            }
        }
        position = next
        return nil
    }

    /// The name of the text that `next` returned last: its own, or that of the nearest container with one. Nil for a text
    /// without such a container.
    package var name: Text? {
        for level in levels.indices.reversed() where levels[level].isObject { return levels[level].name }
        return nil
    }

    /// Returns the location of the text that `next` returned last, in JSON that is the value at `start`.
    package mutating func pointer(from start: ValuePointer) -> ValuePointer {
        // The levels from the outermost that has no parent yet, since a parent needs those above it.
        var next = levels.count
        while next > 0, levels[next - 1].parent == nil { next -= 1 }
        while next < levels.count {
            levels[next].parent = ValuePointer.Parent(value(ofLevel: next - 1) ?? start)
            next += 1
        }
        return value(ofLevel: levels.count - 1) ?? start
    }

    /// Returns the location of the current value of a level; nil for one without a parent, and for that around the JSON.
    private func value(ofLevel level: Int) -> ValuePointer? {
        guard level >= 0, let parent = levels[level].parent else { return nil }
        guard levels[level].isObject else { return parent.member(levels[level].position) }
        return parent.member(levels[level].name.map { string($0) } ?? "")
    }

    /// Reads the text up to the next quotation mark.
    private mutating func text() -> Text {
        let (start, raw) = (position, UnsafeRawBufferPointer(bytes))
        var end = raw.position(of: UInt8(ascii: "\""), from: start) ?? bytes.count
        let isPlain = UnsafeRawBufferPointer(rebasing: raw[..<end]).position(of: UInt8(ascii: "\\"), from: start) == nil
        if !isPlain {
            end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
                end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            end = min(end, bytes.count)
        }
        position = end + 1
        return Text(range: start..<end, isPlain: isPlain)
    }

    /// The bytes of a text, with its escapes.
    package func bytes(of text: Text) -> UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(rebasing: bytes[text.range]) }

    /// Returns the value of a text.
    package func string(_ text: Text) -> String {
        let bytes = bytes(of: text)
        return text.isPlain ? String(decoding: bytes, as: UTF8.self) : Self.unescaped(Array(bytes)[...])
    }

    private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String {
        var units: [UInt8] = []
        var text = ""
        var rest = bytes
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() else {
                units.append(byte)
                continue
            }
            switch escaped {
            case UInt8(ascii: "n"): units.append(0x0a)
            case UInt8(ascii: "t"): units.append(0x09)
            case UInt8(ascii: "r"): units.append(0x0d)
            case UInt8(ascii: "u"):
                text += String(decoding: units, as: UTF8.self)
                units = []
                var wide: [UInt16] = []
                appendUnit(&rest, to: &wide)
                // The other half of a pair has an escape of its own.
                while let last = wide.last, UTF16.isLeadSurrogate(last), rest.starts(with: Array("\\u".utf8)) {
                    rest = rest.dropFirst(2)
                    appendUnit(&rest, to: &wide)
                }
                text += String(decoding: wide, as: UTF16.self)
            default: units.append(escaped)
            }
        }
        return text + String(decoding: units, as: UTF8.self)
    }

    private static func appendUnit(_ rest: inout ArraySlice<UInt8>, to wide: inout [UInt16]) {
        wide.append(UInt16(String(decoding: rest.prefix(4), as: UTF8.self), radix: 16) ?? 0xfffd)
        rest = rest.dropFirst(4)
    }
}
