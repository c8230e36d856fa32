package import AppContainer
package import ContainerTree
package import FileSystem

/// The items of a plan by directory, with the sum of the included items below each directory.
package struct PlanTree {
    /// One item in its directory.
    package struct Node {
        package let name: [UInt8]
        package let kind: FileKind
        package let decision: BackupDecision
        /// The size of a file, or of the content of an excluded directory.
        package let bytes: UInt64
        /// The number and size of the included items below a directory.
        package let included: ItemCount
        /// True if nothing below the item is excluded.
        package let isWhole: Bool
        package let availability: Availability
        fileprivate let number: Int
    }

    private struct Sum {
        var included = ItemCount()
        var isWhole = true
    }

    private let plan: Plan
    /// The sums of directories, by their numbers.
    private var sums: [Int: Sum] = [:]

    package init(_ plan: Plan) {
        self.plan = plan
        // In reverse order, the content of a directory comes before the directory.
        for number in plan.indices.reversed() {
            guard let parent = plan.index.parent(of: number) else { continue }
            var sum = sums[parent] ?? Sum()
            if !plan.isStored(at: number) {
                sum.isWhole = false
            } else if plan.kind(at: number) != .directory {
                sum.included.add(bytes: plan.bytes(at: number))
            } else {
                let own = sums[number] ?? Sum()
                sum.included.add(bytes: 0)
                sum.included.add(own.included)
                if !own.isWhole { sum.isWhole = false }
            }
            sums[parent] = sum
        }
    }

    /// The container itself.
    package var root: Node? { plan.isEmpty ? nil : node(ContainerIndex.root) }

    /// Returns the children of a directory in the order of their names.
    package func children(of node: Node) -> some Sequence<Node> {
        plan.index.children(of: node.number).lazy.map(self.node)
    }

    private func node(_ number: Int) -> Node {
        let sum = sums[number] ?? Sum()
        return Node(
            name: Array(plan.name(at: number)), kind: plan.kind(at: number),
            decision: plan.index.decision(for: number), bytes: plan.bytes(at: number), included: sum.included,
            isWhole: sum.isWhole, availability: plan.availability(at: number), number: number)
    }
}
