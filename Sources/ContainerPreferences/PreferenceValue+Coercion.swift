internal import Foundation

/// What `UserDefaults` makes of a value that is asked for as another type.
///
/// Source: the comments of NSUserDefaults.h, and Foundation itself, which the tests ask side by side. Where the
/// two differ, or a number does not fit, it is said below.
extension PreferenceValue {
    /// A text; a number as text, a whole real one without its `.0` as on Apple's systems; a truth value as 1 or 0.
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

    /// Any number but 0; a text that begins with Y, y, T, t or, after blanks, a sign and zeros, a digit from 1 to 9.
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

    /// A real number cut towards 0; a text's number up to its first other character. What is too large for an `Int`
    /// is the nearest that is one, and what is no number is 0.
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

    /// A number, or a text's number up to its first other character. A truth value is 1 or 0: the header says that
    /// it is not converted, both Foundations do.
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

    /// Its members if all of them are texts; numbers are not made into text here.
    var asStrings: [String]? {
        guard case .array(let members) = self else { return nil }
        var texts: [String] = []
        for member in members {
            guard case .string(let text) = member else { return nil }
            texts.append(text)
        }
        return texts
    }

    /// A number's text without the `.0` of a whole one.
    private static func text(_ description: String) -> String {
        description.hasSuffix(".0") ? String(description.dropLast(2)) : description
    }

    private static func integer(_ value: Double) -> Int {
        if value.isNaN { return 0 }
        return Int(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : .max)
    }
}
