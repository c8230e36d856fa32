internal import BackupPlan
internal import ContainerTree
internal import FileSystem
internal import Foundation
internal import GRDB

/// A rewriter of existing snapshots: of their tags and of their items. A changed snapshot keeps its number and date, and
/// gets another ID, which is the hash of what it contains.
package struct SnapshotRewriter {
    private let repository: Repository

    /// A snapshot before and after a change.
    package struct Change: Sendable {
        package let original: Snapshot
        /// The changed snapshot; the same as the original if nothing changed.
        package fileprivate(set) var snapshot: Snapshot
        /// The paths of the items that were removed; a directory stands for its content.
        package fileprivate(set) var removed: [[UInt8]] = []

        package var isChanged: Bool { snapshot.id != original.id }
    }

    package init(_ repository: Repository) { self.repository = repository }

    /// Changes the tags of snapshots, of all or of none.
    ///
    /// - Throws: `damaged` if a snapshot is damaged; `full`, `readOnly`, `failed`.
    package func changeTags(
        of snapshots: [Snapshot], _ change: ([String]) -> [String]
    ) throws(BackupError) -> [Change] {
        for snapshot in snapshots { try requireWhole(snapshot) }
        let changes = try repository.withCatalogue { database in
            var changes: [Change] = []
            try database.inTransaction {
                for original in snapshots {
                    let labels = SnapshotLabels(
                        tags: change(original.labels.tags), host: original.labels.host, source: original.labels.source)
                    var new = original.replacing(labels: labels)
                    if labels != original.labels { new.id = try repository.replace(new, in: database) }
                    changes.append(Change(original: original, snapshot: new))
                }
                return .commit
            }
            return changes
        }
        SnapshotFile.commit(changes.filter(\.isChanged).map(\.snapshot.number), in: repository.folder)
        return changes
    }

    /// Removes items from a snapshot, with their names in its lists of incidents and exclusions. Their content stays in the
    /// repository until it is pruned.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot.
    ///   - changesNothing: True to return the removed items only; then the repository may be opened for reading, and the
    ///     snapshot of the change is the original.
    ///   - matches: Returns true for the path of an item to remove. It is not called for the container itself.
    /// - Returns: The snapshot before and after, and the removed items.
    /// - Throws: `damaged` if the snapshot is damaged; `full`, `readOnly`, `failed`.
    package func remove(
        from snapshot: Snapshot, changesNothing: Bool, where matches: @escaping ([UInt8]) -> Bool
    ) throws(BackupError) -> Change {
        try requireWhole(snapshot)
        guard !changesNothing else {
            var tree = Tree(repository, reader: TreeReader(snapshot, of: repository), matches, isWriting: false)
            _ = try tree.directory(snapshot.tree, at: [])
            return Change(original: snapshot, snapshot: snapshot, removed: tree.removed)
        }
        let writer = try ObjectWriter(repository)
        do throws(BackupError) {
            var tree = Tree(repository, reader: TreeReader(snapshot, of: repository), matches, isWriting: true)
            let root = try tree.directory(snapshot.tree, at: [])
            func isRemoved(_ path: [UInt8]) -> Bool {
                path.indices.contains { path[$0] == UInt8(ascii: "/") && matches(Array(path[..<$0])) } || matches(path)
            }
            let exclusions = try snapshot.exclusions.map { number throws(BackupError) in
                let list = try repository.exclusions(number)
                let kept = list.filter { !isRemoved($0.path) }
                return kept.count == list.count ? number : try repository.insertExclusions(kept)
            }
            var new = snapshot.replacing(
                tree: root, files: tree.files, bytes: tree.bytes,
                incidents: snapshot.incidents.filter { $0.path.isEmpty || !isRemoved($0.path) },
                exclusions: exclusions ?? nil)
            guard new != snapshot else {
                writer.abandon()
                return Change(original: snapshot, snapshot: snapshot)
            }
            try writer.finish { new.id = try repository.replace(new, in: $0) }
            SnapshotFile.commit([new.number], in: repository.folder)
            return Change(original: snapshot, snapshot: new, removed: tree.removed)
        } catch {
            writer.abandon()
            throw error
        }
    }

    /// Refuses a damaged row, whose new hash would hide the damage.
    private func requireWhole(_ snapshot: Snapshot) throws(BackupError) {
        guard try !TreeReader(snapshot, of: repository).isSnapshotWhole() else { return }
        throw BackupError(
            .damaged,
            what: "snapshot \(snapshot.number) is damaged: its row does not match the hash; nothing was changed",
            hint: "`sandboxbackup verify` reports all damage")
    }
}

