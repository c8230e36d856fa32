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
    func forEachExcluded(_ body: (_ path: [UInt8], _ isContentsOnly: Bool) -> Void)
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
    private let staged: StagedDatabases

    init(_ plan: Plan, without staged: StagedDatabases) {
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

    func forEachExcluded(_ body: (_ path: [UInt8], _ isContentsOnly: Bool) -> Void) {
        for main in staged.mains.sorted(by: PathOrder.precedes) {
            DatabaseFileNames.all(of: main).forEach { body($0, false) }
        }
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
    func forEachExcluded(_ body: (_ path: [UInt8], _ isContentsOnly: Bool) -> Void) {}
}

/// Where a tool is to begin that takes what it is named with all that lies in it: what is to be held, but not the
/// directories of which something is left out.
struct EngineRoots {
    private let items: any EngineItems
    /// Directories that something below is left out of.
    private let mixed: Set<[UInt8]>

    init(of items: any EngineItems) {
        self.items = items
        var mixed: Set<[UInt8]> = []
        items.forEachExcluded { path, isContentsOnly in
            var directory = isContentsOnly ? path : Self.parent(of: path)
            while mixed.insert(directory).inserted, !directory.isEmpty { directory = Self.parent(of: directory) }
        }
        self.mixed = mixed
    }

    /// Tells them in the order of the paths; `isAlone` of a directory of which nothing is held but itself. None, where
    /// nothing is held but the directory that all begins in.
    func each(_ body: (_ path: [UInt8], _ isAlone: Bool) -> Void) {
        // A mixed directory in which nothing has been met yet that is held.
        var open: [UInt8]?
        items.each { item in
            if let directory = open, !Self.lies(item.path, in: directory) { body(directory, true) }
            open = nil
            guard mixed.contains(Self.parent(of: item.path)) else { return }
            if mixed.contains(item.path) { open = item.path } else { body(item.path, false) }
        }
        if let open, !open.isEmpty { body(open, true) }
    }

    private static let slash = UInt8(ascii: "/")

    private static func parent(of path: [UInt8]) -> [UInt8] {
        Array(path[..<(path.lastIndex(of: slash) ?? 0)])
    }

    private static func lies(_ path: [UInt8], in directory: [UInt8]) -> Bool {
        directory.isEmpty || (path.starts(with: directory) && path[directory.count...].first == slash)
    }
}
