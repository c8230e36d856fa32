/// Finds the texts of JSON with their names, and takes what is cut off or badly written as far as it goes.
///
/// It keeps the levels that are open (names are kept of the first 128) and nothing else. Source: RFC 8259.
struct JSONTexts {
    private struct Level {
        let isObject: Bool
        let pointer: ValuePointer
        var name: String?
        var position = 0
    }

    private static let depth = 128
    private static let longest = TextValuesFact.longest
    private let bytes: [UInt8]
    private var position = 0
    private var levels: [Level] = []
    /// Levels beyond those that are kept.
    private var deeper = 0

    /// Shows each text that is a value, until `show` says that it is enough.
    static func visit(_ bytes: [UInt8], at pointer: ValuePointer, show: (ValuePointer, String) -> Bool) {
        var texts = JSONTexts(bytes)
        texts.visit(from: pointer, show: show)
    }

    /// Returns true if bytes begin and end as an object or an array does.
    static func isJSON(_ bytes: some BidirectionalCollection<UInt8>) -> Bool {
        guard let first = bytes.first(where: { $0 > 0x20 }), let last = bytes.last(where: { $0 > 0x20 }) else {
            return false
        }
        return first == UInt8(ascii: "{") && last == UInt8(ascii: "}")
            || first == UInt8(ascii: "[") && last == UInt8(ascii: "]")
    }

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    private mutating func visit(from start: ValuePointer, show: (ValuePointer, String) -> Bool) {
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            switch byte {
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard levels.count < Self.depth, deeper == 0 else {
                    deeper += 1
                    continue
                }
                levels.append(Level(isObject: byte == UInt8(ascii: "{"), pointer: pointer(from: start)))
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                if deeper > 0 { deeper -= 1 } else { _ = levels.popLast() }
            case UInt8(ascii: ","):
                guard deeper == 0, let last = levels.indices.last else { continue }
                levels[last].name = nil
                levels[last].position += 1
            case UInt8(ascii: "\""):
                let text = string()
                guard deeper == 0, let text else { continue }
                if let last = levels.indices.last, levels[last].isObject, levels[last].name == nil {
                    levels[last].name = text
                } else if !show(pointer(from: start), text) {
                    return
                }
            default: break
            }
        }
    }

    /// Returns the location of the next value.
    private func pointer(from start: ValuePointer) -> ValuePointer {
        guard let last = levels.last else { return start }
        return last.isObject ? last.pointer.member(last.name ?? "") : last.pointer.member(last.position)
    }

    /// Reads the text up to the next quotation mark; nil if it is too long.
    private mutating func string() -> String? {
        let start = position
        var isPlain = true
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
            if bytes[position] == UInt8(ascii: "\\") {
                isPlain = false
                position += 1
            }
            position += 1
        }
        let end = min(position, bytes.count)
        position += 1
        guard end - start <= Self.longest else { return nil }
        return isPlain ? String(decoding: bytes[start..<end], as: UTF8.self) : Self.unescaped(bytes[start..<end])
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
