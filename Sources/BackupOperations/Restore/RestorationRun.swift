internal import BackupRepository
internal import FileSystem
internal import SystemPackage

/// One run of a restoration: its way down the tree, which makes the directories and hands on what is to lie in them.
struct RestorationRun {
    private let plan: Restoration
    private let target: Folder
    private let tally: RestorationTally
    private let crew: RestorationCrew
    private let wanted: WantedPaths
    private let tree: TreeReader
    /// Whether no other restoration can be at work here, so that unfinished files are those of runs that were ended.
    private var isAlone = false
    private var batch = RestorationBatch()
    /// Where the first name of a file with several names was put, by what the file was known by.
    private var firstNames: [HardLink: FilePath] = [:]

    private struct HardLink: Hashable {
        let inode: UInt64
        let object: Int64
    }

    init(_ plan: Restoration, into target: Folder) throws(BackupError) {
        self.plan = plan
        self.target = target
        tally = RestorationTally(plan.progress)
        crew = try RestorationCrew(plan, tally)
        wanted = try WantedPaths(plan)
        tree = TreeReader(plan.snapshot, of: plan.store)
    }

    mutating func restore() throws(BackupError) -> Restoration.Outcome {
        let lock = try lock()
        defer { lock?.release() }
        isAlone = lock != nil
        let container = try tree.container()
        if try !tree.isSnapshotWhole() { tally.note([], "snapshot-damaged") }
        let isSet: Bool
        do {
            if isAlone { try ItemRestorer.removeLeftovers(in: target) }
            isSet = try plan.setsTarget(wanted)
        } catch { throw BackupError(error) }
        try directory(container, at: [], in: target, isSet: isSet)
        try flush()
        do { try target.syncTree() } catch { throw BackupError(error) }
        return tally.outcome
    }

    /// Nil where the target's disk has no locks.
    private func lock() throws(BackupError) -> Lock? {
        do throws(FileSystemError) { return try Lock(target, within: .zero) } catch {
            guard error.errno == .resourceTemporarilyUnavailable else { return nil }
            throw BackupError(
                .locked, "another restoration is at work on the directory to restore into",
                hint: "wait for its end, or name another directory")
        }
    }

    /// Restores what lies in a directory, and where `isSet` also what the directory itself is.
    private mutating func directory(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder, isSet: Bool
    ) throws(BackupError) {
        let isWhole = try tree.read(entry.child) { inner throws(BackupError) in
            try item(inner, at: RestorationBatch.path(of: inner, in: path), in: folder)
        }
        if !isWhole { tally.note(path, "damaged") }
        if isSet { batch.close(entry, at: path, folder) }
        try flushWhereFull()
    }

    private mutating func item(_ entry: SnapshotEntry, at path: [UInt8], in folder: Folder) throws(BackupError) {
        guard Self.isName(entry.name) else { return tally.note(path, "impossible-name") }
        let (whole, way) = wanted.look(at: path)
        guard whole || (way && entry.kind == .directory), !plan.leavesOut(path) else { return }
        guard entry.kind == .directory else {
            batch.add(entry, at: path, in: folder)
            return try flushWhereFull()
        }
        let inner: (folder: Folder, isMade: Bool)?
        do throws(FileSystemError) { inner = try self.folder(FilePath(bytes: entry.name), in: folder) } catch {
            return try tally.note(path, error)
        }
        guard let inner else { return tally.note(path, "is-the-repository") }
        try directory(entry, at: path, in: inner.folder, isSet: whole || inner.isMade)
        tally.add { $0.directories += 1 }
    }

    /// A directory to restore into, made where it is missing; nil for the one that the snapshot comes from.
    private func folder(
        _ name: FilePath, in folder: Folder
    ) throws(FileSystemError) -> (folder: Folder, isMade: Bool)? {
        if let there = try folder.statusIfPresent(name), there.kind == .directory {
            if plan.store.isItself(there) { return nil }
            let inner = try folder.folder(noFollow: name)
            if isAlone { try ItemRestorer.removeLeftovers(in: inner) }
            return (inner, false)
        }
        try folder.makeDirectory(name, permissions: 0o700)
        return (try folder.folder(noFollow: name), true)
    }

    private mutating func flushWhereFull() throws(BackupError) { if batch.isFull { try flush() } }

    /// Restores what has been collected: what lies in directories first, since it changes their times, and may not be
    /// possible with their modes.
    private mutating func flush() throws(BackupError) {
        let batch = batch
        self.batch = RestorationBatch()
        try crew.restore(batch.groups)
        for (file, folder) in batch.linked { try linked(file.entry, at: file.path, in: folder) }
        try crew.one { restorer throws(BackupError) in
            for (directory, folder) in batch.closed {
                try restorer.finish(directory.entry, at: directory.path, folder)
            }
        }
    }

    /// A file with several names, which is made under the first of them that can be.
    private mutating func linked(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder
    ) throws(BackupError) {
        let link = HardLink(inode: entry.inode, object: entry.object ?? 0)
        let first = firstNames[link]
        let target = target
        let isThere = try crew.one { restorer throws(BackupError) in
            guard let first else { return try restorer.restore(entry, at: path, in: folder) }
            return try restorer.addName(to: first, for: entry, at: path, in: folder, of: target)
        }
        if isThere, first == nil { firstNames[link] = FilePath(bytes: path) }
    }

    /// One component of a path, and no other: what a store says is not believed. Nor can a file have the name under
    /// which others are made.
    static func isName(_ name: [UInt8]) -> Bool {
        !name.isEmpty && name.count <= 255 && !name.contains(0) && !name.contains(UInt8(ascii: "/"))
            && name != [UInt8(ascii: ".")] && name != Array("..".utf8) && !ItemRestorer.isStaging(name)
    }
}
