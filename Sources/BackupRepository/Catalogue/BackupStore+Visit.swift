internal import FileSystem
internal import Foundation
internal import GRDB

extension BackupStore {
    /// Shows every item of a snapshot with its path, a directory before what lies in it, and which directories are damaged,
    /// of which nothing more is shown; an empty path also where the snapshot itself is.
    ///
    /// - Throws: `damaged` where nothing is known of the container; what `body` throws.
    package func visit(
        _ snapshot: Snapshot, _ body: (_ path: [UInt8], _ entry: SnapshotEntry) throws(BackupError) -> Void,
        damaged: (_ path: [UInt8]) -> Void = { _ in }
    ) throws(BackupError) {
        let tree = TreeReader(snapshot, of: self)
        let container = try tree.container()
        if try !tree.isSnapshotWhole() { damaged([]) }
        try Self.visit(container, at: [], in: tree, body, damaged)
    }

    private static func visit(
        _ entry: SnapshotEntry, at path: [UInt8], in tree: TreeReader,
        _ body: (_ path: [UInt8], _ entry: SnapshotEntry) throws(BackupError) -> Void,
        _ damaged: (_ path: [UInt8]) -> Void
    ) throws(BackupError) {
        try body(path, entry)
        guard entry.kind == .directory else { return }
        let isWhole = try tree.read(entry.child) { inner throws(BackupError) in
            let innerPath = path.isEmpty ? inner.name : path + [UInt8(ascii: "/")] + inner.name
            try visit(inner, at: innerPath, in: tree, body, damaged)
        }
        if !isWhole { damaged(path) }
    }

    /// Returns true if a snapshot has an item of a path.
    package func holds(_ path: [UInt8], in snapshot: Snapshot) throws(BackupError) -> Bool {
        try catalogue { database in
            let root = "SELECT child FROM entry WHERE directory = ? AND kind = ?"
            var found = try Row.fetchOne(
                database, sql: root, arguments: [snapshot.tree, Int(FileKind.directory.rawValue)])
            for name in path.split(separator: UInt8(ascii: "/")) {
                guard let child = found.flatMap({ Int64.fromDatabaseValue($0[0]) }) else { return false }
                found = try Row.fetchOne(
                    database, sql: "SELECT child FROM entry WHERE directory = ? AND name = ?",
                    arguments: [child, Data(name)])
            }
            return found != nil
        }
    }
}
