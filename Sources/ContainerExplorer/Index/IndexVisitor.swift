internal import AppContainer
internal import ContainerTree
internal import FileSystem
internal import Foundation

/// The items of a tree in the order in which directories were read.
struct FoundItems: Sendable {
    /// A name of a file with several hard links.
    struct Link: Sendable {
        let device: UInt64
        let inode: UInt64
        let record: Int
    }

    /// The container itself.
    var root: IndexRecord?
    /// The records of each directory are adjacent and sorted by name.
    var records: ContiguousArray<IndexRecord> = []
    var names: [UInt8] = []
    /// The range of the records of each directory, by its number.
    var ranges: [Range<Int>] = []
    var links: [Link] = []
    var failures: [WalkFailure] = []
}

/// The visitor that collects the items of a tree.
struct IndexVisitor: TreeVisitor {
    private final class Found: Sendable { let items = LockedValue(FoundItems()) }

    private let found = Found()
    private let progress: (@Sendable (Int) -> Void)?

    init(progress: (@Sendable (Int) -> Void)?) { self.progress = progress }

    /// A directory before it is read.
    struct Context: Sendable {
        /// The number of the directory, in the order in which directories were found.
        let number: UInt32
        /// The index of the nearest location in the table.
        let location: UInt8
    }

    /// The items of one directory.
    struct Accumulator {
        var records: [IndexRecord] = []
        var names: [UInt8] = []
        var links: [FoundItems.Link] = []
    }

    /// Returns what was found, and clears it.
    func finish() -> FoundItems {
        found.items.withLock { items in
            defer { items = FoundItems() }
            return items
        }
    }

    func root(_ item: Item, _ directory: Directory) -> Context {
        let context = newContext(directory)
        var accumulator = Accumulator()
        add(item, location: context.location, directory: context.number, &accumulator)
        found.items.withLock { $0.root = accumulator.records[0] }
        return context
    }

    func begin(_ directory: Directory, _ context: Context) -> Accumulator { Accumulator() }

    func visit(_ item: Item, in directory: Directory, _ context: Context, _ accumulator: inout Accumulator) {
        add(item, location: context.location, directory: IndexRecord.none, &accumulator)
    }

    func enter(
        _ item: Item, _ subdirectory: Directory, in directory: Directory, _ context: Context,
        _ accumulator: inout Accumulator
    ) -> Context {
        let entered = newContext(subdirectory, in: context)
        add(item, location: entered.location, directory: entered.number, &accumulator)
        return entered
    }

    func end(_ directory: Directory, _ context: Context, _ accumulator: Accumulator) {
        guard !accumulator.records.isEmpty else { return }
        let order = accumulator.sortedRecords
        found.items.withLock { items in
            let (firstRecord, firstName) = (items.records.count, items.names.count)
            items.names += accumulator.names
            // An array that grows by a reservation for each directory would be copied for each.
            for index in order {
                items.records.append(accumulator.records[index])
                items.records[items.records.count - 1].nameStart += UInt64(firstName)
            }
            items.ranges[Int(context.number)] = firstRecord..<items.records.count
            guard !accumulator.links.isEmpty else { return }
            var positions = [Int](repeating: 0, count: order.count)
            for (position, index) in order.enumerated() { positions[index] = firstRecord + position }
            for link in accumulator.links {
                items.links.append(
                    FoundItems.Link(device: link.device, inode: link.inode, record: positions[link.record]))
            }
        }
        progress?(accumulator.records.count)
    }

    func failed(_ failure: WalkFailure) { found.items.withLock { $0.failures.append(failure) } }

    private func newContext(_ directory: Directory, in parent: Context? = nil) -> Context {
        var location = parent?.location ?? 0
        if directory.isLocation, let index = Location.table.firstIndex(of: directory.location) {
            location = UInt8(index)
        }
        let number = found.items.withLock { items in
            items.ranges.append(0..<0)
            return UInt32(items.ranges.count - 1)
        }
        return Context(number: number, location: location)
    }

    private func add(_ item: Item, location: UInt8, directory: UInt32, _ accumulator: inout Accumulator) {
        var maker: Provenance.Maker?
        if item.attributes.contains(Provenance.makerAttribute),
            let value = item.entry.attribute(Provenance.makerAttribute)
        {
            maker = Provenance.Maker(rawValue: String(decoding: value, as: UTF8.self))
        }
        let target = item.status.kind == .symbolicLink ? item.entry.linkTarget() ?? [] : []
        var record = IndexRecord(
            item.status, nameStart: accumulator.names.count, nameLength: item.name.count, targetLength: target.count,
            location: location, mark: item.marks.first, maker: maker, carriesAttributes: item.carriesAttributes)
        record.totals = directory
        if record.hasSeveralLinks {
            let (device, inode) = item.status.identity
            accumulator.links.append(
                FoundItems.Link(device: device, inode: inode, record: accumulator.records.count))
        }
        accumulator.records.append(record)
        accumulator.names.append(contentsOf: item.name)
        accumulator.names.append(contentsOf: target)
    }
}

extension IndexVisitor.Accumulator {
    /// The indices of the records, sorted by the bytes of the names.
    fileprivate var sortedRecords: [Int] {
        names.withUnsafeBytes { names in
            func name(_ index: Int) -> UnsafeRawBufferPointer {
                let start = Int(records[index].nameStart)
                return UnsafeRawBufferPointer(rebasing: names[start..<(start + Int(records[index].nameLength))])
            }
            return records.indices.sorted { left, right in
                let (left, right) = (name(left), name(right))
                guard let first = left.baseAddress, let second = right.baseAddress else { return left.isEmpty }
                let order = memcmp(first, second, min(left.count, right.count))
                return order == 0 ? left.count < right.count : order < 0
            }
        }
    }
}
