internal import PropertyLists

/// A file, a directory or a link in Apple's layout. Details outside the layout (fractions of seconds, hard links,
/// holes, flags) are lost.
package struct BackupEntry: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case file, directory
        case symbolicLink(target: String)
    }

    /// The metadata of an entry.
    package struct Facts: Sendable, Hashable {
        /// The permission, set-ID and sticky bits.
        package var permissions: UInt16
        /// The modification time in seconds since 1970-01-01T00:00:00Z.
        package var modified: Int64
        /// The change time of the inode.
        package var changed: Int64
        /// The creation time.
        package var birth: Int64
        package var user: Int64
        package var group: Int64
        package var inode: UInt64
        /// The data protection class, 0 to 4. The usual class of an app's file is 3 (until first unlock).
        package var protectionClass: Int64

        package init(
            permissions: UInt16, modified: Int64, changed: Int64, birth: Int64, user: Int64 = 501, group: Int64 = 501,
            inode: UInt64 = 0, protectionClass: Int64 = 0
        ) {
            self.permissions = permissions & 0o7777
            (self.modified, self.changed, self.birth) = (modified, changed, birth)
            (self.user, self.group) = (user, group)
            (self.inode, self.protectionClass) = (inode, protectionClass)
        }
    }

    /// An extended attribute.
    package struct Attribute: Sendable, Hashable {
        package let name: String
        package let value: [UInt8]

        package init(name: String, value: [UInt8]) {
            self.name = name
            self.value = value
        }
    }

    package let domain: BackupDomain
    package let path: BackupPath
    package let kind: Kind
    package let facts: Facts
    /// The attributes, sorted by the bytes of their names.
    package let attributes: [Attribute]

    /// The maximum size of a record. Readers refuse a manifest with a longer one (iphone_backup_decrypt 0.11.2).
    static let maximumRecordSize = 100 << 10

    /// Creates an entry to write.
    ///
    /// - Throws: `attributesTooLarge` if the record would exceed 100 KiB; `targetNotText` for a link target that is
    ///   empty or contains a NUL.
    package init(
        _ domain: BackupDomain, path: BackupPath, kind: Kind, facts: Facts, attributes: [Attribute] = []
    ) throws(EntryRefusal) {
        self.init(read: domain, path, kind: kind, facts: facts, attributes: attributes)
        if case .symbolicLink(let target) = kind, !Kind.isTarget(target) {
            throw EntryRefusal(.targetNotText, description: "a link target that is empty or contains a NUL")
        }
        guard isWithinRecord(attributes) else {
            let size = attributes.reduce(0) { $0 + $1.name.utf8.count + $1.value.count }
            throw EntryRefusal(.attributesTooLarge, description: "\(size) bytes of extended attributes")
        }
    }

    /// Returns true if the record is within its size limit. It is encoded only if it may exceed it: a text takes at
    /// most twice its UTF-8 size, and everything else is small.
    private func isWithinRecord(_ attributes: [Attribute]) -> Bool {
        var (texts, values) = (path.text.utf8.count, 0)
        if case .symbolicLink(let target) = kind { texts += target.utf8.count }
        for attribute in attributes {
            texts += attribute.name.utf8.count
            values += attribute.value.count
        }
        if 4096 + 2 * texts + values + 64 * attributes.count <= Self.maximumRecordSize { return true }
        guard texts + values <= 2 * Self.maximumRecordSize,
            let record = try? record(size: .max, digest: Array(repeating: 0, count: 20))
        else { return false }
        return record.count <= Self.maximumRecordSize
    }

    /// Creates an entry from a backup. It need not satisfy the rules for written entries.
    init(
        read domain: BackupDomain, _ path: BackupPath, kind: Kind, facts: Facts, attributes: [Attribute]
    ) {
        (self.domain, self.path, self.kind, self.facts) = (domain, path, kind, facts)
        self.attributes = attributes.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The number of the kind in the column `flags` of the manifest.
    var flags: Int64 {
        switch kind {
        case .file: 1
        case .directory: 2
        case .symbolicLink: 4
        }
    }
}

extension BackupEntry.Kind {
    /// Returns true for a valid link target: not empty, and without a NUL.
    static func isTarget(_ target: String) -> Bool { !target.isEmpty && !target.utf8.contains(0) }

    /// Returns a link with the bytes of its target.
    ///
    /// - Throws: `targetNotText` for bytes outside UTF-8.
    package static func symbolicLink(targetBytes bytes: some Collection<UInt8>) throws(EntryRefusal) -> Self {
        guard let target = String(utf8: bytes) else {
            throw EntryRefusal(.targetNotText, description: "a link target that is not UTF-8")
        }
        return .symbolicLink(target: target)
    }
}

/// The mode bits for the kind of a file. Source: POSIX, sys_stat.h; all current systems use these values.
enum RecordMode {
    static let kindMask: UInt16 = 0o170000

    static func bits(of kind: BackupEntry.Kind) -> UInt16 {
        switch kind {
        case .file: 0o100000
        case .directory: 0o040000
        case .symbolicLink: 0o120000
        }
    }
}

/// An item that Apple's layout cannot represent.
package struct EntryRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason. The set is closed.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// The name is not UTF-8; the manifest stores text.
        case nameNotText = "name-not-text"
        /// The link target is not UTF-8, is empty or contains a NUL.
        case targetNotText = "target-not-text"
        /// The path is absolute or leads out of its domain.
        case pathInvalid = "path-invalid"
        /// The identifier is empty or contains a slash.
        case domainInvalid = "domain-invalid"
        /// The attributes exceed the size of a record.
        case attributesTooLarge = "attributes-too-large"
    }

    package let code: Code
    package let description: String

    init(_ code: Code, description: String) {
        self.code = code
        self.description = description
    }
}
