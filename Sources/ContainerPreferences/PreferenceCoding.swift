internal import AppContainer
internal import Foundation
internal import SystemPackage

/// The conversion between the values of a Swift type and those of a property list.
struct PreferenceCoding<Value: Sendable>: Sendable {
    /// Returns the value to store, or nil to remove the key.
    let encode: @Sendable (Value, PreferenceContext) throws -> PreferenceValue?
    /// Returns the stored value.
    let decode: @Sendable (PreferenceValue, PreferenceContext) throws -> Value

    static func codable() -> PreferenceCoding where Value: Codable {
        PreferenceCoding(
            encode: { try PreferenceEncoder.encode($0, in: $1) },
            decode: fast() ?? { try PreferenceDecoder.decode(Value.self, from: $0, in: $1) })
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

    /// Returns a decoder for the most frequent types, which are read without a container.
    private static func fast() -> (@Sendable (PreferenceValue, PreferenceContext) throws -> Value)? {
        switch Value.self {
        case is Int.Type:
            return { value, context in
                if case .integer(let number) = value { return unsafeBitCast(Int(number), to: Value.self) }
                return try decode(Int.self, value, context)
            }
        case is Bool.Type:
            return { value, context in
                if case .boolean(let found) = value { return unsafeBitCast(found, to: Value.self) }
                return try decode(Bool.self, value, context)
            }
        case is Double.Type:
            return { value, context in
                if case .real(let number) = value { return unsafeBitCast(number, to: Value.self) }
                return try decode(Double.self, value, context)
            }
        default: return nil
        }
    }

    private static func decode<Plain: Decodable>(
        _ type: Plain.Type, _ value: PreferenceValue, _ context: PreferenceContext
    ) throws -> Value {
        let plain = try PreferenceDecoder.decode(type, from: value, in: context)
        guard let value = plain as? Value else { throw context.mismatch(value, "\(Value.self)", []) }
        return value
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

    func mismatch(_ value: PreferenceValue, _ type: String, _ path: [any CodingKey]) -> DecodingError {
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
        switch (self, other) {
        case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
        case (.real(let left), .real(let right)): left.bitPattern == right.bitPattern
        case (.float(let left), .float(let right)): left.bitPattern == right.bitPattern
        case (.date(let left), .date(let right)):
            left.timeIntervalSinceReferenceDate.bitPattern == right.timeIntervalSinceReferenceDate.bitPattern
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.isIdentical(to: $1) }
        case (.dictionary(let left), .dictionary(let right)): Self.areIdentical(left, right)
        default: self == other
        }
    }

    static func areIdentical(_ left: [String: PreferenceValue], _ right: [String: PreferenceValue]) -> Bool {
        left.count == right.count
            && left.allSatisfy { key, value in
                guard let index = right.index(forKey: key) else { return false }
                return right[index].key.utf8.elementsEqual(key.utf8) && value.isIdentical(to: right[index].value)
            }
    }
}
