internal import ContainerArchives
public import Foundation

/// A type of the app whose values `@AutoArchived` can archive.
///
/// Strings, numbers, Booleans, dates, data, URLs, UUIDs, decimal numbers, index sets, classes with `@AutoArchived`, and
/// optionals, arrays, sets and dictionaries of these can be archived without it. An enumeration with raw values and a
/// class that implements `NSSecureCoding` itself conform by a declaration:
///
///     enum Genre: String, ArchivableValue { case novel, essay }
///
/// Another type conforms with an object that represents it: a string, number, date, data, array or dictionary.
public protocol ArchivableValue: _ArchivableValue {
    /// The classes of the objects that represent values, and of the objects in them.
    static var archivedClasses: [AnyClass] { get }

    /// The object that represents the value.
    var archivedObject: NSObject? { get }

    /// Returns the value that an object represents, or nil if it represents none.
    static func value(ofArchived object: NSObject) -> Self?
}

extension ArchivableValue where Self: RawRepresentable, RawValue: _ArchivableValue {
    /// The classes of the raw value.
    public static var archivedClasses: [AnyClass] { RawValue._archivedClasses }
    /// The raw value.
    public var archivedObject: NSObject? { rawValue._archivedObject }
    /// Returns the case with the raw value, or nil.
    public static func value(ofArchived object: NSObject) -> Self? {
        RawValue._value(ofArchived: object).flatMap { Self(rawValue: $0) }
    }
}

extension ArchivableValue where Self: NSObject & NSSecureCoding {
    /// The class. Objects of a subclass can be read if the subclass is in `allowing:` or `named:`.
    public static var archivedClasses: [AnyClass] { [self] }
    /// The object.
    public var archivedObject: NSObject? { self }
    /// Returns the object if it is of the class.
    public static func value(ofArchived object: NSObject) -> Self? { object as? Self }
    /// True: an object may refer to others.
    public static var _containsObjects: Bool { true }
}

/// A type whose values `@AutoArchived` can archive. Only this library implements and uses its members; a type of the
/// app conforms to `ArchivableValue`.
public protocol _ArchivableValue {
    /// The classes of the objects that represent values, and of the objects in them.
    static var _archivedClasses: [AnyClass] { get }

    /// The object that represents the value. Nil for an optional without a value.
    var _archivedObject: NSObject? { get }

    /// Returns the value that an object represents, or nil if it represents none.
    static func _value(ofArchived object: NSObject) -> Self?

    /// True if values may contain objects that refer to others. Such a value may be decoded after its owner.
    static var _containsObjects: Bool { get }

    /// Encodes the value as the field of an object.
    func _encodeField(_ key: String, with coder: NSCoder)

    /// Returns the value of a field that the archive contains. Fails the archive if it is not a value of this type.
    static func _decodeField(_ key: String, with coder: NSCoder) -> Self?
}

extension ArchivableValue {
    /// The classes of the representation.
    public static var _archivedClasses: [AnyClass] { archivedClasses }
    /// The representation.
    public var _archivedObject: NSObject? { archivedObject }
    /// Returns the value of a representation.
    public static func _value(ofArchived object: NSObject) -> Self? { value(ofArchived: object) }
}

extension _ArchivableValue {
    /// False.
    public static var _containsObjects: Bool { false }

    /// Encodes `archivedObject`.
    public func _encodeField(_ key: String, with coder: NSCoder) { coder.encode(_archivedObject, forKey: key) }

    /// Returns the value of the object in the field.
    public static func _decodeField(_ key: String, with coder: NSCoder) -> Self? {
        guard let object = coder.archivedObject(of: _archivedClasses, forKey: key) else {
            if coder.error == nil {
                ArchiveLinks.fail(.wrongType, field: key, text: "nil is not a \(Self.self)", with: coder)
            }
            return nil
        }
        guard let value = _value(ofArchived: object) else {
            coder.failField(key, object, Self.self)
            return nil
        }
        return value
    }
}

extension NSCoder {
    /// Returns the object in a field. Foundation's coders return values of Swift.
    func archivedObject(of classes: [AnyClass], forKey key: String) -> NSObject? {
        guard let object = decodeObject(of: classes, forKey: key) else { return nil }
        return object as? NSObject ?? object as AnyObject as? NSObject
    }

    /// Fails the archive at a field whose object does not represent a value of a type.
    func failField(_ key: String, _ object: NSObject, _ type: Any.Type) {
        // The values of a collection or an object of the app are not shown: they may be long or private.
        let found =
            object is NSString || object is NSNumber
            ? "“\(ArchiveFault.shown("\(object)"))”" : "\(Swift.type(of: object))"
        ArchiveLinks.fail(
            .wrongType, field: key, text: "\(found) is not a value of \(type)",
            hint: "If a newer version of the app wrote the file, open it with that version.", with: self)
    }
}
