internal import PropertyLists

/// Visits the texts and data of a property list in the order of the file.
///
/// Each container is visited once, where it is met first, so that the time of a walk is that of the size of the file; at
/// most 128 levels deep. Visits of several values of one list count as one walk.
struct PropertyListWalk {
    private struct Level {
        let members: Members
        let pointer: ValuePointer
        var position = 0
        /// Created for the first value that needs it.
        private var parent: ValuePointer.Parent?

        init(_ members: Members, at pointer: ValuePointer) { (self.members, self.pointer) = (members, pointer) }

        /// Returns the numbers of the next value and its key; nil at the end.
        mutating func next() -> (value: Int, key: Int?)? {
            defer { position += 1 }
            switch members {
            case .array(let values): return position < values.count ? (values[position], nil) : nil
            case .dictionary(let pairs):
                return position < pairs.count ? (pairs[position].value, pairs[position].key) : nil
            }
        }

        /// Returns the pointer to the value that `next` returned, or nil for a key that is no text.
        mutating func pointer(key: Int?, in graph: PropertyListGraph) -> ValuePointer? {
            let parent = self.parent ?? ValuePointer.Parent(pointer)
            self.parent = parent
            guard let key else { return parent.member(position - 1) }
            guard case .string(let name) = graph.nodes[key] else { return nil }
            return parent.member(name)
        }
    }

    private enum Members {
        case array([Int])
        case dictionary([PropertyListGraph.Pair])
    }

    private static let depth = 128
    private let graph: PropertyListGraph
    private var seen: [Bool]

    init(in graph: PropertyListGraph) {
        self.graph = graph
        seen = [Bool](repeating: false, count: graph.nodes.count)
    }

    /// Passes each text and each data value in `start` to `show`, until it returns false.
    mutating func visit(
        _ start: PropertyListValue, at pointer: ValuePointer, show: (ValuePointer, PropertyListGraph.Node) -> Bool
    ) {
        var levels: [Level] = []
        if let members = members(of: start.index) {
            levels.append(Level(members, at: pointer))
        } else if Self.isShown(start.node) {
            _ = show(pointer, start.node)
        }
        while var level = levels.popLast() {
            while let (value, key) = level.next() {
                if Self.isShown(graph.nodes[value]) {
                    guard let pointer = level.pointer(key: key, in: graph) else { continue }
                    guard show(pointer, graph.nodes[value]) else { return }
                } else if levels.count < Self.depth - 1, let members = members(of: value),
                    let pointer = level.pointer(key: key, in: graph)
                {
                    levels.append(level)
                    level = Level(members, at: pointer)
                }
            }
        }
    }

    private static func isShown(_ node: PropertyListGraph.Node) -> Bool {
        switch node {
        case .string, .data: true
        default: false
        }
    }

    /// Returns the members of a container that was not visited before; nil for other values.
    private mutating func members(of index: Int) -> Members? {
        guard !seen[index] else { return nil }
        switch graph.nodes[index] {
        case .array(let members):
            seen[index] = true
            return .array(members)
        case .dictionary(let pairs):
            seen[index] = true
            return .dictionary(pairs)
        default: return nil
        }
    }
}
