internal import ContainerArchives
public import Foundation

extension String: _ArchivableValue {
    private static let classes: [AnyClass] = [NSString.self]
    /// NSString.
    public static var _archivedClasses: [AnyClass] { classes }
    /// The string.
    public var _archivedObject: NSObject? { NSString(string: self) }
    /// Returns the string of an NSString.
    public static func _value(ofArchived object: NSObject) -> String? { (object as? NSString).map { String($0) } }
    /// Encodes the string.
    public func _encodeField(_ key: String, with coder: NSCoder) { coder.encode(self, forKey: key) }
}

extension Bool: _ArchivableValue {
    /// NSNumber.
    public static var _archivedClasses: [AnyClass] { Numbers.classes }
    /// The Boolean as a number.
    public var _archivedObject: NSObject? { NSNumber(value: self) }
    /// Returns the Boolean of a number that is 0 or 1.
    public static func _value(ofArchived object: NSObject) -> Bool? {
        guard let number = object as? NSNumber, number == 0 || number == 1 else { return nil }
        return number.boolValue
    }
    /// Encodes the Boolean as a plain field.
    public func _encodeField(_ key: String, with coder: NSCoder) { coder.encode(self, forKey: key) }
    /// Returns the Boolean of a plain field.
    public static func _decodeField(_ key: String, with coder: NSCoder) -> Bool? {
        let value = coder.decodeBool(forKey: key)
        return coder.error == nil ? value : nil
    }
}

/// The classes of numbers.
private enum Numbers {
    static let classes: [AnyClass] = [NSNumber.self]
}

extension _ArchivableValue where Self: FixedWidthInteger {
    /// NSNumber.
    public static var _archivedClasses: [AnyClass] { Numbers.classes }
    /// The integer as a number.
    public var _archivedObject: NSObject? {
        Int64(exactly: self).map { NSNumber(value: $0) } ?? NSNumber(value: UInt64(truncatingIfNeeded: self))
    }
    /// Returns the integer of a number without a fraction and in the range of the type.
    public static func _value(ofArchived object: NSObject) -> Self? {
        guard let number = object as? NSNumber else { return nil }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): return Self(exactly: number.doubleValue)
        case UInt8(ascii: "Q"): return Self(exactly: number.uint64Value)
        default: return Self(exactly: number.int64Value)
        }
    }
    /// Encodes the integer as a plain field if it has 64 bits with its sign, otherwise as a number.
    public func _encodeField(_ key: String, with coder: NSCoder) {
        if Self.isPlain { coder.encode(Int64(self), forKey: key) } else { coder.encode(_archivedObject, forKey: key) }
    }
    /// Returns the integer of a field. One that the type cannot represent fails the archive.
    public static func _decodeField(_ key: String, with coder: NSCoder) -> Self? {
        let decoded =
            isPlain
            ? Self(exactly: coder.decodeInt64(forKey: key))
            : coder.archivedObject(of: _archivedClasses, forKey: key).flatMap { _value(ofArchived: $0) }
        guard coder.error == nil else { return nil }
        if decoded == nil {
            ArchiveLinks.fail(
                .wrongType, field: key, text: "it is not a whole number of \(bitWidth) bits", with: coder)
        }
        return decoded
    }

    private static var isPlain: Bool { Int64(exactly: max) != nil }
}

extension Int: _ArchivableValue {}
extension Int8: _ArchivableValue {}
extension Int16: _ArchivableValue {}
extension Int32: _ArchivableValue {}
extension Int64: _ArchivableValue {}
extension UInt: _ArchivableValue {}
extension UInt8: _ArchivableValue {}
extension UInt16: _ArchivableValue {}
extension UInt32: _ArchivableValue {}
extension UInt64: _ArchivableValue {}

extension Double: _ArchivableValue {
    /// NSNumber.
    public static var _archivedClasses: [AnyClass] { Numbers.classes }
    /// The number.
    public var _archivedObject: NSObject? { NSNumber(value: self) }
    /// Returns the value of a number.
    public static func _value(ofArchived object: NSObject) -> Double? { (object as? NSNumber)?.doubleValue }
    /// Encodes the number as a plain field.
    public func _encodeField(_ key: String, with coder: NSCoder) { coder.encode(self, forKey: key) }
    /// Returns the number of a plain field.
    public static func _decodeField(_ key: String, with coder: NSCoder) -> Double? {
        let value = coder.decodeDouble(forKey: key)
        return coder.error == nil ? value : nil
    }
}

extension Float: _ArchivableValue {
    /// NSNumber.
    public static var _archivedClasses: [AnyClass] { Numbers.classes }
    /// The number.
    public var _archivedObject: NSObject? { NSNumber(value: self) }
    /// Returns the value of a number.
    public static func _value(ofArchived object: NSObject) -> Float? { (object as? NSNumber)?.floatValue }
    /// Encodes the number as a plain field.
    public func _encodeField(_ key: String, with coder: NSCoder) { coder.encode(self, forKey: key) }
    /// Returns the number of a plain field.
    public static func _decodeField(_ key: String, with coder: NSCoder) -> Float? {
        let value = coder.decodeFloat(forKey: key)
        return coder.error == nil ? value : nil
    }
}

extension Decimal: _ArchivableValue {
    /// NSDecimalNumber and NSNumber.
    public static var _archivedClasses: [AnyClass] { [NSDecimalNumber.self, NSNumber.self] }
    /// The decimal number.
    public var _archivedObject: NSObject? { NSDecimalNumber(decimal: self) }
    /// Returns the value of a number.
    public static func _value(ofArchived object: NSObject) -> Decimal? { (object as? NSNumber)?.decimalValue }
}

extension Data: _ArchivableValue {
    /// NSData.
    public static var _archivedClasses: [AnyClass] { [NSData.self] }
    /// The data.
    public var _archivedObject: NSObject? { NSData(data: self) }
    /// Returns the bytes of an NSData.
    public static func _value(ofArchived object: NSObject) -> Data? {
        (object as? NSData).map { Data(referencing: $0) }
    }
}

extension Date: _ArchivableValue {
    /// NSDate.
    public static var _archivedClasses: [AnyClass] { [NSDate.self] }
    /// The date.
    public var _archivedObject: NSObject? { NSDate(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate) }
    /// Returns the date of an NSDate.
    public static func _value(ofArchived object: NSObject) -> Date? {
        (object as? NSDate).map { Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate) }
    }
}

extension URL: _ArchivableValue {
    /// NSURL.
    public static var _archivedClasses: [AnyClass] { [NSURL.self] }
    /// The URL.
    public var _archivedObject: NSObject? { self as NSURL }
    /// Returns the URL of an NSURL.
    public static func _value(ofArchived object: NSObject) -> URL? { (object as? NSURL).map { $0 as URL } }
}

extension UUID: _ArchivableValue {
    /// NSUUID.
    public static var _archivedClasses: [AnyClass] { [NSUUID.self] }
    /// The UUID.
    public var _archivedObject: NSObject? { self as NSUUID }
    /// Returns the UUID of an NSUUID.
    public static func _value(ofArchived object: NSObject) -> UUID? { (object as? NSUUID).map { $0 as UUID } }
}

extension IndexSet: _ArchivableValue {
    /// NSIndexSet.
    public static var _archivedClasses: [AnyClass] { [NSIndexSet.self] }
    /// The index set.
    public var _archivedObject: NSObject? { self as NSIndexSet }
    /// Returns the index set of an NSIndexSet.
    public static func _value(ofArchived object: NSObject) -> IndexSet? {
        (object as? NSIndexSet).map { $0 as IndexSet }
    }
}
