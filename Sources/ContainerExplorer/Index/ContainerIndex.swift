package import AppContainer
package import ContainerTree
package import FileSystem

/// A compact index of every item of a container, with the totals of each directory.
///
/// Items are numbered in the order of their paths, a directory directly before its content, so that the items of a
/// directory are a range of numbers. An item takes 64 bytes plus its name. The index is a value of the moment at which
/// it was made; it does not follow later changes.
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
    var records: ContiguousArray<IndexRecord>
    /// The names of all items, each followed by the target of the link if the item is one.
    var names: [UInt8]
    /// The totals of directories.
    var totals: ContiguousArray<IndexTotals>
    /// For the later paths of files with several hard links, the path before it.
    private let previousLinks: [UInt32: UInt32]

    /// Reads every item of a tree, in parallel.
    ///
    /// - Parameters:
    ///   - tree: The content of a container.
    ///   - threads: The maximum number of threads.
    ///   - progress: Receives the number of items found since the last call, from any thread.
    /// - Throws: The error of a container that cannot be read at all. Other errors become `failures`.
    package init(
        of tree: any Tree, threads: Int = Host.processorCount, progress: (@Sendable (Int) -> Void)? = nil
    ) throws(ContainerError) {
        let visitor = IndexVisitor(progress: progress)
        try tree.visit(visitor, threads: threads)
        self = IndexBuilder(visitor.finish(), of: tree.container).index()
    }

    init(
        _ container: Container, records: ContiguousArray<IndexRecord>, names: [UInt8],
        totals: ContiguousArray<IndexTotals>, previousLinks: [UInt32: UInt32], failures: [WalkFailure]
    ) {
        self.container = container
        self.records = records
        self.names = names
        self.totals = totals
        self.previousLinks = previousLinks
        self.failures = failures
    }

    /// The number of items, including the container itself.
    package var count: Int { records.count }
    /// True if every item could be read.
    package var isComplete: Bool { failures.isEmpty }

    /// Returns the properties of an item.
    package subscript(_ number: Int) -> IndexedItem {
        let record = records[number]
        return IndexedItem(
            kind: record.kind, own: ItemSize(logical: record.logical, allocated: record.allocated),
            total: record.totals == IndexRecord.none
                ? ItemSize(logical: record.logical, allocated: record.allocated) : totals[Int(record.totals)].size,
            items: record.totals == IndexRecord.none ? 0 : Int(totals[Int(record.totals)].items),
            modified: record.modified, permissions: record.permissions, maker: record.maker,
            isRepeatedLink: previousLink(of: number) != nil, hasSeveralLinks: record.hasSeveralLinks)
    }

    /// Returns the last item before this one that is another path of the same file, or nil.
    package func previousLink(of number: Int) -> Int? {
        previousLinks.isEmpty ? nil : previousLinks[UInt32(number)].map(Int.init)
    }

    /// Returns the bytes of an item's name. Empty for the container itself.
    package func name(of number: Int) -> ArraySlice<UInt8> {
        let record = records[number]
        let start = Int(record.nameStart)
        return names[start..<(start + Int(record.nameLength))]
    }

    /// Returns the target of a symbolic link as it is stored, or nil for another item.
    package func linkTarget(of number: Int) -> ArraySlice<UInt8>? {
        let record = records[number]
        guard record.kind == .symbolicLink else { return nil }
        let start = Int(record.nameStart) + Int(record.nameLength)
        return names[start..<(start + Int(record.targetLength))]
    }

    /// Returns the directory that contains an item, or nil for the container itself.
    package func parent(of number: Int) -> Int? {
        number == Self.root ? nil : Int(records[number].parent)
    }

    /// Returns the items of a directory, sorted by the bytes of their names.
    package func children(of number: Int) -> [Int] {
        var children: [Int] = []
        var child = number + 1
        let end = number + Int(records[number].extent)
        while child < end {
            children.append(child)
            child += Int(records[child].extent)
        }
        return children
    }

    /// Returns the item and everything below it, in the order of paths.
    package func subtree(of number: Int) -> Range<Int> { number..<(number + Int(records[number].extent)) }

    /// Returns the path of an item relative to the container, separated by `/`. Empty for the container itself.
    package func path(of number: Int) -> [UInt8] {
        var chain: [Int] = []
        var current = number
        while current != Self.root {
            chain.append(current)
            current = Int(records[current].parent)
        }
        var path: [UInt8] = []
        for item in chain.reversed() {
            if !path.isEmpty { path.append(UInt8(ascii: "/")) }
            path += name(of: item)
        }
        return path
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

    /// Returns the item of a path, or nil if the index has none. An empty path is the container itself.
    package func number(at path: [UInt8]) -> Int? {
        var number = Self.root
        let isForeign = path.contains { $0 >= 0x80 }
        for component in path.split(separator: UInt8(ascii: "/")) {
            var child = number + 1
            let end = number + Int(records[number].extent)
            var equal: Int?
            while child < end, name(of: child) != component {
                if isForeign, NameSpelling.composed(Array(name(of: child))) == NameSpelling.composed(Array(component)) {
                    equal = equal ?? child
                }
                child += Int(records[child].extent)
            }
            guard let found = child < end ? child : equal else { return nil }
            number = found
        }
        return number
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
    /// True for a hard link to a file that has another path in the container that comes earlier.
    package let isRepeatedLink: Bool
    /// True if the file has several hard links, which may be outside the container.
    package let hasSeveralLinks: Bool
}
