package import AppContainer
package import FileSystem

/// A compact index of every item of a container, with the totals of each directory.
///
/// Items are numbered in the order of their paths, a directory directly before its content, so that the items of a
/// directory are a range of numbers. An item takes 64 bytes plus its name. The index is a value of the moment at which
/// it was made; it does not follow later changes. At most 4 billion items, with 4 GiB of names.
///
/// Totals count a file with several hard links once for each directory, as `du` and `ncdu` do. A logical size is the
/// bytes of content of regular files. An allocated size is the bytes on disk of all items, including directories.
package struct ContainerIndex: Sendable {
    /// The number of the container itself.
    package static let root = 0

    /// The container.
    package let container: Container
    /// The directories and items that could not be read, sorted by path.
    package let failures: [WalkFailure]
    /// True if every item can store attributes.
    package let carriesAttributes: Bool
    private(set) var records: RecordArray
    private let names: NameArena
    /// The totals of directories.
    private let totals: ContiguousArray<IndexTotals>
    /// For the later paths of files with several hard links, the path before it.
    private let previousLinks: [UInt32: UInt32]
    private let rare: RareColumns

    /// Columns that few items have, or whose values many share.
    struct RareColumns: Sendable {
        let attributeLists: [[String]]
        let owners: [IndexOwner]
        let linkCounts: [UInt32: UInt32]
        let targets: [UInt32: (position: UInt32, length: Int)]
        let times: [UInt32: IndexTimes]
    }

    /// The content of an index, and the receivers of its items.
    package struct Options: Sendable {
        /// False to only count what lies in directories that a backup excludes.
        package var listsExcluded = true
        /// Receives the number of items found since the last call, from any thread.
        package var progress: (@Sendable (Int) -> Void)?
        /// Receives the bytes found since the last call below an item of the container, by its name, from any thread.
        package var found: (@Sendable ([UInt8], UInt64) -> Void)?
        /// Receives each item from any thread while it can be read, with the directory that contains it, or the
        /// directory that it is, and the decision.
        package var observe: (@Sendable (Item, Directory, BackupDecision) -> Void)?

        package init() {}
    }

    /// Reads every item of a tree, in parallel.
    ///
    /// - Parameters:
    ///   - tree: The content of a container.
    ///   - threads: The maximum number of threads.
    ///   - options: The content of the index.
    /// - Throws: The error of a container that cannot be read at all. Other errors become `failures`.
    package init(
        of tree: any Tree, threads: Int = Host.processorCount, options: Options = Options()
    ) throws(ContainerError) {
        let visitor = IndexVisitor(options)
        try tree.visit(visitor, threads: threads)
        self = IndexBuilder(visitor.finish(), of: tree.container).index()
    }

    init(
        _ container: Container, records: RecordArray, names: NameArena, totals: ContiguousArray<IndexTotals>,
        previousLinks: [UInt32: UInt32], rare: RareColumns, failures: [WalkFailure], carriesAttributes: Bool
    ) {
        self.container = container
        self.records = records
        self.names = names
        self.totals = totals
        self.previousLinks = previousLinks
        self.rare = rare
        self.failures = failures
        self.carriesAttributes = carriesAttributes
        for failure in failures where !failure.hasVanished && records.count > 0 {
            let found = deepest(on: failure.path)
            if found.isWhole { self.records[found.number].availability = .unreadable }
        }
    }

    /// The number of items, including the container itself.
    package var count: Int { records.count }
    /// True if every item could be read.
    package var isComplete: Bool { failures.isEmpty }

    /// Returns the properties of an item.
    package subscript(_ number: Int) -> IndexedItem {
        let record = records[number]
        let totals = record.totals == IndexRecord.none ? nil : totals[Int(record.totals)]
        return IndexedItem(
            kind: record.kind, own: record.own, total: totals?.size ?? record.own, items: Int(totals?.items ?? 0),
            modified: times(of: number).modified.seconds, permissions: record.permissions, maker: record.maker,
            availability: record.availability, isRepeatedLink: previousLink(of: number) != nil,
            hasSeveralLinks: record.hasSeveralLinks)
    }

    /// Returns the kind of an item.
    package func kind(of number: Int) -> FileKind { records[number].kind }

    /// Returns the availability of an item's content.
    package func availability(of number: Int) -> Availability { records[number].availability }

    /// Returns the nearest location of an item.
    package func location(of number: Int) -> Location { records[number].location }

    /// Returns the state of the backup exclusion of an item.
    package func exclusion(of number: Int) -> BackupState { records[number].exclusion }

    /// Returns the exclusion mark of the item itself that Apple's backups honor, if any.
    package func ownMark(of number: Int) -> ExclusionMark? { records[number].mark }

    /// Returns the decision of a backup.
    package func decision(for number: Int) -> BackupDecision { records[number].decision }

    /// Returns the nearest item with a backup exclusion of its own: the item itself or a directory above it.
    package func carrier(of number: Int) -> Int? {
        var current = number
        while !records[current].hasMark {
            guard current != Self.root else { return nil }
            current = Int(records[current].parent)
        }
        return current
    }

    /// Returns the status of an item, without the access time, the creation time and the allocated size. Of a
    /// directory, it has one link.
    package func status(of number: Int) -> FileStatus {
        let record = records[number]
        return record.status(
            rare.owners[Int(record.owner)], times: times(of: number), links: rare.linkCounts[UInt32(number)] ?? 1)
    }

    private func times(of number: Int) -> IndexTimes {
        // Every record has its times, or they are kept apart.
        records[number].times ?? rare.times[UInt32(number)]
            ?? IndexTimes(modified: Timestamp(seconds: 0), changed: Timestamp(seconds: 0))
    }

    /// The number of records of the subtree of an item, including the item.
    private func extent(of number: Int) -> Int {
        let totals = records[number].totals
        return totals == IndexRecord.none ? 1 : Int(self.totals[Int(totals)].extent)
    }

    /// Returns the names of an item's extended attributes.
    package func attributes(of number: Int) -> [String] { rare.attributeLists[Int(records[number].attributes)] }

    /// Returns true if an item has extended attributes.
    package func hasAttributes(_ number: Int) -> Bool { records[number].attributes != 0 }

    /// Returns the last item before this one that is another path of the same file, or nil.
    package func previousLink(of number: Int) -> Int? {
        previousLinks.isEmpty ? nil : previousLinks[UInt32(number)].map(Int.init)
    }

    /// Returns the bytes of an item's name. Empty for the container itself.
    package func name(of number: Int) -> ArraySlice<UInt8> {
        let record = records[number]
        return names[record.name, Int(record.nameLength)]
    }

    /// Returns the target of a symbolic link as it is stored, or nil for another item.
    package func linkTarget(of number: Int) -> ArraySlice<UInt8>? {
        guard records[number].kind == .symbolicLink else { return nil }
        return rare.targets[UInt32(number)].map { names[$0.position, $0.length] } ?? []
    }

    /// Returns the directory that contains an item, or nil for the container itself.
    package func parent(of number: Int) -> Int? {
        number == Self.root ? nil : Int(records[number].parent)
    }

    /// Returns the items of a directory, sorted by the bytes of their names.
    package func children(of number: Int) -> [Int] {
        var children: [Int] = []
        var child = number + 1
        let end = number + extent(of: number)
        while child < end {
            children.append(child)
            child += extent(of: child)
        }
        return children
    }

    /// Returns the item and everything below it, in the order of paths.
    package func subtree(of number: Int) -> Range<Int> { number..<(number + extent(of: number)) }

    /// Returns the path of an item relative to the container, separated by `/`. Empty for the container itself.
    package func path(of number: Int) -> [UInt8] {
        var length = 0
        var current = number
        while current != Self.root {
            length += Int(records[current].nameLength) + 1
            current = Int(records[current].parent)
        }
        guard length > 0 else { return [] }
        length -= 1
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            var end = length
            var current = number
            while true {
                let name = name(of: current)
                end -= name.count
                _ = UnsafeMutableBufferPointer(rebasing: buffer[end..<(end + name.count)]).initialize(
                    fromContentsOf: name)
                current = Int(records[current].parent)
                guard current != Self.root else { break }
                end -= 1
                buffer.initializeElement(at: end, to: UInt8(ascii: "/"))
            }
            count = length
        }
    }

    /// Returns the number of directories above an item.
    package func depth(of number: Int) -> Int {
        var (depth, current) = (0, number)
        while current != Self.root {
            depth += 1
            current = Int(records[current].parent)
        }
        return depth
    }

    /// Returns the item of a path, or nil if the index has none. An empty path is the container itself. Of canonically
    /// equal names, the one with the same bytes is preferred.
    package func number(at path: [UInt8]) -> Int? {
        let isForeign = path.contains { $0 >= 0x80 }
        var number = Self.root
        for component in path.split(separator: UInt8(ascii: "/")) {
            guard let child = child(component, of: number) ?? (isForeign ? equalChild(component, of: number) : nil)
            else { return nil }
            number = child
        }
        return number
    }

    /// Returns the deepest item on a path, by the bytes of the names, and whether it is the item of the path itself.
    package func deepest(on path: [UInt8]) -> (number: Int, isWhole: Bool) {
        var number = Self.root
        for component in path.split(separator: UInt8(ascii: "/")) {
            guard let child = child(component, of: number) else { return (number, false) }
            number = child
        }
        return (number, true)
    }

    /// Returns the item of a directory with a name. Not generic, so that it is compiled for the bytes of names.
    package func child(_ name: ArraySlice<UInt8>, of directory: Int) -> Int? {
        var (low, high) = (directory + 1, directory + extent(of: directory))
        while low < high {
            var child = low + (high - low) / 2
            while Int(records[child].parent) != directory { child = Int(records[child].parent) }
            let found = self.name(of: child)
            if found.lexicographicallyPrecedes(name) {
                low = child + extent(of: child)
            } else if found == name {
                return child
            } else {
                high = child
            }
        }
        return nil
    }

    private func equalChild(_ name: ArraySlice<UInt8>, of directory: Int) -> Int? {
        let name = NameSpelling.composed(Array(name))
        return children(of: directory).first { NameSpelling.composed(Array(self.name(of: $0))) == name }
    }
}

