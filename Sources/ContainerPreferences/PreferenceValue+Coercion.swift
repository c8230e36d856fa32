internal import Foundation

/// The conversions of `UserDefaults` between types.
///
/// Source: the comments of NSUserDefaults.h, and Foundation itself, with which the tests compare. Differences between
/// the two, and numbers out of range, are documented below.
extension PreferenceValue {
    /// The value as a string. A whole floating-point number has no `.0`, as on Apple's systems. A Boolean is 1 or 0.
    var asString: String? {
        switch self {
        case .string(let text): text
        case .boolean(let value): value ? "1" : "0"
        case .integer(let value): String(value)
        case .unsigned(let value): String(value)
        case .real(let value): Self.text(value.description)
        case .float(let value): Self.text(value.description)
        case .date, .data, .array, .dictionary: nil
        }
    }

    /// The value as a Boolean: true for a number other than 0, and for a string that begins with Y, y, T, t or, after
    /// blanks, a sign and zeros, a digit from 1 to 9.
    var asBool: Bool {
        switch self {
        case .boolean(let value): value
        case .integer(let value): value != 0
        case .unsigned(let value): value != 0
        case .real(let value): value != 0
        case .float(let value): value != 0
        case .string(let text): NSString(string: text).boolValue
        case .date, .data, .array, .dictionary: false
        }
    }

    /// The value as an integer. A floating-point number is truncated, and a string is read up to the first other
    /// character. A number out of range is the nearest `Int`, and NaN is 0.
    var asInteger: Int {
        switch self {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Int(clamping: value)
        case .unsigned(let value): Int(clamping: value)
        case .real(let value): Self.integer(value)
        case .float(let value): Self.integer(Double(value))
        case .string(let text): NSString(string: text).integerValue
        case .date, .data, .array, .dictionary: 0
        }
    }

    /// The value as a number. A string is read up to the first other character. A Boolean is 1 or 0: the header says
    /// that it is not converted, but both implementations convert it.
    var asDouble: Double {
        switch self {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .real(let value): value
        case .float(let value): Double(value)
        case .string(let text): NSString(string: text).doubleValue
        case .date, .data, .array, .dictionary: 0
        }
    }

    /// The elements if all of them are strings. Numbers are not converted.
    var asStrings: [String]? {
        guard case .array(let members) = self else { return nil }
        var texts: [String] = []
        for member in members {
            guard case .string(let text) = member else { return nil }
            texts.append(text)
        }
        return texts
    }

    /// Returns the text of a number without the `.0` of a whole one.
    private static func text(_ description: String) -> String {
        description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }

    private static func integer(_ value: Double) -> Int {
        if value.isNaN { return 0 }
        return Int(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }
}
