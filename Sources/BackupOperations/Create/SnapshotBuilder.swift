package import AppContainer
package import BackupPlan
package import BackupRepository
internal import ContainerTree
package import FileSystem
internal import SystemPackage

/// A builder for a snapshot of the included items of a plan.
///
/// Files that are unchanged since the last snapshot of the container are not read again. After a termination at any
/// point, the repository contains its finished snapshots and the content flushed so far, which the next run uses.
package struct SnapshotBuilder {
    package let container: Container
    package let plan: Plan
    package let repository: Repository
    /// The date of the snapshot.
    package let taken: Timestamp
    /// True if the user gave the date, so that it does not show the state of the clock.
    package var isDateGiven = false
    package var threads = Host.processorCount
    /// The compression level, as in `zstd -LEVEL`.
    package var level: Int32 = 3
    package var labels = SnapshotLabels()
    /// True if no snapshot is made of a container that has not changed since its last snapshot.
    package var skipsUnchanged = false
    /// Called with the number of finished files and bytes, by several threads.
    package var progress: @Sendable (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }

    package init(container: Container, plan: Plan, repository: Repository, taken: Timestamp) {
        self.container = container
        self.plan = plan
        self.repository = repository
        self.taken = taken
    }

    /// The result of a run.
    package struct Outcome: Sendable {
        /// The new snapshot, or the last one if the container has not changed.
        package let snapshot: Snapshot
        /// False if no snapshot was made, because the container has not changed since the last one.
        package let isNew: Bool
        /// The number of files that were read; the others are unchanged since the last snapshot.
        package let filesRead: Int
        package let bytesRead: UInt64
        /// The number of objects whose content was missing from the repository and is stored again.
        package let objectsRestored: Int
        /// Notes for the user on items that are stored as planned.
        package let remarks: [Snapshot.Incident]
        /// Properties that no snapshot keeps.
        package let losses: [Loss]
    }

    /// Builds and stores the snapshot.
    ///
    /// - Throws: `full`, `readOnly`, `damaged`, `failed`, also if the clock shows an implausible date. Items that
    ///   cannot be read become incidents.
    package func build() throws(BackupError) -> Outcome {
        try Snapshot.requireClock(isDateGiven ? .now : taken)
        try plan.requireIncludedContainer()
        let writer = try ObjectWriter(repository)
        do {
            let last = last
            var index = try repository.readingOneState { () throws(BackupError) -> BackupIndex in
                try BackupIndex(plan, of: container, since: last, in: repository, presence: writer.presence)
            }
            try index.archiveFiles(self, writer: writer)
            try writer.begin()
            index.commit(writer)
            var treeWriter = TreeWriter(plan, index: index, container: container, repository: repository)
            let tree = try treeWriter.write()
            guard tree.directory != 0 else {
                throw BackupError(.failed, what: "the container no longer exists; no snapshot was made")
            }
            let snapshot = Snapshot(
                taken: taken, bundleIdentifier: container.bundleIdentifier, kind: container.kind.rawValue,
                view: plan.rules.view.rawValue, tree: tree.directory, files: tree.files, bytes: tree.bytes,
                incidents: Snapshot.Incident.sorted(
                    plan.incidents.map { Snapshot.Incident(path: $0.path, reason: $0.reason) } + index.incidents
                        + tree.incidents),
                exclusions: try repository.insertExclusions(
                    index.excluded.map { index in
                        let entry = plan[Int(index)]
                        return Repository.Exclusion(
                            path: entry.path, kind: entry.kind, reason: entry.decision.reason.rawValue,
                            flag: entry.decision.decider.description)
                    }), labels: labels)
            var made = snapshot
            let isNew = !skipsUnchanged || last.map { !snapshot.hasContent(of: $0) } ?? true
            if isNew {
                made = try writer.finish(adding: snapshot)
            } else {
                // Content that was missing from the repository is stored again nevertheless.
                try writer.finish()
                made = last ?? snapshot
            }
            return Outcome(
                snapshot: made, isNew: isNew, filesRead: index.filesRead, bytesRead: index.bytesRead,
                objectsRestored: writer.restoredObjects,
                remarks: Snapshot.Incident.sorted(plan.remarks + index.remarks), losses: plan.losses)
        } catch {
            writer.abandon()
            throw BackupError(error)
        }
    }

    /// The last snapshot of the same app.
    private var last: Snapshot? {
        repository.readableSnapshots().last { $0.bundleIdentifier == container.bundleIdentifier }
    }
}

extension SnapshotBuilder {
    /// The effect that a backup would have. Nothing is read from the files and nothing is written.
    package struct Preview: Sendable {
        /// The number and size of all files of the snapshot.
        package internal(set) var files = 0
        package internal(set) var bytes: UInt64 = 0
        /// The number and size of the files that would be read: those that are new or have changed.
        package internal(set) var filesToRead = 0
        package internal(set) var bytesToRead: UInt64 = 0
        /// Items that cannot be stored as planned; sorted by path.
        package internal(set) var incidents: [Snapshot.Incident] = []
        /// Notes for the user on items that would be stored as planned.
        package internal(set) var remarks: [Snapshot.Incident] = []
        /// Properties that no snapshot keeps.
        package internal(set) var losses: [Loss] = []

        /// The preview of a backup into a repository that does not exist.
        package init(of plan: Plan) throws(BackupError) {
            try plan.requireIncludedContainer()
            for index in plan.indices where plan.isStored(at: index) && plan.kind(at: index) == .file {
                files += 1
                bytes.addClamped(plan.bytes(at: index))
            }
            (filesToRead, bytesToRead) = (files, bytes)
            incidents = plan.incidents.map { Snapshot.Incident(path: $0.path, reason: $0.reason) }
            (remarks, losses) = (Snapshot.Incident.sorted(plan.remarks), plan.losses)
        }
    }

