extension BackupStore {
    /// Shows every item of a snapshot with its path, a directory before what lies in it.
    package func visit(
        _ snapshot: Snapshot, _ body: (_ path: [UInt8], _ entry: SnapshotEntry) throws(BackupError) -> Void
    ) throws(BackupError) {
        for root in try entries(of: snapshot.tree) { try visit(root, at: [], depth: 0, body) }
    }

    private func visit(
        _ entry: SnapshotEntry, at path: [UInt8], depth: Int,
        _ body: (_ path: [UInt8], _ entry: SnapshotEntry) throws(BackupError) -> Void
    ) throws(BackupError) {
        try body(path, entry)
        guard let child = entry.child else { return }
        // A damaged catalogue can name a directory within itself.
        guard depth < SnapshotEntry.maximumDepth else {
            throw BackupError(.damaged, "the catalogue's directories are too deep, or a ring")
        }
        for inner in try entries(of: child) {
            let innerPath = path.isEmpty ? inner.name : path + [UInt8(ascii: "/")] + inner.name
            try visit(inner, at: innerPath, depth: depth + 1, body)
        }
    }
}
