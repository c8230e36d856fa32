/// A property list that was read, as nodes that refer to each other by number.
///
/// Shared values and cycles are preserved, so that the graph is never larger than its bytes. `PropertyListValue`
/// provides access step by step.
package struct PropertyListGraph: Sendable {
    /// A value. Containers refer to their elements.
    package enum Node: Sendable, Hashable {
        case null, boolean(Bool), integer(Int64), unsigned(UInt64), real(Double)
        /// A floating-point number with four bytes.
        case single(Float)
        /// Seconds since 2001-01-01T00:00:00Z.
        case date(Double)
        case data([UInt8]), string(String), uid(UInt64)
        case array([Int])
        case dictionary([Pair])
    }
    /// A key and its value, by number.
    package struct Pair: Sendable, Hashable {
        package let key: Int
        package let value: Int
    }

    /// The limits for reading.
    package struct Limits: Sendable {
        package var bytes = 64 << 20
        package var objects = 1_000_000
        /// The bytes of all strings and data, and eight for each element of a container.
        package var contents = 64 << 20

        package init() {}
    }

    /// The treatment of text that is not valid in its encoding, such as half a surrogate pair.
    package enum BrokenText: Sendable {
        /// Refuses the list, because a save would lose data.
        case refused
        /// Replaces invalid parts with U+FFFD.
        case replaced
    }

    /// The values by number.
    package let nodes: [Node]
    let top: Int

    init(nodes: [Node], top: Int) {
        self.nodes = nodes
        self.top = top
    }

    /// Reads a property list, binary or XML.
    ///
    /// - Throws: The problem and its offset in bytes; for XML, the offset in its UTF-8 form. No input traps, and the
    ///   cost is bounded by the size of the input and the limits.
    package init(
        parsing bytes: [UInt8], limits: Limits = Limits(), brokenText: BrokenText = .refused
    ) throws(PropertyListError) {
        guard bytes.count <= limits.bytes else {
            throw PropertyListError(.tooLarge, at: 0, description: "too many bytes")
        }
        if bytes.starts(with: BinaryReader.magic) {
            self = try BinaryReader(bytes: bytes, limits: limits, brokenText: brokenText).graph()
        } else if let text = try XMLEncoding.utf8(bytes, brokenText: brokenText) {
            self = try XMLReader(bytes: text, limits: limits, brokenText: brokenText).graph()
        } else {
            throw PropertyListError(.notAPropertyList, at: 0, description: "neither a binary nor an XML property list")
        }
    }

    /// The root value.
    package var root: PropertyListValue { PropertyListValue(graph: self, index: top) }
}

/// A value in a graph.
package struct PropertyListValue: Sendable {
    package let graph: PropertyListGraph
    /// The number of the value in the graph. Equal numbers are the same value.
    package let index: Int

    init(graph: PropertyListGraph, index: Int) {
        self.graph = graph
        self.index = index
    }

    /// The node of the value.
    package var node: PropertyListGraph.Node { graph.nodes[index] }

    /// Returns the value of a dictionary for a key, or nil.
    package subscript(key: String) -> PropertyListValue? {
        guard case .dictionary(let pairs) = node else { return nil }
        return pairs.first { graph.nodes[$0.key] == .string(key) }.map {
            PropertyListValue(graph: graph, index: $0.value)
        }
    }

    /// Returns an element of an array, or nil.
    package subscript(position: Int) -> PropertyListValue? {
        guard case .array(let members) = node, members.indices.contains(position) else { return nil }
        return PropertyListValue(graph: graph, index: members[position])
    }

    /// The value as a string, or nil.
    package var string: String? {
        guard case .string(let text) = node else { return nil }
        return text
    }
}

extension PropertyListValue {
    /// The elements of an array in order, or nil.
    package var members: [PropertyListValue]? {
        guard case .array(let indexes) = node else { return nil }
        return indexes.map { PropertyListValue(graph: graph, index: $0) }
    }

    /// The pairs of a dictionary in the order of the file, or nil.
    package var pairs: [(key: String, value: PropertyListValue)]? {
        guard case .dictionary(let pairs) = node else { return nil }
        return pairs.compactMap { pair in
            guard case .string(let key) = graph.nodes[pair.key] else { return nil }
            return (key, PropertyListValue(graph: graph, index: pair.value))
        }
    }

    /// Returns a pair of a dictionary by its position in the file, or nil.
    package func pair(at position: Int) -> (key: String, value: PropertyListValue)? {
        guard case .dictionary(let pairs) = node, pairs.indices.contains(position),
            case .string(let key) = graph.nodes[pairs[position].key]
        else { return nil }
        return (key, PropertyListValue(graph: graph, index: pairs[position].value))
    }

    /// The number of elements of an array or pairs of a dictionary, or 0. Does not read them.
    package var count: Int {
        switch node {
        case .array(let indexes): indexes.count
        case .dictionary(let pairs): pairs.count
        default: 0
        }
    }
}

extension PropertyListGraph {
    /// Checks that the graph can be expanded to a tree, as decoders do that follow every reference: no value contains
    /// itself, none is deeper than `depth`, and there are at most `count` values, counting shared values for each
    /// reference.
    ///
    /// - Throws: `malformed` for a cycle, `tooLarge` beyond a limit. The cost depends on the size of the graph, not of
    ///   the tree.
    package func requireUnfolding(depth: Int = 512, count: Int = 1_000_000) throws(PropertyListError) {
        /// The state of a value: unknown, an ancestor of the current one, or measured.
        enum Seen { case no, above, done(count: Int, depth: Int) }
        var seen = [Seen](repeating: .no, count: nodes.count)
        var path: [(index: Int, members: [Int], next: Int, count: Int, depth: Int)] = []

        func enter(_ index: Int) {
            seen[index] = .above
            path.append((index, members(of: index), 0, 1, 1))
        }
        enter(top)
        while let last = path.indices.last {
            guard path[last].next < path[last].members.count else {
                let done = path.removeLast()
                seen[done.index] = .done(count: done.count, depth: done.depth)
                continue
            }
            let member = path[last].members[path[last].next]
            switch seen[member] {
            case .no:
                guard path.count < depth else {
                    throw PropertyListError(
                        .tooLarge, at: 0, description: "values nested more than \(depth) levels deep")
                }
                enter(member)
            case .above: throw PropertyListError(.malformed, at: 0, description: "a value contains itself")
            case .done(let count, let depth):
                path[last].next += 1
                path[last].count += count
                path[last].depth = max(path[last].depth, depth + 1)
            }
            guard path[path.count - 1].count <= count else {
                throw PropertyListError(
                    .tooLarge, at: 0, description: "more than \(count) values, counting shared ones for each reference")
            }
            guard path[last].depth + last <= depth else {
                throw PropertyListError(.tooLarge, at: 0, description: "values nested more than \(depth) levels deep")
            }
        }
    }

    private func members(of index: Int) -> [Int] {
        switch nodes[index] {
        case .array(let members): members
        case .dictionary(let pairs): pairs.flatMap { [$0.key, $0.value] }
        default: []
        }
    }
}
