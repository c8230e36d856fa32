internal import AppContainer
internal import FileSystem
internal import SystemPackage

/// The conversion of found items to an index: order of paths, backup exclusions, hard links and totals.
struct IndexBuilder {
    private let found: FoundItems
    private let container: Container
    private var records: ContiguousArray<IndexRecord> = []
    private var totals: ContiguousArray<IndexTotals> = []
    private var previousLinks: [UInt32: UInt32] = [:]
    /// The new number of each found record.
    private var numbers: [UInt32]

    init(_ found: consuming FoundItems, of container: Container) {
        numbers = [UInt32](repeating: 0, count: found.links.isEmpty ? 0 : found.records.count)
        self.found = found
        self.container = container
    }

    /// Returns the index.
    consuming func index() -> ContainerIndex {
        order()
        let corrections = findRepeatedLinks()
        sum(corrections)
        return ContainerIndex(
            container, records: records, names: found.names, totals: totals,
            previousLinks: previousLinks,
            failures: found.failures.sorted {
                $0.path == $1.path
                    ? $0.errno.rawValue < $1.errno.rawValue : $0.path.lexicographicallyPrecedes($1.path)
            })
    }

    /// Numbers the records in the order of their paths.
    private mutating func order() {
        guard let root = found.root else { return }
        records.reserveCapacity(found.records.count + 1)
        totals.reserveCapacity(found.ranges.count)
        // The directories from the root to the current one.
        var open: [(number: Int, rest: Range<Int>)] = []
        append(root, in: nil, &open)
        while let (number, rest) = open.last {
            guard let next = rest.first else {
                records[number].extent = UInt32(records.count - number)
                open.removeLast()
                continue
            }
            open[open.count - 1].rest = rest.dropFirst()
            if !numbers.isEmpty { numbers[next] = UInt32(records.count) }
            append(found.records[next], in: number, &open)
        }
    }

    private mutating func append(
        _ record: IndexRecord, in parent: Int?, _ open: inout [(number: Int, rest: Range<Int>)]
    ) {
        var record = record
        let number = records.count
        record.parent = UInt32(parent ?? 0)
        let above = parent.map { (records[$0].exclusion, records[$0].carrier) }
        if record.mark != nil {
            record.exclusion = .excluded
            record.carrier = UInt32(number)
        } else if let above, record.carriesAttributes || above.0 == .excluded {
            (record.exclusion, record.carrier) = above
        } else {
            record.exclusion = record.carriesAttributes ? .included : .unknown
        }
        let directory = record.totals
        if directory != IndexRecord.none {
            record.totals = UInt32(totals.count)
            totals.append(IndexTotals())
            open.append((number, found.ranges[Int(directory)]))
        }
        records.append(record)
    }

    /// Finds the later paths of files with several hard links, and returns the sizes that the directories that contain
    /// two paths count twice.
    private mutating func findRepeatedLinks() -> [Int: ItemSize] {
        guard !found.links.isEmpty else { return [:] }
        let links = found.links.map { (device: $0.device, inode: $0.inode, number: Int(numbers[$0.record])) }
            .sorted { ($0.device, $0.inode, $0.number) < ($1.device, $1.inode, $1.number) }
        var corrections: [Int: ItemSize] = [:]
        for (first, second) in zip(links, links.dropFirst())
        where first.device == second.device && first.inode == second.inode {
            let record = records[second.number]
            previousLinks[UInt32(second.number)] = UInt32(first.number)
            // Of paths in order, each pair of neighbours meets in one directory. It and the directories above it count
            // the file once too often.
            corrections[directory(above: first.number, second.number), default: .zero] += ItemSize(
                logical: record.logical, allocated: record.allocated)
        }
        return corrections
    }

    /// Returns the deepest directory that contains both items. `first` is less than `second`.
    private func directory(above first: Int, _ second: Int) -> Int {
        var directory = Int(records[second].parent)
        while directory > first { directory = Int(records[directory].parent) }
        while first >= directory + Int(records[directory].extent) { directory = Int(records[directory].parent) }
        return directory
    }

    /// Adds up the directories from the last one to the first.
    private mutating func sum(_ corrections: [Int: ItemSize]) {
        for number in records.indices.reversed() {
            let record = records[number]
            var size = ItemSize(logical: record.logical, allocated: record.allocated)
            var items: UInt32 = 1
            if record.totals != IndexRecord.none {
                let position = Int(record.totals)
                totals[position].size += size
                if let correction = corrections[number] { totals[position].size -= correction }
                size = totals[position].size
                items += totals[position].items
            }
            guard number != ContainerIndex.root else { continue }
            let parent = Int(records[Int(record.parent)].totals)
            totals[parent].size += size
            totals[parent].items += items
        }
    }
}
