internal import AppContainer
internal import BackupPlan
internal import BackupRepository
internal import ContainerTree
internal import DatabaseInspection
internal import FileSystem
internal import SystemPackage

/// The state of each item of a plan in the repository, by index in the plan.
struct BackupIndex {
    /// The rows of an item in the repository; 0 without rows.
    struct Item {
        /// The object of a file, or the directory of the last snapshot.
        var content: Int64 = 0
        var attributes: Int64 = 0
        /// The number of entries of a directory of the last snapshot.
        var entryCount: UInt32 = 0
        var state = SnapshotEntry.State.whole
        /// True if the item itself is unchanged since the last snapshot. The content of a directory may have changed.
        var isUnchanged = false
        /// True if the snapshot omits the item: it is unreadable, gone, or part of the consistent copy of a database.
        var isSkipped = false
    }

    /// The result of reading one item.
    struct Update {
        /// The index of the item in the plan.
        let index: Int
        var item = Item()
        /// The status of the file when it was read.
        var status: FileStatus?
        /// The reason why the item is not stored as planned.
        var incident: String?
        /// A note for the user on an item that is stored as planned.
        var remark: String?

        /// Marks content that may be a mix of several states.
        mutating func markUnstable(_ reason: String) {
            item.state = .unstable
            incident = incident ?? reason
        }
    }

    private(set) var items: [Item]
    /// The status of files when they were read, if it differs from the plan.
    private(set) var statuses: [Int: FileStatus] = [:]
    private(set) var incidents: [Snapshot.Incident] = []
    private(set) var remarks: [Snapshot.Incident] = []
    private(set) var filesRead = 0
    private(set) var bytesRead: UInt64 = 0
    /// The indexes of the excluded items.
    private(set) var excluded: [UInt32] = []
    /// The items to read: single files, and databases with their logs.
    private var tasks = ArchiveQueue()
    private var unchanged = (files: 0, bytes: UInt64(0))
    /// The items that will be read: files, and other items with attributes.
    var tasksLeft: [ArchiveTask] { (0..<tasks.count).map { tasks[$0] } }

    /// Compares the plan of a container with the last snapshot, directory by directory. A file whose content is missing from
    /// the repository is read again.
    init(
        _ plan: Plan, of container: Container, since last: Snapshot?, in repository: Repository,
        presence: ObjectPresence
    ) throws(BackupError) {
        do throws(BackupError) {
            self = try Self(plan, of: container, since: last, in: repository, presence: presence, verifyingFirst: false)
        } catch {
            // The end of a large directory showed that it is damaged, after its entries were used.
            guard error.code == .damaged else { throw error }
            self = try Self(plan, of: container, since: last, in: repository, presence: presence, verifyingFirst: true)
        }
    }

    /// Compares as above.
    ///
    /// - Throws: `damaged` if a large directory of the snapshot is damaged, unless directories are verified before they are used.
    private init(
        _ plan: Plan, of container: Container, since last: Snapshot?, in repository: Repository,
        presence: ObjectPresence, verifyingFirst verifiesFirst: Bool
    ) throws(BackupError) {
        items = Array(repeating: Item(), count: plan.count)
        // The directories on the current path, as they are in the last snapshot.
        var open: [KnownDirectory] = []
        func enter(_ directory: Int64, at index: Int?, depth: Int) throws(BackupError) -> Bool {
            let pages = DirectoryPages(
                of: directory, in: repository, depth: open.count + 1, verifyingFirst: verifiesFirst)
            guard let known = try KnownDirectory(pages, at: index, depth: depth) else { return false }
            open.append(known)
            return true
        }
        func leave() throws(BackupError) {
            var known = open.removeLast()
            let count = try known.finish()
            if let index = known.index { items[index].entryCount = UInt32(clamping: count) }
        }
        if let last { _ = try enter(last.tree, at: nil, depth: -1) }
        // Files and items with attributes that are not known to be unchanged, and companion files of any kind.
        var (changed, companions): ([Int], [Int]) = ([], [])
        for index in plan.indices {
            guard plan.isStored(at: index) else {
                excluded.append(UInt32(index))
                continue
            }
            let (depth, kind) = (plan.depth(at: index), plan.kind(at: index))
            if kind == .file, DatabaseFileNames.isCompanion(plan.name(at: index)) { companions.append(index) }
            defer {
                let isRead = kind == .file || plan.hasAttributes(at: index)
                if isRead, !items[index].isUnchanged, !items[index].isSkipped { changed.append(index) }
            }
            guard depth < SnapshotEntry.maximumDepth else {
                items[index].isSkipped = true
                // The incident stands for everything below the directory.
                if depth == SnapshotEntry.maximumDepth {
                    incidents.append(Snapshot.Incident(path: plan[index].path, reason: "too-deep"))
                }
                continue
            }
            while let deepest = open.last, deepest.depth >= depth { try leave() }
            guard let deepest = open.indices.last, open[deepest].depth == depth - 1,
                let known = try open[deepest].entry(named: plan.name(at: index))
            else {
                items[index].isSkipped = isPartOfUnchangedDatabase(index, in: plan, of: container)
                continue
            }
            if kind == .directory, known.kind == .directory, let child = known.child,
                try enter(child, at: index, depth: depth)
            {
                items[index].content = child
            }
            let isCopy = known.state == .consistentCopy
            guard let status = isCopy ? Self.databaseStatus(plan[index], in: plan) : plan.status(at: index),
                known.isUnchanged(status)
            else { continue }
            if kind == .file {
                guard let object = known.object, try presence.contains(object) else { continue }
            }
            if isCopy { statuses[index] = status }
            items[index].isUnchanged = true
            items[index].attributes = known.attributes ?? 0
            items[index].state = known.state
            guard kind == .file else { continue }
            items[index].content = known.object ?? 0
            unchanged.files += 1
            unchanged.bytes.addClamped(plan.bytes(at: index))
        }
        while !open.isEmpty { try leave() }
        tasks = ArchiveQueue(of: plan, reading: changed, companions: companions)
    }

