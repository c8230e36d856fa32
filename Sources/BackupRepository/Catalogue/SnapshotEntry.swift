package import FileSystem

/// One item of a snapshot, as it lies in its directory.
package struct SnapshotEntry: Sendable, Hashable {
    /// How faithfully the content was kept.
    package enum State: Int, Sendable {
        /// As it was.
        case whole = 0
        /// It changed whenever it was read, so that this may be a mix of several states.
        case unstable = 1
        /// What SQLite gave of a store in use: one state of it, in other bytes than its files had.
        case consistentCopy = 2
    }

    /// No item lies deeper: who walks down a snapshot has a directory open for each step.
    package static let maximumDepth = 512

    /// The bits of a mode that lend a program's runner the rights of its owner or group.
    package static let setIDBits: UInt16 = 0o6000

    package let name: [UInt8]
    package var kind: FileKind
    /// Twelve bits.
    package var permissions: UInt16
    package var user: UInt32
    package var group: UInt32
    package var size: UInt64
    package var modified: Timestamp
    package var changed: Timestamp
    package var inode: UInt64
    package var links: UInt32
    package var state = State.whole
    /// A file's content.
    package var object: Int64?
    /// A directory's own entries.
    package var child: Int64?
    /// Where a link points.
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

    /// Whether an item on disk is still what was kept: no save, no change of an attribute leaves all of this as it was.
    package func isUnchanged(_ status: FileStatus) -> Bool {
        state != .unstable && kind == status.kind && size == status.size && modified == status.modified
            && changed == status.changed && inode == status.identity.inode
    }
}
