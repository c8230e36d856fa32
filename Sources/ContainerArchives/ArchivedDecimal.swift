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
    var mantissa: UInt128 = 0
    var isNumber = true

    init() {}

    /// Creates the fields of a number, or nil for one that no `NSDecimal` can represent.
    init?(_ value: Decimal) {
        isNegative = value.isSignMinus
        isNumber = !value.isNaN
        guard isNumber else { return }
        guard let digits = UInt128(value.significand.description), Self.exponents.contains(value.exponent) else {
            return nil
        }
        (mantissa, exponent) = (digits, value.exponent)
    }

    /// The number, or nil if it is out of range.
    var value: Decimal? {
        guard isNumber else { return Decimal.nan }
        guard let digits = Decimal(string: mantissa.description, locale: Locale(identifier: "en_US_POSIX")),
            // Foundation strips trailing zeros, which increases the exponent.
            Self.exponents.contains(digits.exponent + exponent)
        else { return nil }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: digits)
    }

    /// The 16 bytes of the words, the least significant word first.
    var words: [UInt8] { (0..<16).map { UInt8(truncatingIfNeeded: mantissa >> (8 * UInt128($0))) } }

    /// The number of words up to the last one that is not 0.
    var length: Int { (128 - mantissa.leadingZeroBitCount + 15) / 16 }
}

extension ArchiveWriter {
    func write(_ number: NSDecimalNumber) {
        guard let decimal = ArchivedDecimal(number.decimalValue) else {
            return fail(.notEncodable, "a decimal number is out of range", hint: "Archive its text.")
        }
        set("NS.exponent", .integer(Int64(decimal.exponent)))
        set("NS.length", .integer(Int64(decimal.length)))
        set("NS.negative", .boolean(decimal.isNegative))
        set("NS.compact", .boolean(true))
        // The words are little-endian: NS_LittleEndian in NSByteOrder.h.
        set("NS.mantissa.bo", .integer(1))
        set("NS.mantissa", .data(decimal.words))
    }
}

extension ArchiveReader {
    func decimal(_ fields: ArchiveFields) throws(ArchiveFault) -> NSDecimalNumber {
        var decimal = ArchivedDecimal()
        let length = try integer(fields, "NS.length")
        guard let isNegative = try value(fields, "NS.negative").boolean else {
            throw fault(.wrongType, "NS.negative is not a Boolean")
        }
        decimal.isNegative = isNegative
        decimal.exponent = try integer(fields, "NS.exponent")
        let bytes = try bytes(fields, "NS.mantissa")
        guard (0...8).contains(length), bytes.count <= 16, bytes.count >= 2 * length,
            ArchivedDecimal.exponents.contains(decimal.exponent)
        else { throw fault(.damaged, "a decimal number is not valid") }
        // Without the field, or with 0, the order of the words is unknown: that of all current systems.
        let order = fields["NS.mantissa.bo"] == nil ? 0 : try integer(fields, "NS.mantissa.bo")
        let isBigEndian = order == 2
        for index in (0..<length).reversed() {
            let (first, second) = (UInt128(bytes[2 * index]), UInt128(bytes[2 * index + 1]))
            decimal.mantissa = decimal.mantissa << 16 | (isBigEndian ? first << 8 | second : second << 8 | first)
        }
        decimal.isNumber = length > 0 || !isNegative
        guard let value = decimal.value else { throw fault(.wrongType, "a decimal number is out of range") }
        return NSDecimalNumber(decimal: value)
    }
}
