internal import FileSystem
internal import SystemPackage

/// One run of a restoration: its way down the tree, which makes the directories and hands on what is to lie in them.
struct RestorationRun {
    private let plan: Restoration
    private let target: Folder
    private let tally: RestorationTally
    private let crew: RestorationCrew
    private var wanted: WantedPaths
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
        crew = try RestorationCrew(plan.store, tally, replacesFiles: plan.replacesFiles, threads: plan.threads)
        wanted = WantedPaths(plan.paths)
    }

    mutating func restore() throws(BackupError) -> Restoration.Outcome {
        for root in try plan.store.entries(of: plan.snapshot.tree) where root.kind == .directory {
            do { try ItemRestorer.removeLeftovers(in: target) } catch { throw BackupError(error) }
            try directory(root, at: [], in: target, depth: 0)
        }
        try flush()
        try wanted.requireAll(in: plan.snapshot)
        return tally.outcome
    }

    private mutating func directory(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder, depth: Int
    ) throws(BackupError) {
        guard let child = entry.child else { return tally.note(path, "damaged") }
        guard depth < SnapshotEntry.maximumDepth else { return tally.note(path, "too-deep") }
        var last: [UInt8]?
        repeat {
            let page = try plan.store.entries(of: child, after: last, atMost: Self.pageSize)
            for inner in page { try item(inner, at: RestorationBatch.path(of: inner, in: path), in: folder, depth) }
            last = page.count == Self.pageSize ? page.last?.name : nil
        } while last != nil
        batch.close(entry, at: path, folder)
        try flushWhereFull()
    }

    /// A directory may have more entries than there is memory for.
    private static let pageSize = 256

    private mutating func item(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder, _ depth: Int
    ) throws(BackupError) {
        guard Self.isName(entry.name) else { return tally.note(path, "impossible-name") }
        let (whole, way) = wanted.look(at: path)
        guard whole || (way && entry.kind == .directory), !plan.leavesOut(path) else { return }
        guard entry.kind == .directory else {
            batch.add(entry, at: path, in: folder)
            return try flushWhereFull()
        }
        let inner: Folder
        do throws(FileSystemError) { inner = try Self.folder(FilePath(bytes: entry.name), in: folder) } catch {
            return try tally.note(path, error)
        }
        try directory(entry, at: path, in: inner, depth: depth + 1)
        tally.add { $0.directories += 1 }
    }

    private static func folder(_ name: FilePath, in folder: Folder) throws(FileSystemError) -> Folder {
        if try folder.statusIfPresent(name)?.kind == .directory {
            let inner = try folder.folder(noFollow: name)
            try ItemRestorer.removeLeftovers(in: inner)
            return inner
        }
        try folder.makeDirectory(name, permissions: 0o700)
        return try folder.folder(noFollow: name)
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
