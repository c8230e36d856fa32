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
    private var isMet: [Bool]
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
        isMet = Array(repeating: true, count: numbers.max().map { Int($0) + 1 } ?? 0)
        for number in numbers.reversed() {
            guard let item = items[number], engine.keepsRoot || !item.path.isEmpty else { continue }
            isMet[Int(number)] = false
            let name = engine.name(of: item.path)
            if name != item.path { disguised[name, default: []].append(number) }
            guard item.status.kind == .file else { continue }
            result.files += 1
            result.bytes.addClamped(item.status.size)
        }
    }

    /// Takes what the snapshot lists.
    mutating func meet(_ listed: ListedItem) {
        if let plain = awaited(listed.name), isJustLike(plain, listed) {
            isMet[Int(plain)] = true
        } else if let index = disguised[listed.name]?.suffix(Self.mostCompared).lastIndex(where: { number in
            isJustLike(number, listed)
        }), let number = disguised[listed.name]?.remove(at: index) {
            isMet[Int(number)] = true
        } else {
            others.append(listed)
        }
    }

    /// However many look alike: a tool lists them in the order of the paths.
    private static let mostCompared = 64

    /// What came of it, when all has been listed.
    consuming func end() -> Result {
        for listed in others {
            guard let number = awaited(listed.name) ?? disguised[listed.name]?.popLast(), let item = items[number]
            else {
                result.incidents.append(Snapshot.Incident(path: listed.name, reason: "stored-and-not-planned"))
                continue
            }
            isMet[Int(number)] = true
            let reason = difference(item, listed) ?? "stored-and-not-planned"
            result.incidents.append(Snapshot.Incident(path: item.path, reason: reason))
        }
        for number in numbers where !isMet[Int(number)] {
            guard let item = items[number] else { continue }
            result.incidents.append(Snapshot.Incident(path: item.path, reason: "not-stored"))
            guard item.status.kind == .file else { continue }
            result.files -= 1
            result.bytes &-= item.status.size
        }
        return result
    }

    /// The item that has the name which the tool shows, where it has not been met.
    private func awaited(_ name: [UInt8]) -> UInt32? {
        items.number(of: name).flatMap { isMet[Int($0)] ? nil : $0 }
    }

    private func isJustLike(_ number: UInt32, _ listed: ListedItem) -> Bool {
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
