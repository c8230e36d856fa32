internal import PropertyLists

/// A parser for a `.strings` file: strings by key, as a property list or in the form `"key" = "text";`.
///
/// Source: Apple, String Resources, "Strings Files"; the escapes are those of CoreFoundation's CFOldStylePList.c.
struct StringsTable {
    private let units: [UInt16]
    private var position = 0

    static func read(
        _ bytes: [UInt8], within budget: PreferenceValue.Budget
    ) throws(UnfitForPreferences) -> [String: String] {
        guard isPropertyList(bytes) else {
            guard let text = text(bytes) else { throw UnfitForPreferences("it is neither UTF-8 nor UTF-16") }
            var table = StringsTable(units: Array(text.utf16))
            return try table.pairs()
        }
        var texts: [String: String] = [:]
        for (key, value) in try PreferenceValue.dictionary(reading: bytes, within: budget) {
            guard case .string(let text) = value else { throw UnfitForPreferences("“\(key)” is not a string") }
            texts[key] = text
        }
        return texts
    }

    private static func isPropertyList(_ bytes: [UInt8]) -> Bool {
        do throws(PropertyListError) { _ = try PropertyListGraph(parsing: bytes) } catch {
            return error.code != .notAPropertyList
        }
        return true
    }

    /// Returns the text, or nil if it is not valid. UTF-16 is detected by its byte order mark or zero bytes; otherwise
    /// UTF-8.
    private static func text(_ bytes: [UInt8]) -> String? {
        if bytes.starts(with: [0xff, 0xfe]) { return utf16(bytes.dropFirst(2), bigEndian: false) }
        if bytes.starts(with: [0xfe, 0xff]) { return utf16(bytes.dropFirst(2), bigEndian: true) }
        if bytes.starts(with: [0xef, 0xbb, 0xbf]) { return String(utf8: bytes.dropFirst(3)) }
        if bytes.count >= 2, bytes[0] == 0 || bytes[1] == 0 { return utf16(bytes[...], bigEndian: bytes[0] == 0) }
        return String(utf8: bytes)
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, bigEndian: Bool) -> String? {
        guard bytes.count.isMultiple(of: 2) else { return nil }
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return bigEndian ? first << 8 | second : second << 8 | first
        }
        return String(utf16: units)
    }

    private init(units: [UInt16]) { self.units = units }

    private mutating func pairs() throws(UnfitForPreferences) -> [String: String] {
        var texts: [String: String] = [:]
        while try skipBlanks() {
            let key = try text()
            // A key without a value is its own value.
            var value = key
            if try skipBlanks(), consume("=") {
                guard try skipBlanks() else { throw error("a key without a text") }
                value = try text()
            }
            guard try skipBlanks(), consume(";") else { throw error("expected “;”") }
            texts[key] = value
        }
        return texts
    }

    private func error(_ reason: String) -> UnfitForPreferences {
        let line = units[..<min(position, units.count)].count { $0 == 0x0a } + 1
        return UnfitForPreferences("\(reason), in line \(line)")
    }

    private func isNext(_ text: String) -> Bool { units[position...].starts(with: text.utf16) }

    private mutating func consume(_ text: String) -> Bool {
        guard isNext(text) else { return false }
        position += text.utf16.count
        return true
    }

    /// Skips blanks and comments. Returns false at the end.
    private mutating func skipBlanks() throws(UnfitForPreferences) -> Bool {
        while position < units.count {
            if [0x20, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x2028, 0x2029, 0xfeff].contains(units[position]) {
                position += 1
            } else if consume("//") {
                while position < units.count, ![0x0a, 0x0d, 0x2028, 0x2029].contains(units[position]) { position += 1 }
            } else if consume("/*") {
                while !consume("*/") {
                    guard position < units.count else { throw error("a comment is not terminated") }
                    position += 1
                }
            } else {
                return true
            }
        }
        return false
    }

    /// Returns a quoted string or a plain word.
    private mutating func text() throws(UnfitForPreferences) -> String {
        let quote = units[position]
        var text: [UInt16] = []
        guard quote == Self.unit("\"") || quote == Self.unit("'") else {
            while position < units.count, Self.isPlain(units[position]) {
                text.append(units[position])
                position += 1
            }
            guard !text.isEmpty else { throw error("expected a text") }
            return try whole(text)
        }
        position += 1
        while position < units.count {
            let unit = units[position]
            position += 1
            if unit == quote { return try whole(text) }
            text.append(unit == Self.unit("\\") ? try escaped() : unit)
        }
        throw error("a string is not terminated")
    }

    private func whole(_ units: [UInt16]) throws(UnfitForPreferences) -> String {
        guard let text = String(utf16: units) else { throw error("half a surrogate pair") }
        return text
    }

    private mutating func escaped() throws(UnfitForPreferences) -> UInt16 {
        guard position < units.count else { throw error("a string is not terminated") }
        let unit = units[position]
        position += 1
        switch unit {
        case Self.unit("a"): return 0x07
        case Self.unit("b"): return 0x08
        case Self.unit("t"): return 0x09
        case Self.unit("n"): return 0x0a
        case Self.unit("v"): return 0x0b
        case Self.unit("f"): return 0x0c
        case Self.unit("r"): return 0x0d
        case Self.unit("U"), Self.unit("u"): return try number(upTo: 4, radix: 16)
        case Self.unit("0")...Self.unit("7"):
            position -= 1
            let number = try number(upTo: 3, radix: 8)
            // Beyond ASCII, it would be a character of NeXT's encoding.
            guard number < 0x80 else { throw error("an octal escape is beyond ASCII") }
            return number
        default: return unit
        }
    }

    private mutating func number(upTo digits: Int, radix: Int) throws(UnfitForPreferences) -> UInt16 {
        var value = 0
        var count = 0
        while count < digits, position < units.count, let scalar = Unicode.Scalar(units[position]), scalar.isASCII,
            let digit = Character(scalar).hexDigitValue, digit < radix
        {
            value = value * radix + digit
            count += 1
            position += 1
        }
        guard count > 0 else { throw error("an escape has no number") }
        return UInt16(truncatingIfNeeded: value)
    }

    private static func unit(_ scalar: Unicode.Scalar) -> UInt16 { UInt16(truncatingIfNeeded: scalar.value) }

    private static func isPlain(_ unit: UInt16) -> Bool {
        switch unit {
        case Self.unit("a")...Self.unit("z"), Self.unit("A")...Self.unit("Z"), Self.unit("0")...Self.unit("9"): true
        default: "_$/:.-".utf16.contains(unit)
        }
    }
}
