internal import BackupPlan
internal import DatabaseInspection
internal import FileSystem

/// An item of a tool's snapshot.
struct EngineItem {
    let path: [UInt8]
    let status: FileStatus
}

/// The items of a tool's snapshot by number, so that none is in memory twice.
protocol EngineItems {
    /// The numbers in the order of the paths. Some may not stand for an item.
    var numbers: Range<Int> { get }
    /// The item of a number; nil if the snapshot omits it.
    subscript(number: Int) -> EngineItem? { get }
    /// Returns the number of a path, or nil if it has none.
    func number(of path: [UInt8]) -> Int?
    /// Calls `body` for the topmost excluded paths, or for a directory whose whole content is excluded.
    func forEachExcluded(_ body: (_ path: [UInt8], _ isContentsOnly: Bool) -> Void)
}

extension EngineItems {
    /// Calls `body` for every item, in the order of the paths.
    func forEach(_ body: (EngineItem) -> Void) {
        for number in numbers { if let item = self[number] { body(item) } }
    }
}

/// The included items of a plan, without the files of staged databases.
struct PlannedItems: EngineItems {
    private let plan: Plan
    private let staged: StagedDatabases

    init(_ plan: Plan, without staged: StagedDatabases) {
        self.plan = plan
        self.staged = staged
    }

    var numbers: Range<Int> { plan.indices }

    subscript(number: Int) -> EngineItem? {
        let entry = plan[number]
        guard entry.isStored, !staged.holds(entry.path) else { return nil }
        return EngineItem(path: entry.path, status: entry.status)
    }

    func number(of path: [UInt8]) -> Int? { plan.number(of: path) }

    func forEachExcluded(_ body: (_ path: [UInt8], _ isContentsOnly: Bool) -> Void) {
        for main in staged.mains.sorted(by: PathOrder.precedes) {
            DatabaseFileNames.all(of: main).forEach { body($0, false) }
        }
        var index = 0
        while index < plan.count {
            let entry = plan[index]
            index += 1
            if !entry.isStored { body(entry.path, false) }
            // An app that excludes its downloads one by one would produce as many patterns, each compared with all
            // paths.
            let children = index..<(index + plan.childCount(at: index - 1))
            guard entry.isStored, !entry.path.isEmpty, children.count > 1,
                children.upperBound <= plan.count, plan[children].allSatisfy({ !$0.isStored })
            else { continue }
            body(entry.path, true)
            index = children.upperBound
        }
    }
}

/// All items of a tree of staged databases.
struct StagedItems: EngineItems {
    private let items: [EngineItem]
    private let numberByPath: [[UInt8]: Int]

    init(_ items: [EngineItem]) {
        self.items = items
        numberByPath = Dictionary(items.enumerated().map { ($1.path, $0) }) { first, _ in first }
    }

    var numbers: Range<Int> { items.indices }
    subscript(number: Int) -> EngineItem? { items[number] }
    func number(of path: [UInt8]) -> Int? { numberByPath[path] }
    func forEachExcluded(_ body: (_ path: [UInt8], _ isContentsOnly: Bool) -> Void) {}
}

/// The start paths for a tool that stores a path with everything below it: included items, but no directory with
/// excluded content.
struct EngineRoots {
    private let items: any EngineItems
    /// Directories with excluded content.
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

    /// Calls `body` for the start paths in order; `isAlone` is true for a directory that is stored without content. No
    /// path if only the root is included.
    func forEach(_ body: (_ path: [UInt8], _ isAlone: Bool) -> Void) {
        // A directory with excluded content and, so far, no included item.
        var open: [UInt8]?
        items.forEach { item in
            if let directory = open, !Self.isPath(item.path, in: directory) { body(directory, true) }
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

    private static func isPath(_ path: [UInt8], in directory: [UInt8]) -> Bool {
        directory.isEmpty || (path.starts(with: directory) && path[directory.count...].first == slash)
    }
}
