/// A problem of a backup, with its location.
package struct BackupProblem: Error, Sendable, Hashable {
    /// The kind of a problem. The set is closed, and each kind has a name for programs.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// SQLite finds damage in the manifest.
        case manifestDamaged = "manifest-damaged"
        /// `Info.plist` is missing or not a property list; readers then ignore the backup.
        case informationDamaged = "info-damaged"
        /// The identifier is not text, for instance because a tool stored it as a blob.
        case identifierNotText = "file-id-not-text"
        /// The identifier does not have 40 hexadecimal digits.
        case identifierMalformed = "file-id-malformed"
        /// The identifier does not match domain and path.
        case identifierWrong = "file-id-wrong"
        /// Another row describes the same entry.
        case duplicate = "duplicate-row"
        /// The domain is not text or is invalid.
        case domainInvalid = "domain-invalid"
        /// The path is not text, is absolute, leads out of the domain, or has an empty component.
        case pathInvalid = "path-invalid"
        /// The flags do not name a file, a directory or a link.
        case flagsInvalid = "flags-invalid"
        /// The row has no record.
        case recordMissing = "record-missing"
        /// The record is not a keyed archive of a file, or is too large.
        case recordDamaged = "record-damaged"
        /// A field of the record is missing or has the wrong type.
        case fieldInvalid = "field-invalid"
        /// The mode of the record has another kind than the row.
        case kindDiffers = "kind-differs"
        /// The path of the record differs from that of the row.
        case pathDiffers = "path-differs"
        /// The record of a file has no size.
        case sizeMissing = "size-missing"
        /// The record has a key, so the payload is encrypted although the backup is not, or although its keys are
        /// missing.
        case encrypted = "row-encrypted"
        /// The key of the record is damaged.
        case keyInvalid = "key-invalid"
        /// The keybag has no key of the record's class.
        case keyClassUnknown = "key-class-unknown"
        /// The password does not open the key of the record's class.
        case keyClassLocked = "key-class-locked"
        /// No row describes the parent directory.
        case parentMissing = "parent-missing"
        /// The payload is missing.
        case payloadMissing = "payload-missing"
        /// The payload is a directory, a link or a special file.
        case payloadNotAFile = "payload-not-a-file"
        /// The size of the payload differs from the record.
        case payloadLength = "payload-length"
        /// The payload is larger than the storage of any device. A sparse file could take a day to read.
        case payloadTooLarge = "payload-too-large"
        /// The SHA-1 of the payload differs from the record.
        case payloadChanged = "payload-changed"
        /// The payload cannot be read.
        case payloadUnreadable = "payload-unreadable"
        /// The payload cannot be decrypted: it is truncated, or its end is damaged.
        case payloadNotDecrypted = "payload-not-decrypted"
        /// No row describes the payload.
        case payloadOrphaned = "payload-orphaned"
        /// A file that does not belong to a backup.
        case foreign = "foreign-file"
        /// The parent of the item is not a directory.
        case notInADirectory = "not-in-a-directory"
        /// The name is longer than any file system permits.
        case impossibleName = "impossible-name"
        /// The item is in too many directories.
        case tooDeep = "too-deep"
        /// The set-user-ID and set-group-ID bits of the mode were not applied.
        case setIDBitsDropped = "set-id-bits-dropped"
        /// The file system does not store the attributes.
        case attributesNotStored = "attributes-not-stored"
        /// The file system does not store the item, its mode or its times.
        case notStored = "not-stored"
        /// `Status.plist` is missing or damaged, so it is unknown whether the backup was finished.
        case statusMissing = "status-missing"
        /// `Manifest.plist` is missing or damaged. The manifest is not encrypted.
        case declarationMissing = "manifest-plist-missing"
        /// Another tool has decrypted the manifest, and there is no password to decrypt payloads.
        case manifestDecrypted = "manifest-decrypted"
        /// The manifest lacks its end; readable rows are used.
        case manifestTruncated = "manifest-truncated"
    }

    package let kind: Kind
    /// The bytes of the domain of the row; empty if the problem has no row.
    package let domain: [UInt8]
    /// The bytes of the path in the domain, or of the path of a file in the backup's directory.
    package let path: [UInt8]
    /// The row ID in the table, for use with `sqlite3`; 0 if the problem has no row.
    package let row: Int64
    /// The details in a few words. They may quote SQLite and contain no path.
    package let detail: String

    init(_ kind: Kind, domain: [UInt8] = [], path: [UInt8] = [], row: Int64 = 0, _ detail: String = "") {
        (self.kind, self.domain, self.path, self.row, self.detail) = (kind, domain, path, row, detail)
    }
}
