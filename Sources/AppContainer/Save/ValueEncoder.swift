public import Foundation

/// An encoder of values: `JSONEncoder` or `PropertyListEncoder` with the caller's settings.
public protocol ValueEncoder {
    /// Returns the encoded value.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

/// A decoder of values: `JSONDecoder` or `PropertyListDecoder` with the caller's settings.
public protocol ValueDecoder {
    /// Returns the decoded value.
    func decode<Value: Decodable>(_ type: Value.Type, from content: Data) throws -> Value
}

extension JSONEncoder: ValueEncoder {}
extension JSONDecoder: ValueDecoder {}
extension PropertyListEncoder: ValueEncoder {}
extension PropertyListDecoder: ValueDecoder {}
