internal import AppContainer
internal import FileSystem
internal import SystemPackage

/// The conversion of found items to an index: order of paths, backup exclusions, hard links and totals.
struct IndexBuilder {
    private var found: FoundItems
    private let container: Container
    private var totals: ContiguousArray<IndexTotals> = []
    private var previousLinks: [UInt32: UInt32] = [:]
    /// The new number of each found record, if anything refers to records.
    private var numbers: [UInt32] = []

    init(_ found: consuming FoundItems, of container: Container) {
        self.found = found
        self.container = container
    }

    /// Returns the index.
    consuming func index() -> ContainerIndex {
        order()
        inherit()
        let corrections = findRepeatedLinks()
        sum(corrections)
        var linkCounts: [UInt32: UInt32] = [:]
        for link in found.links { linkCounts[numbers[link.record]] = link.count }
        var targets: [UInt32: (position: UInt32, length: Int)] = [:]
        for (record, target) in found.targets { targets[numbers[record]] = target }
        var times: [UInt32: IndexTimes] = [:]
        for (record, own) in found.times { times[numbers[record]] = own }
        return ContainerIndex(
            container, records: found.records, names: found.names, totals: totals, previousLinks: previousLinks,
            rare: ContainerIndex.RareColumns(
                attributeLists: found.attributeLists, owners: found.owners, linkCounts: linkCounts, targets: targets,
                times: times),
            failures: found.failures.sorted {
                $0.path == $1.path
                    ? $0.errno.rawValue < $1.errno.rawValue : $0.path.lexicographicallyPrecedes($1.path)
            }, carriesAttributes: !found.lacksAttributes)
    }

    /// Puts the records in the order of their paths, and sets the parent and the extent of each.
    private mutating func order() {
        guard let root = found.root else { return }
        // The container itself is found first, and becomes the last record until then.
        found.records.append(root)
        let count = found.records.count
        var order: [UInt32] = []
        order.reserveCapacity(count)
        totals.reserveCapacity(found.ranges.count)
        /// A directory whose content is being numbered.
        struct Open {
            let number: Int
            var rest: Children
        }
        enum Children {
            case range(Range<Int>)
            case sorted(ArraySlice<UInt32>)

            mutating func next() -> Int? {
                switch self {
                case .range(let range):
                    self = .range(range.dropFirst())
                    return range.first
                case .sorted(let list):
                    self = .sorted(list.dropFirst())
                    return list.first.map(Int.init)
                }
            }
        }
        var open: [Open] = []
        /// Numbers a record, and sets its parent.
        func append(_ record: Int, in parent: Int) {
            let number = order.count
            order.append(UInt32(record))
            found.records[record].parent = UInt32(parent)
            let directory = found.records[record].totals
            guard directory != IndexRecord.none else { return }
            found.records[record].totals = UInt32(totals.count)
            totals.append(found.counted[directory] ?? IndexTotals())
            let range = found.ranges[Int(directory)]
            let children: Children =
                found.parts[directory].map { .sorted(merged([range] + $0)[...]) } ?? .range(range)
            open.append(Open(number: number, rest: children))
        }
        append(count - 1, in: 0)
        while let last = open.indices.last {
            guard let next = open[last].rest.next() else {
                let number = open[last].number
                totals[Int(found.records[Int(order[number])].totals)].extent = UInt32(order.count - number)
                open.removeLast()
                continue
            }
            append(next, in: open[last].number)
        }
        if !found.links.isEmpty || !found.targets.isEmpty || !found.times.isEmpty {
            numbers = [UInt32](repeating: 0, count: count)
            for (number, record) in order.enumerated() { numbers[Int(record)] = UInt32(number) }
        }
        found.records.permute(order)
    }

    /// Returns the records of a directory that was read in parts, by name.
    private func merged(_ ranges: [Range<Int>]) -> [UInt32] {
        func name(_ record: UInt32) -> ArraySlice<UInt8> {
            let record = found.records[Int(record)]
            return found.names[record.name, Int(record.nameLength)]
        }
        // Most comparisons use one integer, the first eight bytes of the name.
        var keys: [(key: UInt64, record: UInt32)] = []
        keys.reserveCapacity(ranges.reduce(0) { $0 + $1.count })
        for record in ranges.joined() {
            var key: UInt64 = 0
            let name = name(UInt32(record))
            for byte in name.prefix(8) { key = key << 8 | UInt64(byte) }
            keys.append((key << UInt64(8 * max(0, 8 - name.count)), UInt32(record)))
        }
        keys.sort { left, right in
            left.key == right.key
                ? name(left.record).lexicographicallyPrecedes(name(right.record)) : left.key < right.key
        }
        return keys.map(\.record)
    }

    /// Sets the state of each backup exclusion: that of the item or of the directory above it.
    private mutating func inherit() {
        for number in 0..<found.records.count {
            let record = found.records[number]
            let above = number == ContainerIndex.root ? nil : found.records[Int(record.parent)].exclusion
            let state: BackupState =
                if record.hasMark || above == .excluded {
                    .excluded
                } else {
                    record.carriesAttributes ? above ?? .included : .unknown
                }
            if state != .included { found.records[number].exclusion = state }
        }
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
            previousLinks[UInt32(second.number)] = UInt32(first.number)
            // The paths are in order, so each pair of neighbours meets in one directory. It and the directories above it count
            // the file once too often.
            corrections[directory(above: first.number, second.number), default: .zero] +=
                found.records[second.number].own
        }
        return corrections
    }

    /// Returns the deepest directory that contains both items. `first` is less than `second`.
    private func directory(above first: Int, _ second: Int) -> Int {
        var directory = Int(found.records[second].parent)
        while directory > first { directory = Int(found.records[directory].parent) }
        while first >= directory + Int(totals[Int(found.records[directory].totals)].extent) {
            directory = Int(found.records[directory].parent)
        }
        return directory
    }

    /// Adds up the directories from the last one to the first.
    private mutating func sum(_ corrections: [Int: ItemSize]) {
        for number in (0..<found.records.count).reversed() {
            let record = found.records[number]
            var size = record.own
            var items: UInt32 = 1
            if record.totals != IndexRecord.none {
                let position = Int(record.totals)
                totals[position].size += size
                if let correction = corrections[number] { totals[position].size -= correction }
                size = totals[position].size
                items += totals[position].items
            }
            guard number != ContainerIndex.root else { continue }
            let parent = Int(found.records[Int(record.parent)].totals)
            totals[parent].size += size
            totals[parent].items += items
        }
    }
}