/// The tree of a snapshot without some items.
private struct Tree {
    private let repository: Repository
    private let reader: TreeReader
    private let matches: ([UInt8]) -> Bool
    private let isWriting: Bool
    /// The number and size of the files that stay.
    private(set) var files = 0
    private(set) var bytes: UInt64 = 0
    private(set) var removed: [[UInt8]] = []

    init(_ repository: Repository, reader: TreeReader, _ matches: @escaping ([UInt8]) -> Bool, isWriting: Bool) {
        (self.repository, self.reader, self.matches, self.isWriting) = (repository, reader, matches, isWriting)
    }

    /// Returns the directory without the items; the same one if it contains none of them.
    mutating func directory(_ number: Int64, at path: [UInt8]) throws(BackupError) -> Int64 {
        var kept: [SnapshotEntry] = []
        var isChanged = false
        let isWhole = try reader.read(number) { entry throws(BackupError) in
            let inner = path.isEmpty ? entry.name : path + [UInt8(ascii: "/")] + entry.name
            guard inner.isEmpty || !matches(inner) else {
                removed.append(inner)
                isChanged = true
                return
            }
            var entry = entry
            if entry.kind == .file {
                files += 1
                bytes.addClamped(entry.size)
            }
            if let child = entry.child {
                entry.child = try directory(child, at: inner)
                if entry.child != child { isChanged = true }
            }
            kept.append(entry)
        }
        guard isWhole else { throw reader.snapshot.damage(at: path) }
        return isChanged && isWriting ? try repository.insertDirectory(kept) : number
    }
}

extension Snapshot {
    /// Returns the snapshot with other labels.
    fileprivate func replacing(labels: SnapshotLabels) -> Snapshot {
        var copy = Snapshot(
            number: number, taken: taken, bundleIdentifier: bundleIdentifier, kind: kind, view: view, tree: tree,
            files: files, bytes: bytes, incidents: incidents, exclusions: exclusions, labels: labels)
        copy.id = id
        return copy
    }

    /// Returns the snapshot with other items.
    fileprivate func replacing(
        tree: Int64, files: Int, bytes: UInt64, incidents: [Incident], exclusions: Int64?
    ) -> Snapshot {
        // The date and size of a snapshot without a change stay, whatever its files were when it was made.
        guard tree != self.tree || incidents != self.incidents || exclusions != self.exclusions else { return self }
        var copy = Snapshot(
            number: number, taken: taken, bundleIdentifier: bundleIdentifier, kind: kind, view: view, tree: tree,
            files: files, bytes: bytes, incidents: incidents, exclusions: exclusions, labels: labels)
        copy.id = id
        return copy
    }
}

extension Repository {
    /// Replaces the row of a snapshot and its lists, except the exclusions, and its file.
    ///
    /// - Returns: The new ID.
    fileprivate func replace(_ snapshot: Snapshot, in database: Database) throws -> String {
        let hash = try Self.hash(of: snapshot, in: database)
        for table in ["label", "incident"] {
            try database.execute(sql: "DELETE FROM \(table) WHERE snapshot = ?", arguments: [snapshot.number])
        }
        try database.execute(
            sql: "UPDATE snapshot SET sha256 = ?, tree = ?, files = ?, bytes = ?, exclusions = ? WHERE id = ?",
            arguments: [
                Data(hash.bytes), snapshot.tree, snapshot.files, Int64(bitPattern: snapshot.bytes),
                snapshot.exclusions, snapshot.number,
            ])
        try Self.insertLists(of: snapshot, snapshot.number, in: database)
        // Last, so that a failure before leaves both as they were. All directories are on disk.
        try Self.prepareFile(of: snapshot, in: folder, database)
        return hash.hexadecimal
    }
}
