#if !canImport(Darwin)
internal import Foundation
internal import PropertyLists

/// The objects of an archive that classes of the app decode with `ArchiveCoder`.
struct DecodedObjects: AppObjects {
    func object(
        _ value: PropertyListValue, named name: String, of type: ArchivableClass?, _ number: UInt64,
        in reader: ArchiveReader
    ) throws(ArchiveFault) -> NSObject {
        guard let type else { throw reader.fault(.unknownClass, text: "an object has an unknown class") }
        let object = type.init(coder: ArchiveCoder(reader, fields: ArchiveFields(value), of: number))
        if let failure = reader.failure { throw failure }
        guard let object else {
            throw reader.fault(.damaged, text: "\(ArchiveClasses.name(of: type)) could not be created from its data")
        }
        return object
    }

    func fields(
        _ value: PropertyListValue, named name: String, of kind: FoundationValue, number: UInt64,
        in reader: ArchiveReader
    ) -> ArchiveFields { ArchiveFields(value) }
}

/// A decoder for one object of an archive, passed to `init(coder:)` of a class of the app.
///
/// A missing field is nil, 0 or false, as with Apple's decoder. A field of another type fails the whole archive; after
/// that, every field is missing. The same applies to unsupported requests: values without a key, and C structures.
final class ArchiveCoder: NSCoder, LinkDecoding {
    private let reader: ArchiveReader
    private let fields: ArchiveFields
    private let number: UInt64

    init(_ reader: ArchiveReader, fields: ArchiveFields, of number: UInt64) {
        self.reader = reader
        self.fields = fields
        self.number = number
        super.init()
    }

    // MARK: - Links

    /// Runs a step of the object after the objects that are being created.
    func afterCreation(_ body: @escaping () -> Void) { reader.afterCreation(of: number, body) }

    /// Runs a step of the object after all links.
    func afterLinks(_ body: @escaping () -> Void) { reader.afterLinks(of: number, body) }

    /// Fails the archive at a field of the object.
    func fail(_ code: ArchiveError.Code, field: String, text: String, hint: String?) {
        _ = reader.attempt { () throws(ArchiveFault) -> Bool? in
            try reader.within(field: field) { () throws(ArchiveFault) in
                throw reader.fault(code, text: text, hint: hint)
            }
        }
    }

    // MARK: - What it is

    override var allowsKeyedCoding: Bool { true }
    override var requiresSecureCoding: Bool { true }
    override var allowedClasses: [AnyClass]? { reader.classes.allowed }
    override var decodingFailurePolicy: NSCoder.DecodingFailurePolicy { .setErrorAndReturn }
    override var error: (any Error)? { reader.failure }
    override func failWithError(_ error: any Error) { reader.fail("a class reported an error: \(error)") }
    override var systemVersion: UInt32 { 2000 }
    override func version(forClassName className: String) -> Int { NSNotFound }

    // MARK: - Objects

    override func containsValue(forKey key: String) -> Bool { fields[key] != nil }

    override func decodeObject(forKey key: String) -> Any? { object(key, of: nil) }

    override func decodeObject(of classes: [AnyClass]?, forKey key: String) -> Any? { object(key, of: classes) }

    override func decodeObject<Object: NSObject & NSCoding>(of type: Object.Type, forKey key: String) -> Object? {
        object(key, of: [type]) as? Object
    }

    override func decodePropertyList(forKey key: String) -> Any? {
        object(key, of: [NSString.self, NSNumber.self, NSData.self, NSDate.self, NSArray.self, NSDictionary.self])
    }

    private func object(_ key: String, of classes: [AnyClass]?) -> NSObject? {
        reader.attempt { () throws(ArchiveFault) in try reader.object(fields, key, of: classes)?.object }
    }

    // MARK: - Numbers and bytes

    override func decodeBool(forKey key: String) -> Bool {
        plain(key, expected: "a truth value") { $0.boolean } ?? false
    }
    override func decodeInteger(forKey key: String) -> Int { integer(key) }
    override func decodeCInt(forKey key: String) -> Int32 { integer(key) }
    override func decodeInt32(forKey key: String) -> Int32 { integer(key) }
    override func decodeInt64(forKey key: String) -> Int64 { integer(key) }
    override func decodeFloat(forKey key: String) -> Float { Float(decodeDouble(forKey: key)) }
    override func decodeDouble(forKey key: String) -> Double { plain(key, expected: "a number") { $0.real } ?? 0 }

    override func withDecodedUnsafeBufferPointer<Result>(
        forKey key: String, body: (UnsafeBufferPointer<UInt8>?) throws -> Result
    ) rethrows -> Result {
        let bytes: [UInt8]? = plain(key, expected: "bytes") { value in
            guard case .data(let bytes) = value.node else { return nil }
            return bytes
        }
        guard let bytes else { return try body(nil) }
        return try bytes.withUnsafeBufferPointer(body)
    }

    override func withDecodedUnsafeBytes<Result>(
        forKey key: String, body: (UnsafeRawBufferPointer?) throws -> Result
    ) rethrows -> Result {
        try withDecodedUnsafeBufferPointer(forKey: key) { try body($0.map { UnsafeRawBufferPointer($0) }) }
    }

    private func integer<Number: FixedWidthInteger>(_ key: String) -> Number {
        plain(key, expected: "a whole number of \(Number.bitWidth) bits") { $0.integer.flatMap { Number(exactly: $0) } }
            ?? 0
    }

    private func plain<Value>(
        _ key: String, expected: String, _ read: (PropertyListValue) -> Value?
    ) -> Value? {
        reader.attempt { () throws(ArchiveFault) in
            guard let field = fields[key] else { return nil }
            return try reader.within(field: key) { () throws(ArchiveFault) in
                guard let value = read(field) else { throw reader.fault(.wrongType, text: "it is not \(expected)") }
                return value
            }
        }
    }

    // MARK: - What an archive of fields does not hold

    override func decodeObject() -> Any? { refuse() }
    override func decodeData() -> Data? { refuse() }
    override func decodePropertyList() -> Any? { refuse() }
    override func decodeValue(ofObjCType type: UnsafePointer<Int8>, at data: UnsafeMutableRawPointer) {
        _ = refuse() as Data?
    }
    override func decodeArray(
        ofObjCType itemType: UnsafePointer<Int8>, count: Int, at array: UnsafeMutableRawPointer
    ) { _ = refuse() as Data? }

    private func refuse<Value>() -> Value? {
        reader.fail("a class requested a value without a key or a C structure, which are not supported")
        return nil
    }
}
#endif
