internal import AppContainer
internal import FileSystem

/// The items of a tree in the order in which directories were read.
struct FoundItems: Sendable {
    /// A name of a file with several hard links.
    struct Link: Sendable {
        let record: Int
        let device: UInt64
        let inode: UInt64
        let count: UInt32
    }

    /// The container itself.
    var root: IndexRecord?
    /// The records of a part of a directory are adjacent and sorted by name.
    var records = RecordArray()
    var names = NameArena()
    /// Lists of attribute names; the first list is empty.
    var attributeLists: [[String]] = [[]]
    private var attributeNumbers: [[String]: UInt32] = [:]
    var owners: [IndexOwner] = []
    private var ownerNumbers: [IndexOwner: UInt32] = [:]
    /// The ranges of the records of each directory, by its number.
    var ranges: [Range<Int>] = []
    /// The ranges of the later parts of directories that were read in parts.
    var parts: [UInt32: [Range<Int>]] = [:]
    var links: [Link] = []
    /// The position and the length of the targets of symbolic links, by record.
    var targets: [Int: (position: UInt32, length: Int)] = [:]
    /// The times that do not fit into a record, by record.
    var times: [Int: IndexTimes] = [:]
    /// The totals of directories whose content is only counted, by their number.
    var counted: [UInt32: IndexTotals] = [:]
    var failures: [WalkFailure] = []
    /// True if an item cannot store attributes.
    var lacksAttributes = false

    /// Returns the number of a list of attribute names.
    mutating func number(of names: [String]) -> UInt32 {
        guard !names.isEmpty else { return 0 }
        if let number = attributeNumbers[names] { return number }
        let number = UInt32(attributeLists.count)
        attributeLists.append(names)
        attributeNumbers[names] = number
        return number
    }

    /// Returns the number of an owner.
    mutating func number(of owner: IndexOwner) -> UInt32 {
        if owners.last == owner { return UInt32(owners.count - 1) }
        if let number = ownerNumbers[owner] { return number }
        let number = UInt32(owners.count)
        owners.append(owner)
        ownerNumbers[owner] = number
        return number
    }
}

/// The visitor that collects the items of a tree.
struct IndexVisitor: ItemVisitor {
    private final class Found: Sendable { let items = LockedValue(FoundItems()) }

    private let found = Found()
    private let options: ContainerIndex.Options

    init(_ options: ContainerIndex.Options) { self.options = options }

    /// A directory before it is read.
    struct Context: Sendable {
        /// The number of the directory, in the order in which directories were found.
        let number: UInt32
        /// The index of the nearest location in the table.
        let location: UInt8
        /// True if the content is only counted.
        let isCounted: Bool
        /// The name of the item of the container that contains the directory or is it. Nil for the container itself.
        let top: [UInt8]?
    }

    /// The items of a directory, or of a part of it.
    struct Accumulator {
        fileprivate var records: [IndexRecord] = []
        /// The names, each followed by the target of a symbolic link.
        fileprivate var names: [UInt8] = []
        /// The position of each record's name.
        fileprivate var starts: [Int] = []
        fileprivate var owners: [IndexOwner] = []
        fileprivate var attributes: [(record: Int, names: [String])] = []
        fileprivate var links: [FoundItems.Link] = []
        fileprivate var targets: [(record: Int, length: Int)] = []
        fileprivate var times: [(record: Int, times: IndexTimes)] = []
        fileprivate var counted = IndexTotals()
        /// The bytes of the items since the last part.
        fileprivate var bytes: UInt64 = 0
        fileprivate var lacksAttributes = false
    }

    /// The number of items of a directory that are moved into the index at once.
    private static let part = 1 << 14

    /// Returns what was found, and clears it.
    func finish() -> FoundItems {
        found.items.withLock { items in
            defer { items = FoundItems() }
            return items
        }
    }

    func root(_ item: Item, directory: Directory) -> Context {
        let context = newContext(directory, in: nil, top: nil)
        var accumulator = Accumulator()
        add(
            item, at: context.location, decision: directory.decision, availability: .present, directory: context.number,
            into: &accumulator)
        found.items.withLock { items in
            var root = accumulator.records[0]
            root.owner = items.number(of: IndexOwner(item.status))
            root.attributes = items.number(of: item.attributes)
            root.name = items.names.add([]) ?? 0
            items.lacksAttributes = !item.carriesAttributes
            items.root = root
        }
        options.observe?(item, directory, directory.decision)
        return context
    }

    func begin(_ directory: Directory, context: Context) -> Accumulator { Accumulator() }

    func visit(_ item: Item, in directory: Directory, context: Context, into accumulator: inout Accumulator) {
        let decision = directory.decision(for: item)
        if context.isCounted {
            count(item, into: &accumulator)
        } else {
            add(
                item, at: context.location, decision: decision, availability: directory.availability(of: item),
                directory: IndexRecord.none,
                into: &accumulator)
            if accumulator.records.count >= Self.part { move(&accumulator, of: context) }
        }
        options.observe?(item, directory, decision)
    }

    func enter(
        _ item: Item, subdirectory: Directory, in directory: Directory, context: Context,
        into accumulator: inout Accumulator
    ) -> Context {
        options.observe?(item, subdirectory, subdirectory.decision)
        if context.isCounted {
            count(item, into: &accumulator)
            return context
        }
        let entered = newContext(subdirectory, in: context, top: context.top ?? Array(item.name))
        add(
            item, at: entered.location, decision: subdirectory.decision, availability: .present,
            directory: entered.number, into: &accumulator)
        if accumulator.records.count >= Self.part { move(&accumulator, of: context) }
        return entered
    }

