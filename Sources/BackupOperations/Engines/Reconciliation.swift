internal import BackupPlan
internal import BackupRepository
internal import FileSystem

/// What a tool's snapshot holds, held against what it was to hold.
///
/// A tool may end well though something is missing: restic passes over what vanishes, and tells of no file that changed
/// while it was read.
struct Reconciliation {
    /// What came of it.
    struct Result {
        /// What is missing, too many, or other than planned; in no order.
        var incidents: [Snapshot.Incident] = []
        /// What is stored, be it other than planned.
        var files = 0
        var bytes: UInt64 = 0
    }

    private let engine: any BackupEngine
    private let items: any EngineItems
    private let numbers: [UInt32]
    /// Whether nothing of this number is awaited, or any more.
    private var isFound: [Bool]
    /// Items that are awaited and whose names the tool does not show as they are, by what it shows, the next one last:
    /// names of other bytes may look alike.
    private var disguised: [[UInt8]: [UInt32]] = [:]
    /// What was listed and is not just like an item that was planned.
    private var others: [ListedItem] = []
    private var result = Result()

    init(_ items: any EngineItems, in engine: any BackupEngine) {
        self.engine = engine
        self.items = items
        numbers = items.numbers
        isFound = Array(repeating: true, count: numbers.max().map { Int($0) + 1 } ?? 0)
        for number in numbers.reversed() {
            guard let item = items[number], engine.includesRoot || !item.path.isEmpty else { continue }
            isFound[Int(number)] = false
            let name = engine.name(of: item.path)
            if name != item.path { disguised[name, default: []].append(number) }
            guard item.status.kind == .file else { continue }
            result.files += 1
            result.bytes.addClamped(item.status.size)
        }
    }

    /// Takes what the snapshot lists.
    mutating func meet(_ listed: ListedItem) {
        if let plain = expected(listed.name), matches(plain, listed) {
            isFound[Int(plain)] = true
        } else if let index = disguised[listed.name]?.suffix(Self.mostCompared).lastIndex(where: { number in
            matches(number, listed)
        }), let number = disguised[listed.name]?.remove(at: index) {
            isFound[Int(number)] = true
        } else {
            others.append(listed)
        }
    }

    /// However many look alike: a tool lists them in the order of the paths.
    private static let mostCompared = 64

    /// What came of it, when all has been listed.
    consuming func end() -> Result {
        for listed in others {
            guard let number = expected(listed.name) ?? disguised[listed.name]?.popLast(), let item = items[number]
            else {
                result.incidents.append(Snapshot.Incident(path: listed.name, reason: "stored-and-not-planned"))
                continue
            }
            isFound[Int(number)] = true
            let reason = difference(item, listed) ?? "stored-and-not-planned"
            result.incidents.append(Snapshot.Incident(path: item.path, reason: reason))
        }
        for number in numbers where !isFound[Int(number)] {
            guard let item = items[number] else { continue }
            result.incidents.append(Snapshot.Incident(path: item.path, reason: "not-stored"))
            guard item.status.kind == .file else { continue }
            result.files -= 1
            result.bytes &-= item.status.size
        }
        return result
    }

    /// The item that has the name which the tool shows, where it has not been met.
    private func expected(_ name: [UInt8]) -> UInt32? {
        items.number(of: name).flatMap { isFound[Int($0)] ? nil : $0 }
    }

    private func matches(_ number: UInt32, _ listed: ListedItem) -> Bool {
        items[number].map { difference($0, listed) == nil } ?? false
    }

    private func difference(_ item: EngineItem, _ listed: ListedItem) -> String? {
        if listed.kind != item.status.kind { return "stored-as-another-kind" }
        if listed.kind == .file, let size = listed.size, size != item.status.size { return "stored-with-other-size" }
        // A link's mode means nothing.
        if listed.kind != .symbolicLink, listed.permissions != item.status.permissions {
            return "stored-with-other-mode"
        }
        guard let modified = listed.modified, engine.shows(item.status.modified, as: modified) else {
            return "stored-with-other-time"
        }
        return nil
    }
}

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
