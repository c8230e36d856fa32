internal import ContainerStores
internal import FileSystem

/// A backup of Apple's layout that could not be opened, read on or written.
package struct MobileBackupError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong. The set is closed.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The folder holds no manifest.
        case notABackup = "not-a-backup"
        /// It was made before iOS 10.2.
        case tooOld = "too-old"
        case encrypted
        /// It was never brought to its end.
        case unfinished
        /// A file that it cannot do without is missing, or is not what it should be.
        case damaged
        /// The manifest is larger than is looked at.
        case tooLarge = "too-large"
        /// The manifest takes too long to look at.
        case tooSlow = "too-slow"
        /// No private copy of the manifest can be made.
        case noCopy = "no-copy"
        /// There is a backup of that device already.
        case exists
        /// Another process writes a backup of that device.
        case beingWritten = "being-written"
        /// The device's identifier cannot name a folder.
        case deviceInvalid = "device-invalid"
        /// Two entries have one identifier.
        case taken
        /// An entry lies in what is no directory.
        case notADirectory = "not-a-directory"
        /// A call of the file system's or of SQLite's failed.
        case failed
    }

    package let code: Code
    /// What happened, what is on disk now, and what to do about it.
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// A call that failed while a backup was read.
    init(reading error: FileSystemError) {
        self.init(.failed, "\(error). Nothing has been changed.")
    }

    /// A call that failed while a backup was written.
    init(writing error: FileSystemError) {
        self.init(.failed, "\(error). No backup has been made; free room or choose another folder, and begin anew.")
    }

    /// Why the manifest cannot be looked at.
    init(_ error: StoreError) {
        let because = error.detail.isEmpty ? "" : " (\(error.detail))"
        switch error.code {
        case .unreadable:
            self.init(.damaged, "Manifest.db cannot be read\(because). Nothing has been changed.")
        case .tooLarge:
            self.init(.tooLarge, "Manifest.db is larger than \(MobileBackup.maximumManifest >> 30) GiB.")
        case .changing:
            self.init(.unfinished, "Manifest.db is being written to. Wait until the backup is finished.")
        case .noCopy:
            self.init(
                .noCopy, "No private copy of Manifest.db can be made\(because). Make room where TMPDIR points to.")
        case .tooSlow:
            self.init(.tooSlow, "Manifest.db takes too long to look at. Nothing has been changed.")
        case .undecided, .damaged, .notUnderstood, .refused:
            self.init(.damaged, "Manifest.db is damaged\(because). Make a new backup, or restore this one's manifest.")
        }
    }
}

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
