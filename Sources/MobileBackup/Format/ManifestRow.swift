internal import PropertyLists
internal import TextOutput

/// A row of the manifest before validation.
package struct ManifestRow {
    /// A value with its storage type.
    package enum Cell {
        case null
        case number(Int64)
        case text([UInt8])
        case blob([UInt8])
        case other

        /// The bytes of the value, whatever its type.
        var bytes: [UInt8] {
            switch self {
            case .text(let bytes), .blob(let bytes): bytes
            default: []
            }
        }
    }

    let row: Int64
    let identifier: Cell
    let domain: Cell
    let path: Cell
    let flags: Cell
    /// The record as data, or its size if it is too long.
    let record: Cell

    package init(row: Int64, identifier: Cell, domain: Cell, path: Cell, flags: Cell, record: Cell) {
        (self.row, self.identifier, self.domain) = (row, identifier, domain)
        (self.path, self.flags, self.record) = (path, flags, record)
    }

    /// Judges a row.
    ///
    /// - Parameter sha1: Returns the SHA-1 of bytes, which must match the identifier. The fuzzer, which is built without
    ///   the library of hash functions, passes another function.
    /// - Returns: The entry of the row, if it is usable, and its problems.
    package func judged(sha1: ([UInt8]) -> [UInt8]) -> (entry: StoredEntry?, problems: [BackupProblem]) {
        var problems: [BackupProblem] = []
        func object(_ kind: BackupProblem.Kind, _ detail: String = "") {
            problems.append(BackupProblem(kind, domain: domain.bytes, path: path.bytes, row: row, detail))
        }
        let location = validatedLocation(sha1, object)
        let kind = judgedKind(object)
        do throws(FileRecord.Fault) {
            guard let contents = try judgedRecord(kind) else { return (nil, problems) }
            if let location, !contents.path.hasSameBytes(as: location.path.text) { object(.pathDiffers) }
            guard let location, problems.isEmpty else { return (nil, problems) }
            if case .file = contents.kind, contents.size == nil { object(.sizeMissing) }
            let entry = BackupEntry(
                read: location.domain, location.path, kind: contents.kind, facts: contents.facts,
                attributes: contents.attributes)
            return (
                StoredEntry(
                    entry: entry, size: contents.size, digest: contents.digest, key: contents.key, row: row,
                    identifier: location.identifier),
                problems
            )
        } catch {
            object(error.kind, error.detail)
            return (nil, problems)
        }
    }

    /// The domain, or nil if it is invalid.
    var validDomain: BackupDomain? {
        guard case .text(let bytes) = domain else { return nil }
        return String(utf8: bytes).flatMap { BackupDomain(name: $0) }
    }

    /// Returns the domain, the path and the identifier, which must match the row.
    private func validatedLocation(
        _ sha1: ([UInt8]) -> [UInt8], _ object: (BackupProblem.Kind, String) -> Void
    ) -> (domain: BackupDomain, path: BackupPath, identifier: FileIdentifier)? {
        var identifier: FileIdentifier?
        if case .text(let bytes) = self.identifier {
            identifier = FileIdentifier(bytes)
            if identifier == nil { object(.identifierMalformed, "") }
        } else {
            object(.identifierNotText, "")
        }
        let domain = validDomain
        if domain == nil { object(.domainInvalid, "") }
        var path: BackupPath?
        if case .text(let bytes) = self.path { path = try? BackupPath(bytes: bytes) }
        if path == nil { object(.pathInvalid, "") }
        guard let identifier, let domain, let path else { return nil }
        guard FileIdentifier(of: domain, path, sha1: sha1) == identifier else {
            object(.identifierWrong, "")
            return nil
        }
        return (domain, path, identifier)
    }

    /// Returns the kind bits that the mode must have.
    private func judgedKind(_ object: (BackupProblem.Kind, String) -> Void) -> UInt16? {
        switch flags {
        case .number(1): return RecordMode.bits(of: .file)
        case .number(2): return RecordMode.bits(of: .directory)
        case .number(4): return RecordMode.bits(of: .symbolicLink(target: ""))
        case .number(let number): object(.flagsInvalid, "\(number)")
        default: object(.flagsInvalid, "no number")
        }
        return nil
    }

    /// The content of a record.
    private struct Contents {
        var path: String
        var kind: BackupEntry.Kind
        var facts: BackupEntry.Facts
        var attributes: [BackupEntry.Attribute]
        var size: UInt64?
        var digest: [UInt8]?
        var key: WrappedKey?
    }

    private func judgedRecord(_ kindBits: UInt16?) throws(FileRecord.Fault) -> Contents? {
        let record: FileRecord
        switch self.record {
        case .blob(let bytes): record = try FileRecord(parsing: bytes)
        case .null: throw FileRecord.Fault(kind: .recordMissing, detail: "")
        case .number(let length): throw FileRecord.Fault(kind: .recordDamaged, detail: "\(length) bytes")
        default: throw FileRecord.Fault(kind: .recordDamaged, detail: "no data")
        }
        guard let kindBits else { return nil }
        guard let mode = UInt16(exactly: try record.number(.mode)) else {
            throw FileRecord.Fault(kind: .fieldInvalid, detail: "Mode out of range")
        }
        guard mode & RecordMode.kindMask == kindBits else {
            throw FileRecord.Fault(kind: .kindDiffers, detail: "mode \(String(mode, radix: 8))")
        }
        let isFile = kindBits == RecordMode.bits(of: .file)
        let isDirectory = kindBits == RecordMode.bits(of: .directory)
        var size: UInt64?
        if isFile, record.has(.size) {
            guard let number = UInt64(exactly: try record.number(.size)) else {
                throw FileRecord.Fault(kind: .fieldInvalid, detail: "negative Size")
            }
            size = number
        }
        let facts = BackupEntry.Facts(
            permissions: mode, modified: try record.number(.lastModified),
            changed: try record.number(.lastStatusChange), birth: try record.number(.birth),
            user: try record.number(.user), group: try record.number(.group),
            inode: UInt64(bitPattern: try record.number(.inode)),
            protectionClass: try record.number(.protectionClass))
        let target = isFile || isDirectory ? nil : try record.text(.target)
        if let target, !BackupEntry.Kind.isTarget(target) {
            throw FileRecord.Fault(kind: .fieldInvalid, detail: "Target is empty or contains a NUL")
        }
        let digest = isFile ? try record.data(.digest) : nil
        guard digest.map({ $0.count == 20 }) ?? true else {
            throw FileRecord.Fault(kind: .fieldInvalid, detail: "Digest is not a SHA-1")
        }
        var key: WrappedKey?
        if let bytes = try record.data(.key) {
            key = WrappedKey(bytes)
            if key == nil {
                throw FileRecord.Fault(kind: .keyInvalid, detail: "\(Quantity.count(bytes.count, "byte"))")
            }
        }
        return Contents(
            path: try record.text(.path),
            kind: target.map { .symbolicLink(target: $0) } ?? (isDirectory ? .directory : .file),
            facts: facts, attributes: try record.attributes(), size: size, digest: digest,
            key: key)
    }
}
