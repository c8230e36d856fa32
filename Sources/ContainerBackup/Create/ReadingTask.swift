internal import FileSystem

/// What is read in one go: an item, or what may be a store with what SQLite lays beside it, since these are one state
/// only together.
struct ReadingTask {
    /// Its place in the plan.
    let index: Int
    /// The places of what may belong to it.
    var companions: [Int] = []

    /// What is to be read of a plan, in its order, where `isUnchanged` tells whether the last snapshot has the item of a
    /// place as it is.
    static func all(of plan: Plan, isUnchanged: (Int) -> Bool) -> [ReadingTask] {
        var tasks: [ReadingTask] = []
        // Where the task of a store's main file stands, by that file's place.
        var mains: [Int: Int] = [:]
        for (index, entry) in plan.enumerated() where entry.decision == .include {
            if entry.kind == .file, let main = Self.main(of: entry, in: plan) {
                if let task = mains[main] {
                    tasks[task].companions.append(index)
                } else {
                    mains[main] = tasks.count
                    tasks.append(ReadingTask(index: main, companions: [index]))
                }
            } else if entry.kind == .file || !entry.attributes.isEmpty, !isUnchanged(index) {
                mains[index] = tasks.count
                tasks.append(ReadingTask(index: index))
            }
        }
        tasks.removeAll { task in isUnchanged(task.index) && task.companions.allSatisfy(isUnchanged) }
        return tasks
    }

    /// The place of the file whose name is this one's without SQLite's ending.
    private static func main(of entry: PlanEntry, in plan: Plan) -> Int? {
        StoreNames.mains(ofCompanion: entry.path).lazy.compactMap(plan.place).first {
            plan[$0].kind == .file && plan[$0].decision == .include
        }
    }
}

extension Plan {
    /// Where an item stands; nil where the plan has none of that path.
    func place(of path: [UInt8]) -> Int? {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if PathOrder.precedes(self[middle].path, path) { low = middle + 1 } else { high = middle }
        }
        return low < endIndex && self[low].path == path ? low : nil
    }
}
