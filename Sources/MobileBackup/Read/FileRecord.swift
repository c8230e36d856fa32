internal import PropertyLists

/// The record of an entry in the manifest.
///
/// Only requested fields are read, one reference deep, so that cycles and nesting cost nothing.
struct FileRecord {
    /// The reason why bytes are not a record.
    struct Fault: Error {
        let kind: BackupProblem.Kind
        let detail: String
    }

    /// The maximum size of a record. The largest known one has 1,850 bytes, and other readers refuse more than 100 KiB.
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
        else { throw Fault(kind: .recordDamaged, detail: "not a keyed archive of an MBFile") }
        (self.objects, self.fields) = (objects, fields)
    }

    /// Returns true if the record has a field.
    func has(_ name: String) -> Bool { fields[name] != nil }

    /// Returns a required field that must be a number.
    func number(_ name: String) throws(Fault) -> Int64 {
        guard let value = fields[name] else { throw Fault(kind: .fieldInvalid, detail: "no \(name)") }
        switch value.node {
        case .integer(let number): return number
        case .unsigned(let number):
            // An inode above 63 bits; it is not used in calculations.
            return Int64(bitPattern: number)
        default: throw Fault(kind: .fieldInvalid, detail: "\(name) is not a number")
        }
    }

    /// Returns a required field that must be text.
    func text(_ name: String) throws(Fault) -> String {
        guard let text = fields[name].flatMap({ Self.resolve($0, in: objects) })?.string else {
            throw Fault(kind: .fieldInvalid, detail: "no \(name)")
        }
        return text
    }

    /// Returns an optional field that must be data: raw, or an object of class `NSMutableData`.
    func data(_ name: String) throws(Fault) -> [UInt8]? {
        guard let value = fields[name] else { return nil }
        guard let object = Self.resolve(value, in: objects) else {
            throw Fault(kind: .fieldInvalid, detail: "\(name) references no object")
        }
        if case .string("$null") = object.node { return nil }
        guard case .data(let bytes) = (object["NS.data"] ?? object).node else {
            throw Fault(kind: .fieldInvalid, detail: "\(name) is not data")
        }
        return bytes
    }

    /// Returns the extended attributes, which are a nested property list.
    func attributes() throws(Fault) -> [BackupEntry.Attribute] {
        guard let bytes = try data("ExtendedAttributes") else { return [] }
        var limits = PropertyListGraph.Limits()
        (limits.bytes, limits.objects, limits.contents) = (Self.maximumSize, 10_000, 4 * Self.maximumSize)
        guard let graph = try? PropertyListGraph(parsing: bytes, limits: limits), let pairs = graph.root.pairs else {
            throw Fault(kind: .fieldInvalid, detail: "ExtendedAttributes is not a dictionary")
        }
        var attributes: [BackupEntry.Attribute] = []
        for (name, value) in pairs {
            guard case .data(let bytes) = value.node else {
                throw Fault(kind: .fieldInvalid, detail: "an extended attribute is not data")
            }
            attributes.append(.init(name: name, value: bytes))
        }
        return attributes
    }

    /// Returns the object of a reference; other values are returned unchanged.
    private static func resolve(_ value: PropertyListValue, in objects: PropertyListValue) -> PropertyListValue? {
        guard case .uid(let number) = value.node else { return value }
        return Int(exactly: number).flatMap { objects[$0] }
    }
}

/// An entry of a backup.
package struct StoredEntry: Sendable, Hashable {
    package let entry: BackupEntry
    /// The size of a file's payload according to its record; nil without a size, and for other kinds.
    package let size: UInt64?
    /// The SHA-1 of a file's payload, if its record contains it.
    package let digest: [UInt8]?
    /// The wrapped key of a file's payload in an encrypted backup.
    let key: WrappedKey?
    /// The row ID in the manifest.
    let row: Int64
    let identifier: FileIdentifier

    /// Returns a problem of the entry.
    func problem(_ kind: BackupProblem.Kind, _ detail: String = "") -> BackupProblem {
        BackupProblem(
            kind, domain: Array(entry.domain.name.utf8), path: Array(entry.path.bytes), row: row, detail)
    }
}
