internal import BackupPlan
internal import FileSystem

/// One item that a snapshot is to hold.
struct EngineItem {
    let path: [UInt8]
    let status: FileStatus
}

/// What one snapshot is to hold, each item by a number, so that none of it need be in memory twice.
protocol EngineItems {
    /// The numbers in the order of the paths. Not all of them need stand for an item.
    var numbers: [UInt32] { get }
    /// Nil where what has the number is not to be held.
    subscript(number: UInt32) -> EngineItem? { get }
    /// The number of a path; nil where it has none.
    func number(of path: [UInt8]) -> UInt32?
    /// Tells the topmost of what is left out: a path, or a directory of which all that lies in it is left out, but not
    /// the directory.
    func eachLeftOut(_ body: (_ path: [UInt8], _ isContentsOnly: Bool) -> Void)
}

extension EngineItems {
    /// Goes through what is to be held, in the order of the paths.
    func each(_ body: (EngineItem) -> Void) {
        for number in numbers { if let item = self[number] { body(item) } }
    }
}

/// What a plan keeps, but for the files of stores that are staged.
struct PlannedItems: EngineItems {
    private let plan: Plan
    private let staged: StagedStores

    init(_ plan: Plan, without staged: StagedStores) {
        self.plan = plan
        self.staged = staged
    }

    var numbers: [UInt32] { plan.numbers }

    subscript(number: UInt32) -> EngineItem? {
        let entry = plan.entry(numbered: number)
        guard entry.decision == .include, !staged.holds(entry.path) else { return nil }
        return EngineItem(path: entry.path, status: entry.status)
    }

    func number(of path: [UInt8]) -> UInt32? { plan.number(of: path) }

    func eachLeftOut(_ body: (_ path: [UInt8], _ isContentsOnly: Bool) -> Void) {
        for main in staged.mains.sorted(by: PathOrder.precedes) { StoreNames.all(of: main).forEach { body($0, false) } }
        var index = 0
        while index < plan.count {
            let entry = plan[index]
            index += 1
            if entry.decision == .exclude { body(entry.path, false) }
            // An app that flags what it loads one by one makes as many lines, each of which a tool compares with all paths.
            let children = index..<(index + plan.childCount(at: index - 1))
            guard entry.decision == .include, !entry.path.isEmpty, children.count > 1,
                children.upperBound <= plan.count, plan[children].allSatisfy({ $0.decision == .exclude })
            else { continue }
            body(entry.path, true)
            index = children.upperBound
        }
    }
}

/// What is in a tree of staged stores: all of it.
struct StagedItems: EngineItems {
    private let items: [EngineItem]
    private let places: [[UInt8]: UInt32]

    init(_ items: [EngineItem]) {
        self.items = items
        places = Dictionary(items.enumerated().map { ($1.path, UInt32($0)) }) { first, _ in first }
    }

    var numbers: [UInt32] { Array(0..<UInt32(items.count)) }
    subscript(number: UInt32) -> EngineItem? { items[Int(number)] }
    func number(of path: [UInt8]) -> UInt32? { places[path] }
    func eachLeftOut(_ body: (_ path: [UInt8], _ isContentsOnly: Bool) -> Void) {}
}
