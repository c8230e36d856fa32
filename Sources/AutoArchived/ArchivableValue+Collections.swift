public import Foundation

// A member without a value (an optional in a collection) is archived as NSNull, as Foundation's collections require.

extension ArchivableValue {
    fileprivate var member: NSObject { archivedObject ?? NSNull() }
}

extension Optional: ArchivableValue where Wrapped: ArchivableValue {
    /// The classes of the value, and NSNull.
    public static var archivedClasses: [AnyClass] { Wrapped.archivedClasses + [NSNull.self] }
    /// The object of the value, or nil.
    public var archivedObject: NSObject? { self?.archivedObject }
    /// Returns the value of an object. Nil is the value of NSNull.
    public static func value(ofArchived object: NSObject) -> Wrapped?? {
        if object is NSNull { return .some(nil) }
        return Wrapped.value(ofArchived: object).map { .some($0) }
    }
    /// True if the values may contain objects.
    public static var containsObjects: Bool { Wrapped.containsObjects }
    /// Returns the value of a field, or nil if nil was archived.
    public static func decodeField(_ key: String, with coder: NSCoder) -> Wrapped?? {
        guard let object = coder.archivedObject(of: Wrapped.archivedClasses, forKey: key) else {
            return coder.error == nil ? .some(nil) : nil
        }
        guard let value = Wrapped.value(ofArchived: object) else {
            coder.failField(key, object, Wrapped.self)
            return nil
        }
        return .some(value)
    }
}

extension Array: ArchivableValue where Element: ArchivableValue {
    /// NSArray, and the classes of the elements.
    public static var archivedClasses: [AnyClass] { [NSArray.self] + Element.archivedClasses }
    /// An NSArray of the elements.
    public var archivedObject: NSObject? { NSArray(array: map(\.member)) }
    /// Returns the elements of an NSArray, or nil if one has another type.
    public static func value(ofArchived object: NSObject) -> [Element]? {
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
    public static var containsObjects: Bool { Element.containsObjects }
}

extension Set: ArchivableValue where Element: ArchivableValue {
    /// NSSet, and the classes of the members.
    public static var archivedClasses: [AnyClass] { [NSSet.self] + Element.archivedClasses }
    /// An NSSet of the members.
    public var archivedObject: NSObject? { NSSet(array: map(\.member)) }
    /// Returns the members of an NSSet, or nil if one has another type.
    public static func value(ofArchived object: NSObject) -> Set<Element>? {
        guard let set = object as? NSSet else { return nil }
        var members: Set<Element> = []
        for member in set {
            guard let member = Element.value(ofMember: member) else { return nil }
            members.insert(member)
        }
        return members
    }
    /// True if the members may contain objects.
    public static var containsObjects: Bool { Element.containsObjects }
}

extension Dictionary: ArchivableValue where Key: ArchivableValue, Value: ArchivableValue {
    /// NSDictionary, and the classes of the keys and values.
    public static var archivedClasses: [AnyClass] {
        [NSDictionary.self] + Key.archivedClasses + Value.archivedClasses
    }
    /// An NSDictionary of the keys and values.
    public var archivedObject: NSObject? {
        var objects: [NSObject: NSObject] = [:]
        for (key, value) in self { objects[key.member] = value.member }
        return NSDictionary(dictionary: objects)
    }
    /// Returns the keys and values of an NSDictionary, or nil if one has another type.
    public static func value(ofArchived object: NSObject) -> [Key: Value]? {
        guard let dictionary = object as? NSDictionary else { return nil }
        var pairs: [Key: Value] = [:]
        for (key, value) in dictionary {
            guard let key = Key.value(ofMember: key), let value = Value.value(ofMember: value) else { return nil }
            pairs[key] = value
        }
        return pairs
    }
    /// True if the keys or values may contain objects.
    public static var containsObjects: Bool { Key.containsObjects || Value.containsObjects }
}

extension ArchivableValue {
    fileprivate static func value(ofMember member: Any) -> Self? {
        (member as AnyObject as? NSObject).flatMap { value(ofArchived: $0) }
    }
}
