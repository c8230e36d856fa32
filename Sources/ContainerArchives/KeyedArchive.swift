internal import Foundation
internal import PropertyLists

/// The content of a keyed archive: a table of objects that refer to each other by number, and the root.
///
/// Source: Apple, Archives and Serializations Programming Guide; swift-corelibs-foundation, NSKeyedArchiver.swift.
struct KeyedArchive {
    private let objects: [PropertyListValue]
    /// The number of the root object.
    let root: UInt64

    /// Reads the structure of an archive. Its objects are read on demand.
    init(_ bytes: [UInt8], limits: ArchiveLimits) throws(ArchiveFault) {
        let top = try Self.graph(bytes, limits: limits).root
        guard top["$archiver"]?.string == "NSKeyedArchiver", case .integer(100_000) = top["$version"]?.node else {
            throw ArchiveFault(.notAnArchive, "it is a property list, but not one that NSKeyedArchiver wrote")
        }
        guard let objects = top["$objects"]?.members, let names = top["$top"]?.pairs else {
            throw ArchiveFault(.damaged, "the object table is missing")
        }
        guard let first = names.first(where: { $0.key == "root" }) ?? (names.count == 1 ? names.first : nil) else {
            throw ArchiveFault(.damaged, "the root is not specified")
        }
        guard case .uid(let root) = first.value.node else {
            throw ArchiveFault(.badReference, at: "$top", "the root is not a reference")
        }
        self.objects = objects
        self.root = root
    }

    /// The number of entries of the table.
    var count: Int { objects.count }

    /// Returns the object with a number. Nil if the archive has no such object.
    func object(_ number: UInt64) -> PropertyListValue? {
        guard let index = Int(exactly: number), objects.indices.contains(index) else { return nil }
        return objects[index]
    }

    private static func graph(
        _ bytes: [UInt8], limits: ArchiveLimits
    ) throws(ArchiveFault) -> PropertyListGraph {
        var bounds = PropertyListGraph.Limits()
        bounds.bytes = limits.bytes
        bounds.contents = limits.bytes
        // Class descriptions, field names and numbers are values too.
        bounds.objects = limits.clamped.objects * 4
        do throws(PropertyListError) { return try PropertyListGraph(parsing: bytes, limits: bounds) } catch {
            switch error.code {
            case .notAPropertyList: throw ArchiveFault(.notAnArchive, "it is not a property list")
            case .tooLarge: throw ArchiveFault(.tooLarge, "\(error)")
            default: throw ArchiveFault(.damaged, "\(error)")
            }
        }
    }
}

/// The limits for reading an archive.
public struct ArchiveLimits: Sendable, Hashable {
    /// The maximum size of the file in bytes, and of all strings and data in it: 64 MiB.
    public var bytes = 64 << 20
    /// The maximum number of objects and fields: 1,000,000. A collection counts once for each reference in another
    /// collection.
    public var objects = 1_000_000
    /// The maximum depth of nested objects: 64.
    ///
    /// Each level needs a few hundred bytes of stack space, and the stack space of the app's own classes.
    public var depth = 64

    /// Creates the default limits.
    public init() {}

    /// The limits, bounded to prevent overflows in multiplications.
    var clamped: ArchiveLimits {
        var limits = self
        limits.objects = min(objects, 1 << 30)
        return limits
    }
}

/// The fields of an object in an archive.
struct ArchiveFields {
    /// The keys that were requested.
    final class Requests {
        var keys: Set<String> = []
    }
    private let values: [String: PropertyListValue]
    private let requests: Requests?

    init(_ value: PropertyListValue, requests: Requests? = nil) {
        values = Dictionary((value.pairs ?? []).map { ($0.key, $0.value) }) { first, _ in first }
        self.requests = requests
    }

    /// Returns a field. The archiver's own fields (`$class`) are not accessible.
    subscript(key: String) -> PropertyListValue? {
        requests?.keys.insert(key)
        // NSKeyedArchiver adds a second `$` to an app's key that begins with one.
        return values[key.hasPrefix("$") ? "$" + key : key]
    }

    /// The keys, without those of the archiver, in order.
    var keys: [String] {
        values.keys.filter { !$0.hasPrefix("$") || $0.hasPrefix("$$") }
            .map { $0.hasPrefix("$") ? String($0.dropFirst()) : $0 }.sorted()
    }

    /// True if a value was encoded without a key.
    var hasUnkeyedValues: Bool { values.keys.contains { $0.hasPrefix("$") && !$0.hasPrefix("$$") && $0 != "$class" } }
}

extension PropertyListValue {
    /// The value as a number, or nil.
    var number: NSNumber? {
        switch node {
        case .boolean(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .unsigned(let value): NSNumber(value: value)
        case .real(let value): NSNumber(value: value)
        case .single(let value): NSNumber(value: value)
        default: nil
        }
    }

    /// The value as a 64-bit integer, in any number format, or nil.
    var integer: Int64? {
        switch node {
        case .boolean(let value): value ? 1 : 0
        case .integer(let value): value
        case .unsigned(let value): Int64(exactly: value)
        case .real(let value): Int64(exactly: value)
        case .single(let value): Int64(exactly: value)
        default: nil
        }
    }

    /// The value as a floating-point number, or nil.
    var real: Double? {
        switch node {
        case .integer(let value): Double(value)
        case .unsigned(let value): Double(value)
        case .real(let value): value
        case .single(let value): Double(value)
        default: nil
        }
    }

    /// The value as a Boolean, or nil. Old archivers stored Booleans as numbers.
    var boolean: Bool? {
        switch node {
        case .boolean(let value): value
        case .integer(0): false
        case .integer(1): true
        default: nil
        }
    }
}
