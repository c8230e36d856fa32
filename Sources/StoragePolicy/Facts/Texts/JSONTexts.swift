/// Finds the texts of JSON with their names, and reads truncated and malformed JSON as far as possible.
///
/// It keeps the open levels (with names up to a depth of 128) and nothing else. Source: RFC 8259.
struct JSONTexts {
    private struct Level {
        let isObject: Bool
        var name: String?
        var position = 0
        /// Created for the first value that needs it.
        var parent: ValuePointer.Parent?
    }

    private static let depth = 128
    private static let longest = TextValuesFact.longest
    private let bytes: UnsafeBufferPointer<UInt8>
    private let start: ValuePointer
    private var position = 0
    private var levels: [Level] = []
    /// The number of open levels beyond `depth`.
    private var deeper = 0

    /// Passes each text that is a value to `show`, until it returns false.
    static func visit(_ bytes: [UInt8], at pointer: ValuePointer, show: (ValuePointer, String) -> Bool) {
        bytes.withUnsafeBufferPointer { visit($0, at: pointer, show: show) }
    }

    /// Passes each text that is a value to `show`, until it returns false.
    static func visit(
        _ bytes: UnsafeBufferPointer<UInt8>, at pointer: ValuePointer, show: (ValuePointer, String) -> Bool
    ) {
        var texts = JSONTexts(bytes, at: pointer)
        texts.visit(show: show)
    }

    /// Returns true if bytes begin and end as an object or an array does.
    static func isJSON(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = bytes.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "["),
            let last = bytes.last(where: { $0 > 0x20 })
        else { return false }
        return last == (first == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, at start: ValuePointer) {
        (self.bytes, self.start) = (bytes, start)
    }

    private mutating func visit(show: (ValuePointer, String) -> Bool) {
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
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
                let text = string()
                guard deeper == 0, let text else { continue }
                let last = levels.count - 1
                if last >= 0, levels[last].isObject, levels[last].name == nil {
                    levels[last].name = text
                } else if !show(pointer(in: last), text) {
                    return
                }
            default: break
            }
        }
    }

    /// Returns the location of the next value in a level, or of the whole JSON for −1.
    private mutating func pointer(in level: Int) -> ValuePointer {
        guard level >= 0 else { return start }
        // The levels from the outermost that has no parent yet, since a parent needs those above it.
        var next = level + 1
        while next > 0, levels[next - 1].parent == nil { next -= 1 }
        while next <= level {
            levels[next].parent = ValuePointer.Parent(next == 0 ? start : value(of: levels[next - 1]))
            next += 1
        }
        return value(of: levels[level])
    }

    /// Returns the location of the current value of a level that has a parent.
    private func value(of level: Level) -> ValuePointer {
        guard let parent = level.parent else { return start }
        return level.isObject ? parent.member(level.name ?? "") : parent.member(level.position)
    }

    /// Reads the text up to the next quotation mark; nil if it is too long.
    private mutating func string() -> String? {
        let (bytes, start) = (bytes, position)
        var next = start
        var isPlain = true
        while next < bytes.count, bytes[next] != UInt8(ascii: "\"") {
            if bytes[next] == UInt8(ascii: "\\") {
                isPlain = false
                next += 1
            }
            next += 1
        }
        let end = min(next, bytes.count)
        position = next + 1
        guard end - start <= Self.longest else { return nil }
        let text = UnsafeBufferPointer(rebasing: bytes[start..<end])
        return isPlain ? String(decoding: text, as: UTF8.self) : Self.unescaped(Array(text)[...])
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
