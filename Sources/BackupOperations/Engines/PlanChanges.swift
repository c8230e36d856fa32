internal import BackupPlan
internal import FileSystem

/// What a plan had of each item that it keeps, in 16 bytes an item: enough to tell later what has changed, without the
/// plan.
struct PlanTrace {
    /// Hashes of a path with its kind, which they are sorted by, and of what the kernel said.
    private let items: [(name: UInt64, state: UInt64)]

    init(of plan: Plan, without isOfNoMatter: ([UInt8]) -> Bool) {
        var items: [(name: UInt64, state: UInt64)] = []
        for entry in plan where entry.decision == .include && !isOfNoMatter(entry.path) {
            items.append((Self.name(of: entry), Self.state(of: entry)))
        }
        self.items = items.sorted { $0.name < $1.name }
    }

    var count: Int { items.count }

    /// Whether an item is as it was; nil where there was none of that path and kind.
    func hasSame(_ entry: PlanEntry) -> Bool? {
        let name = Self.name(of: entry)
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if items[middle].name < name { low = middle + 1 } else { high = middle }
        }
        guard low < items.count, items[low].name == name else { return nil }
        return items[low].state == Self.state(of: entry)
    }

    // The standard library's hashes have a key of this process's, so that no one can make two names alike.
    private static func name(of entry: PlanEntry) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(entry.kind)
        entry.path.withUnsafeBytes { hasher.combine(bytes: $0) }
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    private static func state(of entry: PlanEntry) -> UInt64 {
        var hasher = Hasher()
        let status = entry.status
        hasher.combine(status.size)
        hasher.combine(status.modified)
        hasher.combine(status.changed)
        hasher.combine(status.identity.device)
        hasher.combine(status.identity.inode)
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }
}

/// What has become of a container between two plans of it.
struct PlanChanges {
    /// Files that are kept by both and not as they were; what was read of one may be of no moment.
    private(set) var changed: [[UInt8]] = []
    /// Directories that are kept by both and not as they were: names came and went in them.
    private(set) var directories: Set<[UInt8]> = []
    /// Whether something is kept by one of them alone.
    private(set) var hasOthers = false

    /// Compares them, but for the paths that are of no matter, which the trace is without.
    init(from before: PlanTrace, to after: Plan, without isOfNoMatter: ([UInt8]) -> Bool) {
        var count = 0
        for entry in after where entry.decision == .include && !isOfNoMatter(entry.path) {
            switch before.hasSame(entry) {
            case nil: hasOthers = true
            case false?:
                count += 1
                if entry.kind == .directory { directories.insert(entry.path) } else { changed.append(entry.path) }
            case true?: count += 1
            }
        }
        if count != before.count { hasOthers = true }
    }
}
