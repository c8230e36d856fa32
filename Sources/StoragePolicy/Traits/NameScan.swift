/// The kinds of bytes in a name.
package struct NameScan: OptionSet, Sendable {
    package let rawValue: UInt8

    /// A capital letter from A to Z.
    static let capital = NameScan(rawValue: 1)
    /// A byte outside ASCII.
    static let foreign = NameScan(rawValue: 2)
    /// A control character, `:` or `\`.
    static let odd = NameScan(rawValue: 4)

    /// The properties of each byte.
    static let ofByte: [UInt8] = (0..<256).map { value in
        switch UInt8(value) {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): capital.rawValue
        case 0..<0x20, 0x7f, UInt8(ascii: ":"), UInt8(ascii: "\\"): odd.rawValue
        case 0x80...: foreign.rawValue
        default: 0
        }
    }

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    init(_ name: UnsafeRawBufferPointer) {
        rawValue = Self.ofByte.withUnsafeBufferPointer { classes in
            var found: UInt8 = 0
            for byte in name { found |= classes[Int(byte)] }
            return found
        }
    }

    /// Returns true if other systems may refuse such a name; the last byte counts, too.
    static func isOdd(_ name: UnsafeRawBufferPointer, scan: NameScan) -> Bool {
        if scan.contains(.odd) || name.count > 255 { return true }
        guard let last = name.last else { return false }
        return last == UInt8(ascii: ".") || last == UInt8(ascii: " ")
    }

    /// Returns the reason why other systems may refuse a name; nil if they accept it.
    ///
    /// Source: Microsoft, "Naming Files, Paths, and Namespaces" (control characters, `:`, `\`, a dot or a space at the
    /// end); XNU's `NAME_MAX` (255 bytes of UTF-8). The Finder shows `:` as `/`.
    static func reason(of name: UnsafeRawBufferPointer) -> String? {
        if name.count > 255 { return "it is longer than 255 bytes" }
        for byte in name {
            switch byte {
            case UInt8(ascii: ":"): return "it contains “:”, which Apple's systems show as “/” and Windows rejects"
            case UInt8(ascii: "\\"): return "it contains “\\”, which separates directories on Windows"
            case 0..<0x20, 0x7f: return "it contains a control character"
            default: continue
            }
        }
        switch name.last {
        case UInt8(ascii: "."): return "it ends with a dot, which Windows removes"
        case UInt8(ascii: " "): return "it ends with a space, which Windows removes"
        default: return nil
        }
    }

    /// Hexadecimal digits, as many as MD5, SHA-1 or SHA-256 give, before an extension.
    static func isHash(_ name: UnsafeRawBufferPointer) -> Bool {
        guard name.count >= 32 else { return false }
        var digits = 0
        while digits < name.count, isHexadecimal(name[digits]) { digits += 1 }
        guard digits == 32 || digits == 40 || digits == 64 else { return false }
        return digits == name.count || name[digits] == UInt8(ascii: ".")
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// Letters, digits, `-` and `_` in three parts or more, or in two of which the first is a top-level domain's length
    /// and an extension does not make it two; `.plist` does not count as a part.
    package static func isReverseDNS(_ name: UnsafeRawBufferPointer) -> Bool {
        var parts = name.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        if parts.count > 1, let last = parts.last, last.elementsEqual("plist".utf8) { parts.removeLast() }
        guard parts.count >= 2, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(isLabel) }) else { return false }
        return parts.count > 2 || (2...6) ~= parts[0].count
    }

    private static func isLabel(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
