package import FileSystem

/// The items of a plan by directory, with the sum of the included items below each directory.
package struct PlanTree {
    /// One item in its directory.
    package struct Node {
        package let name: [UInt8]
        package let kind: FileKind
        package let reason: PlanReason
        package let decidedBy: PlanDecider
        /// The size of a file; of an excluded directory, the size of its content.
        package let bytes: UInt64
        /// The included items below a directory.
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

    /// The items of a directory in the order of their names.
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