    /// Returns true if a file belongs to a database that is unchanged since the last snapshot, and snapshots omit it: it
    /// is SQLite's log index (`-shm`), or the content of its log or journal is in the copy of the database. It is then
    /// no reason to read the database again.
    private func isPartOfUnchangedDatabase(_ index: Int, in plan: Plan, of container: Container) -> Bool {
        guard plan.kind(at: index) == .file, DatabaseFileNames.isCompanion(plan.name(at: index)),
            let path = DatabaseFileNames.mains(ofCompanion: plan[index].path).first,
            let main = plan.number(of: path), items[main].isUnchanged, plan.kind(at: main) == .file
        else { return false }
        if items[main].state == .consistentCopy { return true }
        guard plan.name(at: index).suffix(4).elementsEqual("-shm".utf8),
            let file = try? container.folder.open(FilePath(bytes: path), followingLinks: false)
        else { return false }
        return (try? FileArchiver.isDatabase(file)) == true
    }

    /// Returns the status of a database with the identity of its files, as stored with a consistent copy. Nil for a
    /// database with several names, which has its inode number in the snapshot: that does not show changes of the log.
    private static func databaseStatus(_ entry: PlanEntry, in plan: Plan) -> FileStatus? {
        guard entry.status.links == 1 else { return nil }
        var statuses = [DatabaseFile.main: entry.status]
        for file in DatabaseFile.allCases where file != .main {
            guard let companion = plan.entry(at: entry.path + file.rawValue.utf8) else { continue }
            if companion.kind == .file { statuses[file] = companion.status }
        }
        return entry.status.with(inode: identity(of: statuses))
    }

