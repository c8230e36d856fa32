internal import FileSystem
internal import TextOutput

/// The differences between two snapshots, in the order of their paths.
package struct SnapshotDifference: Sendable {
    /// The change of an item.
    package enum Change: String, Sendable {
        case added, removed, modified
        /// The content is the same, but the mode, owner, times or attributes differ.
        case metadata
    }

    package struct Line: Sendable, Hashable {
        package let change: Change
        package let path: [UInt8]
        /// The size of a file before and after the change; 0 without a file.
        package let before: UInt64
        package let after: UInt64
    }

    package private(set) var lines: [Line] = []

    /// - Throws: `damaged` for a damaged directory that differs between the snapshots.
    package init(from old: Snapshot, to new: Snapshot, in repository: Repository) throws(BackupError) {
        let trees = (TreeReader(old, of: repository), TreeReader(new, of: repository))
        guard old.tree != new.tree || old.root != new.root else { return }
        try compare(trees.0.container(), trees.1.container(), at: [], in: trees, depth: 0)
    }

    /// The trees of the older and the newer snapshot.
    private typealias Trees = (TreeReader, TreeReader)

    private mutating func compare(
        _ before: SnapshotEntry?, _ after: SnapshotEntry?, at path: [UInt8], in trees: Trees, depth: Int
    ) throws(BackupError) {
        if let before, let after, before.kind == after.kind {
            // The content of directories is compared below.
            if before.object != after.object || before.target != after.target {
                add(.modified, path: path, before: before, after)
            } else if !Self.isSame(before, after) {
                add(.metadata, path: path, before: before, after)
            }
        } else {
            if before != nil { add(.removed, path: path, before: before, nil) }
            if after != nil { add(.added, path: path, before: nil, after) }
        }
        // Equal directories are not compared further.
        guard before?.child != after?.child else { return }
        var left = try Self.entries(of: before, at: path, in: trees.0, depth: depth)[...]
        var right = try Self.entries(of: after, at: path, in: trees.1, depth: depth)[...]
        while let name = Self.first(left.first?.name, right.first?.name) {
            let before = left.first?.name == name ? left.popFirst() : nil
            let after = right.first?.name == name ? right.popFirst() : nil
            let inner = path.isEmpty ? name : path + [UInt8(ascii: "/")] + name
            try compare(before, after, at: inner, in: trees, depth: depth + 1)
        }
    }

    private static func entries(
        of directory: SnapshotEntry?, at path: [UInt8], in tree: TreeReader, depth: Int
    ) throws(BackupError) -> [SnapshotEntry] {
        guard let child = directory?.child else { return [] }
        var entries: [SnapshotEntry] = []
        guard depth < SnapshotEntry.maximumDepth, try tree.read(child, { entries.append($0) }) else {
            let name = path.isEmpty ? "the container" : "the directory “\(ByteText.escaped(path))”"
            throw BackupError(
                .damaged, what: "\(name) is damaged in snapshot \(tree.snapshot.number)",
                hint: "`sandboxbackup verify` reports all damage")
        }
        return entries
    }

    private mutating func add(_ change: Change, path: [UInt8], before: SnapshotEntry?, _ after: SnapshotEntry?) {
        lines.append(Line(change: change, path: path, before: before?.size ?? 0, after: after?.size ?? 0))
    }

    /// Returns true if the metadata is equal. The change time of the inode is ignored, because it does not show what
    /// changed.
    private static func isSame(_ left: SnapshotEntry, _ right: SnapshotEntry) -> Bool {
        left.permissions == right.permissions && left.user == right.user && left.group == right.group
            && left.modified == right.modified && left.attributes == right.attributes
    }

    /// Returns the change from one version of an item to another; nil if they are equal.
    static func change(from old: SnapshotEntry, to new: SnapshotEntry) -> Change? {
        guard old.kind == new.kind, old.object == new.object, old.target == new.target, old.child == new.child else {
            return .modified
        }
        return isSame(old, new) ? nil : .metadata
    }

    private static func first(_ left: [UInt8]?, _ right: [UInt8]?) -> [UInt8]? {
        guard let left, let right else { return left ?? right }
        return left.lexicographicallyPrecedes(right) ? left : right
    }
}
