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
        let top = try Self.graph(bytes, limits).root
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

    /// Returns an object by its number, or nil if there is none.
    func object(_ number: UInt64) -> PropertyListValue? {
        guard let index = Int(exactly: number), objects.indices.contains(index) else { return nil }
        return objects[index]
    }

    private static func graph(
        _ bytes: [UInt8], _ limits: ArchiveLimits
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
