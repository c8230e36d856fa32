package import PropertyLists

/// Finds the texts and data of a property list in the order of the file.
///
/// Each container is visited once, where it is met first, so that the time of a walk is that of the size of the file; at
/// most 128 levels deep. Walks from several values of one list count as one walk.
package struct PropertyListWalk {
    private struct Level {
        let members: Members
        var position = 0
        /// The number of the current value's key; nil in an array.
        var key: Int?
        /// Created for the first value whose location is asked for.
        var parent: ValuePointer.Parent?

        init(_ members: Members) { self.members = members }

        /// Returns the number of the next value, whose key `key` is then; nil at the end.
        mutating func next() -> Int? {
            defer { position += 1 }
            switch members {
            case .array(let values): return position < values.count ? values[position] : nil
            case .dictionary(let pairs):
                guard position < pairs.count else { return nil }
                key = pairs[position].key
                return pairs[position].value
            }
        }
    }

    private enum Members {
        case array([Int])
        case dictionary([PropertyListGraph.Pair])
    }

    private static let depth = 128
    private let graph: PropertyListGraph
    private var seen: [Bool]
    private var levels: [Level] = []
    /// A start that is itself a text or data, until it is returned.
    private var single: Int?

    package init(in graph: PropertyListGraph) {
        self.graph = graph
        seen = [Bool](repeating: false, count: graph.nodes.count)
    }

    /// Begins a walk of a value and of all that it contains.
    package mutating func start(at value: PropertyListValue) {
        levels = members(of: value.index).map { [Level($0)] } ?? []
        single = Self.isShown(value.node) ? value.index : nil
    }

    /// Returns the next text or data; nil at the end.
    package mutating func next() -> PropertyListGraph.Node? {
        if let index = single {
            single = nil
            return graph.nodes[index]
        }
        while !levels.isEmpty {
            let last = levels.count - 1
            guard let value = levels[last].next() else {
                levels.removeLast()
                continue
            }
            if Self.isShown(graph.nodes[value]) {
                if levels[last].key == nil || name(ofLevel: last) != nil { return graph.nodes[value] }
            } else if levels.count < Self.depth, let members = members(of: value),
                levels[last].key == nil || name(ofLevel: last) != nil
            {
                levels.append(Level(members))
            }
        }
        return nil
    }

    /// The number of the key that names the value that `next` returned last: its own, or that of the nearest container
    /// with one. Nil for a value without such a container.
    package var key: Int? {
        for level in levels.indices.reversed() {
            if let key = levels[level].key { return key }
        }
        return nil
    }

    /// The text of that key.
    package var name: String? {
        guard let key, case .string(let name) = graph.nodes[key] else { return nil }
        return name
    }

    /// Returns the location of the value that `next` returned last, in a walk of the value at `start`.
    package mutating func pointer(from start: ValuePointer) -> ValuePointer {
        // The levels from the outermost that has no parent yet, since a parent needs those above it.
        var next = levels.count
        while next > 0, levels[next - 1].parent == nil { next -= 1 }
        while next < levels.count {
            levels[next].parent = ValuePointer.Parent(value(ofLevel: next - 1) ?? start)
            next += 1
        }
        return value(ofLevel: levels.count - 1) ?? start
    }

    /// Returns the location of the current value of a level; nil for one without a parent, and for that around the start.
    private func value(ofLevel level: Int) -> ValuePointer? {
        guard level >= 0, let parent = levels[level].parent else { return nil }
        guard levels[level].key != nil else { return parent.member(levels[level].position - 1) }
        return parent.member(name(ofLevel: level) ?? "")
    }

    /// Returns the key of the current value of a level; nil for one that is no text.
    private func name(ofLevel level: Int) -> String? {
        guard let key = levels[level].key, case .string(let name) = graph.nodes[key] else { return nil }
        return name
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
