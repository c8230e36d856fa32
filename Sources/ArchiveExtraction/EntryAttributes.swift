internal import CArchive

/// The extended attributes in the header of an entry, under the names that Apple's systems use.
package struct EntryAttributes: Sendable {
    /// The attributes, each name once.
    package private(set) var values: [(name: String, value: [UInt8])] = []
    /// The names of attributes beyond the limits, or not valid UTF-8.
    package private(set) var refused: [String] = []

    init(_ entry: OpaquePointer, limits: ExtractionLimits) {
        guard archive_entry_xattr_reset(entry) > 0 else { return }
        var name: UnsafePointer<CChar>?
        var value: UnsafeRawPointer?
        var count = 0
        while archive_entry_xattr_next(entry, &name, &value, &count) == ARCHIVE_OK {
            guard let name else { continue }
            add([UInt8](text: name), value: UnsafeRawBufferPointer(start: value, count: count), limits: limits)
        }
    }

    /// Creates attributes from the names and values of an AppleDouble file.
    init(_ file: AppleDouble, limits: ExtractionLimits) {
        for attribute in file.attributes {
            attribute.value.withUnsafeBytes { add(attribute.name, value: $0, limits: limits) }
        }
    }

    private mutating func add(_ spelled: [UInt8], value: UnsafeRawBufferPointer, limits: ExtractionLimits) {
        guard let name = Self.name(for: spelled) else { return }
        // An archive may contain an attribute in both spellings of pax.
        guard !values.contains(where: { $0.name == name }) else { return }
        guard values.count < limits.attributes, value.count <= limits.attributeSize, name.utf8.count <= 255,
            name.utf8.elementsEqual(Self.withoutNamespace(spelled))
        else {
            if refused.count < limits.attributes { refused.append(String(name.prefix(255))) }
            return
        }
        values.append((name, Array(value)))
    }

    /// Returns the name without the namespace `user.` of Linux. Nil for other namespaces of Linux, which belong to the
    /// kernel.
    private static func name(for spelled: [UInt8]) -> String? {
        for namespace in ["security.", "system.", "trusted.", "btrfs."] where spelled.starts(with: namespace.utf8) {
            return nil
        }
        let name = withoutNamespace(spelled)
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    private static func withoutNamespace(_ spelled: [UInt8]) -> ArraySlice<UInt8> {
        spelled.starts(with: "user.".utf8) ? spelled.dropFirst(5) : spelled[...]
    }
}