    func end(_ directory: Directory, context: Context, accumulator: Accumulator) {
        var accumulator = accumulator
        move(&accumulator, of: context)
    }

    func failed(_ failure: WalkFailure) { found.items.withLock { $0.failures.append(failure) } }

    private func newContext(_ directory: Directory, in parent: Context?, top: [UInt8]?) -> Context {
        var location = parent?.location ?? 0
        if directory.isLocation, let index = Location.table.firstIndex(of: directory.location) {
            location = UInt8(index)
        }
        let number = found.items.withLock { items in
            items.ranges.append(0..<0)
            return UInt32(items.ranges.count - 1)
        }
        return Context(
            number: number, location: location,
            isCounted: !options.listsExcluded && !directory.decision.isStored, top: top)
    }

    private func count(_ item: Item, into accumulator: inout Accumulator) {
        accumulator.counted.items += 1
        accumulator.counted.size += ItemSize(
            logical: item.status.isFile ? item.status.size : 0, allocated: item.status.allocated)
    }

    private func add(
        _ item: Item, at location: UInt8, decision: BackupDecision, availability: Availability,
        directory: UInt32, into accumulator: inout Accumulator
    ) {
        var maker: Provenance.Maker?
        let number = accumulator.records.count
        if !item.attributes.isEmpty {
            accumulator.attributes.append((number, item.attributes))
            maker = item.maker
        }
        if !item.carriesAttributes { accumulator.lacksAttributes = true }
        if item.status.isFile { accumulator.bytes &+= item.status.size }
        let record = IndexRecord(
            item, at: location, decision: decision, availability: availability, maker: maker, directory: directory)
        if record.hasSeveralLinks {
            let (device, inode) = item.status.identity
            accumulator.links.append(
                FoundItems.Link(record: number, device: device, inode: inode, count: item.status.links))
        }
        accumulator.starts.append(accumulator.names.count)
        accumulator.names.append(contentsOf: item.name)
        if record.kind == .symbolicLink, let target = item.entry.linkTarget() {
            accumulator.targets.append((number, target.count))
            accumulator.names.append(contentsOf: target)
        }
        if record.times == nil {
            let times = IndexTimes(modified: item.status.modified, changed: item.status.changed)
            accumulator.times.append((number, times))
        }
        accumulator.records.append(record)
        accumulator.owners.append(IndexOwner(item.status))
    }

    /// Moves the items of an accumulator into the index, sorted by name.
    private func move(_ accumulator: inout Accumulator, of context: Context) {
        let order = accumulator.sortedRecords
        found.items.withLock { items in
            if accumulator.lacksAttributes { items.lacksAttributes = true }
            if context.isCounted {
                items.counted[context.number, default: IndexTotals()].items += accumulator.counted.items
                items.counted[context.number, default: IndexTotals()].size += accumulator.counted.size
            }
            guard !order.isEmpty else { return }
            for (record, names) in accumulator.attributes {
                accumulator.records[record].attributes = items.number(of: names)
            }
            let first = items.records.count
            for index in order {
                var record = accumulator.records[index]
                let start = accumulator.starts[index]
                // Without room for a name, the item has none. A path of it leads to nothing.
                record.name = items.names.add(accumulator.names[start..<(start + Int(record.nameLength))]) ?? 0
                record.owner = items.number(of: accumulator.owners[index])
                items.records.append(record)
            }
            let range = first..<items.records.count
            let number = Int(context.number)
            if items.ranges[number].isEmpty {
                items.ranges[number] = range
            } else {
                items.parts[context.number, default: []].append(range)
            }
            guard !accumulator.links.isEmpty || !accumulator.targets.isEmpty || !accumulator.times.isEmpty else {
                return
            }
            var positions = [Int](repeating: 0, count: order.count)
            for (position, index) in order.enumerated() { positions[index] = first + position }
            for link in accumulator.links {
                items.links.append(
                    FoundItems.Link(
                        record: positions[link.record], device: link.device, inode: link.inode, count: link.count))
            }
            for (record, times) in accumulator.times { items.times[positions[record]] = times }
            for (record, length) in accumulator.targets {
                let start = accumulator.starts[record] + Int(accumulator.records[record].nameLength)
                if let position = items.names.add(accumulator.names[start..<(start + length)]) {
                    items.targets[positions[record]] = (position, length)
                }
            }
        }
        options.progress?(accumulator.records.count + Int(accumulator.counted.items))
        if let top = context.top { options.found?(top, accumulator.bytes) }
        accumulator.removeAll()
    }
}

extension IndexVisitor.Accumulator {
    fileprivate mutating func removeAll() {
        records.removeAll(keepingCapacity: true)
        names.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        owners.removeAll(keepingCapacity: true)
        attributes.removeAll()
        links.removeAll()
        targets.removeAll()
        times.removeAll()
        counted = IndexTotals()
        bytes = 0
    }

    /// The indices of the records, sorted by the bytes of the names.
    fileprivate var sortedRecords: [Int] {
        names.withUnsafeBytes { names in
            func name(_ index: Int) -> UnsafeRawBufferPointer {
                let start = starts[index]
                return UnsafeRawBufferPointer(rebasing: names[start..<(start + Int(records[index].nameLength))])
            }
            return records.indices.sorted { name($0).precedes(name($1)) }
        }
    }
}
