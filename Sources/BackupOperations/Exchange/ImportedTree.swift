internal import BackupPlan
internal import BackupRepository
internal import ContainerTree
internal import FileSystem

/// The items of an imported container, which arrive in any order and are written as directories of a snapshot.
struct ImportedTree {
    /// The content of one directory.
    private struct Contents {
        var entries: [[UInt8]: SnapshotEntry] = [:]
        /// The number of files below.
        var files = 0
        var bytes: UInt64 = 0
    }

    /// The written tree.
    struct Written {
        /// The directory with the entry of the container.
        var directory: Int64
        var files: Int
        var bytes: UInt64
        var incidents: [Snapshot.Incident]
    }

    /// The entry of the container itself.
    private var root: SnapshotEntry?
    /// The directories by depth and path; the first level is the container.
    private var levels: [[[UInt8]: Contents]] = [[:]]
    /// Items that are missing or differ from the backup; unsorted.
    private var incidents: [Snapshot.Incident] = []
    private var room: ImportLimits

    init(room: ImportLimits = ImportLimits()) { self.room = room }

    /// Returns the reason why an item cannot be added, or nil.
    func refusal(of path: [UInt8]) -> String? {
        let (parent, name, depth) = PathOrder.split(path)
        if depth >= SnapshotEntry.maximumDepth { return "too-deep" }
        if name.count > 255 { return "impossible-name" }
        let isThere = path.isEmpty ? root != nil : contents(of: parent, depth - 1)?.entries[name] != nil
        return isThere ? "duplicate-row" : nil
    }

    private func contents(of directory: [UInt8], _ depth: Int) -> Contents? {
        levels.indices.contains(depth) ? levels[depth][directory] : nil
    }

    /// Adds an item that is not refused.
    ///
    /// - Throws: `failed` above the memory limit.
    mutating func add(_ entry: SnapshotEntry, at path: [UInt8]) throws(BackupError) {
        try room.add(path, entry.target ?? [])
        guard !path.isEmpty else {
            root = entry
            return
        }
        let (parent, name, depth) = PathOrder.split(path)
        while levels.count < depth { levels.append([:]) }
        levels[depth - 1][parent, default: Contents()].entries[name] = entry
    }

    /// Records an incident.
    ///
    /// - Throws: `failed` above the memory limit.
    mutating func record(_ path: [UInt8], reason: String) throws(BackupError) {
        try room.add(path)
        incidents.append(Snapshot.Incident(path: path, reason: reason))
    }

    /// Writes the directories, each after its subdirectories. A directory that the backup does not list is created, and
    /// reported if its parent is listed.
    ///
    /// - Throws: Errors of the repository; `failed` above the memory limit.
    mutating func write(into repository: Repository, made: Timestamp) throws(BackupError) -> Written {
        let empty = try repository.insertDirectory([])
        for depth in levels.indices.dropFirst().reversed() {
            let level = levels.removeLast()
            for (path, contents) in level.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
                let (parent, name, _) = PathOrder.split(path)
                let known = levels[depth - 1][parent]?.entries[name]
                guard known?.kind ?? .directory == .directory else {
                    for name in contents.entries.keys {
                        try record(path + [UInt8(ascii: "/")] + name, reason: "not-in-a-directory")
                    }
                    continue
                }
                if known == nil {
                    try room.add(path)
                    if isListed(parent, depth: depth - 1) { try record(path, reason: "parent-missing") }
                }
                let written = try write(contents, empty: empty, into: repository)
                var entry = known ?? Self.directory(name, made: made)
                entry.child = written.directory
                levels[depth - 1][parent, default: Contents()].entries[name] = entry
                levels[depth - 1][parent, default: Contents()].files += written.files
                levels[depth - 1][parent, default: Contents()].bytes.addClamped(written.bytes)
            }
        }
        let top = try write(levels[0][[]] ?? Contents(), empty: empty, into: repository)
        let listed = root?.kind == .directory ? root : nil
        if listed == nil { try record([], reason: "parent-missing") }
        var own = listed ?? Self.directory([], made: made)
        own.child = top.directory
        return Written(
            directory: try repository.insertDirectory([own]), files: top.files, bytes: top.bytes, incidents: incidents)
    }

    /// Returns true if the backup lists a directory, or if it is the container.
    private func isListed(_ path: [UInt8], depth: Int) -> Bool {
        let (parent, name, _) = PathOrder.split(path)
        return path.isEmpty || contents(of: parent, depth - 1)?.entries[name] != nil
    }

    private func write(
        _ contents: Contents, empty: Int64, into repository: Repository
    ) throws(BackupError) -> (directory: Int64, files: Int, bytes: UInt64) {
        var (entries, files, bytes) = ([SnapshotEntry](), contents.files, contents.bytes)
        for (_, entry) in contents.entries.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            var entry = entry
            if entry.kind == .directory { entry.child = entry.child ?? empty }
            if entry.kind == .file {
                files += 1
                bytes.addClamped(entry.size)
            }
            entries.append(entry)
        }
        return (try repository.insertDirectory(entries), files, bytes)
    }

    private static func directory(_ name: [UInt8], made: Timestamp) -> SnapshotEntry {
        var entry = SnapshotEntry(name: name, kind: .directory)
        entry.permissions = 0o755
        entry.links = 1
        (entry.modified, entry.changed) = (made, made)
        return entry
    }
}
