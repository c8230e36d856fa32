internal import FileSystem
internal import PropertyLists

/// A search for the names of files in bytes, in the forms in which stores write them: composed and decomposed UTF-8, UTF-16
/// of either order, with the escapes of URLs, JSON and XML.
///
/// One pass over the bytes finds all names, in a time that does not depend on their number.
struct NameSearch: Sendable {
    /// A name in one form.
    struct Form: Sendable {
        /// The number of the name among those that the search was created with.
        let number: Int
        /// True for the whole name, false for the name without its extension.
        let isWhole: Bool
    }

    /// The forms whose last bytes, `width` of them, are looked up.
    private struct Table: Sendable {
        let width: Int
        /// A bit for each possible value of a key's highest 16 bits.
        var bits = [UInt64](repeating: 0, count: 1024)
        /// The lengths of the forms with the same last bytes.
        var lengths: [UInt64: Set<Int>] = [:]

        @inline(__always)
        func key(endingAt end: Int, in bytes: UnsafeRawBufferPointer) -> UInt64 {
            switch width {
            case 4: UInt64(bytes.loadUnaligned(fromByteOffset: end - 4, as: UInt32.self)) &* Self.factor
            case 8: bytes.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) &* Self.factor
            default:
                (bytes.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) &* Self.factor)
                    ^ (bytes.loadUnaligned(fromByteOffset: end - 16, as: UInt64.self) &* Self.otherFactor)
            }
        }

        // Odd numbers without a pattern in their bits: the fractions of the golden ratio and of the root of two.
        private static let factor: UInt64 = 0x9e37_79b9_7f4a_7c15
        private static let otherFactor: UInt64 = 0x6a09_e667_f3bc_c909

        mutating func add(_ form: [UInt8]) {
            let key = form.withUnsafeBytes { self.key(endingAt: form.count, in: $0) }
            bits[Int(key >> 54)] |= 1 << (key >> 48 & 0x3f)
            lengths[key, default: []].insert(form.count)
        }

        @inline(__always)
        func mayHave(_ key: UInt64) -> Bool {
            bits[Int(key >> 54)] & 1 << (key >> 48 & 0x3f) != 0
        }
    }

    private var tables: [Table] = []
    private var forms: [[UInt8]: [Form]] = [:]
    var isEmpty: Bool { forms.isEmpty }

    /// Names shorter than four bytes are not found.
    init(_ names: [[UInt8]]) {
        for (number, name) in names.enumerated() {
            for form in Self.forms(of: name) { add(form, form: Form(number: number, isWhole: true)) }
            guard let stem = Self.tellingStem(of: name) else { continue }
            for form in Self.forms(of: stem) { add(form, form: Form(number: number, isWhole: false)) }
        }
    }

    private mutating func add(_ bytes: [UInt8], form: Form) {
        let width = bytes.count >= 16 ? 16 : bytes.count >= 8 ? 8 : 4
        guard bytes.count >= width else { return }
        if forms[bytes, default: []].isEmpty {
            if !tables.contains(where: { $0.width == width }) { tables.append(Table(width: width)) }
            for index in tables.indices where tables[index].width == width { tables[index].add(bytes) }
        }
        forms[bytes, default: []].append(form)
    }

    /// Calls `body` with each name in the bytes, and where it is.
    func forEachMatch(in bytes: UnsafeRawBufferPointer, _ body: (Form, Range<Int>) -> Void) {
        // Holes of sparse files are most of what is large, and have no names.
        guard !bytes.isZero else { return }
        for table in tables where bytes.count >= table.width {
            for end in table.width...bytes.count {
                let key = table.key(endingAt: end, in: bytes)
                guard table.mayHave(key), let lengths = table.lengths[key] else { continue }
                for length in lengths where length <= end {
                    let range = (end - length)..<end
                    for form in forms[Array(bytes[range])] ?? [] { body(form, range) }
                }
            }
        }
    }

    /// The name without its extension, if it is long and has a digit, as identifiers do.
    private static func tellingStem(of name: [UInt8]) -> [UInt8]? {
        guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot >= 8,
            name[..<dot].contains(where: { (0x30...0x39).contains($0) })
        else { return nil }
        return Array(name[..<dot])
    }

    private static func forms(of name: [UInt8]) -> Set<[UInt8]> {
        var forms: Set<[UInt8]> = [name]
        for spelling in NameSpelling.spellings(of: name) {
            guard let text = String(utf8: spelling) else { continue }
            forms.insert(spelling)
            forms.insert(text.utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] })
            forms.insert(text.utf16.flatMap { [UInt8($0 >> 8), UInt8(truncatingIfNeeded: $0)] })
            for isUppercase in [false, true] {
                let digits = { (unit: UInt16, count: Int) in
                    let text = String(unit, radix: 16, uppercase: isUppercase)
                    return String(repeating: "0", count: max(0, count - text.count)) + text
                }
                let inURL = text.utf8.map { isPlainInURL($0) ? Self.text($0) : "%" + digits(UInt16($0), 2) }
                let inJSON = text.utf16.map { unit in
                    switch unit {
                    case 0x22, 0x5c: "\\" + Self.text(UInt8(unit))
                    case 0x20..<0x7f: Self.text(UInt8(unit))
                    default: "\\u" + digits(unit, 4)
                    }
                }
                forms.formUnion([inURL, inJSON].map { Array($0.joined().utf8) })
            }
            let inXML = text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            let quoted = inXML.replacing("'", with: "&apos;").replacing("\"", with: "&quot;")
            forms.formUnion([inXML, quoted].map { Array($0.utf8) })
        }
        return forms
    }

    private static func text(_ byte: UInt8) -> String { String(UnicodeScalar(byte)) }

    /// The characters that URLs have as they are in the last component of a path.
    private static func isPlainInURL(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
        default: "-._~!$&'()*+,;=:@".utf8.contains(byte)
        }
    }
}
