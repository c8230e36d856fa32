internal import BackupPlan
internal import BackupRepository
internal import ContainerTree
internal import FileSystem

/// A comparison of a tool's snapshot with the planned items.
///
/// A tool may succeed although items are missing: restic skips files that vanish, and does not report files that change
/// while they are read.
struct Reconciliation {
    /// The result of the comparison.
    struct Result {
        /// Items that are missing, unplanned or different; unsorted.
        var incidents: [Snapshot.Incident] = []
        /// The number of stored files, including different ones.
        var files = 0
        var bytes: UInt64 = 0
    }

    private let engine: any BackupEngine
    private let items: any EngineItems
    private let numbers: Range<Int>
    /// True for numbers that are found or not expected.
    private var isFound: [Bool]
    /// Expected items whose names the tool does not show literally, by the shown name, in reverse order. Different
    /// names may look alike.
    private var disguised: [[UInt8]: [Int]] = [:]
    /// Listed items that match no planned item.
    private var others: [ListedItem] = []
    private var result = Result()

    init(_ items: any EngineItems, in engine: any BackupEngine) {
        self.engine = engine
        self.items = items
        numbers = items.numbers
        isFound = Array(repeating: true, count: numbers.upperBound)
        for number in numbers.reversed() {
            guard let item = items[number], engine.includesRoot || !item.path.isEmpty else { continue }
            isFound[number] = false
            let name = engine.name(of: item.path)
            if name != item.path { disguised[name, default: []].append(number) }
            guard item.status.kind == .file else { continue }
            result.files += 1
            result.bytes.addClamped(item.status.size)
        }
    }

    /// Compares a listed item.
    mutating func compare(_ listed: ListedItem) {
        if let plain = expected(listed.name), matches(plain, listed: listed) {
            isFound[Int(plain)] = true
        } else if let index = disguised[listed.name]?.suffix(Self.mostCompared).lastIndex(where: { number in
            matches(number, listed: listed)
        }), let number = disguised[listed.name]?.remove(at: index) {
            isFound[number] = true
        } else {
            others.append(listed)
        }
    }

    /// The maximum number of similar names to compare. A tool lists them in the order of the paths.
    private static let mostCompared = 64

    /// Returns the result after the end of the listing.
    consuming func end() -> Result {
        for listed in others {
            guard let number = expected(listed.name) ?? disguised[listed.name]?.popLast(), let item = items[number]
            else {
                result.incidents.append(Snapshot.Incident(path: listed.name, reason: "stored-and-not-planned"))
                continue
            }
            isFound[number] = true
            let reason = difference(item, listed: listed) ?? "stored-and-not-planned"
            result.incidents.append(Snapshot.Incident(path: item.path, reason: reason))
        }
        for number in numbers where !isFound[number] {
            guard let item = items[number] else { continue }
            result.incidents.append(Snapshot.Incident(path: item.path, reason: "not-stored"))
            guard item.status.kind == .file else { continue }
            result.files -= 1
            result.bytes &-= item.status.size
        }
        return result
    }

    /// Returns the expected item with a shown name, if it is not found yet.
    private func expected(_ name: [UInt8]) -> Int? {
        items.number(of: name).flatMap { isFound[$0] ? nil : $0 }
    }

    private func matches(_ number: Int, listed: ListedItem) -> Bool {
        items[number].map { difference($0, listed: listed) == nil } ?? false
    }

    private func difference(_ item: EngineItem, listed: ListedItem) -> String? {
        if listed.kind != item.status.kind { return "stored-as-another-kind" }
        if listed.kind == .file, let size = listed.size, size != item.status.size { return "stored-with-other-size" }
        // The mode of a symbolic link has no meaning.
        if listed.kind != .symbolicLink, listed.permissions != item.status.permissions {
            return "stored-with-other-mode"
        }
        guard let modified = listed.modified, engine.displays(item.status.modified, as: modified) else {
            return "stored-with-other-time"
        }
        return nil
    }
}

/// The state of the included items of a plan in 16 bytes per item, which shows later changes without the plan.
struct PlanTrace {
    /// Hashes of path and kind, by which the list is sorted, and of the status.
    private let items: [(name: UInt64, state: UInt64)]

    init(of plan: Plan, without isOfNoMatter: ([UInt8]) -> Bool) {
        var items: [(name: UInt64, state: UInt64)] = []
        for entry in plan where entry.isStored && !isOfNoMatter(entry.path) {
            items.append((Self.name(of: entry), Self.state(of: entry)))
        }
        self.items = items.sorted { $0.name < $1.name }
    }

    var count: Int { items.count }

    /// Returns whether an item is unchanged, or nil if there was no such item.
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

    // The hash function has a random seed per process, so collisions cannot be prepared.
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

/// The changes of a container between two plans.
struct PlanChanges {
    /// Files that both plans include and that changed. The tool may have read one before or after the change.
    private(set) var changed: [[UInt8]] = []
    /// Directories that both plans include and whose entries changed.
    private(set) var directories: Set<[UInt8]> = []
    /// True if only one plan includes some item.
    private(set) var hasOthers = false

    /// Compares a plan with an earlier one, without the ignored paths.
    init(from before: PlanTrace, to after: Plan, without isOfNoMatter: ([UInt8]) -> Bool) {
        var count = 0
        for entry in after where entry.isStored && !isOfNoMatter(entry.path) {
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
