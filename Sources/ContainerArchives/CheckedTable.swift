internal import Foundation
internal import PropertyLists

/// The table of objects that Foundation decodes: only what `ArchiveCheck` has checked.
///
/// Each object has a class name that only `FoundationDecoding` knows, so that it is asked for the class of each object. The
/// links of an object are not among its fields. The object therefore refers to none that is being created, and the depth of
/// nested objects is limited whichever fields a class requests. An `ArchiveStep` has all fields of the object.
struct CheckedTable {
    /// The names of this table.
    enum Name {
        static let number = "ContainerArchives.number"
        static let envelope = "ContainerArchivesEnvelope"
        static let step = "ContainerArchivesStep"
        static let object = "ContainerArchivesObject"
        static let value = "ContainerArchivesValue"
        static let root = "root"
        static func links(_ number: UInt64) -> String { "links\(number)" }
        static func finish(_ number: UInt64) -> String { "finish\(number)" }
    }

    private let archive: KeyedArchive
    private let items: [UInt64: ArchiveCheck.Item]
    private var table: [PropertyList]
    private var classes: [String: UInt64] = [:]

    /// Returns the bytes of the checked objects.
    ///
    /// - Throws: `tooDeep` if some order of decoding would nest the objects too deeply.
    static func bytes(
        of archive: KeyedArchive, _ items: [UInt64: ArchiveCheck.Item], limits: ArchiveLimits
    ) throws(ArchiveFault) -> [UInt8] {
        var table = CheckedTable(archive, items: items)
        let envelope = table.addObjects()
        var nesting = limits
        // The envelope and the step around an object.
        nesting.depth = limits.depth.addingReportingOverflow(2).partialValue
        do throws(ArchiveFault) {
            try ArchiveShape(table.table, limits: nesting, links: [:]).checkNesting(from: Int(envelope))
        } catch { throw ArchiveFault(error.code, error.text, hint: error.hint) }
        // Each object has up to three copies, each with a class.
        return try archivedBytes(of: table.table, root: envelope, objects: limits.objects * 16)
    }

    private init(_ archive: KeyedArchive, items: [UInt64: ArchiveCheck.Item]) {
        self.archive = archive
        self.items = items
        table = (0..<UInt64(archive.count)).map { Self.plain(archive.object($0)) ?? .string("$null") }
    }

    /// Adds the objects and their envelope. Returns the number of the envelope.
    private mutating func addObjects() -> UInt64 {
        var envelope: [(key: String, value: PropertyList)] = [(Name.root, .uid(archive.root))]
        for (number, item) in items.sorted(by: { $0.key < $1.key }) {
            var fields = copied(item)
            if let kind = item.kind {
                let name = kind.isPlain ? Name.value + kind.rawValue : Name.object + "\(number)"
                table[Int(number)] = object(fields, name)
                continue
            }
            fields.append((Name.number, .integer(Int64(number))))
            table[Int(number)] = object(fields.filter { !item.links.contains($0.key) }, Name.object + "\(number)")
            guard item.isDescribed else { continue }
            for key in [Name.links(number), Name.finish(number)] {
                envelope.append((key, .uid(add(object(fields, Name.step)))))
            }
        }
        return add(object(envelope, Name.envelope))
    }

    private mutating func add(_ value: PropertyList) -> UInt64 {
        table.append(value)
        return UInt64(table.count - 1)
    }

    private mutating func object(_ fields: [(key: String, value: PropertyList)], _ name: String) -> PropertyList {
        let type =
            classes[name]
            ?? add(.dictionary([("$classname", .string(name)), ("$classes", .array([.string(name)]))]))
        classes[name] = type
        let escaped = fields.map { (key: $0.key.hasPrefix("$") ? "$" + $0.key : $0.key, value: $0.value) }
        return .dictionary(escaped + [("$class", .uid(type))])
    }

    /// Returns the fields of an object that were checked.
    private func copied(_ item: ArchiveCheck.Item) -> [(key: String, value: PropertyList)] {
        item.fields.keys.compactMap { key in
            guard item.requests?.keys.contains(key) != false, key != Name.number, let value = item.fields[key],
                let copy = copied(value)
            else { return nil }
            return (key, copy)
        }
    }

    private func copied(_ value: PropertyListValue) -> PropertyList? {
        switch value.node {
        case .uid(let number): isKnown(number) ? .uid(number) : nil
        case .array: .array((value.members ?? []).compactMap { copied($0) })
        default: Self.plain(value)
        }
    }

    private func isKnown(_ number: UInt64) -> Bool {
        number == 0 || items[number] != nil || Self.plain(archive.object(number)) != nil
    }

    /// Returns a value that contains no others, or nil.
    static func plain(_ value: PropertyListValue?) -> PropertyList? {
        switch value?.node {
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .unsigned(let value): .unsigned(value)
        case .real(let value): .real(value)
        case .single(let value): .single(value)
        case .date(let value): .date(value)
        case .data(let value): .data(value)
        case .string(let value): .string(value)
        case .uid, .array, .dictionary, .null, nil: nil
        }
    }
}

/// Returns the bytes of an archive with a table of objects.
func archivedBytes(
    of table: [PropertyList], root: UInt64, objects: Int = 1_000_000
) throws(ArchiveFault) -> [UInt8] {
    let archive = PropertyList.dictionary([
        ("$version", .integer(100_000)), ("$archiver", .string("NSKeyedArchiver")),
        ("$top", .dictionary([("root", .uid(root))])), ("$objects", .array(table)),
    ])
    do throws(PropertyListError) { return try archive.binary(objects: objects) } catch {
        throw ArchiveFault(.tooLarge, "\(error)")
    }
}
