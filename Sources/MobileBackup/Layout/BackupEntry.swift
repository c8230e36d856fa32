/// A file, a directory or a link as Apple's layout tells it. What it does not tell (fractions of seconds, hard links,
/// holes, flags) is lost.
package struct BackupEntry: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case file, directory
        case symbolicLink(target: String)
    }

    /// What is known of it beside its content.
    package struct Facts: Sendable, Hashable {
        /// Permission, set-id and sticky bits.
        package var permissions: UInt16
        /// Seconds since 1970-01-01T00:00:00Z.
        package var modified: Int64
        /// When its inode last changed.
        package var changed: Int64
        /// When it was made.
        package var birth: Int64
        package var user: Int64
        package var group: Int64
        package var inode: UInt64
        /// 0 to 4, as the device keeps a file's key; 3 (until the first unlock) is an app's usual one.
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
    /// Sorted by the bytes of their names.
    package let attributes: [Attribute]

    /// Readers refuse a manifest that holds a longer record (iphone_backup_decrypt 0.11.2).
    static let maximumRecordSize = 100 << 10

    /// An entry to be written.
    ///
    /// - Throws: `attributesTooLarge` where the record would pass 100 KiB, `targetNotText` for a link's target that is
    ///   empty or has a NUL in it.
    package init(
        _ domain: BackupDomain, _ path: BackupPath, _ kind: Kind, _ facts: Facts, attributes: [Attribute] = []
    ) throws(EntryRefusal) {
        self.init(read: domain, path, kind, facts, attributes)
        if case .symbolicLink(let target) = kind, !Kind.isTarget(target) {
            throw EntryRefusal(.targetNotText, "a link's target that is empty or holds a NUL")
        }
        guard isWithinRecord(attributes) else {
            let size = attributes.reduce(0) { $0 + $1.name.utf8.count + $1.value.count }
            throw EntryRefusal(.attributesTooLarge, "\(size) bytes of extended attributes")
        }
    }

    /// Whether the record keeps to its size. It is encoded to find that out only where it comes near it: a text takes
    /// at most twice its UTF-8, and what is not text or value is little.
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

    /// An entry as it was read, which need not be one that is written.
    init(
        read domain: BackupDomain, _ path: BackupPath, _ kind: Kind, _ facts: Facts, _ attributes: [Attribute]
    ) {
        (self.domain, self.path, self.kind, self.facts) = (domain, path, kind, facts)
        self.attributes = attributes.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The manifest's word for the kind.
    var flags: Int64 {
        switch kind {
        case .file: 1
        case .directory: 2
        case .symbolicLink: 4
        }
    }
}

extension BackupEntry.Kind {
    /// Returns true for a target that a link can have: no file system keeps an empty one or one with a NUL.
    static func isTarget(_ target: String) -> Bool { !target.isEmpty && !target.utf8.contains(0) }

    /// A link by the bytes of its target.
    ///
    /// - Throws: `targetNotText` for bytes that are no UTF-8.
    package static func symbolicLink(targetBytes bytes: some Collection<UInt8>) throws(EntryRefusal) -> Self {
        guard let target = String(validating: bytes, as: UTF8.self) else {
            throw EntryRefusal(.targetNotText, "a link's target that is not UTF-8")
        }
        return .symbolicLink(target: target)
    }
}

/// The bits of a mode that tell the kind. Source: POSIX, sys_stat.h; the numbers are those of every system that has them.
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

/// Something that Apple's layout cannot tell: whoever exports it declares it as lost.
package struct EntryRefusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// What cannot be told. The set is closed.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        /// A name that is not UTF-8: the manifest holds texts.
        case nameNotText = "name-not-text"
        /// A link's target that is not UTF-8, is empty or holds a NUL.
        case targetNotText = "target-not-text"
        /// A path that is absolute or leads out, which no file system gives.
        case pathInvalid = "path-invalid"
        /// An identifier that is empty or holds a slash.
        case domainInvalid = "domain-invalid"
        /// Attributes that take more than a record may have.
        case attributesTooLarge = "attributes-too-large"
    }

    package let code: Code
    package let description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
