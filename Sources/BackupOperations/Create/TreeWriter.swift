internal import AppContainer
internal import BackupPlan
internal import BackupRepository
internal import FileSystem
internal import SystemPackage

/// Writes a snapshot's directories, each after those in it. One in which nothing has changed is the last snapshot's.
struct TreeWriter {
    private let plan: Plan
    private let kept: KeptItems
    private let container: Container
    private let store: BackupStore
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
        let index: Int
        let depth: Int
        var children: [Int] = []
        var isUnchanged = true
    }

    init(_ plan: Plan, _ kept: KeptItems, _ container: Container, _ store: BackupStore) {
        self.plan = plan
        self.kept = kept
        self.container = container
        self.store = store
    }

    /// Writes them all.
    mutating func write() throws(BackupError) -> Tree {
        // A directory that is left out after all takes with it what lies deeper.
        var leftOut = Int.max
        for (index, entry) in plan.enumerated() where entry.decision == .include {
            let depth = PathOrder.depthAndName(of: entry.path).depth
            guard depth <= leftOut else { continue }
            leftOut = kept.items[index].isLeftOut && entry.kind == .directory ? depth : .max
            guard !kept.items[index].isLeftOut else { continue }
            while let deepest = open.last, deepest.depth >= depth { try close() }
            if !open.isEmpty { open[open.count - 1].children.append(index) }
            switch entry.kind {
            case .directory: open.append(OpenDirectory(index: index, depth: depth))
            case .file:
                tree.files += 1
                tree.bytes.addClamped(kept.statuses[index]?.size ?? entry.bytes)
                fallthrough
            default:
                if !kept.items[index].isUnchanged { open[open.count - 1].isUnchanged = false }
            }
        }
        while !open.isEmpty { try close() }
        return tree
    }

    private mutating func close() throws(BackupError) {
        guard let directory = open.popLast() else { return }
        let last = kept.items[directory.index].content
        let number: Int64
        if directory.isUnchanged, last != 0, try store.count(of: last) == directory.children.count {
            number = last
        } else {
            var entries: [SnapshotEntry] = []
            for child in directory.children { if let entry = try entry(child) { entries.append(entry) } }
            number = try store.directory(of: entries)
        }
        for child in directory.children { made[child] = nil }
        made[directory.index] = number
        guard !open.isEmpty else {
            guard let root = try entry(directory.index) else { return }
            tree.directory = try store.directory(of: [root])
            return
        }
        if number != last || !kept.items[directory.index].isUnchanged { open[open.count - 1].isUnchanged = false }
    }

    private mutating func entry(_ index: Int) throws(BackupError) -> SnapshotEntry? {
        let item = plan[index]
        var entry = SnapshotEntry(name: PathOrder.depthAndName(of: item.path).name, kept.statuses[index] ?? item.status)
        let known = kept.items[index]
        entry.state = known.state
        entry.attributes = known.attributes == 0 ? nil : known.attributes
        switch item.kind {
        case .file: entry.object = known.content == 0 ? nil : known.content
        case .directory: entry.child = made[index]
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
