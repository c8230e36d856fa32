internal import AppContainer
internal import Foundation

/// A decoder from the values of a property list to `Codable` values.
///
/// A number is converted to another type of number if it has the same value there. A Boolean is a Boolean, 0 or 1. No
/// other type is converted, except for strings of launch arguments.
struct PreferenceDecoder: Decoder {
    let value: PreferenceValue
    let codingPath: [any CodingKey]
    let context: PreferenceContext
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    static func decode<Value: Decodable>(
        _ type: Value.Type, from value: PreferenceValue, in context: PreferenceContext
    ) throws -> Value {
        try PreferenceDecoder(value: value, codingPath: [], context: context).decode(type)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .dictionary(let values) = value else { throw mismatch("a dictionary") }
        return KeyedDecodingContainer(Keyed(decoder: self, values: values))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let members) = value else { throw mismatch("an array") }
        return Unkeyed(decoder: self, members: members)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { Single(decoder: self) }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard codingPath.count <= PreferenceContext.maximumDepth else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "more than \(PreferenceContext.maximumDepth) levels of nested values"))
        }
        let found: Any?
        switch type {
        case is Bool.Type: found = boolean
        case is String.Type: if case .string(let text) = value { found = text } else { found = nil }
        case is Double.Type: found = real
        case is Float.Type: found = real.map { Float($0) }
        case is Data.Type: if case .data(let data) = value { found = data } else { found = nil }
        case is Date.Type: found = date
        case is URL.Type: found = url
        case let type as any FixedWidthInteger.Type: found = integer(type)
        default: return try Value(from: self)
        }
        guard let result = found as? Value else { throw mismatch("\(type)") }
        return result
    }

    private func mismatch(_ type: String) -> DecodingError { context.mismatch(value, type: type, path: codingPath) }

    private var text: String? {
        guard context.convertsText, case .string(let text) = value else { return nil }
        return text
    }

    private var boolean: Bool? {
        switch value {
        case .boolean(let value): return value
        case .integer(0): return false
        case .integer(1): return true
        default: break
        }
        switch text?.lowercased() {
        case "yes", "true", "1", "y", "t": return true
        case "no", "false", "0", "n", "f": return false
        default: return nil
        }
    }

    private func integer<Number: FixedWidthInteger>(_ type: Number.Type) -> Number? {
        switch value {
        case .integer(let value): Number(exactly: value)
        case .unsigned(let value): Number(exactly: value)
        case .real(let value): Number(exactly: value)
        case .float(let value): Number(exactly: value)
        default: text.flatMap { Number($0) }
        }
    }

    private var real: Double? {
        switch value {
        case .integer(let value): Double(exactly: value)
        case .unsigned(let value): Double(exactly: value)
        case .real(let value): value
        case .float(let value): Double(value)
        default: text.flatMap { Double($0) }
        }
    }

    private var date: Date? {
        if case .date(let date) = value { return date }
        return text.flatMap { try? Date($0, strategy: .iso8601) }
    }

    private var url: URL? {
        switch value {
        case .string(let text): context.container.url(preference: text)
        case .data(let data): context.container.url(preference: data)
        default: nil
        }
    }

    fileprivate func child(_ value: PreferenceValue, key: any CodingKey) -> PreferenceDecoder {
        PreferenceDecoder(value: value, codingPath: codingPath + [key], context: context)
    }

    private struct Single: SingleValueDecodingContainer {
        let decoder: PreferenceDecoder
        var codingPath: [any CodingKey] { decoder.codingPath }

        /// Only within another value: a key without a value is not decoded.
        func decodeNil() -> Bool { !codingPath.isEmpty && decoder.value == .null }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try decoder.decode(type) }
    }

    private struct Unkeyed: UnkeyedDecodingContainer {
        let decoder: PreferenceDecoder
        let members: [PreferenceValue]
        private(set) var currentIndex = 0
        var codingPath: [any CodingKey] { decoder.codingPath }
        var count: Int? { members.count }
        var isAtEnd: Bool { currentIndex >= members.count }

        init(decoder: PreferenceDecoder, members: [PreferenceValue]) {
            self.decoder = decoder
            self.members = members
        }

        private mutating func next<Result>(_ body: (PreferenceDecoder) throws -> Result) throws -> Result {
            let key = PreferenceCodingKey(intValue: currentIndex)
            guard !isAtEnd else {
                throw DecodingError.valueNotFound(
                    PreferenceValue.self,
                    DecodingError.Context(codingPath: codingPath + [key], debugDescription: "the array is too short"))
            }
            let result = try body(decoder.child(members[currentIndex], key: key))
            currentIndex += 1
            return result
        }

        mutating func decodeNil() -> Bool {
            guard !isAtEnd, members[currentIndex] == .null else { return false }
            currentIndex += 1
            return true
        }
        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next { try $0.decode(type) } }
        mutating func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
            try next { try $0.container(keyedBy: type) }
        }
        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try next { try $0.unkeyedContainer() }
        }
        mutating func superDecoder() throws -> any Decoder { try next { $0 } }
    }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: PreferenceDecoder
        let values: [String: PreferenceValue]
        var codingPath: [any CodingKey] { decoder.codingPath }
        var allKeys: [Key] { values.keys.compactMap { Key(stringValue: $0) } }

        private func member(_ key: any CodingKey) throws -> PreferenceDecoder {
            guard let value = values[key.stringValue] else {
                throw DecodingError.keyNotFound(
                    key,
                    DecodingError.Context(codingPath: codingPath, debugDescription: "“\(key.stringValue)” is missing"))
            }
            return decoder.child(value, key: key)
        }

        func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }
        func decodeNil(forKey key: Key) throws -> Bool { try member(key).value == .null }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try member(key).decode(type)
        }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> { try member(key).container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try member(key).unkeyedContainer()
        }
        func superDecoder() throws -> any Decoder { try member(PreferenceCodingKey(stringValue: "super")) }
        func superDecoder(forKey key: Key) throws -> any Decoder { try member(key) }
    }
}
