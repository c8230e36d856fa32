internal import AppContainer
internal import Foundation

/// An encoder from `Codable` values to the values of a property list.
struct PreferenceEncoder: Encoder {
    /// A value under construction, which several containers may extend.
    final class Draft {
        enum Content {
            case empty, null
            case value(PreferenceValue)
            case array([Draft])
            case dictionary([String: Draft])
        }
        var content = Content.empty

        /// The finished value. Nil for nil, and for a type that encodes nothing.
        var value: PreferenceValue? {
            switch content {
            case .empty, .null: nil
            case .value(let value): value
            case .array(let drafts): .array(drafts.map { $0.value ?? $0.placeholder })
            case .dictionary(let drafts): .dictionary(drafts.mapValues { $0.value ?? $0.placeholder })
            }
        }

        /// The value of a member that is nil or encodes nothing.
        private var placeholder: PreferenceValue {
            if case .null = content { .null } else { .dictionary([:]) }
        }
    }

    let draft: Draft
    let codingPath: [any CodingKey]
    let context: PreferenceContext
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// Returns the value to store, or nil for nil.
    static func encode(_ value: some Encodable, in context: PreferenceContext) throws -> PreferenceValue? {
        let encoder = PreferenceEncoder(draft: Draft(), codingPath: [], context: context)
        try encoder.encode(value)
        if case .empty = encoder.draft.content { return .dictionary([:]) }
        return encoder.draft.value
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        if case .empty = draft.content { draft.content = .dictionary([:]) }
        return KeyedEncodingContainer(Keyed(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        if case .empty = draft.content { draft.content = .array([]) }
        return Unkeyed(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { Single(encoder: self) }

    /// Encodes a value into the draft.
    func encode(_ value: some Encodable) throws {
        guard codingPath.count <= PreferenceContext.maximumDepth else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "more than \(PreferenceContext.maximumDepth) levels of nested values"))
        }
        if let stored = try plain(value) {
            draft.content = .value(stored)
        } else {
            try value.encode(to: self)
        }
    }

    /// Returns the value of a property list for a type that is not encoded by its fields, or nil.
    private func plain(_ value: some Encodable) throws -> PreferenceValue? {
        switch value {
        case let value as any PreferenceConvertible & PlainPreference: value._preferenceValue
        case let value as any BinaryInteger: Int64(exactly: value).map { .integer($0) } ?? unsigned(value)
        case let value as URL: try context.container.preference(for: value, path: context.path)
        default: nil
        }
    }

    private func unsigned(_ value: some BinaryInteger) -> PreferenceValue? {
        UInt64(exactly: value).map { .unsigned($0) }
    }

    fileprivate func child(_ key: any CodingKey) -> PreferenceEncoder {
        PreferenceEncoder(draft: Draft(), codingPath: codingPath + [key], context: context)
    }

    private struct Single: SingleValueEncodingContainer {
        let encoder: PreferenceEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        func encodeNil() { encoder.draft.content = .null }
        func encode<Value: Encodable>(_ value: Value) throws { try encoder.encode(value) }
    }

    private struct Unkeyed: UnkeyedEncodingContainer {
        let encoder: PreferenceEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }
        var count: Int { if case .array(let drafts) = encoder.draft.content { drafts.count } else { 0 } }

        private func append() -> PreferenceEncoder {
            let child = encoder.child(PreferenceCodingKey(intValue: count))
            guard case .array(var drafts) = encoder.draft.content else { return child }
            // Released, so that the array is extended in place.
            encoder.draft.content = .empty
            drafts.append(child.draft)
            encoder.draft.content = .array(drafts)
            return child
        }

        func encodeNil() { append().draft.content = .null }
        func encode<Value: Encodable>(_ value: Value) throws { try append().encode(value) }
        func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            append().container(keyedBy: type)
        }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { append().unkeyedContainer() }
        func superEncoder() -> any Encoder { append() }
    }

    private struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: PreferenceEncoder
        var codingPath: [any CodingKey] { encoder.codingPath }

        private func member(_ key: any CodingKey) -> PreferenceEncoder {
            let child = encoder.child(key)
            guard case .dictionary(var drafts) = encoder.draft.content else { return child }
            encoder.draft.content = .empty
            drafts[key.stringValue] = child.draft
            encoder.draft.content = .dictionary(drafts)
            return child
        }

        func encodeNil(forKey key: Key) { member(key).draft.content = .null }
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try member(key).encode(value) }
        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> { member(key).container(keyedBy: type) }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
            member(key).unkeyedContainer()
        }
        func superEncoder() -> any Encoder { member(PreferenceCodingKey(stringValue: "super")) }
        func superEncoder(forKey key: Key) -> any Encoder { member(key) }
    }
}

/// A type of a property list that is stored as it is. Arrays and dictionaries are not, because their elements may be
/// encoded.
protocol PlainPreference {}
extension Bool: PlainPreference {}
extension Double: PlainPreference {}
extension Float: PlainPreference {}
extension String: PlainPreference {}
extension Data: PlainPreference {}
extension Date: PlainPreference {}

/// The position of an element, or the key `super`.
struct PreferenceCodingKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = ("[\(intValue)]", intValue) }
}