    /// Compares the plan with the last snapshot. The repository may be opened for reading.
    ///
    /// - Throws: `damaged`, `failed`.
    package func preview() throws(BackupError) -> Preview {
        var preview = try Preview(of: plan)
        let index = try BackupIndex(
            plan, of: container, since: last, in: repository, presence: ObjectPresence(of: repository))
        (preview.filesToRead, preview.bytesToRead) = (0, 0)
        for item in index.tasksLeft.flatMap({ [$0.index] + $0.companions }) where plan.kind(at: item) == .file {
            preview.filesToRead += 1
            preview.bytesToRead.addClamped(plan.bytes(at: item))
        }
        preview.incidents = Snapshot.Incident.sorted(preview.incidents + index.incidents)
        return preview
    }
}

extension Snapshot {
    /// Returns true if another snapshot has the same items with the same properties, and lacks the same ones.
    fileprivate func hasContent(of other: Snapshot) -> Bool {
        tree == other.tree && view == other.view && kind == other.kind && exclusions == other.exclusions
            && Set(incidents) == Set(other.incidents)
    }
}

/// A writer for the directories of a snapshot, each after its subdirectories. An unchanged directory is that of the
/// last snapshot.
struct TreeWriter {
    private let plan: Plan
    private let index: BackupIndex
    private let container: Container
    private let repository: Repository
    private var open: [OpenDirectory] = []
    private var tree = Tree(directory: 0)
    /// Written directories, by the index of their item in the plan.
    private var made: [Int: Int64] = [:]

    struct Tree {
        /// The directory with the entry of the container.
        var directory: Int64
        var files = 0
        var bytes: UInt64 = 0
        var incidents: [Snapshot.Incident] = []
    }

    /// A directory whose items are not complete yet.
    private struct OpenDirectory {
        let number: Int
        let depth: Int
        var children: [UInt32] = []
        var isUnchanged = true
    }

    init(_ plan: Plan, index: BackupIndex, container: Container, repository: Repository) {
        self.plan = plan
        self.index = index
        self.container = container
        self.repository = repository
    }

    /// Writes all directories.
    mutating func write() throws(BackupError) -> Tree {
        // A skipped directory hides everything below it.
        var leftOut = Int.max
        for number in plan.indices where plan.isStored(at: number) {
            let (depth, kind) = (plan.depth(at: number), plan.kind(at: number))
            guard depth <= leftOut else { continue }
            leftOut = index.items[number].isSkipped && kind == .directory ? depth : .max
            guard !index.items[number].isSkipped else { continue }
            while let deepest = open.last, deepest.depth >= depth { try close() }
            if !open.isEmpty { open[open.count - 1].children.append(UInt32(number)) }
            switch kind {
            case .directory: open.append(OpenDirectory(number: number, depth: depth))
            case .file:
                tree.files += 1
                tree.bytes.addClamped(index.statuses[number]?.size ?? plan.bytes(at: number))
                fallthrough
            default:
                if !index.items[number].isUnchanged { open[open.count - 1].isUnchanged = false }
            }
        }
        while !open.isEmpty { try close() }
        return tree
    }

    private mutating func close() throws(BackupError) {
        guard let directory = open.popLast() else { return }
        let last = index.items[directory.number].content
        let identifier: Int64
        if directory.isUnchanged, last != 0, Int(index.items[directory.number].entryCount) == directory.children.count {
            identifier = last
        } else {
            var writer = DirectoryWriter(repository)
            for child in directory.children { if let entry = try makeEntry(Int(child)) { try writer.add(entry) } }
            identifier = try writer.finish()
        }
        for child in directory.children where plan.kind(at: Int(child)) == .directory { made[Int(child)] = nil }
        made[directory.number] = identifier
        guard !open.isEmpty else {
            guard let root = try makeEntry(directory.number) else { return }
            tree.directory = try repository.insertDirectory([root])
            return
        }
        if identifier != last || !index.items[directory.number].isUnchanged { open[open.count - 1].isUnchanged = false }
    }

    private mutating func makeEntry(_ number: Int) throws(BackupError) -> SnapshotEntry? {
        var entry = SnapshotEntry(
            name: Array(plan.name(at: number)), index.statuses[number] ?? plan.status(at: number))
        let known = index.items[number]
        entry.state = known.state
        entry.attributes = known.attributes == 0 ? nil : known.attributes
        switch plan.kind(at: number) {
        case .file: entry.object = known.content == 0 ? nil : known.content
        case .directory: entry.child = made[number]
        default:
            let path = plan.index.path(of: number)
            guard let target = try? container.folder.linkTarget(FilePath(bytes: path)) else {
                tree.incidents.append(Snapshot.Incident(path: path, reason: "vanished"))
                return nil
            }
            entry.target = target
        }
        return entry
    }
}
