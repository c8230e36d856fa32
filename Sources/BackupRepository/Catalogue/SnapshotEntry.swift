package import FileSystem

/// An item of a snapshot, in its directory.
package struct SnapshotEntry: Sendable, Hashable {
    /// The consistency of the stored content.
    package enum State: Int, Sendable {
        /// The content is consistent.
        case whole = 0
        /// The file changed during every attempt to read it, so the content may be a mix of several states.
        case unstable = 1
        /// The content is the result of SQLite's online backup of a database in use: consistent, but not byte for byte
        /// the file.
        case consistentCopy = 2
    }

    /// The maximum depth of an item. A walk keeps one directory open per level.
    package static let maximumDepth = 512

    /// The set-user-ID and set-group-ID bits, which give a program the rights of its owner or group.
    package static let setIDBits: UInt16 = 0o6000

    package internal(set) var name: [UInt8]
    package var kind: FileKind
    /// The permissions in twelve bits.
    package var permissions: UInt16
    package var user: UInt32
    package var group: UInt32
    package var size: UInt64
    package var modified: Timestamp
    package var changed: Timestamp
    package var inode: UInt64
    package var links: UInt32
    package var state = State.whole
    /// The content of a file.
    package var object: Int64?
    /// The entries of a directory.
    package var child: Int64?
    /// The target of a symbolic link.
    package var target: [UInt8]?
    package var attributes: Int64?

    package init(name: [UInt8], _ status: FileStatus) {
        self.name = name
        kind = status.kind
        permissions = status.permissions & 0o7777
        (user, group) = status.owner
        size = status.kind == .directory ? 0 : status.size
        modified = status.modified
        changed = status.changed
        inode = status.identity.inode
        links = status.kind == .directory ? 1 : status.links
    }

    package init(name: [UInt8], kind: FileKind) {
        self.init(name: name, FileStatus(kind: kind, size: 0))
    }

    /// Returns true if the item on disk is still the stored one. Every save and every change of an attribute changes
    /// one of these fields.
    package func isUnchanged(_ status: FileStatus) -> Bool {
        state != .unstable && kind == status.kind && size == status.size && modified == status.modified
            && changed == status.changed && inode == status.identity.inode
    }
}
