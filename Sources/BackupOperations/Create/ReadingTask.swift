internal import BackupPlan
internal import FileSystem

/// What is read in one go: an item, or what may be a store with what SQLite lays beside it, since these are one state
/// only together.
struct ReadingTask {
    /// Its place in the plan.
    let index: Int
    /// The places of what may belong to it.
    let companions: [Int]
}

/// What is to be read of a plan, in its order.
struct ReadingTasks {
    /// As `ReadingTask` has them; most items have no companions, and there are many.
    private var indexes: [UInt32] = []
    private var companions: [UInt32: [Int]] = [:]

    init() {}

    /// `isUnchanged` tells whether the last snapshot has the item of a place as it is.
    init(of plan: Plan, isUnchanged: (Int) -> Bool) {
        var owned: Set<Int> = []
        for (index, entry) in plan.enumerated() where entry.decision == .include && entry.kind == .file {
            // What belongs to another comes after it, in the plan's order.
            guard let main = Self.main(of: entry, in: plan), !owned.contains(main) else { continue }
            companions[UInt32(main), default: []].append(index)
            owned.insert(index)
        }
        for (index, entry) in plan.enumerated() where entry.decision == .include && !owned.contains(index) {
            guard entry.kind == .file || !entry.attributes.isEmpty else { continue }
            let isAllUnchanged = isUnchanged(index) && (companions[UInt32(index)] ?? []).allSatisfy(isUnchanged)
            if !isAllUnchanged { indexes.append(UInt32(index)) }
        }
    }

    var count: Int { indexes.count }

    subscript(number: Int) -> ReadingTask {
        ReadingTask(index: Int(indexes[number]), companions: companions[indexes[number]] ?? [])
    }

    /// The place of the file whose name is this one's without SQLite's ending.
    private static func main(of entry: PlanEntry, in plan: Plan) -> Int? {
        StoreNames.mains(ofCompanion: entry.path).lazy.compactMap(plan.index(of:)).first {
            plan[$0].kind == .file && plan[$0].decision == .include
        }
    }
}
