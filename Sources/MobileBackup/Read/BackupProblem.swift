/// Something of a backup that is not as it should be, and where.
package struct BackupProblem: Error, Sendable, Hashable {
    /// What is wrong. The set is closed, and each has a name for programs.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// SQLite finds fault with the manifest.
        case manifestDamaged = "manifest-damaged"
        /// `Info.plist` is missing or no property list: readers do without the backup then.
        case informationDamaged = "info-damaged"
        /// The row's identifier is no text, as it would be where a tool stored it as bytes.
        case identifierNotText = "file-id-not-text"
        /// The row's identifier is not 40 hexadecimal digits.
        case identifierMalformed = "file-id-malformed"
        /// The row's identifier is not that of its domain and path.
        case identifierWrong = "file-id-wrong"
        /// Another row tells of the same entry.
        case duplicate = "duplicate-row"
        /// The domain is no text, or none that a domain can have.
        case domainInvalid = "domain-invalid"
        /// The path is no text, is absolute, leads out, or has an empty component.
        case pathInvalid = "path-invalid"
        /// The row says neither file nor directory nor link.
        case flagsInvalid = "flags-invalid"
        /// The row has no record.
        case recordMissing = "record-missing"
        /// The record is no keyed archive of a file, or too large for one.
        case recordDamaged = "record-damaged"
        /// The record lacks a field, or has it of another type.
        case fieldInvalid = "field-invalid"
        /// The record's mode says another kind than the row.
        case kindDiffers = "kind-differs"
        /// The record's path is not the row's.
        case pathDiffers = "path-differs"
        /// The record of a file has no size, which is not a size of 0.
        case sizeMissing = "size-missing"
        /// The record has a key, so the payload is encrypted, though the backup is not declared so.
        case encrypted = "row-encrypted"
        /// No row tells of the directory that the entry lies in.
        case parentMissing = "parent-missing"
        /// There is no payload.
        case payloadMissing = "payload-missing"
        /// A directory, a link or a special file stands in the payload's place.
        case payloadNotAFile = "payload-not-a-file"
        /// The payload is longer or shorter than its record says.
        case payloadLength = "payload-length"
        /// The payload is larger than any that a device keeps; a sparse one takes no room, and a day to read.
        case payloadTooLarge = "payload-too-large"
        /// The payload's SHA-1 is not the record's.
        case payloadChanged = "payload-changed"
        /// The payload cannot be read.
        case payloadUnreadable = "payload-unreadable"
        /// No row tells of the payload.
        case payloadOrphaned = "payload-orphaned"
        /// Something that does not belong into a backup.
        case foreign = "foreign-file"
    }

    package let kind: Kind
    /// The row's domain, whatever its bytes; empty where it is not of a row.
    package let domain: [UInt8]
    /// The row's path in its domain, or a file's from the backup's folder, whatever its bytes.
    package let path: [UInt8]
    /// The row's place in the table, for who looks at it with `sqlite3`; 0 where it is not of a row.
    package let row: Int64
    /// What was found, in a few words; it may repeat what SQLite says of the manifest, and holds no path.
    package let detail: String

    init(_ kind: Kind, domain: [UInt8] = [], path: [UInt8] = [], row: Int64 = 0, _ detail: String = "") {
        (self.kind, self.domain, self.path, self.row, self.detail) = (kind, domain, path, row, detail)
    }
}
