/// The order of names in a list: numbers by value, so that `2` precedes `10`, and ASCII letters without their case.
///
/// The order does not depend on the locale. It is total, also for names that are not valid UTF-8: names that are
/// otherwise equal are ordered by their bytes.
enum NumericOrder {
    /// Returns true if the name `left` precedes `right`.
    static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        let order = compare(left, right)
        return order == 0 ? left.lexicographicallyPrecedes(right) : order < 0
    }

    /// Returns true if the path `left` precedes `right`. A directory precedes its content.
    static func precedes(_ left: [[UInt8]], _ right: [[UInt8]]) -> Bool {
        for (first, second) in zip(left, right) where first != second { return precedes(first, second) }
        return left.count < right.count
    }

    private static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var (i, j) = (0, 0)
        while i < left.count, j < right.count {
            if isDigit(left[i]), isDigit(right[j]) {
                let (first, second) = (number(in: left, &i), number(in: right, &j))
                // Without leading zeros, the longer number is the greater one.
                if first.count != second.count { return first.count - second.count }
                for (a, b) in zip(first, second) where a != b { return Int(a) - Int(b) }
                continue
            }
            let (a, b) = (folded(left[i]), folded(right[j]))
            if a != b { return Int(a) - Int(b) }
            i += 1
            j += 1
        }
        return (left.count - i) - (right.count - j)
    }

    /// Returns the digits of the number at `position` without leading zeros, and moves the position behind it.
    private static func number(in name: [UInt8], _ position: inout Int) -> ArraySlice<UInt8> {
        let start = position
        while position < name.count, isDigit(name[position]) { position += 1 }
        return name[start..<position].drop { $0 == UInt8(ascii: "0") }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func folded(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
    }
}

/// A pattern for names: `*` stands for any bytes, `?` for one byte, everything else for itself.
package struct NamePattern {
    private let pattern: [UInt8]

    package init(_ text: String) { self.init(Array(text.utf8)) }

    /// Creates a pattern of bytes, in any encoding.
    package init(_ pattern: [UInt8]) { self.pattern = pattern }

    /// Returns true if the whole name matches. Takes time in proportion to the product of the lengths.
    package func matches(_ name: [UInt8]) -> Bool {
        var (i, j) = (0, 0)
        // The position after the last star, and the first byte that it has not taken.
        var (star, taken) = (-1, 0)
        while j < name.count {
            if i < pattern.count, pattern[i] == UInt8(ascii: "*") {
                (star, taken) = (i + 1, j)
                i = star
            } else if i < pattern.count, pattern[i] == UInt8(ascii: "?") || pattern[i] == name[j] {
                i += 1
                j += 1
            } else if star >= 0 {
                taken += 1
                (i, j) = (star, taken)
            } else {
                return false
            }
        }
        return pattern[i...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
