public import Foundation

/// A value that preferences can hold: what a property list can.
public enum PreferenceValue: Sendable, Hashable {
    case boolean(Bool)
    case integer(Int64)
    /// A whole number beyond `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    /// A real number of single precision, as `UserDefaults` keeps a `Float`.
    case float(Float)
    case date(Date)
    case data(Data)
    case string(String)
    case array([PreferenceValue])
    case dictionary([String: PreferenceValue])
}

/// Values are equal as preferences are the same: a number that is none (NaN) is equal to another such one, so that it
/// is not told as changed each time that the file is read.
extension PreferenceValue {
    /// Returns true for values that are the same as preferences.
    public static func == (left: PreferenceValue, right: PreferenceValue) -> Bool {
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
        case (.array(let left), .array(let right)): left == right
        case (.dictionary(let left), .dictionary(let right)): left == right
        default: false
        }
    }

    /// Hashes the kind of value and what equality compares.
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
        case .array(let value): hasher.combine(value)
        case .dictionary(let value): hasher.combine(value)
        }
    }
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
    /// A real number of single precision.
    public var preferenceValue: PreferenceValue { .float(self) }
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
