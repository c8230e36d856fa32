internal import AppContainer
internal import Foundation
internal import SystemPackage

/// The conversion between the values of a Swift type and those of a property list.
struct PreferenceCoding<Value: Sendable>: Sendable {
    /// Returns the value to store, or nil to remove the key.
    let encode: @Sendable (Value, PreferenceContext) throws -> PreferenceValue?
    /// Returns the stored value.
    let decode: @Sendable (PreferenceValue, PreferenceContext) throws -> Value
    /// Returns a value of the most frequent types, which need no conversion. Nil for all others.
    var quick: (@Sendable (PreferenceValue) -> Value?)?

    static func codable() -> PreferenceCoding where Value: Codable {
        PreferenceCoding(
            encode: { try PreferenceEncoder.encode($0, in: $1) },
            decode: { try PreferenceDecoder.decode(Value.self, from: $0, in: $1) }, quick: quick())
    }

    static func raw() -> PreferenceCoding where Value: RawRepresentable, Value.RawValue: Codable & Sendable {
        mapped(from: Value.RawValue.self, { $0.rawValue }, { Value(rawValue: $0) })
    }

    /// The conversion by way of another type. `restored` returns nil for a value that the type does not have.
    static func mapped<Raw: Codable & Sendable>(
        from type: Raw.Type, _ raw: @escaping @Sendable (Value) -> Raw, _ restored: @escaping @Sendable (Raw) -> Value?
    ) -> PreferenceCoding {
        PreferenceCoding(
            encode: { try PreferenceEncoder.encode(raw($0), in: $1) },
            decode: { value, context in
                guard let found = restored(try PreferenceDecoder.decode(Raw.self, from: value, in: context)) else {
                    throw DecodingError.dataCorrupted(
                        DecodingError.Context(codingPath: [], debugDescription: "the type has no such raw value"))
                }
                return found
            })
    }

    /// The types are the same, so that the bits of a value are those of the generic type.
    private static func quick() -> (@Sendable (PreferenceValue) -> Value?)? {
        switch Value.self {
        case is Int.Type:
            return { if case .integer(let number) = $0 { unsafeBitCast(Int(number), to: Value.self) } else { nil } }
        case is Bool.Type:
            return { if case .boolean(let found) = $0 { unsafeBitCast(found, to: Value.self) } else { nil } }
        case is Double.Type:
            return { if case .real(let number) = $0 { unsafeBitCast(number, to: Value.self) } else { nil } }
        case is String.Type:
            return { if case .string(let text) = $0 { unsafeBitCast(text, to: Value.self) } else { nil } }
        default: return nil
        }
    }
}

/// The circumstances of a conversion.
struct PreferenceContext {
    /// The maximum depth of nested values.
    static let maximumDepth = 64

    let container: Container
    /// The path of the file, for messages.
    let path: FilePath
    /// True for values of launch arguments, whose strings are converted to numbers, Booleans and dates.
    var convertsText = false

    func mismatch(_ value: PreferenceValue, type: String, path: [any CodingKey]) -> DecodingError {
        DecodingError.typeMismatch(
            PreferenceValue.self,
            DecodingError.Context(codingPath: path, debugDescription: "\(value.kind) was found instead of \(type)"))
    }
}

extension PreferenceValue {
    /// The name of the kind, with its article.
    var kind: String {
        switch self {
        case .boolean: "a Boolean"
        case .integer, .unsigned: "an integer"
        case .real, .float: "a number"
        case .date: "a date"
        case .data: "data"
        case .string: "a string"
        case .array: "an array"
        case .dictionary: "a dictionary"
        }
    }

    /// The string that represents nil within an array or a dictionary, as for `PropertyListEncoder`.
    static let null = PreferenceValue.string("$null")

    /// Returns true if the values have the same representation in a file. Unlike `==`, it distinguishes 0 and -0, and
    /// strings that differ only in Unicode composition.
    func isIdentical(to other: PreferenceValue) -> Bool {
        // Compared one after the other, because nested values may need more stack than a thread has.
        var pending = [(self, other)]
        while let (left, right) = pending.popLast() {
            switch (left, right) {
            case (.array(let left), .array(let right)):
                guard left.count == right.count else { return false }
                pending += zip(left, right)
            case (.dictionary(let left), .dictionary(let right)):
                guard left.count == right.count else { return false }
                for (key, value) in left {
                    guard let index = right.index(forKey: key), right[index].key.utf8.elementsEqual(key.utf8) else {
                        return false
                    }
                    pending.append((value, right[index].value))
                }
            default: guard Self.isPlainIdentical(left, right) else { return false }
            }
        }
        return true
    }

    static func areIdentical(_ left: [String: PreferenceValue], _ right: [String: PreferenceValue]) -> Bool {
        PreferenceValue.dictionary(left).isIdentical(to: .dictionary(right))
    }

    /// Returns true if two values that contain no others are identical.
    private static func isPlainIdentical(_ left: PreferenceValue, _ right: PreferenceValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
        case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
        case (.date(let left), .date(let right)):
            left.timeIntervalSinceReferenceDate.bitPattern == right.timeIntervalSinceReferenceDate.bitPattern
        default: left == right
        }
    }
}
