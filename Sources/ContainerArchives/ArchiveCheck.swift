internal import Foundation
internal import PropertyLists

/// A check of an archive before the coders of Foundation decode it.
///
/// `ArchiveReader` follows all references with its limits, and creates and thereby checks each object of Foundation.
/// For an object of the app, it creates a `CheckedObject`. A class with `@AutoArchived` states the classes of its
/// fields. In the fields of another class any class is accepted here, and `FoundationDecoding` checks it when the class
/// requests the object.
///
/// `table` then contains only what was checked: equal keys, unknown fields and objects that are not reached are left
/// out, so that another parser cannot find anything else in it.
final class ArchiveCheck: AppObjects {
    /// An object of the app or of Foundation.
    struct Item {
        /// The position where the object was found first.
        let place: String
        /// The name of the class in the archive.
        let name: String
        /// The kind of an object of Foundation.
        var kind: FoundationValue?
        let fields: ArchiveFields
        /// The keys that the check of an object of Foundation requested.
        var requests: ArchiveFields.Requests?
        /// The keys of the fields that are decoded after the object. See `ArchiveLinks`.
        var links: Set<String> = []
        /// True for a class with `@AutoArchived`.
        var isDescribed = false
    }

    private(set) var items: [UInt64: Item] = [:]
    private var described: [ObjectIdentifier: [String: _ArchivedField]] = [:]
    /// The position of the first object that contains a value without a key.
    private(set) var unkeyed: String?

    func object(
        _ value: PropertyListValue, named name: String, of type: ArchivableClass?, _ number: UInt64,
        in reader: ArchiveReader
    ) throws(ArchiveFault) -> NSObject {
        let fields = ArchiveFields(value)
        let known = type.flatMap { described(of: $0) }
        var item = Item(place: reader.place, name: name, fields: fields, isDescribed: known != nil)
        if fields.hasUnkeyedValues, unkeyed == nil { unkeyed = reader.place }
        for key in fields.keys {
            switch fields[key]?.node {
            case .uid:
                guard let field = known?[key] else {
                    try reader.check(fields, key: key)
                    continue
                }
                guard field.isLink else {
                    _ = try reader.object(fields, key, of: field.classes)
                    continue
                }
                item.links.insert(key)
                reader.afterCreation(of: number) {
                    _ = reader.attempt { () throws(ArchiveFault) in
                        try reader.object(fields, key, of: field.classes)
                    }
                }
            case .array, .dictionary, .null:
                throw reader.fault(
                    .damaged, text: "the field \(ArchiveFault.shown(key)) is neither a value nor a reference")
            default: break
            }
        }
        items[number] = item
        return CheckedObject(type, named: name)
    }

    func fields(
        _ value: PropertyListValue, named name: String, of kind: FoundationValue, number: UInt64,
        in reader: ArchiveReader
    ) -> ArchiveFields {
        let requests = ArchiveFields.Requests()
        items[number] = Item(
            place: reader.place, name: name, kind: kind, fields: ArchiveFields(value), requests: requests)
        return ArchiveFields(value, requests: requests)
    }

    private func described(of type: ArchivableClass) -> [String: _ArchivedField]? {
        if let known = described[ObjectIdentifier(type)] { return known }
        guard let description = type as? any _ArchiveDescribed.Type else { return nil }
        var fields: [String: _ArchivedField] = [:]
        for field in description._archivedFields { for key in field.keys { fields[key] = field } }
        described[ObjectIdentifier(type)] = fields
        return fields
    }
}

/// A substitute for an object of the app during the check of an archive.
final class CheckedObject: NSObject {
    /// The name of the class in the archive.
    let name: String
    private let type: ArchivableClass?

    init(_ type: ArchivableClass?, named name: String) { (self.type, self.name) = (type, name) }

    /// Returns true if an object is of a class, or an object of the app whose class is not known yet may be.
    static func isKind(_ object: NSObject, of type: AnyClass) -> Bool {
        guard let checked = object as? CheckedObject else { return object.isKind(of: type) }
        return checked.type.map { $0.isSubclass(of: type) }
            ?? (type == NSObject.self || !ArchiveClasses.isOfFoundation(type))
    }
}
