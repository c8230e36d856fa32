internal import AppContainer
package import ContainerTree
internal import FileSystem
internal import SystemPackage

/// The differences between the items of two containers, by their paths.
///
/// Two items are the same if they have the same path and kind, files also the same size and content, and links the same
/// target. Times, modes and attributes are not compared. The content of two files is read if their sizes are equal and their
/// modification dates differ, or always with `comparesAllContent`; one file after the other, in pieces. A directory has
/// changed if anything below it differs. Names that only differ in their Unicode form are the same.
///
/// The comparison takes 9 bytes of memory per item besides the indexes, and some for each difference. It is a value of the
/// moment of the indexes and of the reading; it does not follow later changes.
package struct ContainerComparison: Sendable {
    /// The result for an item of one of the containers.
    package enum Status: UInt8, Sendable {
        /// The other container has the same item; for a directory, everything below it too.
        case same
        /// The other container has another item with this path, or something below the directory differs.
        case changed
        /// The other container has no item with this path.
        case onlyHere
    }

    /// The properties in which two items with the same path differ.
    package struct Change: OptionSet, Sendable, Hashable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let kind = Change(rawValue: 1)
        package static let size = Change(rawValue: 2)
        package static let content = Change(rawValue: 4)
        package static let target = Change(rawValue: 8)
        /// Unknown, because one of them could not be read.
        package static let unknown = Change(rawValue: 16)
    }

    /// A difference: an item with everything below it that only one container has, or two items with the same path.
    package struct Difference: Sendable {
        /// The number of the item in the left container; nil if only the right one has it.
        package let left: Int?
        /// The number of the item in the right container; nil if only the left one has it.
        package let right: Int?
        /// The properties that differ; empty if only one container has the item.
        package let change: Change
    }

    /// A number of items, and the sizes of their content in both containers.
    package struct Sum: Sendable, Hashable {
        package internal(set) var items = 0
        package internal(set) var leftBytes: UInt64 = 0
        package internal(set) var rightBytes: UInt64 = 0

        package init() {}
    }

    /// Two items with the same path, or files, that could not be compared.
    package struct Uncompared: Sendable, Hashable {
        package let path: [UInt8]
        /// The reason, in a few words.
        package let reason: String
    }

    /// The options of a comparison.
    package struct Options: Sendable {
        /// True to read all files of equal size, not only those with different modification dates.
        package var comparesAllContent = false
        /// True to ignore the items that a backup excludes.
        package var comparesOnlyBackedUp = false
        /// True to find the files that have moved.
        package var findsMoves = true
        /// The bytes that may be read.
        package var budget = ComparisonBudget()
        /// Called often from the thread of the comparison. Returns true to end it.
        package var isCancelled: @Sendable () -> Bool = { false }

        package init() {}
    }

    package private(set) var left: ContainerIndex
    package private(set) var right: ContainerIndex
    /// The differences, in the order of their paths.
    package internal(set) var differences: [Difference] = []
    /// The items that could not be compared. They count as changed.
    package internal(set) var uncompared: [Uncompared] = []
    /// The items of both containers that are the same, without the containers themselves.
    package internal(set) var same = Sum()
    /// The files that only the left container has at this path, and the files of the right one with the same content.
    package internal(set) var moves: [Int: Int] = [:]
    /// The same by the files of the right container.
    package internal(set) var origins: [Int: Int] = [:]
    var statuses: (left: [Status], right: [Status])
    var partners: (left: [UInt32], right: [UInt32])

    static let none = UInt32.max

    /// Compares two containers.
    ///
    /// - Returns: Nil if it was cancelled.
    package init?(_ left: ContainerIndex, _ right: ContainerIndex, options: Options = Options()) {
        (self.left, self.right) = (left, right)
        statuses = (
            Array(repeating: .onlyHere, count: left.count), Array(repeating: .onlyHere, count: right.count)
        )
        partners = (
            Array(repeating: Self.none, count: left.count), Array(repeating: Self.none, count: right.count)
        )
        var run = ComparisonRun(options)
        guard run.compare(&self), !options.findsMoves || run.findMoves(&self) else { return nil }
    }

    /// True if both containers have the same items.
    package var isEqual: Bool { differences.isEmpty }
    /// True if every item of both containers could be read and compared.
    package var isComplete: Bool { uncompared.isEmpty && left.isComplete && right.isComplete }

    /// Returns the status of an item of the left container.
    package func status(ofLeft item: Int) -> Status { statuses.left[item] }

    /// Returns the status of an item of the right container.
    package func status(ofRight item: Int) -> Status { statuses.right[item] }

    /// Returns the item of the right container with the path of an item of the left one, or nil.
    package func partner(ofLeft item: Int) -> Int? {
        partners.left[item] == Self.none ? nil : Int(partners.left[item])
    }

    /// Returns the item of the left container with the path of an item of the right one, or nil.
    package func partner(ofRight item: Int) -> Int? {
        partners.right[item] == Self.none ? nil : Int(partners.right[item])
    }

    /// Returns the directory of the right container to which everything in a directory of the left one has moved, or nil.
    package func destination(ofDirectory directory: Int) -> Int? {
        Self.destination(of: directory, in: left, by: moves, in: right)
    }

    /// Returns the directory of the left container from which everything in a directory of the right one has moved, or nil.
    package func origin(ofDirectory directory: Int) -> Int? {
        Self.destination(of: directory, in: right, by: origins, in: left)
    }

    private static func destination(
        of directory: Int, in index: ContainerIndex, by moves: [Int: Int], in other: ContainerIndex
    ) -> Int? {
        let files = index.subtree(of: directory).filter { index.kind(of: $0) == .file }
        guard let first = files.first, var found = moves[first] else { return nil }
        for _ in 0..<(index.depth(of: first) - index.depth(of: directory)) {
            guard let parent = other.parent(of: found) else { return nil }
            found = parent
        }
        let (subtree, others) = (index.subtree(of: directory), other.subtree(of: found))
        guard found != ContainerIndex.root, subtree.count == others.count,
            files.allSatisfy({ file in moves[file].map(others.contains) ?? false })
        else { return nil }
        return found
    }

    /// Returns each item of a difference by itself, in the order of paths: two items, and everything below one of them.
    package func items(of difference: Difference) -> [Difference] {
        guard difference.left == nil || difference.right == nil || difference.change.contains(.kind) else {
            return [difference]
        }
        var items: [Difference] = []
        if difference.change.contains(.kind) { items.append(difference) }
        // The items of two different kinds have been added.
        let isJoined = !items.isEmpty
        if let left = difference.left {
            items += self.left.subtree(of: left).dropFirst(isJoined ? 1 : 0).filter { statuses.left[$0] == .onlyHere }
                .map { Difference(left: $0, right: nil, change: []) }
        }
        if let right = difference.right {
            items += self.right.subtree(of: right).dropFirst(isJoined ? 1 : 0)
                .filter { statuses.right[$0] == .onlyHere }.map { Difference(left: nil, right: $0, change: []) }
        }
        return items
    }

    /// Adds a single item to a sum. A file with several hard links counts once in each container.
    package func add(_ item: Difference, to sum: inout Sum) {
        sum.items += 1
        if let left = item.left { sum.leftBytes.addClamped(Self.bytes(of: left, in: self.left)) }
        if let right = item.right { sum.rightBytes.addClamped(Self.bytes(of: right, in: self.right)) }
    }

    static func bytes(of item: Int, in index: ContainerIndex) -> UInt64 {
        index.previousLink(of: item) == nil ? index[item].own.logical : 0
    }
}
