/// An encoder that writes a record as JSON text, with its keys in the order in which the record encodes them.
///
/// The text is written while the record is encoded, so that a long list needs constant memory. A record encodes whole
/// values; it does not use nested containers. A record that encodes other records itself joins their keys in one object.
package final class RecordEncoder: Encoder {
    private var json: JSONWriter
    /// The bracket that ends the value being encoded; nil for a value without a container.
    private var end: JSONWriter.Bracket?
    package let codingPath: [any CodingKey] = []
    package let userInfo: [CodingUserInfoKey: Any] = [:]

    private init(_ json: JSONWriter) { self.json = json }

    /// Writes a record, piece by piece.
    package static func write(_ record: some Encodable, to output: @escaping (String) -> Void) {
        let encoder = RecordEncoder(JSONWriter(to: output))
        do { try encoder.write(record) } catch { fatalError("the record cannot be encoded: \(error)") }
    }

    package func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        begin(.object)
        return KeyedEncodingContainer(Object<Key>(encoder: self))
    }

    package func unkeyedContainer() -> any UnkeyedEncodingContainer {
        begin(.array)
        return Array(encoder: self)
    }

    package func singleValueContainer() -> any SingleValueEncodingContainer { Value(encoder: self) }

    private func begin(_ bracket: JSONWriter.Bracket) {
        guard end == nil else { return }
        json.begin(bracket)
        end = bracket
    }

    private func write(_ value: some Encodable) throws {
        let outer = end
        end = nil
        try value.encode(to: self)
        if let end { json.end(end) }
        end = outer
    }

    private static func unsupported() -> Never { fatalError("a record encodes no nested containers") }

    private struct Object<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let encoder: RecordEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) { encoder.json.field(key.stringValue, nil) }
        func encode(_ value: Bool, forKey key: Key) { encoder.json.field(key.stringValue, value) }
        func encode(_ value: String, forKey key: Key) { encoder.json.field(key.stringValue, value) }
        func encode(_ value: some BinaryInteger & Encodable, forKey key: Key) {
            encoder.json.field(key.stringValue, value)
        }
        func encode(_ value: some Encodable, forKey key: Key) throws {
            encoder.json.key(key.stringValue)
            try encoder.write(value)
        }
        func nestedContainer<Other>(keyedBy type: Other.Type, forKey key: Key) -> KeyedEncodingContainer<Other> {
            unsupported()
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { unsupported() }
        func superEncoder() -> any Encoder { unsupported() }
        func superEncoder(forKey key: Key) -> any Encoder { unsupported() }
    }

    private struct Array: UnkeyedEncodingContainer {
        let encoder: RecordEncoder
        var codingPath: [any CodingKey] { [] }
        let count = 0

        func encodeNil() { encoder.json.element(json: "null") }
        func encode(_ value: some Encodable) throws { try encoder.write(value) }
        func nestedContainer<Other>(keyedBy type: Other.Type) -> KeyedEncodingContainer<Other> { unsupported() }
        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { unsupported() }
        func superEncoder() -> any Encoder { unsupported() }
    }

    private struct Value: SingleValueEncodingContainer {
        let encoder: RecordEncoder
        var codingPath: [any CodingKey] { [] }

        func encodeNil() { encoder.json.element(json: "null") }
        func encode(_ value: Bool) { encoder.json.element(json: value ? "true" : "false") }
        func encode(_ value: String) { encoder.json.element(value) }
        func encode(_ value: Double) { encoder.json.element(json: JSONWriter.text(of: value)) }
        func encode(_ value: Float) { encode(Double(value)) }
        func encode(_ value: some BinaryInteger & Encodable) { encoder.json.element(json: String(value)) }
        func encode(_ value: some Encodable) throws { try value.encode(to: encoder) }
    }
}
