package import BackupRepository
internal import Dispatch
internal import FileSystem
internal import Synchronization
internal import SystemPackage

/// One run of a restore: its way down the tree, which makes the directories and hands on what is to lie in them.
package struct Restorer {
    private let options: RestoreOptions
    private let target: Folder
    private let result: RestoreResult.Accumulator
    private let workers: [Worker]
    private let selection: PathSelection
    private let tree: TreeReader
    /// Whether no other restoration can be at work here, so that unfinished files are those of runs that were ended.
    private var isAlone = false
    private var batch = Batch()
    /// Where the first name of a file with several names was put, by what the file was known by.
    private var firstNames: [HardLink: FilePath] = [:]

    private struct HardLink: Hashable {
        let inode: UInt64
        let object: Int64
    }

    /// The file restorer of one thread. The threads of one batch need not be those of the next.
    private final class Worker: Sendable {
        let restorer: Mutex<FileRestorer>

        init(_ restorer: sending FileRestorer) { self.restorer = Mutex(restorer) }
    }

    /// - Throws: `notFound` for a path that is not in the snapshot; `failed` if there is no target directory.
    package init(_ options: RestoreOptions) throws(BackupError) {
        guard let target = options.target else {
            throw BackupError(.failed, "the target directory does not exist", hint: "create it")
        }
        self.options = options
        self.target = target
        result = RestoreResult.Accumulator(options.progress)
        selection = try PathSelection(options)
        tree = TreeReader(options.snapshot, of: options.repository)
        var workers: [Worker] = []
        for _ in 0..<max(1, min(options.threads, FileRestorer.most)) {
            workers.append(
                Worker(
                    try FileRestorer(
                        options.repository, result, overwritesFiles: options.overwritesFiles,
                        preservesSetIDBits: options.preservesSetIDBits)))
        }
        self.workers = workers
    }

    /// Restores the selected items and flushes them to disk.
    ///
    /// - Throws: `locked`, `full`, `failed`. A damaged file is not created and becomes an incident.
    package mutating func restore() throws(BackupError) -> RestoreResult {
        let lock = try acquireLock()
        defer { lock?.release() }
        isAlone = lock != nil
        let container = try tree.container()
        if try !tree.isSnapshotWhole() { result.note([], "snapshot-damaged") }
        let isSet: Bool
        do {
            if isAlone { try FileRestorer.removeLeftovers(in: target) }
            isSet = try options.setsTarget(selection)
        } catch { throw BackupError(error) }
        try restoreDirectory(container, at: [], in: target, isSet: isSet)
        try flush()
        do { try target.syncTree() } catch { throw BackupError(error) }
        return result.value
    }

    /// Nil where the target's disk has no locks.
    private func acquireLock() throws(BackupError) -> Lock? {
        do throws(FileSystemError) { return try Lock(target, within: .zero) } catch {
            guard error.errno == .resourceTemporarilyUnavailable else { return nil }
            throw BackupError(
                .locked, "another restoration is at work on the directory to restore into",
                hint: "wait for its end, or name another directory")
        }
    }

    /// Restores what lies in a directory, and where `isSet` also what the directory itself is.
    private mutating func restoreDirectory(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder, isSet: Bool
    ) throws(BackupError) {
        let isWhole = try tree.read(entry.child) { inner throws(BackupError) in
            try restoreItem(inner, at: Self.path(of: inner, in: path), in: folder)
        }
        if !isWhole { result.note(path, "damaged") }
        if isSet { batch.close(entry, at: path, folder) }
        try flushIfFull()
    }

    private mutating func restoreItem(_ entry: SnapshotEntry, at path: [UInt8], in folder: Folder) throws(BackupError) {
        guard Self.isName(entry.name) else { return result.note(path, "impossible-name") }
        let (whole, way) = selection.look(at: path)
        guard whole || (way && entry.kind == .directory), !options.excludes(path) else { return }
        guard entry.kind == .directory else {
            batch.add(entry, at: path, in: folder)
            return try flushIfFull()
        }
        let inner: (folder: Folder, isMade: Bool)?
        do throws(FileSystemError) { inner = try openOrMakeFolder(FilePath(bytes: entry.name), in: folder) } catch {
            return try result.note(path, error)
        }
        guard let inner else { return result.note(path, "is-the-repository") }
        try restoreDirectory(entry, at: path, in: inner.folder, isSet: whole || inner.isMade)
        result.add { $0.directories += 1 }
    }

    /// A directory to restore into, made where it is missing; nil for the one that the snapshot comes from.
    private func openOrMakeFolder(
        _ name: FilePath, in folder: Folder
    ) throws(FileSystemError) -> (folder: Folder, isMade: Bool)? {
        if let there = try folder.statusIfPresent(name), there.kind == .directory {
            if options.repository.isRepositoryDirectory(there) { return nil }
            let inner = try folder.folder(noFollow: name)
            if isAlone { try FileRestorer.removeLeftovers(in: inner) }
            return (inner, false)
        }
        try folder.makeDirectory(name, permissions: 0o700)
        return (try folder.folder(noFollow: name), true)
    }

    private mutating func flushIfFull() throws(BackupError) { if batch.isFull { try flush() } }

    /// Restores what has been collected: what lies in directories first, since it changes their times, and may not be
    /// possible with their modes.
    private mutating func flush() throws(BackupError) {
        let batch = batch
        self.batch = Batch()
        try restore(batch.groups)
        for (file, folder) in batch.linked { try restoreLinked(file.entry, at: file.path, in: folder) }
        try withWorker { restorer throws(BackupError) in
            for (directory, folder) in batch.closed {
                try restorer.finishDirectory(directory.entry, at: directory.path, folder)
            }
        }
    }

    /// A file with several names, which is made under the first of them that can be.
    private mutating func restoreLinked(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder
    ) throws(BackupError) {
        let link = HardLink(inode: entry.inode, object: entry.object ?? 0)
        let first = firstNames[link]
        let target = target
        let isThere = try withWorker { restorer throws(BackupError) in
            guard let first else { return try restorer.restore(entry, at: path, in: folder) }
            return try restorer.addName(to: first, for: entry, at: path, in: folder, of: target)
        }
        if isThere, first == nil { firstNames[link] = FilePath(bytes: path) }
    }

    /// One component of a path, and no other: what a store says is not believed. Nor can a file have the name under
    /// which others are made.
    static func isName(_ name: [UInt8]) -> Bool {
        !name.isEmpty && name.count <= 255 && !name.contains(0) && !name.contains(UInt8(ascii: "/"))
            && name != [UInt8(ascii: ".")] && name != Array("..".utf8) && !FileRestorer.isStaging(name)
    }

    private func withWorker<Result: Sendable>(
        _ work: (FileRestorer) throws(BackupError) -> Result
    ) throws(BackupError) -> Result {
        try workers[0].restorer.withLock { restorer throws(BackupError) in try work(restorer) }
    }

    /// Restores all, each a group at a time: two that make names in one directory wait for each other in the kernel.
    private func restore(_ groups: [Batch.Group]) throws(BackupError) {
        let state = Mutex((next: 0, failure: BackupError?.none))
        DispatchQueue.concurrentPerform(iterations: min(workers.count, groups.count)) { [workers] number in
            while let index = state.withLock({ state -> Int? in
                guard state.failure == nil, state.next < groups.count else { return nil }
                state.next += 1
                return state.next - 1
            }) {
                let group = groups[index]
                do throws(BackupError) {
                    try workers[number].restorer.withLock { restorer throws(BackupError) in
                        for entry in group.entries {
                            try restorer.restore(entry, at: group.path(of: entry), in: group.folder)
                        }
                    }
                } catch { state.withLock { $0.failure = $0.failure ?? error } }
            }
        }
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// Returns the path of an entry of a directory.
    static func path(of entry: SnapshotEntry, in directory: [UInt8]) -> [UInt8] {
        directory.isEmpty ? entry.name : directory + [UInt8(ascii: "/")] + entry.name
    }
}

extension Restorer {
    /// What of a snapshot is restored next. Bounded, whatever the snapshot holds, in items and in open directories.
    struct Batch {
        /// Files and links of one directory, for one thread.
        struct Group {
            let folder: Folder
            /// The directory's.
            let directory: [UInt8]
            fileprivate(set) var entries: [SnapshotEntry] = []

            func path(of entry: SnapshotEntry) -> [UInt8] { Restorer.path(of: entry, in: directory) }
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
    }
}
