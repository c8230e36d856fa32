package import AppContainer
package import BackupPlan
package import BackupRepository
package import FileSystem
internal import Synchronization
internal import SystemPackage

/// Makes a snapshot of what a plan keeps.
///
/// What is as the last snapshot of the same container has it is not read again. Termination at any point, the store holds its
/// finished snapshots and what has been settled of this one, which the next run finds there.
package struct SnapshotBuilder {
    package let container: Container
    package let plan: Plan
    package let repository: Repository
    /// When the snapshot is said to be taken.
    package let taken: Timestamp
    package var threads = Host.processorCount
    /// As `zstd -LEVEL` has it.
    package var level: Int32 = 3
    /// Is told how many files and bytes of the container are done, by several threads.
    package var progress: @Sendable (_ files: Int, _ bytes: UInt64) -> Void = { _, _ in }

    package init(container: Container, plan: Plan, repository: Repository, taken: Timestamp) {
        self.container = container
        self.plan = plan
        self.repository = repository
        self.taken = taken
    }

    /// What a run did.
    package struct Outcome: Sendable {
        package let snapshot: Snapshot
        /// Files that were read, the others being as the last snapshot has them.
        package let filesRead: Int
        package let bytesRead: UInt64
        /// What a user should know, though it was kept as planned.
        package let remarks: [Snapshot.Incident]
    }

    /// Makes it.
    ///
    /// - Throws: `full`, `readOnly`, `damaged`, `failed`, also for a clock that is set to a date that no snapshot can
    ///   have. What the container does not give is an incident.
    package func build() throws(BackupError) -> Outcome {
        try Snapshot.requireClock(taken)
        try plan.requireIncludedContainer()
        let writer = try ObjectWriter(repository)
        do {
            let last = repository.readableSnapshots().last { $0.bundleIdentifier == container.bundleIdentifier }
            var index = try BackupIndex(plan, of: container, since: last, in: repository)
            try index.archiveFiles(self, writer)
            var treeWriter = TreeWriter(plan, index, container, repository)
            let tree = try treeWriter.write()
            guard tree.directory != 0 else {
                throw BackupError(.failed, "the container is no longer there; no snapshot has been made")
            }
            let snapshot = Snapshot(
                taken: taken, bundleIdentifier: container.bundleIdentifier, kind: container.kind.rawValue,
                view: plan.rules.view.rawValue, tree: tree.directory, files: tree.files, bytes: tree.bytes,
                incidents: Snapshot.Incident.sorted(
                    plan.incidents.map { Snapshot.Incident(path: $0.path, reason: $0.reason) } + index.incidents
                        + tree.incidents),
                exclusions: try repository.exclusions(
                    plan.lazy.filter { $0.decision == .exclude }.map { entry in
                        Repository.Exclusion(
                            path: entry.path, kind: entry.kind, reason: entry.reason.rawValue,
                            flag: entry.decidedBy.description)
                    }))
            return Outcome(
                snapshot: try writer.finish(adding: snapshot), filesRead: index.filesRead, bytesRead: index.bytesRead,
                remarks: Snapshot.Incident.sorted(plan.specialNodeRemarks + index.remarks))
        } catch {
            writer.abandon()
            throw BackupError(error)
        }
    }
}

/// Writes a snapshot's directories, each after those in it. One in which nothing has changed is the last snapshot's.
struct TreeWriter {
    private let plan: Plan
    private let index: BackupIndex
    private let container: Container
    private let repository: Repository
    private var open: [OpenDirectory] = []
    private var tree = Tree(directory: 0)
    /// Directories that were found or made, by the place of their own item in the plan.
    private var made: [Int: Int64] = [:]

    struct Tree {
        /// The directory that holds the container's own entry.
        var directory: Int64
        var files = 0
        var bytes: UInt64 = 0
        var incidents: [Snapshot.Incident] = []
    }

    /// A directory whose items are still coming.
    private struct OpenDirectory {
        let number: Int
        let depth: Int
        var children: [Int] = []
        var isUnchanged = true
    }

    init(_ plan: Plan, _ index: BackupIndex, _ container: Container, _ repository: Repository) {
        self.plan = plan
        self.index = index
        self.container = container
        self.repository = repository
    }

    /// Writes them all.
    mutating func write() throws(BackupError) -> Tree {
        // A directory that is left out after all takes with it what lies deeper.
        var leftOut = Int.max
        for (number, entry) in plan.enumerated() where entry.decision == .include {
            let depth = PathOrder.depthAndName(of: entry.path).depth
            guard depth <= leftOut else { continue }
            leftOut = index.items[number].isSkipped && entry.kind == .directory ? depth : .max
            guard !index.items[number].isSkipped else { continue }
            while let deepest = open.last, deepest.depth >= depth { try close() }
            if !open.isEmpty { open[open.count - 1].children.append(number) }
            switch entry.kind {
            case .directory: open.append(OpenDirectory(number: number, depth: depth))
            case .file:
                tree.files += 1
                tree.bytes.addClamped(index.statuses[number]?.size ?? entry.bytes)
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
        if directory.isUnchanged, last != 0, try repository.count(of: last) == directory.children.count {
            identifier = last
        } else {
            var entries: [SnapshotEntry] = []
            for child in directory.children { if let entry = try makeEntry(child) { entries.append(entry) } }
            identifier = try repository.directory(of: entries)
        }
        for child in directory.children { made[child] = nil }
        made[directory.number] = identifier
        guard !open.isEmpty else {
            guard let root = try makeEntry(directory.number) else { return }
            tree.directory = try repository.directory(of: [root])
            return
        }
        if identifier != last || !index.items[directory.number].isUnchanged { open[open.count - 1].isUnchanged = false }
    }

    private mutating func makeEntry(_ number: Int) throws(BackupError) -> SnapshotEntry? {
        let item = plan[number]
        var entry = SnapshotEntry(
            name: PathOrder.depthAndName(of: item.path).name, index.statuses[number] ?? item.status)
        let known = index.items[number]
        entry.state = known.state
        entry.attributes = known.attributes == 0 ? nil : known.attributes
        switch item.kind {
        case .file: entry.object = known.content == 0 ? nil : known.content
        case .directory: entry.child = made[number]
        default:
            guard let target = try? container.folder.linkTarget(FilePath(bytes: item.path)) else {
                tree.incidents.append(Snapshot.Incident(path: item.path, reason: "vanished"))
                return nil
            }
            entry.target = target
        }
        return entry
    }
}
