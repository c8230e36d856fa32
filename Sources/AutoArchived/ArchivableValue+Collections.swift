public import Foundation

// A member without a value (an optional in a collection) is archived as NSNull, as Foundation's collections require.

extension _ArchivableValue {
    fileprivate var member: NSObject { _archivedObject ?? NSNull() }
}

extension Optional: _ArchivableValue where Wrapped: _ArchivableValue {
    /// The classes of the value, and NSNull.
    public static var _archivedClasses: [AnyClass] { Wrapped._archivedClasses + [NSNull.self] }
    /// The object of the value, or nil.
    public var _archivedObject: NSObject? { self?._archivedObject }
    /// Returns the value of an object. Nil is the value of NSNull.
    public static func _value(ofArchived object: NSObject) -> Wrapped?? {
        if object is NSNull { return .some(nil) }
        return Wrapped._value(ofArchived: object).map { .some($0) }
    }
    /// True if the values may contain objects.
    public static var _containsObjects: Bool { Wrapped._containsObjects }
    /// Returns the value of a field, or nil if nil was archived.
    public static func _decodeField(_ key: String, with coder: NSCoder) -> Wrapped?? {
        guard let object = coder.archivedObject(of: Wrapped._archivedClasses, forKey: key) else {
            return coder.error == nil ? .some(nil) : nil
        }
        guard let value = Wrapped._value(ofArchived: object) else {
            coder.failField(key, object, Wrapped.self)
            return nil
        }
        return .some(value)
    }
}

extension Array: _ArchivableValue where Element: _ArchivableValue {
    /// NSArray, and the classes of the elements.
    public static var _archivedClasses: [AnyClass] { [NSArray.self] + Element._archivedClasses }
    /// An NSArray of the elements.
    public var _archivedObject: NSObject? { NSArray(array: map(\.member)) }
    /// Returns the elements of an NSArray, or nil if one has another type.
    public static func _value(ofArchived object: NSObject) -> [Element]? {
        guard let array = object as? NSArray else { return nil }
        var elements: [Element] = []
        elements.reserveCapacity(array.count)
        for member in array {
            guard let element = Element.value(ofMember: member) else { return nil }
            elements.append(element)
        }
        return elements
    }
    /// True if the elements may contain objects.
    public static var _containsObjects: Bool { Element._containsObjects }
}

extension Set: _ArchivableValue where Element: _ArchivableValue {
    /// NSSet, and the classes of the members.
    public static var _archivedClasses: [AnyClass] { [NSSet.self] + Element._archivedClasses }
    /// An NSSet of the members.
    public var _archivedObject: NSObject? { NSSet(array: map(\.member)) }
    /// Returns the members of an NSSet, or nil if one has another type.
    public static func _value(ofArchived object: NSObject) -> Set<Element>? {
        guard let set = object as? NSSet else { return nil }
        var members: Set<Element> = []
        for member in set {
            guard let member = Element.value(ofMember: member) else { return nil }
            members.insert(member)
        }
        return members
    }
    /// True if the members may contain objects.
    public static var _containsObjects: Bool { Element._containsObjects }
}

extension Dictionary: _ArchivableValue where Key: _ArchivableValue, Value: _ArchivableValue {
    /// NSDictionary, and the classes of the keys and values.
    public static var _archivedClasses: [AnyClass] {
        [NSDictionary.self] + Key._archivedClasses + Value._archivedClasses
    }
    /// An NSDictionary of the keys and values.
    public var _archivedObject: NSObject? {
        var objects: [NSObject: NSObject] = [:]
        for (key, value) in self { objects[key.member] = value.member }
        return NSDictionary(dictionary: objects)
    }
    /// Returns the keys and values of an NSDictionary, or nil if one has another type.
    public static func _value(ofArchived object: NSObject) -> [Key: Value]? {
        guard let dictionary = object as? NSDictionary else { return nil }
        var pairs: [Key: Value] = [:]
        for (key, value) in dictionary {
            guard let key = Key.value(ofMember: key), let value = Value.value(ofMember: value) else { return nil }
            pairs[key] = value
        }
        return pairs
    }
    /// True if the keys or values may contain objects.
    public static var _containsObjects: Bool { Key._containsObjects || Value._containsObjects }
}

extension _ArchivableValue {
    fileprivate static func value(ofMember member: Any) -> Self? {
        (member as AnyObject as? NSObject).flatMap { _value(ofArchived: $0) }
    }
}
