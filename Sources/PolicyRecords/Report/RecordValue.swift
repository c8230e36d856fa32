package import StoragePolicy

/// A value of a record that does not accept every value of its JSON type.
///
/// An invalid value is a `DecodingError` with its path.
package protocol RecordValue: Codable, Hashable, Sendable {
    /// The JSON Schema of the accepted values.
    static var schema: JSONValue { get }
    /// An accepted value; nil if no value is accepted.
    static var example: Self? { get }
}

/// A value that is null if it is nil. Its key is always present.
@propertyWrapper
package struct Nullable<Value: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
    package var wrappedValue: Value?

    package init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        wrappedValue = value.decodeNil() ? nil : try value.decode(Value.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        if let wrappedValue { try value.encode(wrappedValue) } else { try value.encodeNil() }
    }
}

/// One of the words of an enumeration.
@propertyWrapper
package struct Word<Value>: RecordValue, RawRepresentable
where Value: RawRepresentable<String> & CaseIterable & Hashable & Sendable {
    package var wrappedValue: Value
    package var rawValue: String { wrappedValue.rawValue }

    package init(wrappedValue: Value) { self.wrappedValue = wrappedValue }

    package init?(rawValue: String) {
        guard let value = Value(rawValue: rawValue) else { return nil }
        wrappedValue = value
    }

    package static var schema: JSONValue {
        let words = Value.allCases.map { JSONValue.string($0.rawValue) }
        return words.count == 1 ? .object(["const": words[0]]) : .object(["enum": .array(words)])
    }
    package static var example: Self? { Value.allCases.first.map { Self(wrappedValue: $0) } }
}

/// A number of things, or an index from 0. A number that is read has at most 32 bits, so that sums do not overflow.
@propertyWrapper
package struct Count: RecordValue {
    package var wrappedValue: Int

    package init(wrappedValue: Int) { self.wrappedValue = wrappedValue }

    package init(from decoder: any Decoder) throws { wrappedValue = Int(try UInt32(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }

    package static let schema = JSONValue.object(["type": .string("integer"), "minimum": .integer(0)])
    package static let example: Self? = Self(wrappedValue: 0)
}

/// The number of a line, from 1. An attribute of an item may claim another one.
@propertyWrapper
package struct LineNumber: RecordValue, RawRepresentable {
    package var wrappedValue: UInt
    package var rawValue: UInt { wrappedValue }

    package init(wrappedValue: UInt) { self.wrappedValue = wrappedValue }
    package init(rawValue: UInt) { wrappedValue = rawValue }

    package static let schema = JSONValue.object(["type": .string("integer"), "minimum": .integer(1)])
    package static let example: Self? = Self(rawValue: 1)
}

/// Sixteen hexadecimal digits.
@propertyWrapper
package struct HexDigits: RecordValue, RawRepresentable {
    package var wrappedValue: String
    package var rawValue: String { wrappedValue }

    package init(wrappedValue: String) { self.wrappedValue = wrappedValue }

    package init?(rawValue: String) {
        guard rawValue.utf8.count == 16, rawValue.utf8.allSatisfy(Self.digits.contains) else { return nil }
        wrappedValue = rawValue
    }

    private static let digits = "0123456789abcdef".utf8
    package static let schema = JSONValue.object(["type": .string("string"), "pattern": .string("^[0-9a-f]{16}$")])
    package static let example = Self(rawValue: "0123456789abcdef")
}

/// A probability, from 0 to 1. It is never written as 1, which would be certainty.
package struct Probability: RecordValue, RawRepresentable {
    package let rawValue: Double

    /// Creates a probability that is written.
    package init(_ value: Double) { rawValue = min(0.9999, max(0, value)) }

    package init?(rawValue: Double) {
        guard (0...1).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }

    package static let schema = JSONValue.object([
        "type": .string("number"), "minimum": .integer(0), "maximum": .integer(1),
    ])
    package static let example = Self(rawValue: 0)
}

/// Two records whose keys are those of one object.
@dynamicMemberLookup
package struct Joined<First: Codable, Second: Codable>: Codable {
    package let first: First
    package let second: Second

    package init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

    package init(from decoder: any Decoder) throws {
        self.init(try First(from: decoder), try Second(from: decoder))
    }

    package func encode(to encoder: any Encoder) throws {
        try first.encode(to: encoder)
        try second.encode(to: encoder)
    }

    package subscript<Value>(dynamicMember member: KeyPath<First, Value>) -> Value { first[keyPath: member] }
    package subscript<Value>(dynamicMember member: KeyPath<Second, Value>) -> Value { second[keyPath: member] }
}

extension Joined: Equatable where First: Equatable, Second: Equatable {}
extension Joined: Hashable where First: Hashable, Second: Hashable {}
extension Joined: Sendable where First: Sendable, Second: Sendable {}

/// A list whose records are created one by one while it is written, so that a long list needs constant memory.
package struct Records<Record: Codable>: Codable, RandomAccessCollection {
    package let endIndex: Int
    package var startIndex: Int { 0 }
    private let record: (Int) -> Record

    /// A list with one record of each element.
    package init<Element>(_ elements: [Element], _ record: @escaping (Element) -> Record) {
        endIndex = elements.count
        self.record = { record(elements[$0]) }
    }

    package init(from decoder: any Decoder) throws { self.init(try [Record](from: decoder)) { $0 } }

    package func encode(to encoder: any Encoder) throws {
        var list = encoder.unkeyedContainer()
        for record in self { try list.encode(record) }
    }

    package subscript(position: Int) -> Record { record(position) }
}

// A value that is encoded through a container of its own takes three times as long as the text or the number in it.
extension KeyedEncodingContainer {
    mutating func encode<Value: RecordValue & RawRepresentable<String>>(_ value: Value, forKey key: Key) throws {
        try encode(value.rawValue, forKey: key)
    }

    mutating func encode(_ value: Count, forKey key: Key) throws { try encode(value.wrappedValue, forKey: key) }

    mutating func encode<Value>(_ value: Nullable<Value>, forKey key: Key) throws {
        if let value = value.wrappedValue { try encode(value, forKey: key) } else { try encodeNil(forKey: key) }
    }
}
