public import Foundation

/// A value of preferences: the types of a property list.
public enum PreferenceValue: Sendable, Hashable {
    case boolean(Bool)
    case integer(Int64)
    /// An integer greater than `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    /// A single-precision number, which is how `UserDefaults` stores a `Float`.
    case float(Float)
    case date(Date)
    case data(Data)
    case string(String)
    case array([PreferenceValue])
    case dictionary([String: PreferenceValue])
}

/// Equality of preferences: NaN is equal to NaN, so that it is not reported as a change each time the file is read.
extension PreferenceValue {
    /// Returns true if the values are equal as preferences.
    public static func == (left: PreferenceValue, right: PreferenceValue) -> Bool {
        // Compared one after the other, because nested values may need more stack than a thread has.
        var pending = [(left, right)]
        while let (left, right) = pending.popLast() {
            switch (left, right) {
            case (.array(let left), .array(let right)):
                guard left.count == right.count else { return false }
                pending += zip(left, right)
            case (.dictionary(let left), .dictionary(let right)):
                guard left.count == right.count else { return false }
                for (key, value) in left {
                    guard let other = right[key] else { return false }
                    pending.append((value, other))
                }
            default: guard isPlainEqual(left, right) else { return false }
            }
        }
        return true
    }

    /// Returns true if two values that contain no others are equal.
    private static func isPlainEqual(_ left: PreferenceValue, _ right: PreferenceValue) -> Bool {
        switch (left, right) {
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.unsigned(let left), .unsigned(let right)): left == right
        case (.real(let left), .real(let right)): left == right || left.isNaN && right.isNaN
        case (.float(let left), .float(let right)): left == right || left.isNaN && right.isNaN
        case (.date(let left), .date(let right)):
            left == right
                || left.timeIntervalSinceReferenceDate.isNaN && right.timeIntervalSinceReferenceDate.isNaN
        case (.data(let left), .data(let right)): left == right
        case (.string(let left), .string(let right)): left == right
        default: false
        }
    }

    /// Hashes the value; of an array or dictionary only the count, so that deeply nested values need no stack.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .boolean(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .unsigned(let value): hasher.combine(value)
        case .real(let value): hasher.combine(value.isNaN ? .nan : value)
        case .float(let value): hasher.combine(value.isNaN ? .nan : value)
        case .date(let value):
            let seconds = value.timeIntervalSinceReferenceDate
            hasher.combine(seconds.isNaN ? .nan : seconds)
        case .data(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .array(let value): hasher.combine(value.count)
        case .dictionary(let value): hasher.combine(value.count)
        }
    }
}

/// A type of values that preferences store by name: Booleans, `Int`, `Double`, `Float`, strings, data, dates, and
/// arrays and dictionaries of these. No other type conforms; a `Key` stores any `Codable` value.
///
/// URLs are not included, because their representation depends on the container. See
/// `Preferences.set(_:forKey:durability:)`.
public protocol PreferenceConvertible: RegistrablePreference {
    /// The value to store. Only this library implements and uses it.
    var _preferenceValue: PreferenceValue { get }
}

extension PreferenceValue: PreferenceConvertible {
    /// The value itself.
    public var _preferenceValue: PreferenceValue { self }
}

extension Bool: PreferenceConvertible {
    /// A Boolean.
    public var _preferenceValue: PreferenceValue { .boolean(self) }
}

extension Int: PreferenceConvertible {
    /// An integer.
    public var _preferenceValue: PreferenceValue { .integer(Int64(self)) }
}

extension Double: PreferenceConvertible {
    /// A floating-point number.
    public var _preferenceValue: PreferenceValue { .real(self) }
}

extension Float: PreferenceConvertible {
    /// A single-precision number.
    public var _preferenceValue: PreferenceValue { .float(self) }
}

extension String: PreferenceConvertible {
    /// A string.
    public var _preferenceValue: PreferenceValue { .string(self) }
}

extension Data: PreferenceConvertible {
    /// Data.
    public var _preferenceValue: PreferenceValue { .data(self) }
}

extension Date: PreferenceConvertible {
    /// A date.
    public var _preferenceValue: PreferenceValue { .date(self) }
}

extension Array: RegistrablePreference where Element: PreferenceConvertible {}

extension Array: PreferenceConvertible where Element: PreferenceConvertible {
    /// An array.
    public var _preferenceValue: PreferenceValue { .array(map(\._preferenceValue)) }
}

extension Dictionary: RegistrablePreference where Key == String, Value: PreferenceConvertible {}

extension Dictionary: PreferenceConvertible where Key == String, Value: PreferenceConvertible {
    /// A dictionary.
    public var _preferenceValue: PreferenceValue { .dictionary(mapValues(\._preferenceValue)) }
}

// Literals, so that a mixed value can be written like a property list: `["size": 12, "font": "Menlo"]`.

extension PreferenceValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// Creates a Boolean.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// Creates an integer.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// Creates a floating-point number.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Creates an array.
    public init(arrayLiteral elements: PreferenceValue...) { self = .array(elements) }
    /// Creates a dictionary. The last value of a repeated key is used.
    public init(dictionaryLiteral elements: (String, PreferenceValue)...) {
        self = .dictionary(Dictionary(elements) { $1 })
    }
}
