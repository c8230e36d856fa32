internal import Foundation
internal import PropertyLists

/// An encoding of objects by `NSKeyedArchiver`, whose result is checked before it is saved.
///
/// Objects that cannot be archived, and those beyond the limits, are replaced by a string when the archiver is about to
/// encode them, and fail the archive: for some of them, it would raise an exception or encode without end.
final class FoundationEncoding: NSObject, NSKeyedArchiverDelegate, LinkEncoding {
    /// The name in the archive of a class that the archiver wrote under another one.
    private struct Names {
        let name: String
        let lineage: [String]
    }
    private struct Link {
        let id: Int
        let object: NSObject
    }
    private static let linkPrefix = "ContainerArchives.link."

    private let root: NSObject
    private let given: [ObjectIdentifier: String]
    private let limits: ArchiveLimits
    private var failure: ArchiveFault?
    private var names: [String: Names] = [:]
    /// The classes of the app in the archive, by their names in it.
    private var types: [String: ArchivableClass] = [:]
    private var count = 0
    private var path: [NSObject] = []
    private var links: [Link] = []
    private var weakLinks: [Link] = []
    private var linkCount = 0

    private init(_ root: NSObject, named names: [String: ArchivableClass], limits: ArchiveLimits) {
        self.root = root
        self.limits = limits.clamped
        given = Dictionary(names.map { (ObjectIdentifier($0.value), $0.key) }) { first, _ in first }
    }

    /// Returns the bytes of an archive.
    static func archive(
        _ root: any NSObject & NSSecureCoding, named names: [String: ArchivableClass], limits: ArchiveLimits
    ) throws(ArchiveFault) -> [UInt8] {
        let encoding = FoundationEncoding(root, named: names, limits: limits)
        let data: Data
        do {
            data = try NSKeyedArchiver.archivedData(
                withRootObject: ArchiveEnvelope(encoding), requiringSecureCoding: true)
        } catch { throw encoding.failure ?? ArchiveFault(.notEncodable, "Foundation cannot archive it: \(error)") }
        if let failure = encoding.failure { throw failure }
        var larger = encoding.limits
        larger.bytes = .max
        let bytes = try encoding.finished(try KeyedArchive(Array(data), limits: larger))
        try encoding.check(bytes)
        return bytes
    }

    /// Checks that the archive can be read again with the same limits.
    private func check(_ bytes: [UInt8]) throws(ArchiveFault) {
        let check = ArchiveCheck()
        let archive = try KeyedArchive(bytes, limits: limits)
        let classes = ArchiveClasses([], named: types).allowingAny
        do throws(ArchiveFault) {
            _ = try ArchiveReader(archive, classes: classes, limits: limits, appObjects: check).root(of: NSObject.self)
            _ = try CheckedTable.bytes(of: archive, check.items, limits: limits)
        } catch {
            switch error.code {
            case .cycle, .tooDeep, .tooLarge: throw error
            default: throw ArchiveFault(.notEncodable, at: error.keyPath, error.text, hint: error.hint)
            }
        }
        if let place = check.unkeyed {
            throw ArchiveFault(
                .notEncodable, at: place,
                "a value was encoded without a key or is a C structure, which cannot be read again",
                hint: "Encode each value with a key.")
        }
    }

    // MARK: - Result

    /// Returns the bytes without the envelope, with the links in their objects and the names of the classes.
    private func finished(_ archive: KeyedArchive) throws(ArchiveFault) -> [UInt8] {
        let envelope = archive.object(archive.root)
        guard let envelope, case .uid(let root)? = envelope["root"]?.node else {
            throw ArchiveFault(.notEncodable, "Foundation did not archive the root")
        }
        let fields = ArchiveFields(envelope)
        var left: Set<UInt64> = [archive.root]
        if case .uid(let type)? = envelope["$class"]?.node { left.insert(type) }
        // The numbers of the objects without the envelope.
        var numbers: [UInt64: UInt64] = [:]
        for number in 0..<UInt64(archive.count) where !left.contains(number) { numbers[number] = UInt64(numbers.count) }
        var table: [PropertyList] = []
        for number in 0..<UInt64(archive.count) where !left.contains(number) {
            guard let value = archive.object(number) else { continue }
            table.append(try converted(value, numbers: numbers, envelope: fields))
        }
        return try archivedBytes(of: table, root: numbers[root] ?? 0)
    }

