internal import FileSystem
internal import Foundation
internal import GRDB

/// Goes down the tree of one snapshot, whose directories are judged by their hashes, and comes to an end whatever the
/// catalogue says. For one thread.
package final class TreeReader {
    package let snapshot: Snapshot
    private let store: BackupStore
    /// How many directories are being shown, each within the one before.
    private var depth = 0
    private var filesLeft: Int
    /// How many items may still come before the size of the tree is looked at; nil once it has been.
    private var itemsUntilCheck: Int?
    private let limit: TreeSize.Limit
    private var isTooLarge = false

    package convenience init(_ snapshot: Snapshot, of store: BackupStore) {
        self.init(snapshot, of: store, checkingAfter: 10_000)
    }

    init(
        _ snapshot: Snapshot, of store: BackupStore, checkingAfter items: Int, limit: TreeSize.Limit = TreeSize.Limit()
    ) {
        self.store = store
        self.snapshot = snapshot
        filesLeft = snapshot.files
        itemsUntilCheck = items
        self.limit = limit
    }

    /// The entry of the container itself.
    ///
    /// - Throws: `damaged`.
    package func container() throws(BackupError) -> SnapshotEntry {
        var entries: [SnapshotEntry] = []
        let isWhole = try read(snapshot.tree) { if entries.count < 2 { entries.append($0) } }
        guard isWhole, entries.count == 1, let container = entries.first, container.name.isEmpty,
            container.kind == .directory
        else {
            throw BackupError(
                .damaged, "what snapshot \(snapshot.number) says of the container is damaged",
                hint: "take another snapshot; `sandboxbackup verify` names what is damaged")
        }
        return container
    }

    /// Whether the catalogue says of the snapshot, and of which tree is its own, what was written.
    package func isSnapshotWhole() throws(BackupError) -> Bool {
        do throws(BackupError) {
            return try store.catalogue { [snapshot] database in
                let hash = try Data.fetchOne(
                    database, sql: "SELECT sha256 FROM snapshot WHERE id = ?", arguments: [snapshot.number])
                return try hash == Data(BackupStore.hash(of: snapshot, in: database).bytes)
            }
        } catch {
            guard error.code == .damaged else { throw error }
            return false
        }
    }

    /// Shows the entries of a directory by the bytes of their names; `body` may read directories that these name.
    ///
    /// - Returns: Whether that was all of it: false where the directory is damaged, and mostly nothing of it was shown.
    package func read(
        _ directory: Int64?, _ body: (SnapshotEntry) throws(BackupError) -> Void
    ) throws(BackupError) -> Bool {
        guard let directory, depth < SnapshotEntry.maximumDepth else { return false }
        depth += 1
        defer { depth -= 1 }
        var pages = DirectoryPages(of: directory, in: store)
        while true {
            let page: [SnapshotEntry]?
            do throws(BackupError) { page = try pages.next() } catch {
                guard error.code == .damaged else { throw error }
                return false
            }
            guard let page else { return true }
            for entry in page {
                guard try isExpected(entry) else { return false }
                try body(entry)
            }
        }
    }

    /// Whether there may be one more such entry; after the first that may not be, none may.
    private func isExpected(_ entry: SnapshotEntry) throws(BackupError) -> Bool {
        if entry.kind == .file { filesLeft -= 1 }
        if let left = itemsUntilCheck {
            itemsUntilCheck = left > 0 ? left - 1 : nil
            if left == 0 { isTooLarge = try !limit.holds(store.size(ofTree: snapshot.tree)) }
        }
        return filesLeft >= 0 && !isTooLarge
    }
}
