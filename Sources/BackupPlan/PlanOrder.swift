package import FileSystem

/// The order of a plan: by the bytes of path components, a directory directly before its content.
struct PlanOrder: Sendable {
    /// The record numbers in order.
    private(set) var records: [UInt32] = []
    /// The record number of each directory.
    private(set) var recordOfDirectory: [UInt32]
    /// The records by parent directory and name, and the start of each directory in that list.
    private let children: [UInt32]
    private let starts: [UInt32]

    init(_ state: borrowing PlanBuilder.State) {
        let count = state.records.count
        let directories = Int(state.directories)
        recordOfDirectory = Array(repeating: PlanRecord.none, count: directories)
        // A counting sort by parent: count the children of each directory, then add up the start positions.
        var starts = [UInt32](repeating: 0, count: directories + 1)
        var root = PlanRecord.none
        for index in 0..<UInt32(count) {
            let record = state.records[index]
            if record.directory != PlanRecord.none { recordOfDirectory[Int(record.directory)] = index }
            if record.parent == PlanRecord.none { root = index } else { starts[Int(record.parent) + 1] += 1 }
        }
        for directory in 0..<directories { starts[directory + 1] += starts[directory] }
        var children = [UInt32](repeating: 0, count: Int(starts[directories]))
        var next = starts
        for index in 0..<UInt32(count) {
            let parent = Int(state.records[index].parent)
            guard parent != Int(PlanRecord.none) else { continue }
            children[Int(next[parent])] = index
            next[parent] += 1
        }
        var sorter = NameSorter()
        for directory in 0..<directories where starts[directory + 1] - starts[directory] > 1 {
            sorter.sort(&children[Int(starts[directory])..<Int(starts[directory + 1])], of: state)
        }
        self.starts = starts
        self.children = children
        guard root != PlanRecord.none else { return }
        records.reserveCapacity(count)
        records.append(root)
        // The remaining children of each directory on the current path.
        var open = [Int(starts[0])..<Int(starts[1])]
        while let range = open.popLast() {
            guard let first = range.first else { continue }
            open.append(range.dropFirst())
            let child = children[first]
            records.append(child)
            let directory = state.records[child].directory
            if directory != PlanRecord.none {
                open.append(Int(starts[Int(directory)])..<Int(starts[Int(directory) + 1]))
            }
        }
    }

    /// Returns the records of the children of a directory, by name.
    func children(of directory: UInt32) -> ArraySlice<UInt32> {
        children[Int(starts[Int(directory)])..<Int(starts[Int(directory) + 1])]
    }

    /// Returns the deepest record on a path, and whether it is the item of the path itself; nil for an empty plan.
    func deepest(
        on path: [UInt8], in state: borrowing PlanBuilder.State
    ) -> (record: UInt32, isWhole: Bool)? {
        guard var record = records.first else { return nil }
        for name in path.split(separator: UInt8(ascii: "/")) {
            let directory = state.records[record].directory
            guard directory != PlanRecord.none, let child = child(name, of: directory, in: state) else {
                return (record, false)
            }
            record = child
        }
        return (record, true)
    }

    /// Returns the record of a named child of a directory.
    func child(_ name: some Collection<UInt8>, of directory: UInt32, in state: borrowing PlanBuilder.State) -> UInt32? {
        var (low, high) = (starts[Int(directory)], starts[Int(directory) + 1])
        while low < high {
            let middle = low + (high - low) / 2
            let found = state.names.name(of: state.records[children[Int(middle)]])
            if found.elementsEqual(name) { return children[Int(middle)] }
            if found.lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
        }
        return nil
    }
}

/// A sorter for the children of a directory. Most comparisons use one integer, the first eight bytes of the name.
private struct NameSorter {
    private var keys: [(key: UInt64, record: UInt32)] = []

    mutating func sort(_ records: inout ArraySlice<UInt32>, of state: borrowing PlanBuilder.State) {
        keys.removeAll(keepingCapacity: true)
        for record in records {
            var key: UInt64 = 0
            let name = state.names.name(of: state.records[record])
            for byte in name.prefix(8) { key = key << 8 | UInt64(byte) }
            keys.append((key << UInt64(8 * max(0, 8 - name.count)), record))
        }
        keys.sort { left, right in
            guard left.key == right.key else { return left.key < right.key }
            return state.names.name(of: state.records[left.record])
                .lexicographicallyPrecedes(state.names.name(of: state.records[right.record]))
        }
        for (index, key) in zip(records.indices, keys) { records[index] = key.record }
    }
}

/// The items of a plan by directory, with the sum of the included items below each directory.
package struct PlanTree {
    /// One item in its directory.
    package struct Node {
        package let name: [UInt8]
        package let kind: FileKind
        package let reason: PlanReason
        package let decidedBy: PlanDecider
        /// The size of a file, or of the content of an excluded directory.
        package let bytes: UInt64
        /// The number and size of the included items below a directory.
        package let included: PlanSum
        /// True if nothing below the item is excluded.
        package let isWhole: Bool
        fileprivate let directory: UInt32
    }

    private let plan: Plan
    private var sums: [PlanSum]
    private var isWhole: [Bool]

    package init(_ plan: Plan) {
        self.plan = plan
        sums = Array(repeating: PlanSum(), count: plan.order.recordOfDirectory.count)
        isWhole = Array(repeating: true, count: sums.count)
        // In reverse order, the content of a directory comes before the directory.
        for number in plan.order.records.reversed() {
            let record = plan.state.records[number]
            guard record.parent != PlanRecord.none else { continue }
            let parent = Int(record.parent)
            if record.reason.decision == .exclude {
                isWhole[parent] = false
            } else if record.directory == PlanRecord.none {
                sums[parent].add(bytes: record.bytes)
            } else {
                sums[parent].add(bytes: 0)
                sums[parent].add(sums[Int(record.directory)])
                if !isWhole[Int(record.directory)] { isWhole[parent] = false }
            }
        }
    }

    /// The container itself.
    package var root: Node? { plan.order.records.first.map(node) }

    /// Returns the children of a directory in the order of their names.
    package func children(of node: Node) -> some Sequence<Node> {
        let numbers = node.directory == PlanRecord.none ? [] : plan.order.children(of: node.directory)
        return numbers.lazy.map(self.node)
    }

    private func node(_ number: UInt32) -> Node {
        let record = plan.state.records[number]
        let isDirectory = record.directory != PlanRecord.none
        return Node(
            name: Array(plan.state.names.name(of: record)), kind: record.kind, reason: record.reason,
            decidedBy: record.decider, bytes: record.bytes,
            included: isDirectory ? sums[Int(record.directory)] : PlanSum(),
            isWhole: isDirectory ? isWhole[Int(record.directory)] : true, directory: record.directory)
    }
}