    /// Returns a number for the state of the files of a database. A commit, a checkpoint, and a log that appears or
    /// disappears change it. It is stored in place of the inode number of a consistent copy, whose log is not stored.
    static func identity(of statuses: [DatabaseFile: FileStatus]) -> UInt64 {
        var bytes: [UInt8] = []
        for file in DatabaseFile.allCases {
            guard let status = statuses[file] else { continue }
            for number in [
                status.identity.inode, status.size, UInt64(bitPattern: status.modified.seconds),
                UInt64(status.modified.nanoseconds), UInt64(bitPattern: status.changed.seconds),
                UInt64(status.changed.nanoseconds),
            ] { withUnsafeBytes(of: number.bigEndian) { bytes += $0 } }
            bytes += file.rawValue.utf8
        }
        return ContentHash(of: bytes).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Reads and stores the items that need it, on several threads.
    mutating func archiveFiles(_ builder: SnapshotBuilder, writer: ObjectWriter) throws(BackupError) {
        let tasks = tasks
        let state = LockedValue(ArchiveState(self))
        // Release the array, so that changing it does not copy it.
        items = []
        builder.progress(unchanged.files, unchanged.bytes)
        Invocation.current.concurrentPerform(iterations: min(builder.threads, tasks.count)) { _ in
            do {
                // The bytes of the current file that this thread has read.
                var unfinished: UInt64 = 0
                let worker = try FileArchiver(builder, writer: writer) { count in
                    unfinished += count
                    let done = state.withLock { state in
                        state.unfinished += count
                        return state.done
                    }
                    builder.progress(done.files, done.bytes)
                }
                while let index = state.withLock({ $0.next(of: tasks.count) }) {
                    try Invocation.current.interruption.throwIfRequested()
                    let results = try worker.read(tasks[index]).map { ($0, builder.plan[$0.index]) }
                    let done = state.withLock { state in
                        for (result, planned) in results { state.index.apply(result, planned: planned) }
                        state.unfinished -= unfinished
                        unfinished = 0
                        return state.done
                    }
                    builder.progress(done.files, done.bytes)
                }
            } catch { state.withLock { $0.failure = $0.failure ?? BackupError(error) } }
        }
        let failure = state.withLock { state in
            self = state.index
            return state.failure
        }
        if let failure { throw failure }
    }

    /// Replaces the numbers of collected rows by those of inserted ones.
    mutating func commit(_ writer: ObjectWriter) {
        for index in items.indices {
            if items[index].content < 0 { items[index].content = writer.row(ofObject: items[index].content) }
            let attributes = items[index].attributes
            if attributes < 0 { items[index].attributes = writer.row(ofAttributes: attributes) }
        }
    }

    private mutating func apply(_ result: Update, planned: PlanEntry) {
        if let incident = result.incident { incidents.append(Snapshot.Incident(path: planned.path, reason: incident)) }
        if let remark = result.remark { remarks.append(Snapshot.Incident(path: planned.path, reason: remark)) }
        var item = result.item
        if planned.kind != .file {
            item.content = items[result.index].content
            item.entryCount = items[result.index].entryCount
        }
        items[result.index] = item
        if let status = result.status, SnapshotEntry(name: [], status) != SnapshotEntry(name: [], planned.status) {
            statuses[result.index] = status
        }
        if result.item.content != 0, planned.kind == .file {
            filesRead += 1
            bytesRead.addClamped(result.status?.size ?? planned.bytes)
        }
    }

    private struct ArchiveState {
        var index: BackupIndex
        private var position = 0
        var failure: BackupError?
        var unfinished: UInt64 = 0

        init(_ index: BackupIndex) { self.index = index }

        /// The number of files and bytes that are finished.
        var done: (files: Int, bytes: UInt64) {
            var bytes = index.unchanged.bytes
            bytes.addClamped(index.bytesRead)
            bytes.addClamped(unfinished)
            return (index.unchanged.files + index.filesRead, bytes)
        }

        mutating func next(of count: Int) -> Int? {
            guard failure == nil, position < count else { return nil }
            position += 1
            return position - 1
        }
    }

    /// A directory of the last snapshot. Its entries have the same order as the items of the plan.
    private struct KnownDirectory {
        /// The index of the directory in the plan; nil for the one that contains the container.
        let index: Int?
        let depth: Int
        private var pages: DirectoryPages
        private var page: [SnapshotEntry] = []
        private var position = 0

        /// Reads the first page; nil if it shows that the directory is damaged.
        init?(_ pages: DirectoryPages, at index: Int?, depth: Int) throws(BackupError) {
            (self.pages, self.index, self.depth) = (pages, index, depth)
            do throws(BackupError) { page = try self.pages.next() ?? [] } catch {
                guard error.code == .damaged else { throw error }
                return nil
            }
        }

        /// Reads the other entries.
        ///
        /// - Returns: The number of all entries.
        /// - Throws: `damaged` if they do not match their hash.
        mutating func finish() throws(BackupError) -> Int {
            while try pages.next() != nil {}
            return pages.count
        }

        /// Returns the entry of a name that is not before the previous one.
        mutating func entry(named name: ArraySlice<UInt8>) throws(BackupError) -> SnapshotEntry? {
            while true {
                while position < page.count {
                    if page[position].name[...] == name { return page[position] }
                    guard page[position].name.lexicographicallyPrecedes(name) else { return nil }
                    position += 1
                }
                guard let next = try pages.next() else { return nil }
                (page, position) = (next, 0)
            }
        }
    }
}

/// Items that are read together: one item, or a possible database with its companion files, which are consistent only
/// together.
struct ArchiveTask {
    /// The index of the item in the plan.
    let index: Int
    /// The indexes of its companion files.
    let companions: [Int]
}

/// The items to read, in the order of the plan.
struct ArchiveQueue {
    /// The tasks, as in `ArchiveTask`. Most items have no companions, so these are stored separately.
    private var indexes: [UInt32] = []
    private var companions: [UInt32: [Int]] = [:]

    init() {}

    /// Creates the queue of the items to read. All files of a database are read if one of them is.
    ///
    /// - Parameters:
    ///   - plan: The plan of the container.
    ///   - changed: The indexes of these items.
    ///   - names: The indexes of all files with names of companion files, in the order of the plan.
    init(of plan: Plan, reading changed: [Int], companions names: [Int]) {
        var mains: [Int: Int] = [:]
        for index in names {
            // In the order of the plan, companion files come after their main file.
            guard let main = Self.main(of: plan[index], in: plan), mains[main] == nil else { continue }
            companions[UInt32(main), default: []].append(index)
            mains[index] = main
        }
        let tasks = changed.map { UInt32(mains[$0] ?? $0) }
        indexes = mains.isEmpty ? tasks : Set(tasks).sorted()
    }

    var count: Int { indexes.count }

    subscript(number: Int) -> ArchiveTask {
        ArchiveTask(index: Int(indexes[number]), companions: companions[indexes[number]] ?? [])
    }

    /// Returns the index of the main file of a companion file.
    private static func main(of entry: PlanEntry, in plan: Plan) -> Int? {
        DatabaseFileNames.mains(ofCompanion: entry.path).lazy.compactMap(plan.number(of:)).first {
            plan[$0].kind == .file && plan[$0].isStored
        }
    }
}