    private func converted(
        _ value: PropertyListValue, numbers: [UInt64: UInt64], envelope: ArchiveFields, depth: Int = 0
    ) throws(ArchiveFault) -> PropertyList {
        guard depth < 8 else { throw ArchiveFault(.notEncodable, "a field contains nested values") }
        switch value.node {
        case .uid(let number): return .uid(numbers[number] ?? 0)
        case .array:
            var members: [PropertyList] = []
            for member in value.members ?? [] {
                members.append(try converted(member, numbers: numbers, envelope: envelope, depth: depth + 1))
            }
            return .array(members)
        case .dictionary:
            if let name = value["$classname"]?.string, let known = names[name] {
                return .dictionary([
                    ("$classname", .string(known.name)), ("$classes", .array(known.lineage.map { .string($0) })),
                ])
            }
            var pairs: [(key: String, value: PropertyList)] = []
            for (key, field) in value.pairs ?? [] {
                if key.hasPrefix(Self.linkPrefix), let id = field.integer {
                    let target = envelope["link\(id)"]
                    let number = if case .uid(let number)? = target?.node { numbers[number] ?? 0 } else { UInt64(0) }
                    let name = String(key.dropFirst(Self.linkPrefix.count))
                    pairs.append((name.hasPrefix("$") ? "$" + name : name, .uid(number)))
                } else {
                    pairs.append((key, try converted(field, numbers: numbers, envelope: envelope, depth: depth + 1)))
                }
            }
            // Foundation's order is that of a hash table.
            return .dictionary(pairs.sorted { $0.key < $1.key })
        default:
            guard let plain = CheckedTable.plain(value) else { throw ArchiveFault(.notEncodable, "a field is null") }
            return plain
        }
    }

    // MARK: - Links

    /// Returns the encoding of a coder, or nil for a coder of something else.
    static func of(_ coder: NSCoder) -> FoundationEncoding? {
        (coder as? NSKeyedArchiver)?.delegate as? FoundationEncoding
    }

    /// Encodes the root, and then the links of all objects, so that the stack space does not depend on the graph.
    func encodeEnvelope(with coder: NSCoder) {
        (coder as? NSKeyedArchiver)?.delegate = self
        coder.encode(root, forKey: "root")
        while failure == nil, let link = links.popLast() { coder.encode(link.object, forKey: "link\(link.id)") }
        for link in weakLinks where failure == nil {
            coder.encodeConditionalObject(link.object, forKey: "link\(link.id)")
        }
    }

    func setLink(_ object: NSObject?, forKey key: String, with coder: NSCoder) {
        guard let object else { return coder.encode(nil as NSObject?, forKey: key) }
        links.append(link(object, key: key, coder: coder))
    }

    func setWeakLink(_ object: NSObject?, forKey key: String, with coder: NSCoder) {
        guard let object else { return coder.encode(nil as NSObject?, forKey: key) }
        weakLinks.append(link(object, key: key, coder: coder))
    }

    private func link(_ object: NSObject, key: String, coder: NSCoder) -> Link {
        linkCount += 1
        coder.encode(linkCount, forKey: Self.linkPrefix + key)
        return Link(id: linkCount, object: object)
    }

    // MARK: - What Foundation calls

    func archiver(_ archiver: NSKeyedArchiver, willEncode object: Any) -> Any? {
        guard failure == nil, let object = object as AnyObject as? NSObject else {
            return refuse(.notEncodable, text: Self.text(type(of: object)), hint: Self.hint)
        }
        let kind = FoundationValue(object)
        if let kind, ArchivedPlain(object, value: kind) != nil { return object }
        guard path.count <= limits.depth else {
            return refuse(.tooDeep, text: "more than \(limits.depth) levels of nested objects")
        }
        count += 1
        guard count <= limits.objects else { return refuse(.tooLarge, text: "more than \(limits.objects) objects") }
        if kind == nil, !(object is ArchiveEnvelope), let refusal = learn(object) { return refusal }
        path.append(object)
        return object
    }

    func archiver(_ archiver: NSKeyedArchiver, didEncode object: Any?) {
        // Foundation on Linux also calls this for an object that was encoded before.
        if let object = object as? NSObject, object === path.last { path.removeLast() }
    }

    /// Learns the name of the class of an object. Returns a substitute for an object that cannot be archived.
    private func learn(_ object: NSObject) -> NSObject? {
        let type: AnyClass = object.classForKeyedArchiver ?? Swift.type(of: object)
        guard !ArchiveClasses.isOfFoundation(type), let archivable = type as? ArchivableClass,
            archivable.supportsSecureCoding
        else { return refuse(.notEncodable, text: Self.text(type), hint: Self.hint) }
        let ownName =
            ArchiveClasses.ownName(of: type) ?? (ArchiveClasses.isTopLevel(type) ? ArchiveClasses.name(of: type) : nil)
        guard let name = given[ObjectIdentifier(type)] ?? ownName else {
            return refuse(
                .notEncodable, text: "the class \(type) of an object is private or nested",
                hint: "Add a name for it to named:.")
        }
        types[name] = archivable
        names[NSStringFromClass(type)] = Names(name: name, lineage: [name] + ArchiveClasses.ancestors(of: type))
        return nil
    }

    private static let hint = "Archive its parts, or a class of your own that is NSSecureCoding."
    private static func text(_ type: Any.Type) -> String {
        "a value has the type \(type), which cannot be archived and read again"
    }

    /// Fails the archive, and returns a substitute for the object.
    private func refuse(_ code: ArchiveError.Code, text: String, hint: String? = nil) -> NSObject {
        if failure == nil { failure = ArchiveFault(code, text, hint: hint) }
        return NSString(string: "refused")
    }
}
