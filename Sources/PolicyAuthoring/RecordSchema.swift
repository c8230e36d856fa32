internal import PolicyRecords
package import StoragePolicy

extension Schemas {
    /// The JSON report of a run. Later versions may add keys.
    package static var report: JSONValue {
        document(
            ReportContent.Format.current.rawValue, title: "sandboxlint report",
            schema: RecordSchema.schema(of: ReportContent.Report.self))
    }

    /// The JSON of the changes between two containers or reports. Later versions may add keys.
    package static var difference: JSONValue {
        document(
            DifferenceContent.Format.current.rawValue, title: "sandboxlint difference between two reports",
            schema: RecordSchema.schema(of: DifferenceContent.self))
    }

    /// The JSON of the totals of several reports. Later versions may add keys.
    package static var trend: JSONValue {
        document(
            TrendContent.Format.current.rawValue, title: "sandboxlint totals of several reports",
            schema: RecordSchema.schema(of: TrendContent.self))
    }
}

/// A decoder that records the keys and types that a record asks for, so that a schema contains exactly those.
///
/// It answers with examples. A key that a record decodes only if it is present is not required.
private final class RecordSchema: Decoder {
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    private var members: [(key: String, schema: JSONValue, isRequired: Bool)] = []
    /// The key of which the record asked whether it is present.
    private var optionalKey: String?
    /// The schema of a value that is not an object.
    private var value: JSONValue?
    private var isNullable = false

    /// Returns the JSON Schema of a record.
    static func schema(of type: (some Decodable).Type) -> JSONValue {
        do { return try recorded(type).schema } catch { fatalError("\(type) cannot be recorded: \(error)") }
    }

    private static func recorded<Value: Decodable>(_ type: Value.Type) throws -> (schema: JSONValue, example: Value) {
        let recorder = RecordSchema()
        let example = try recorder.example(of: type)
        return (recorder.schema, example)
    }

    private var schema: JSONValue {
        let members = members.filter(\.isRequired) + members.filter { !$0.isRequired }
        let schema =
            value
            ?? .object([
                "type": .string("object"), "properties": .members(members.map { ($0.key, $0.schema) }),
                "required": .strings(members.filter(\.isRequired).map(\.key)),
            ])
        return isNullable ? .object(["anyOf": .array([schema, Self.type("null")])]) : schema
    }

    private static func type(_ name: String) -> JSONValue { .object(["type": .string(name)]) }

    /// Records a type, and returns an example of it.
    private func example<Value: Decodable>(of type: Value.Type) throws -> Value {
        guard let restricted = type as? any RecordValue.Type else { return try type.init(from: self) }
        guard let example = restricted.example as? Value else { Self.unsupported() }
        value = restricted.schema
        return example
    }

    private static func unsupported() -> Never { fatalError("a record decodes nothing but values with an example") }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Object<Key>(recorder: self))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer { List(recorder: self) }

    func singleValueContainer() -> any SingleValueDecodingContainer { Scalar(recorder: self) }

    private struct Object<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let recorder: RecordSchema
        var codingPath: [any CodingKey] { [] }
        var allKeys: [Key] { [] }

        func contains(_ key: Key) -> Bool {
            recorder.optionalKey = key.stringValue
            return true
        }
        func decodeNil(forKey key: Key) -> Bool { false }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            let (schema, example) = try RecordSchema.recorded(type)
            recorder.members.append((key.stringValue, schema, recorder.optionalKey != key.stringValue))
            return example
        }
        func nestedContainer<Other>(keyedBy type: Other.Type, forKey key: Key) -> KeyedDecodingContainer<Other> {
            unsupported()
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { unsupported() }
        func superDecoder() -> any Decoder { unsupported() }
        func superDecoder(forKey key: Key) -> any Decoder { unsupported() }
    }

    private struct List: UnkeyedDecodingContainer {
        let recorder: RecordSchema
        var codingPath: [any CodingKey] { [] }
        let count: Int? = 1
        var currentIndex = 0
        var isAtEnd: Bool { currentIndex > 0 }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            currentIndex += 1
            let (schema, example) = try RecordSchema.recorded(type)
            recorder.value = .object(["type": .string("array"), "items": schema])
            return example
        }
        func decodeNil() -> Bool { false }
        func nestedContainer<Other>(keyedBy type: Other.Type) -> KeyedDecodingContainer<Other> { unsupported() }
        func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { unsupported() }
        func superDecoder() -> any Decoder { unsupported() }
    }

    private struct Scalar: SingleValueDecodingContainer {
        let recorder: RecordSchema
        var codingPath: [any CodingKey] { [] }

        func decodeNil() -> Bool {
            recorder.isNullable = true
            return false
        }
        func decode(_ type: Bool.Type) -> Bool { record("boolean", example: false) }
        func decode(_ type: String.Type) -> String { record("string", example: "") }
        func decode(_ type: Double.Type) -> Double { record("number", example: 0) }
        func decode(_ type: Float.Type) -> Float { record("number", example: 0) }
        func decode<Value: FixedWidthInteger & Decodable>(_ type: Value.Type) -> Value {
            recorder.value = Value.isSigned ? RecordSchema.type("integer") : Count.schema
            return 0
        }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try recorder.example(of: type) }

        private func record<Value>(_ type: String, example: Value) -> Value {
            recorder.value = RecordSchema.type(type)
            return example
        }
    }
}
