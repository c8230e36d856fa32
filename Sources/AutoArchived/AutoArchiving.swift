public import ContainerArchives
public import Foundation

/// The calls in the methods that `@AutoArchived` writes. Apps do not call them.
public enum _AutoArchiving {
    /// A property that may refer to objects.
    public typealias Field = _ArchivedField

    /// Encodes a property.
    @inlinable
    public static func encode<Value: _ArchivableValue>(_ value: Value, _ key: String, with coder: NSCoder) {
        value._encodeField(key, with: coder)
    }

    /// Encodes a property whose objects may refer to others.
    @inlinable
    public static func encodeLink<Value: _ArchivableValue>(_ value: Value, _ key: String, with coder: NSCoder) {
        if Value._containsObjects {
            link(value._archivedObject, key, coder)
        } else {
            value._encodeField(key, with: coder)
        }
    }

    /// Encodes a weak property.
    public static func encodeWeak<Object: NSObject & _ArchivableValue>(
        _ object: Object?, _ key: String, with coder: NSCoder
    ) {
        ArchiveLinks.encodeWeak(object, forKey: key, with: coder)
    }

    /// Returns the value of a property, or nil if the archive has none of its keys or another type.
    @inlinable
    public static func decode<Value: _ArchivableValue>(
        _ type: Value.Type, _ key: String, formerly: [String] = [], with coder: NSCoder
    ) -> Value? {
        if coder.containsValue(forKey: key) { return Value._decodeField(key, with: coder) }
        guard let former = formerly.first(where: { coder.containsValue(forKey: $0) }) else { return nil }
        return Value._decodeField(former, with: coder)
    }

    /// Returns the value of a property without an initial value. Fails the archive if it has none of its keys.
    @inlinable
    public static func require<Value: _ArchivableValue>(
        _ type: Value.Type, _ key: String, formerly: [String] = [], with coder: NSCoder
    ) -> Value? {
        if let value = decode(type, key, formerly: formerly, with: coder) { return value }
        if coder.error == nil { failMissing(key, coder) }
        return nil
    }

    /// Sets a property whose objects may refer to others: after the objects that are being created.
    @inlinable
    public static func decodeLink<Owner: AnyObject, Value: _ArchivableValue>(
        _ type: Value.Type, _ key: String, formerly: [String] = [], of owner: Owner, with coder: NSCoder,
        _ set: @escaping (Owner, Value) -> Void
    ) {
        if Value._containsObjects {
            later(coder) {
                if let value = decode(type, key, formerly: formerly, with: coder) { set(owner, value) }
            }
        } else if let value = decode(type, key, formerly: formerly, with: coder) {
            set(owner, value)
        }
    }

    /// Returns the description of a property that may refer to objects.
    public static func field<Value: _ArchivableValue>(
        _ type: Value.Type, _ key: String, formerly: [String] = [], isLink: Bool
    ) -> Field {
        Field(
            keys: [key] + formerly, classes: type._archivedClasses, isLink: isLink && type._containsObjects)
    }

    /// Encodes the version of a class.
    public static func encodeVersion(_ version: Int, of name: String, with coder: NSCoder) {
        coder.encode(version, forKey: versionKey(name))
    }

    /// Returns the version of a class in an archive, 0 if it has none. Fails the archive if it is newer than `known`.
    public static func decodeVersion(of name: String, known: Int, with coder: NSCoder) -> Int? {
        let key = versionKey(name)
        let version = coder.containsValue(forKey: key) ? coder.decodeInteger(forKey: key) : 0
        guard coder.error == nil else { return nil }
        guard (0...known).contains(version) else {
            ArchiveLinks.fail(
                .wrongType, field: key,
                text: "version \(version) of \(name) is newer than version \(known), which this app reads",
                hint: "Open the file with the version of the app that wrote it.", with: coder)
            return nil
        }
        return version
    }

    /// Calls the migration of an object that an older version of its class archived, after all objects are complete.
    public static func migrate(from version: Int, to known: Int, with coder: NSCoder, _ body: @escaping () -> Void) {
        if version < known { ArchiveLinks.finish(with: coder, body) }
    }

    private static func versionKey(_ name: String) -> String { "\(name).version" }

    @usableFromInline
    static func link(_ object: NSObject?, _ key: String, _ coder: NSCoder) {
        ArchiveLinks.encode(object, forKey: key, with: coder)
    }

    @usableFromInline
    static func later(_ coder: NSCoder, _ body: @escaping () -> Void) { ArchiveLinks.decode(with: coder, body) }

    @usableFromInline
    static func failMissing(_ key: String, _ coder: NSCoder) {
        ArchiveLinks.fail(
            .wrongType, field: key, text: "the field is missing",
            hint: "Give the property an initial value, or state the former key with @Archived(formerly:).", with: coder)
    }
}

// Chosen for types that cannot be archived, so that the error states what to do.
extension _AutoArchiving {
    /// Reports a property that cannot be archived.
    @available(
        *, unavailable,
        message:
            "the type of the property cannot be archived; conform it to ArchivableValue, or mark the property @NotArchived"
    )
    public static func encode<Value>(_ value: Value, _ key: String, with coder: NSCoder) {}

    /// Returns a description without classes. Encoding the property reports that it cannot be archived.
    public static func field<Value>(
        _ type: Value.Type, _ key: String, formerly: [String] = [], isLink: Bool
    ) -> Field {
        Field(keys: [], classes: [], isLink: false)
    }

    /// Reports a property that cannot be archived.
    @available(
        *, unavailable,
        message:
            "the type of the property cannot be archived; conform it to ArchivableValue, or mark the property @NotArchived"
    )
    public static func encodeLink<Value>(_ value: Value, _ key: String, with coder: NSCoder) {}
}
