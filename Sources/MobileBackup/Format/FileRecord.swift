internal import PropertyLists

/// The record of an entry in the manifest.
///
/// Only known fields are read, one reference deep, so that cycles and nesting cost nothing.
struct FileRecord {
    /// The reason why bytes are not a record.
    struct Fault: Error {
        let kind: BackupProblem.Kind
        let detail: String
    }

    /// The maximum size of a record. The largest known one has 1,850 bytes, and other readers refuse more than 100 KiB.
    static let maximumSize = 1 << 20

    /// A field of a record.
    enum Field: Int, CaseIterable {
        case mode, size, birth, lastModified, lastStatusChange, user, group, inode, protectionClass
        case path, target, digest, key, attributes

        static let all = allCases

        /// Returns true for the name of the field.
        func isNamed(_ key: ArraySlice<UInt8>) -> Bool {
            key.count == name.utf8CodeUnitCount
                && key.elementsEqual(UnsafeBufferPointer(start: name.utf8Start, count: key.count))
        }

        /// The name in the archive.
        var name: StaticString {
            switch self {
            case .mode: "Mode"
            case .size: "Size"
            case .birth: "Birth"
            case .lastModified: "LastModified"
            case .lastStatusChange: "LastStatusChange"
            case .user: "UserID"
            case .group: "GroupID"
            case .inode: "InodeNumber"
            case .protectionClass: "ProtectionClass"
            case .path: "RelativePath"
            case .target: "Target"
            case .digest: "Digest"
            case .key: "EncryptionKey"
            case .attributes: "ExtendedAttributes"
            }
        }
    }

    private let list: BinaryListObjects
    /// The objects of the archive.
    private let objects: BinaryListObjects.References
    /// The indexes of the values of fields, or −1.
    private let values: [Int]

    init(parsing bytes: [UInt8]) throws(Fault) {
        guard let list = BinaryListObjects(bytes) else {
            throw Fault(kind: .recordDamaged, detail: "not a binary property list")
        }
        self.list = list
        let root = list[list.top]
        guard case .array(let objects)? = list.value("$objects", in: root).flatMap({ list[$0] }) else {
            throw Self.notAFile
        }
        self.objects = objects
        func resolve(_ index: Int?) -> BinaryListObjects.Object? {
            guard let object = index.flatMap({ list[$0] }), case .uid(let number) = object else { return nil }
            return Int(exactly: number).flatMap { $0 < objects.count ? list[list.reference($0, of: objects)] : nil }
        }
        guard let top = list.value("$top", in: root).flatMap({ list[$0] }),
            case .dictionary(let fields)? = resolve(list.value("root", in: top))
        else { throw Self.notAFile }
        var (values, type) = ([Int](repeating: -1, count: Field.all.count), nil as Int?)
        for pair in 0..<fields.count {
            guard case .text(let range)? = list[list.reference(pair, of: fields)] else { continue }
            let (key, value) = (bytes[range], list.reference(fields.count + pair, of: fields))
            if let field = Field.all.first(where: { $0.isNamed(key) }) {
                if values[field.rawValue] < 0 { values[field.rawValue] = value }
            } else if type == nil, key.elementsEqual("$class".utf8) {
                type = value
            }
        }
        guard let name = list.value("$classname", in: resolve(type)), list.isText(name, text: "MBFile") else {
            throw Self.notAFile
        }
        self.values = values
    }

    private static let notAFile = Fault(kind: .recordDamaged, detail: "not a keyed archive of an MBFile")

    /// Returns true if the record has a field.
    func has(_ field: Field) -> Bool { values[field.rawValue] >= 0 }

    /// Returns a required field that must be a number.
    func number(_ field: Field) throws(Fault) -> Int64 {
        guard has(field) else { throw Fault(kind: .fieldInvalid, detail: "no \(field.name)") }
        switch list[values[field.rawValue]] {
        case .integer(let number): return number
        case .unsigned(let number):
            // An inode above 63 bits; it is not used in calculations.
            return Int64(bitPattern: number)
        default: throw Fault(kind: .fieldInvalid, detail: "\(field.name) is not a number")
        }
    }

    /// Returns a required field that must be text.
    func text(_ field: Field) throws(Fault) -> String {
        guard has(field), let text = list.string(object(of: field)) else {
            throw Fault(kind: .fieldInvalid, detail: "no \(field.name)")
        }
        return text
    }

    /// Returns an optional field that must be data: raw, or an object of class `NSMutableData`.
    func data(_ field: Field) throws(Fault) -> [UInt8]? {
        guard has(field) else { return nil }
        let object = object(of: field)
        if case .text = object, list.string(object) == "$null" { return nil }
        guard case .data(let range)? = list.value("NS.data", in: object).flatMap({ list[$0] }) ?? object else {
            throw Fault(kind: .fieldInvalid, detail: "\(field.name) is not data")
        }
        return Array(list.bytes[range])
    }

    /// Returns the value of a field, or the object that it references.
    private func object(of field: Field) -> BinaryListObjects.Object? {
        guard let value = list[values[field.rawValue]] else { return nil }
        guard case .uid(let number) = value else { return value }
        return Int(exactly: number).flatMap { $0 < objects.count ? list[list.reference($0, of: objects)] : nil }
    }

    /// Returns the extended attributes, which are a nested property list.
    func attributes() throws(Fault) -> [BackupEntry.Attribute] {
        guard let bytes = try data(.attributes) else { return [] }
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
