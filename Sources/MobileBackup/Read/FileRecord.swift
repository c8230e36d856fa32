internal import PropertyLists

/// A manifest's record of one entry, as its bytes say it.
///
/// Only what is asked for is looked at, one step from the record to the object that a field names, so that no cycle and
/// no depth costs anything.
struct FileRecord {
    /// Why bytes are not such a record.
    struct Fault: Error {
        let kind: BackupProblem.Kind
        let detail: String
    }

    /// Larger than any that was seen (1,850 bytes), and than those that other readers refuse (100 KiB).
    static let maximumSize = 1 << 20

    private let objects: PropertyListValue
    private let fields: PropertyListValue

    init(parsing bytes: [UInt8]) throws(Fault) {
        var limits = PropertyListGraph.Limits()
        (limits.bytes, limits.objects, limits.contents) = (Self.maximumSize, 10_000, 4 * Self.maximumSize)
        let graph: PropertyListGraph
        do throws(PropertyListError) { graph = try PropertyListGraph(parsing: bytes, limits: limits) } catch {
            throw Fault(kind: .recordDamaged, detail: error.description)
        }
        guard let objects = graph.root["$objects"], let top = graph.root["$top"]?["root"],
            let fields = Self.resolve(top, in: objects), fields.pairs != nil,
            let type = fields["$class"].flatMap({ Self.resolve($0, in: objects) }),
            type["$classname"]?.string == "MBFile"
        else { throw Fault(kind: .recordDamaged, detail: "no keyed archive of an MBFile") }
        (self.objects, self.fields) = (objects, fields)
    }

    /// Whether there is a field of that name.
    func has(_ name: String) -> Bool { fields[name] != nil }

    /// A field that must be there and be a number.
    func number(_ name: String) throws(Fault) -> Int64 {
        guard let value = fields[name] else { throw Fault(kind: .fieldInvalid, detail: "no \(name)") }
        switch value.node {
        case .integer(let number): return number
        case .unsigned(let number):
            // An inode of more than 63 bits; nothing is counted with it.
            return Int64(bitPattern: number)
        default: throw Fault(kind: .fieldInvalid, detail: "\(name) is no number")
        }
    }

    /// A field that must be there and be a text.
    func text(_ name: String) throws(Fault) -> String {
        guard let text = fields[name].flatMap({ Self.resolve($0, in: objects) })?.string else {
            throw Fault(kind: .fieldInvalid, detail: "no \(name)")
        }
        return text
    }

    /// A field that, where it is there, must be data; raw, or an object of class `NSMutableData`.
    func data(_ name: String) throws(Fault) -> [UInt8]? {
        guard let value = fields[name] else { return nil }
        guard let object = Self.resolve(value, in: objects) else {
            throw Fault(kind: .fieldInvalid, detail: "\(name) names no object")
        }
        if case .string("$null") = object.node { return nil }
        guard case .data(let bytes) = (object["NS.data"] ?? object).node else {
            throw Fault(kind: .fieldInvalid, detail: "\(name) is no data")
        }
        return bytes
    }

    /// The extended attributes, a property list within the property list.
    func attributes() throws(Fault) -> [BackupEntry.Attribute] {
        guard let bytes = try data("ExtendedAttributes") else { return [] }
        var limits = PropertyListGraph.Limits()
        (limits.bytes, limits.objects, limits.contents) = (Self.maximumSize, 10_000, 4 * Self.maximumSize)
        guard let graph = try? PropertyListGraph(parsing: bytes, limits: limits), let pairs = graph.root.pairs else {
            throw Fault(kind: .fieldInvalid, detail: "ExtendedAttributes are no dictionary")
        }
        var attributes: [BackupEntry.Attribute] = []
        for (name, value) in pairs {
            guard case .data(let bytes) = value.node else {
                throw Fault(kind: .fieldInvalid, detail: "an extended attribute is no data")
            }
            attributes.append(.init(name: name, value: bytes))
        }
        return attributes
    }

    /// The object that a reference names; what is no reference stands for itself.
    private static func resolve(_ value: PropertyListValue, in objects: PropertyListValue) -> PropertyListValue? {
        guard case .uid(let number) = value.node else { return value }
        return Int(exactly: number).flatMap { objects[$0] }
    }
}

/// An entry as a backup has it.
package struct StoredEntry: Sendable, Hashable {
    package let entry: BackupEntry
    /// Bytes of a file's payload as its record says; nil where it does not say, and for what is no file.
    package let size: UInt64?
    /// The SHA-1 of a file's payload, where its record has it.
    package let digest: [UInt8]?
    /// The row's place in the manifest's table.
    let row: Int64
    let identifier: FileIdentifier

    /// A problem with it.
    func problem(_ kind: BackupProblem.Kind, _ detail: String = "") -> BackupProblem {
        BackupProblem(
            kind, domain: Array(entry.domain.name.utf8), path: Array(entry.path.bytes), row: row, detail)
    }
}
