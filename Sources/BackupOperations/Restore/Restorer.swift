package import BackupRepository
internal import FileSystem
internal import SystemPackage

/// A restore: it walks the tree of a snapshot, creates the directories and restores their content in batches.
package struct Restorer {
    private let options: RestoreOptions
    private let target: Folder
    private let result: RestoreResult.Accumulator
    private let workers: [Worker]
    private let selection: PathSelection
    private let tree: TreeReader
    /// True if no other restore uses the target, so that temporary files belong to interrupted runs.
    private var isAlone = false
    private var batch = Batch()
    /// The first restored name of each file with several names.
    private var firstNames: [HardLink: FilePath] = [:]

    private struct HardLink: Hashable {
        let inode: UInt64
        let object: Int64
    }

    /// The file restorer of one thread. The threads of one batch need not be those of the next.
    private final class Worker: Sendable {
        let restorer: LockedValue<FileRestorer>

        init(_ restorer: sending FileRestorer) { self.restorer = LockedValue(restorer) }
    }

    /// - Throws: `notFound` for a path that is not in the snapshot; `failed` if there is no target directory.
    package init(_ options: RestoreOptions) throws(BackupError) {
        guard let target = options.target else {
            throw BackupError(.failed, what: "the target directory does not exist", hint: "create it")
        }
        self.options = options
        self.target = target
        selection = try PathSelection(options)
        result = RestoreResult.Accumulator(missing: selection.missing, options.progress)
        tree = TreeReader(options.snapshot, of: options.repository)
        var workers: [Worker] = []
        for _ in 0..<max(1, min(options.threads, FileRestorer.most)) {
            workers.append(
                Worker(
                    try FileRestorer(
                        options.repository, result: result,
                        overwrite: options.staging == nil ? options.overwrite : .always,
                        preservesSetIDBits: options.preservesSetIDBits, isTargetPrivate: options.staging != nil)))
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
        guard let staging = options.staging else {
            try restoreTree(in: nil)
            return result.value
        }
        try staging.requireSole(isLocked: isAlone)
        do throws(BackupError) {
            let container = try restoreTree(in: staging)
            // Until it is complete, its mode keeps other users away.
            try withWorker { restorer throws(BackupError) in
                try restorer.finishDirectory(container, at: [], folder: staging.folder)
            }
            try staging.publish()
        } catch { throw staging.remains(after: error) }
        return result.value
    }

    /// Restores the tree and flushes it to disk. A staging directory itself is not finished.
    @discardableResult
    private mutating func restoreTree(in staging: StagingDirectory?) throws(BackupError) -> SnapshotEntry {
        let container = try tree.container()
        if try !tree.isSnapshotWhole() { result.record([], reason: "snapshot-damaged") }
        let isSet: Bool
        do {
            if isAlone { try FileRestorer.removeLeftovers(in: target) }
            isSet = try staging == nil && options.setsTarget(selection)
        } catch { throw BackupError(error) }
        try restoreDirectory(container, at: [], in: target, isSet: isSet, isNew: staging?.isResumed == false)
        try flush()
        if options.deletes { try deleteOthers() }
        do { try target.syncTree() } catch { throw BackupError(error) }
        return container
    }

    /// Deletes the items that the snapshot does not contain. With damage, it is unknown which these are.
    private func deleteOthers() throws(BackupError) {
        guard !result.value.isDamaged else { return result.record([], reason: "nothing-deleted") }
        for path in try Deletion(options, selection: selection).paths {
            try Invocation.current.interruption.throwIfRequested()
            let item = FilePath(bytes: path)
            do throws(FileSystemError) {
                // The directory has its times of the snapshot, which a deletion changes.
                let directory = item.removingLastComponent()
                let parent = directory.isEmpty ? target : try target.openFolder(noLinks: directory)
                let before = try parent.status("").modified
                defer {
                    if let file = try? parent.open(".") { try? file.setTimes(accessed: before, modified: before) }
                }
                if try target.status(item).kind == .directory {
                    try target.removeEmptyDirectory(item)
                } else {
                    try target.removeFile(item)
                }
                result.add { $0.deleted += 1 }
            } catch {
                // The directory still contains items that no backup includes.
                guard error.errno != .directoryNotEmpty else { continue }
                try result.record(path, error: error)
            }
        }
    }

    /// Locks the target. Returns nil if its file system has no locks.
    private func acquireLock() throws(BackupError) -> Lock? {
        do throws(FileSystemError) { return try Lock(target, within: .zero) } catch {
            guard error.errno == .resourceTemporarilyUnavailable else { return nil }
            throw BackupError(
                .locked, what: "another restore is using the target directory",
                hint: "wait until it ends, or name another directory")
        }
    }

    /// Restores the content of a directory and, if `isSet`, its attributes, mode and times.
    private mutating func restoreDirectory(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder, isSet: Bool, isNew: Bool
    ) throws(BackupError) {
        var others = isNew ? [] : try foreignNames(in: folder)
        let isWhole = try tree.read(entry.child) { inner throws(BackupError) in
            if !others.isEmpty { others.remove(inner.name) }
            try restoreItem(inner, at: Self.path(of: inner, in: path), in: folder, isNew: isNew)
        }
        if !isWhole { result.record(path, reason: "damaged") }
        if isWhole, let staging = options.staging, let other = others.min(by: { $0.lexicographicallyPrecedes($1) }) {
            throw staging.refusal(ofItem: path.isEmpty ? other : path + [UInt8(ascii: "/")] + other)
        }
        if isSet { batch.close(entry, at: path, folder: folder) }
        try flushIfFull()
    }

    /// Returns the names in a directory of an interrupted restore, all of which must be those of items of the snapshot.
    private func foreignNames(in folder: Folder) throws(BackupError) -> Set<[UInt8]> {
        guard options.staging != nil else { return [] }
        do throws(FileSystemError) { return Set(try folder.names().map(\.bytes)) } catch { throw BackupError(error) }
    }

    /// Restores an item of a directory, which is new if this restore has created it.
    private mutating func restoreItem(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder, isNew: Bool
    ) throws(BackupError) {
        guard Self.isName(entry.name) else { return result.record(path, reason: "impossible-name") }
        let (whole, way) = selection.look(at: path)
        guard whole || (way && entry.kind == .directory), !selection.omits(path) else { return }
        guard entry.kind == .directory else {
            batch.add(entry, at: path, in: folder, isNew: isNew)
            return try flushIfFull()
        }
        let inner: (folder: Folder, isMade: Bool)?
        do throws(FileSystemError) {
            inner = try openOrMakeFolder(FilePath(bytes: entry.name), in: folder, isNew: isNew)
        } catch {
            if let staging = options.staging, error.errno == .fileExists { throw staging.refusal(ofItem: path) }
            return try result.record(path, error: error)
        }
        guard let inner else { return result.record(path, reason: "is-the-repository") }
        try restoreDirectory(
            entry, at: path, in: inner.folder, isSet: whole || inner.isMade, isNew: inner.isMade)
        result.add { $0.directories += 1 }
    }

    /// Opens or creates a directory; returns nil for the repository itself.
    private func openOrMakeFolder(
        _ name: FilePath, in folder: Folder, isNew: Bool
    ) throws(FileSystemError) -> (folder: Folder, isMade: Bool)? {
        if !isNew, let there = try folder.statusIfPresent(name), there.kind == .directory {
            if options.repository.isRepositoryDirectory(there) { return nil }
            // An interrupted restore may have finished it.
            if options.staging != nil { try folder.makeAccessible(name, status: there) }
            let inner = try folder.openFolder(noFollow: name)
            if isAlone { try FileRestorer.removeLeftovers(in: inner) }
            return (inner, false)
        }
        try folder.createDirectory(name, permissions: 0o700)
        return (try folder.openFolder(noFollow: name), true)
    }

    private mutating func flushIfFull() throws(BackupError) { if batch.isFull { try flush() } }

    /// Restores the current batch: content first, since it changes the times of directories, whose modes may forbid
    /// writing.
    private mutating func flush() throws(BackupError) {
        let batch = batch
        self.batch = Batch()
        try restore(batch.groups)
        for (file, folder) in batch.linked { try restoreLinked(file.entry, at: file.path, in: folder) }
        try withWorker { restorer throws(BackupError) in
            for (directory, folder) in batch.closed {
                try restorer.finishDirectory(directory.entry, at: directory.path, folder: folder)
            }
        }
    }

    /// Restores one name of a file with several names: the first one as a file, the others as hard links.
    private mutating func restoreLinked(
        _ entry: SnapshotEntry, at path: [UInt8], in folder: Folder
    ) throws(BackupError) {
        let link = HardLink(inode: entry.inode, object: entry.object ?? 0)
        let first = firstNames[link]
        let target = target
        let isThere = try withWorker { restorer throws(BackupError) in
            guard let first else { return try restorer.restore(entry, at: path, in: folder) }
            return try restorer.createHardLink(to: first, for: entry, at: path, in: folder, of: target)
        }
        if isThere, first == nil { firstNames[link] = FilePath(bytes: path) }
    }

    /// Returns true if a name is a single valid path component and not a temporary name. Names in a repository are not
    /// trusted.
    static func isName(_ name: [UInt8]) -> Bool {
        !name.isEmpty && name.count <= 255 && !name.contains(0) && !name.contains(UInt8(ascii: "/"))
            && name != [UInt8(ascii: ".")] && name != Array("..".utf8) && !FileRestorer.isStaging(name)
    }

    private func withWorker<Result: Sendable>(
        _ work: (FileRestorer) throws(BackupError) -> Result
    ) throws(BackupError) -> Result {
        try workers[0].restorer.withLock { restorer throws(BackupError) in try work(restorer) }
    }

    /// Restores groups of items on several threads, a group per thread: two threads in one directory would wait for
    /// each other in the kernel.
    private func restore(_ groups: [Batch.Group]) throws(BackupError) {
        let state = LockedValue((next: 0, failure: BackupError?.none))
        Invocation.current.concurrentPerform(iterations: min(workers.count, groups.count)) { [workers] number in
            while let index = state.withLock({ state -> Int? in
                guard state.failure == nil, state.next < groups.count else { return nil }
                state.next += 1
                return state.next - 1
            }) {
                let group = groups[index]
                do throws(BackupError) {
                    try Invocation.current.interruption.throwIfRequested()
                    try workers[number].restorer.withLock { restorer throws(BackupError) in
                        for entry in group.entries {
                            try restorer.restore(
                                entry, at: group.path(of: entry), in: group.folder, isNew: group.isNew)
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
    /// The items that are restored next, limited in number and in open directories.
    struct Batch {
        /// Files and links of one directory, for one thread.
        struct Group {
            let folder: Folder
            /// True if this restore has created the directory.
            let isNew: Bool
            /// The path of the directory.
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
        /// Further names of files, in the order of the snapshot.
        private(set) var linked: [(Item, Folder)] = []
        /// Finished directories, each after its subdirectories.
        private(set) var closed: [(Item, Folder)] = []
        private var count = 0

        /// True if the batch must be restored. Some systems limit a process to 256 open files.
        var isFull: Bool { count >= 4096 || closed.count >= 128 }

        /// Adds a file or link of `folder`.
        mutating func add(_ entry: SnapshotEntry, at path: [UInt8], in folder: Folder, isNew: Bool) {
            count += 1
            guard entry.kind != .file || entry.links < 2 else {
                return linked.append((Item(entry: entry, path: path), folder))
            }
            // A large directory is split among the threads.
            if groups.last?.folder !== folder || groups.last?.entries.count == 256 {
                groups.append(
                    Group(folder: folder, isNew: isNew, directory: Array(path.dropLast(entry.name.count + 1))))
            }
            groups[groups.count - 1].entries.append(entry)
        }

        /// Adds a finished directory, which gets its attributes, mode and times.
        mutating func close(_ entry: SnapshotEntry, at path: [UInt8], folder: Folder) {
            closed.append((Item(entry: entry, path: path), folder))
        }
    }
}
