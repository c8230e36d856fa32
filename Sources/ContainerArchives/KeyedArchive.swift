internal import PropertyLists

/// What a keyed archiver wrote: a table of objects that refer to each other by number, and the first of them.
///
/// Source: Apple, Archives and Serializations Programming Guide; swift-corelibs-foundation, NSKeyedArchiver.swift.
struct KeyedArchive {
    private let objects: [PropertyListValue]
    /// The number of the object that all others hang on.
    let root: UInt64

    /// Reads the frame of an archive; its objects are looked at when they are asked for.
    init(_ bytes: [UInt8], limits: ArchiveLimits) throws(ArchiveFault) {
        let top = try Self.graph(bytes, limits).root
        guard top["$archiver"]?.string == "NSKeyedArchiver", case .integer(100_000) = top["$version"]?.node else {
            throw ArchiveFault(.notAnArchive, "it is a property list, but not one that NSKeyedArchiver wrote")
        }
        guard let objects = top["$objects"]?.members, let names = top["$top"]?.pairs else {
            throw ArchiveFault(.damaged, "it has no table of objects")
        }
        guard let first = names.first(where: { $0.key == "root" }) ?? (names.count == 1 ? names.first : nil) else {
            throw ArchiveFault(.damaged, "it does not say which object is its root")
        }
        guard case .uid(let root) = first.value.node else {
            throw ArchiveFault(.badReference, at: "$top", "the root is no reference")
        }
        self.objects = objects
        self.root = root
    }

    /// An object by its number, nil where there is none.
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
        // The classes' descriptions, field names and numbers are values too.
        bounds.objects = limits.clamped.objects * 4
        do throws(PropertyListError) { return try PropertyListGraph(parsing: bytes, limits: bounds) } catch {
            switch error.code {
            case .notAPropertyList: throw ArchiveFault(.notAnArchive, "it is no property list")
            case .tooLarge: throw ArchiveFault(.tooLarge, "\(error)")
            default: throw ArchiveFault(.damaged, "\(error)")
            }
        }
    }
}
