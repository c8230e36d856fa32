internal import FileSystem

/// What a tool's snapshot holds, held against what it was to hold.
///
/// A tool may end well though something is missing: restic passes over what vanishes, and tells of no file that changed
/// while it was read.
struct Reconciliation {
    private let engine: any BackupEngine
    private let items: [EngineItem]
    /// Places of the items not met yet, by the name that the tool shows; names of other bytes may look alike.
    private var open: [[UInt8]: [Int]] = [:]
    /// What was listed and is not just like an item that was planned.
    private var others: [ListedItem] = []

    init(_ items: [EngineItem], in engine: any BackupEngine) {
        self.engine = engine
        self.items = items
        open.reserveCapacity(items.count)
        for (index, item) in items.enumerated() { open[engine.name(of: item.path), default: []].append(index) }
    }

    /// Takes what the snapshot lists.
    mutating func meet(_ listed: ListedItem) {
        guard let places = open[listed.name],
            let place = places.firstIndex(where: { difference(items[$0], listed) == nil })
        else { return others.append(listed) }
        open[listed.name]?.remove(at: place)
    }

    /// What is missing, too many, or other than planned; by no order.
    func differences() -> [Snapshot.Incident] {
        var open = open
        var incidents: [Snapshot.Incident] = []
        for listed in others {
            guard let index = open[listed.name]?.popLast() else {
                incidents.append(Snapshot.Incident(path: listed.name, reason: "stored-and-not-planned"))
                continue
            }
            incidents.append(
                Snapshot.Incident(path: items[index].path, reason: difference(items[index], listed) ?? "not-stored"))
        }
        for index in open.values.joined() {
            incidents.append(Snapshot.Incident(path: items[index].path, reason: "not-stored"))
        }
        return incidents
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
