internal import Foundation
internal import PropertyLists

/// The fields of a decimal number in an archive.
///
/// The value is an integer of 128 bits, stored as eight words of 16 bits, times a power of ten from -128 to 127. Not a
/// number is a negative integer without words. Source: the field names in archives of Apple's systems, and NSDecimal in
/// NSDecimal.h.
struct ArchivedDecimal: Equatable {
    static let exponents = -128...127

    var exponent = 0
    var isNegative = false
    /// The words of the integer, the least significant first. `UInt128` needs macOS 15 and iOS 18.
    var mantissa = [UInt16](repeating: 0, count: 8)
    var isNumber = true

    init() {}

    /// Creates the fields of a number, or nil for one that no `NSDecimal` can represent.
    init?(_ value: Decimal) {
        isNegative = value.isSignMinus
        isNumber = !value.isNaN
        guard isNumber else { return }
        guard Self.exponents.contains(value.exponent) else { return nil }
        exponent = value.exponent
        for digit in value.significand.description.utf8 {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            var carry = UInt32(digit - UInt8(ascii: "0"))
            for index in mantissa.indices {
                carry += UInt32(mantissa[index]) * 10
                mantissa[index] = UInt16(truncatingIfNeeded: carry)
                carry >>= 16
            }
            guard carry == 0 else { return nil }
        }
    }

    /// The number, or nil if it is out of range.
    var value: Decimal? {
        guard isNumber else { return Decimal.nan }
        guard let digits = Decimal(string: digits, locale: Locale(identifier: "en_US_POSIX")),
            // Foundation strips trailing zeros, which increases the exponent.
            Self.exponents.contains(digits.exponent + exponent)
        else { return nil }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: digits)
    }

    /// The decimal digits of the integer.
    private var digits: String {
        var (rest, digits) = (mantissa, [UInt8]())
        repeat {
            var remainder: UInt32 = 0
            for index in rest.indices.reversed() {
                remainder = remainder << 16 | UInt32(rest[index])
                rest[index] = UInt16(remainder / 10)
                remainder %= 10
            }
            digits.append(UInt8(ascii: "0") + UInt8(remainder))
        } while rest.contains { $0 != 0 }
        return String(decoding: digits.reversed(), as: UTF8.self)
    }

    /// The 16 bytes of the words, the least significant word first.
    var words: [UInt8] { mantissa.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] } }

    /// The number of words up to the last one that is not 0.
    var length: Int { (mantissa.lastIndex { $0 != 0 } ?? -1) + 1 }
}

extension ArchiveReader {
    func decimal(_ fields: ArchiveFields) throws(ArchiveFault) -> NSDecimalNumber {
        var decimal = ArchivedDecimal()
        let length = try integer(fields, key: "NS.length")
        guard let isNegative = try value(fields, key: "NS.negative").boolean else {
            throw fault(.wrongType, text: "NS.negative is not a Boolean")
        }
        decimal.isNegative = isNegative
        decimal.exponent = try integer(fields, key: "NS.exponent")
        let bytes = try bytes(fields, key: "NS.mantissa")
        guard (0...8).contains(length), bytes.count <= 16, bytes.count >= 2 * length,
            ArchivedDecimal.exponents.contains(decimal.exponent)
        else { throw fault(.damaged, text: "a decimal number is not valid") }
        // Without the field, or with 0, the order of the words is unknown: that of all current systems.
        let order = fields["NS.mantissa.bo"] == nil ? 0 : try integer(fields, key: "NS.mantissa.bo")
        let isBigEndian = order == 2
        for index in 0..<length {
            let (first, second) = (UInt16(bytes[2 * index]), UInt16(bytes[2 * index + 1]))
            decimal.mantissa[index] = isBigEndian ? first << 8 | second : second << 8 | first
        }
        decimal.isNumber = length > 0 || !isNegative
        guard let value = decimal.value else { throw fault(.wrongType, text: "a decimal number is out of range") }
        return NSDecimalNumber(decimal: value)
    }
}
