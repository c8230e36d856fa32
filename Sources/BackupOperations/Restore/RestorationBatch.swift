internal import BackupRepository
internal import FileSystem

/// What of a snapshot is restored next. Bounded, whatever the snapshot holds, in items and in open directories.
struct RestorationBatch {
    /// Files and links of one directory, for one thread.
    struct Group {
        let folder: Folder
        /// The directory's.
        let directory: [UInt8]
        fileprivate(set) var entries: [SnapshotEntry] = []

        func path(of entry: SnapshotEntry) -> [UInt8] { RestorationBatch.path(of: entry, in: directory) }
    }

    /// An item and its path in the snapshot.
    struct Item {
        let entry: SnapshotEntry
        let path: [UInt8]
    }

    private(set) var groups: [Group] = []
    /// Names of files that have several, in the snapshot's order.
    private(set) var linked: [(Item, Folder)] = []
    /// Directories of which nothing more comes, each after those in it.
    private(set) var closed: [(Item, Folder)] = []
    private var count = 0

    /// A process may have 256 files open on some systems.
    var isFull: Bool { count >= 4096 || closed.count >= 128 }

    /// A file or link, to be restored into `folder`.
    mutating func add(_ entry: SnapshotEntry, at path: [UInt8], in folder: Folder) {
        count += 1
        guard entry.kind != .file || entry.links < 2 else {
            return linked.append((Item(entry: entry, path: path), folder))
        }
        // The threads share a large directory.
        if groups.last?.folder !== folder || groups.last?.entries.count == 256 {
            groups.append(Group(folder: folder, directory: Array(path.dropLast(entry.name.count + 1))))
        }
        groups[groups.count - 1].entries.append(entry)
    }

    /// A directory that gets its attributes, mode and times when all is in it.
    mutating func close(_ entry: SnapshotEntry, at path: [UInt8], _ folder: Folder) {
        closed.append((Item(entry: entry, path: path), folder))
    }

    static func path(of entry: SnapshotEntry, in directory: [UInt8]) -> [UInt8] {
        directory.isEmpty ? entry.name : directory + [UInt8(ascii: "/")] + entry.name
    }
}
