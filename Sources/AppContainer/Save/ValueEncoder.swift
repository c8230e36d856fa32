public import Foundation

/// What turns a value into a file's content: `JSONEncoder` and `PropertyListEncoder`, set up as the caller likes.
public protocol ValueEncoder {
    /// The content that stands for a value.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

/// What turns a file's content back into a value: `JSONDecoder` and `PropertyListDecoder`.
public protocol ValueDecoder {
    /// The value that the content stands for.
    func decode<Value: Decodable>(_ type: Value.Type, from content: Data) throws -> Value
}

extension JSONEncoder: ValueEncoder {}
extension JSONDecoder: ValueDecoder {}
extension PropertyListEncoder: ValueEncoder {}
extension PropertyListDecoder: ValueDecoder {}
