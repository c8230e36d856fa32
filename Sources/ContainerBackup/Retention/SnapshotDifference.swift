internal import FileSystem

/// What differs between two snapshots, path by path in their order.
package struct SnapshotDifference: Sendable {
    /// What became of an item.
    package enum Change: String, Sendable {
        case added, removed, modified
        /// Its content is the same, and its mode, owner, times or attributes are not.
        case metadata
    }

    package struct Line: Sendable, Hashable {
        package let change: Change
        package let path: [UInt8]
        /// Bytes of a file's content before and after; 0 where there was none.
        package let before: UInt64
        package let after: UInt64
    }

    package private(set) var lines: [Line] = []
    private let store: BackupStore

    package init(from old: Snapshot, to new: Snapshot, in store: BackupStore) throws(BackupError) {
        self.store = store
        try compare(old.tree, new.tree, at: [], depth: 0)
    }

    /// Directories that are the same are not gone into.
    private mutating func compare(_ old: Int64?, _ new: Int64?, at path: [UInt8], depth: Int) throws(BackupError) {
        guard old != new else { return }
        // The tree holds the container, of which depths are counted.
        guard depth <= SnapshotEntry.maximumDepth else {
            throw BackupError(.damaged, "the catalogue's directories are too deep, or a ring")
        }
        var left = try old.map { id throws(BackupError) in try store.entries(of: id) }?[...] ?? []
        var right = try new.map { id throws(BackupError) in try store.entries(of: id) }?[...] ?? []
        while let name = Self.first(left.first?.name, right.first?.name) {
            let before = left.first?.name == name ? left.popFirst() : nil
            let after = right.first?.name == name ? right.popFirst() : nil
            let inner = path.isEmpty ? name : path + [UInt8(ascii: "/")] + name
            try compare(before, after, at: inner, depth: depth)
        }
    }

    private mutating func compare(
        _ before: SnapshotEntry?, _ after: SnapshotEntry?, at path: [UInt8], depth: Int
    ) throws(BackupError) {
        if let before, let after, before.kind == after.kind {
            if before.object != after.object || before.target != after.target {
                add(.modified, path, before, after)
            } else if !Self.isSame(before, after) {
                add(.metadata, path, before, after)
            }
        } else {
            if before != nil { add(.removed, path, before, nil) }
            if after != nil { add(.added, path, nil, after) }
        }
        if before?.child != nil || after?.child != nil {
            try compare(before?.child, after?.child, at: path, depth: depth + 1)
        }
    }

    private mutating func add(_ change: Change, _ path: [UInt8], _ before: SnapshotEntry?, _ after: SnapshotEntry?) {
        lines.append(Line(change: change, path: path, before: before?.size ?? 0, after: after?.size ?? 0))
    }

    /// The times at which the kernel last changed something do not tell what.
    private static func isSame(_ left: SnapshotEntry, _ right: SnapshotEntry) -> Bool {
        left.permissions == right.permissions && left.user == right.user && left.group == right.group
            && left.modified == right.modified && left.attributes == right.attributes
    }

    private static func first(_ left: [UInt8]?, _ right: [UInt8]?) -> [UInt8]? {
        guard let left, let right else { return left ?? right }
        return left.lexicographicallyPrecedes(right) ? left : right
    }
}
