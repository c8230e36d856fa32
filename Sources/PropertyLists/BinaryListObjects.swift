/// The objects of a binary property list, each read when it is requested. Unlike `PropertyListGraph`, the other objects are
/// neither read nor checked.
///
/// Every number of the input is checked before it is used, and no request follows a reference, so cycles cost nothing.
package struct BinaryListObjects {
    /// An object. Ranges are those of bytes.
    package enum Object: Sendable, Hashable {
        case integer(Int64), unsigned(UInt64), uid(UInt64)
        case data(Range<Int>)
        /// Text in UTF-8, by specification only ASCII.
        case text(Range<Int>)
        /// Text in UTF-16.
        case wideText(Range<Int>)
        /// The references to the members.
        case array(References)
        /// The references to the keys, then to the values.
        case dictionary(References)
        /// A number of another kind, a date, a boolean or null.
        case other
    }

    /// References to objects, which `reference(_:of:)` reads.
    package struct References: Sendable, Hashable {
        fileprivate let start: Int
        /// The number of members or pairs.
        package let count: Int
    }

    package let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let tableStart: Int
    /// The number of objects.
    private let count: Int
    /// The index of the top object.
    package let top: Int

    private static let trailerSize = 32

    /// Reads the trailer; nil unless the bytes are a binary list.
    package init?(_ bytes: [UInt8]) {
        let start = bytes.count - Self.trailerSize
        guard start > BinaryReader.magic.count, bytes.starts(with: BinaryReader.magic) else { return nil }
        self.bytes = bytes
        (offsetSize, referenceSize) = (Int(bytes[start + 6]), Int(bytes[start + 7]))
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else { return nil }
        func number(_ offset: Int) -> Int? {
            let bits = bytes[offset..<(offset + 8)].reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            return Int(exactly: bits).flatMap { $0 <= Int.max / 16 ? $0 : nil }
        }
        guard let count = number(start + 8), let top = number(start + 16), let tableStart = number(start + 24),
            count > 0, top < count, tableStart > BinaryReader.magic.count, tableStart < start,
            count <= (start - tableStart) / offsetSize
        else { return nil }
        (self.count, self.top, self.tableStart) = (count, top, tableStart)
    }

    /// Returns an object; nil if it is outside the list or malformed.
    package subscript(index: Int) -> Object? {
        guard (0..<count).contains(index), let offset = number(at: tableStart + index * offsetSize, size: offsetSize),
            offset >= BinaryReader.magic.count, offset < tableStart
        else { return nil }
        let marker = bytes[offset]
        let low = Int(marker & 0x0f)
        switch marker >> 4 {
        case 0x1:
            let size = 1 << low
            guard low <= 4, offset + 1 + size <= tableStart else { return nil }
            if size < 16 { return .integer(Int64(bitPattern: bits(at: offset + 1, size: size))) }
            return bits(at: offset + 1, size: 8) == 0 ? .unsigned(bits(at: offset + 9, size: 8)) : nil
        case 0x4: return range(offset, low: low, width: 1).map { .data($0) }
        case 0x5: return range(offset, low: low, width: 1).map { .text($0) }
        case 0x6: return range(offset, low: low, width: 2).map { .wideText($0) }
        case 0x8:
            guard low < 8, offset + 2 + low <= tableStart else { return nil }
            return .uid(bits(at: offset + 1, size: low + 1))
        case 0xa, 0xc:
            return range(offset, low: low, width: referenceSize).map {
                .array(References(start: $0.lowerBound, count: $0.count / referenceSize))
            }
        case 0xd:
            return range(offset, low: low, width: 2 * referenceSize).map {
                .dictionary(References(start: $0.lowerBound, count: $0.count / (2 * referenceSize)))
            }
        case 0x0, 0x2, 0x3: return .other
        default: return nil
        }
    }

    /// Returns the index of a member of an array, or of a key of a dictionary; the values follow the keys.
    package func reference(_ member: Int, of references: References) -> Int {
        number(at: references.start + member * referenceSize, size: referenceSize) ?? -1
    }

    /// Returns the string of an object; nil for other objects and invalid text.
    package func string(_ object: Object?) -> String? {
        switch object {
        case .text(let range): return String(utf8: bytes[range])
        case .wideText(let range):
            return String(
                utf16: stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
                    UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
                })
        default: return nil
        }
    }

    /// Returns true if an object is a text with these ASCII bytes.
    package func isText(_ index: Int, text: StaticString) -> Bool {
        guard case .text(let range)? = self[index], range.count == text.utf8CodeUnitCount else { return false }
        return bytes[range].elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: range.count))
    }

    /// Returns the value of a key in a dictionary.
    package func value(_ key: StaticString, in object: Object?) -> Int? {
        guard case .dictionary(let pairs)? = object else { return nil }
        for pair in 0..<pairs.count where isText(reference(pair, of: pairs), text: key) {
            return reference(pairs.count + pair, of: pairs)
        }
        return nil
    }

    /// Returns the bytes of a counted object.
    private func range(_ offset: Int, low: Int, width: Int) -> Range<Int>? {
        var (start, count) = (offset + 1, low)
        if low == 0xf {
            guard start < tableStart, bytes[start] >> 4 == 0x1, bytes[start] & 0x0f <= 3 else { return nil }
            let size = 1 << Int(bytes[start] & 0x0f)
            guard let number = number(at: start + 1, size: size) else { return nil }
            (start, count) = (start + 1 + size, number)
        }
        guard start <= tableStart, count <= (tableStart - start) / width else { return nil }
        return start..<(start + count * width)
    }

    private func number(at start: Int, size: Int) -> Int? {
        guard start >= 0, start <= bytes.count - size, let number = Int(exactly: bits(at: start, size: size)),
            number <= Int.max / 16
        else { return nil }
        return number
    }

    private func bits(at start: Int, size: Int) -> UInt64 {
        var bits: UInt64 = 0
        for index in start..<(start + size) { bits = bits << 8 | UInt64(bytes[index]) }
        return bits
    }
}
