internal import ContainerArchives
public import Foundation

extension String: ArchivableValue {
    private static let classes: [AnyClass] = [NSString.self]
    /// NSString.
    public static var archivedClasses: [AnyClass] { classes }
    /// The string.
    public var archivedObject: NSObject? { NSString(string: self) }
    /// Returns the string of an NSString.
    public static func value(ofArchived object: NSObject) -> String? { (object as? NSString).map { String($0) } }
    /// Encodes the string.
    public func encodeField(_ key: String, with coder: NSCoder) { coder.encode(self, forKey: key) }
}

extension Bool: ArchivableValue {
    /// NSNumber.
    public static var archivedClasses: [AnyClass] { Numbers.classes }
    /// The Boolean as a number.
    public var archivedObject: NSObject? { NSNumber(value: self) }
    /// Returns the Boolean of a number that is 0 or 1.
    public static func value(ofArchived object: NSObject) -> Bool? {
        guard let number = object as? NSNumber, number == 0 || number == 1 else { return nil }
        return number.boolValue
    }
    /// Encodes the Boolean as a plain field.
    public func encodeField(_ key: String, with coder: NSCoder) { coder.encode(self, forKey: key) }
    /// Returns the Boolean of a plain field.
    public static func decodeField(_ key: String, with coder: NSCoder) -> Bool? {
        let value = coder.decodeBool(forKey: key)
        return coder.error == nil ? value : nil
    }
}

/// The classes of numbers.
private enum Numbers {
    static let classes: [AnyClass] = [NSNumber.self]
}

extension ArchivableValue where Self: FixedWidthInteger {
    /// NSNumber.
    public static var archivedClasses: [AnyClass] { Numbers.classes }
    /// The integer as a number.
    public var archivedObject: NSObject? {
        Int64(exactly: self).map { NSNumber(value: $0) } ?? NSNumber(value: UInt64(truncatingIfNeeded: self))
    }
    /// Returns the integer of a number without a fraction and in the range of the type.
    public static func value(ofArchived object: NSObject) -> Self? {
        guard let number = object as? NSNumber else { return nil }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): return Self(exactly: number.doubleValue)
        case UInt8(ascii: "Q"): return Self(exactly: number.uint64Value)
        default: return Self(exactly: number.int64Value)
        }
    }
    /// Encodes the integer as a plain field if it has 64 bits with its sign, otherwise as a number.
    public func encodeField(_ key: String, with coder: NSCoder) {
        if Self.isPlain { coder.encode(Int64(self), forKey: key) } else { coder.encode(archivedObject, forKey: key) }
    }
    /// Returns the integer of a field. One that the type cannot represent fails the archive.
    public static func decodeField(_ key: String, with coder: NSCoder) -> Self? {
        let decoded =
            isPlain
            ? Self(exactly: coder.decodeInt64(forKey: key))
            : coder.archivedObject(of: archivedClasses, forKey: key).flatMap { value(ofArchived: $0) }
        guard coder.error == nil else { return nil }
        if decoded == nil {
            ArchiveLinks.fail(
                .wrongType, field: key, text: "it is not a whole number of \(bitWidth) bits", with: coder)
        }
        return decoded
    }

    private static var isPlain: Bool { Int64(exactly: max) != nil }
}

extension Int: ArchivableValue {}
extension Int8: ArchivableValue {}
extension Int16: ArchivableValue {}
extension Int32: ArchivableValue {}
extension Int64: ArchivableValue {}
extension UInt: ArchivableValue {}
extension UInt8: ArchivableValue {}
extension UInt16: ArchivableValue {}
extension UInt32: ArchivableValue {}
extension UInt64: ArchivableValue {}

extension Double: ArchivableValue {
    /// NSNumber.
    public static var archivedClasses: [AnyClass] { Numbers.classes }
    /// The number.
    public var archivedObject: NSObject? { NSNumber(value: self) }
    /// Returns the value of a number.
    public static func value(ofArchived object: NSObject) -> Double? { (object as? NSNumber)?.doubleValue }
    /// Encodes the number as a plain field.
    public func encodeField(_ key: String, with coder: NSCoder) { coder.encode(self, forKey: key) }
    /// Returns the number of a plain field.
    public static func decodeField(_ key: String, with coder: NSCoder) -> Double? {
        let value = coder.decodeDouble(forKey: key)
        return coder.error == nil ? value : nil
    }
}

extension Float: ArchivableValue {
    /// NSNumber.
    public static var archivedClasses: [AnyClass] { Numbers.classes }
    /// The number.
    public var archivedObject: NSObject? { NSNumber(value: self) }
    /// Returns the value of a number.
    public static func value(ofArchived object: NSObject) -> Float? { (object as? NSNumber)?.floatValue }
    /// Encodes the number as a plain field.
    public func encodeField(_ key: String, with coder: NSCoder) { coder.encode(self, forKey: key) }
    /// Returns the number of a plain field.
    public static func decodeField(_ key: String, with coder: NSCoder) -> Float? {
        let value = coder.decodeFloat(forKey: key)
        return coder.error == nil ? value : nil
    }
}

extension Decimal: ArchivableValue {
    /// NSDecimalNumber and NSNumber.
    public static var archivedClasses: [AnyClass] { [NSDecimalNumber.self, NSNumber.self] }
    /// The decimal number.
    public var archivedObject: NSObject? { NSDecimalNumber(decimal: self) }
    /// Returns the value of a number.
    public static func value(ofArchived object: NSObject) -> Decimal? { (object as? NSNumber)?.decimalValue }
}

extension Data: ArchivableValue {
    /// NSData.
    public static var archivedClasses: [AnyClass] { [NSData.self] }
    /// The data.
    public var archivedObject: NSObject? { NSData(data: self) }
    /// Returns the bytes of an NSData.
    public static func value(ofArchived object: NSObject) -> Data? { (object as? NSData).map { Data(referencing: $0) } }
}

extension Date: ArchivableValue {
    /// NSDate.
    public static var archivedClasses: [AnyClass] { [NSDate.self] }
    /// The date.
    public var archivedObject: NSObject? { NSDate(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate) }
    /// Returns the date of an NSDate.
    public static func value(ofArchived object: NSObject) -> Date? {
        (object as? NSDate).map { Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate) }
    }
}

extension URL: ArchivableValue {
    /// NSURL.
    public static var archivedClasses: [AnyClass] { [NSURL.self] }
    /// The URL.
    public var archivedObject: NSObject? { self as NSURL }
    /// Returns the URL of an NSURL.
    public static func value(ofArchived object: NSObject) -> URL? { (object as? NSURL).map { $0 as URL } }
}

extension UUID: ArchivableValue {
    /// NSUUID.
    public static var archivedClasses: [AnyClass] { [NSUUID.self] }
    /// The UUID.
    public var archivedObject: NSObject? { self as NSUUID }
    /// Returns the UUID of an NSUUID.
    public static func value(ofArchived object: NSObject) -> UUID? { (object as? NSUUID).map { $0 as UUID } }
}

extension IndexSet: ArchivableValue {
    /// NSIndexSet.
    public static var archivedClasses: [AnyClass] { [NSIndexSet.self] }
    /// The index set.
    public var archivedObject: NSObject? { self as NSIndexSet }
    /// Returns the index set of an NSIndexSet.
    public static func value(ofArchived object: NSObject) -> IndexSet? {
        (object as? NSIndexSet).map { $0 as IndexSet }
    }
}