/// The size of an item or of all items of a set.
package struct ItemSize: Sendable, Hashable {
    /// The bytes of content of regular files.
    package var logical: UInt64
    /// The allocated bytes on disk.
    package var allocated: UInt64

    package static let zero = ItemSize(logical: 0, allocated: 0)

    package init(logical: UInt64, allocated: UInt64) {
        self.logical = logical
        self.allocated = allocated
    }

    /// Adds sizes. A sum that exceeds 64 bits, which sparse files can reach, is the maximum.
    package static func += (left: inout Self, right: Self) {
        left.logical = left.logical.saturatedSum(right.logical)
        left.allocated = left.allocated.saturatedSum(right.allocated)
    }

    static func -= (left: inout Self, right: Self) {
        left.logical -= min(left.logical, right.logical)
        left.allocated -= min(left.allocated, right.allocated)
    }
}

extension UInt64 {
    fileprivate func saturatedSum(_ other: UInt64) -> UInt64 {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}

/// The properties of an item in an index.
package struct IndexedItem: Sendable {
    package let kind: FileKind
    /// The size of the item itself. A directory has no logical size.
    package let own: ItemSize
    /// The size of the item and everything below it.
    package let total: ItemSize
    /// The number of items below a directory, including directories. 0 for other items.
    package let items: Int
    /// The modification date, in seconds since 1970.
    package let modified: Int64
    /// Permission, set-id and sticky bits.
    package let permissions: UInt16
    /// The recorded provenance, if any.
    package let maker: Provenance.Maker?
    /// The availability of the content.
    package let availability: Availability
    /// True for a hard link to a file that has another path in the container that comes earlier.
    package let isRepeatedLink: Bool
    /// True if the file has several hard links, which may be outside the container.
    package let hasSeveralLinks: Bool
}
