public import Foundation

/// A value that preferences can hold: what a property list can.
public enum PreferenceValue: Sendable, Hashable {
    case boolean(Bool)
    case integer(Int64)
    /// A whole number beyond `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    case date(Date)
    case data(Data)
    case string(String)
    case array([PreferenceValue])
    case dictionary([String: PreferenceValue])
}

/// What can be set as a preference without a loss.
///
/// A URL is not among them: how it is kept depends on the container, see `Preferences.set(_:forKey:durability:)`.
public protocol PreferenceConvertible {
    /// The value that is kept.
    var preferenceValue: PreferenceValue { get }
}

extension PreferenceValue: PreferenceConvertible {
    /// The value itself.
    public var preferenceValue: PreferenceValue { self }
}

extension Bool: PreferenceConvertible {
    /// A truth value.
    public var preferenceValue: PreferenceValue { .boolean(self) }
}

extension Int: PreferenceConvertible {
    /// A whole number.
    public var preferenceValue: PreferenceValue { .integer(Int64(self)) }
}

extension Double: PreferenceConvertible {
    /// A real number.
    public var preferenceValue: PreferenceValue { .real(self) }
}

extension Float: PreferenceConvertible {
    /// The same number in double precision.
    public var preferenceValue: PreferenceValue { .real(Double(self)) }
}

extension String: PreferenceConvertible {
    /// A text.
    public var preferenceValue: PreferenceValue { .string(self) }
}

extension Data: PreferenceConvertible {
    /// Bytes.
    public var preferenceValue: PreferenceValue { .data(self) }
}

extension Date: PreferenceConvertible {
    /// A point in time.
    public var preferenceValue: PreferenceValue { .date(self) }
}

extension Array: PreferenceConvertible where Element: PreferenceConvertible {
    /// The members in their order.
    public var preferenceValue: PreferenceValue { .array(map(\.preferenceValue)) }
}

extension Dictionary: PreferenceConvertible where Key == String, Value: PreferenceConvertible {
    /// The values by their keys.
    public var preferenceValue: PreferenceValue { .dictionary(mapValues(\.preferenceValue)) }
}

// Literals, so that a mixed value reads as it would in a property list: `["size": 12, "font": "Menlo"]`.

extension PreferenceValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    /// A whole number.
    public init(integerLiteral value: Int64) { self = .integer(value) }
    /// A real number.
    public init(floatLiteral value: Double) { self = .real(value) }
    /// A text.
    public init(stringLiteral value: String) { self = .string(value) }
    /// Members in their order.
    public init(arrayLiteral elements: PreferenceValue...) { self = .array(elements) }
    /// Values by their keys; of a key that comes twice, the last.
    public init(dictionaryLiteral elements: (String, PreferenceValue)...) {
        self = .dictionary(Dictionary(elements) { $1 })
    }
}
