internal import FileSystem

/// The versions of one path across snapshots.
package struct ItemHistory: Sendable {
    /// A version, and the consecutive snapshots that contain it.
    package struct Version: Sendable {
        /// The change from the version before.
        package let change: SnapshotDifference.Change
        /// The item; nil if the snapshots do not contain the path.
        package let entry: SnapshotEntry?
        /// The snapshots, the oldest first.
        package fileprivate(set) var snapshots: [Snapshot]
    }

    /// The versions, the oldest first, from the first snapshot that contains the path.
    package private(set) var versions: [Version] = []
    /// The snapshots in which a directory on the way to the path is damaged.
    package private(set) var damaged: [Snapshot] = []

    /// - Throws: `notFound` if no snapshot contains the path; `damaged`.
    package init(of text: String, in snapshots: [Snapshot], of repository: Repository) throws(BackupError) {
        for path in Repository.readings(of: text) where versions.isEmpty {
            try find(path, in: snapshots, of: repository)
        }
        guard versions.isEmpty, damaged.isEmpty else { return }
        throw BackupError(
            .notFound, what: "no snapshot has an item “\(text)”",
            hint: "`sandboxbackup find` searches for names in all snapshots")
    }

    private mutating func find(
        _ path: [UInt8], in snapshots: [Snapshot], of repository: Repository
    ) throws(BackupError) {
        var entries: [Int64: SnapshotEntry] = [:]
        var unreadable: Set<Int64> = []
        let search = SnapshotSearch(snapshots, in: repository)
        try search.visit(entering: { $0 != path && Repository.leads($0, to: path) }) { item throws(BackupError) in
            guard item.path == path else { return }
            for snapshot in item.snapshots { entries[snapshot.number] = item.entry }
        } damaged: { _, snapshot in
            unreadable.insert(snapshot.number)
        }
        damaged = snapshots.filter { unreadable.contains($0.number) }
        let ordered = snapshots.sorted { ($0.taken, $0.number) < ($1.taken, $1.number) }
        for snapshot in ordered where !unreadable.contains(snapshot.number) {
            add(entries[snapshot.number], in: snapshot)
        }
    }

    private mutating func add(_ entry: SnapshotEntry?, in snapshot: Snapshot) {
        let last = versions.last
        guard last != nil || entry != nil else { return }
        switch (last?.entry, entry) {
        case (nil, nil): versions[versions.count - 1].snapshots.append(snapshot)
        case (let old?, let new?):
            guard let change = SnapshotDifference.change(from: old, to: new) else {
                versions[versions.count - 1].snapshots.append(snapshot)
                return
            }
            versions.append(Version(change: change, entry: new, snapshots: [snapshot]))
        case (nil, let new?): versions.append(Version(change: .added, entry: new, snapshots: [snapshot]))
        case (_?, nil): versions.append(Version(change: .removed, entry: nil, snapshots: [snapshot]))
        }
    }
}
